#include "cli/command_mod_resolve.h"

#include <memory>

#include "cli/configure.h"
#include "cli/module_folder.h"
#include "cue/module/build_list.h"
#include "cue/module/import_path.h"
#include "cue/module/version.h"
#include "oci/module_registry.h"
#include "opm/builtin/catalog.h"

namespace opm::cli {
namespace {

struct Options {
  ConfigFlags flags;
  bool dependencies = false;
  std::vector<std::string> modules;
};

class Resolution {
 public:
  Resolution(Session& session, const Options& options, Configured& configured)
      : session_(session), options_(options), configured_(configured) {}

  ExitCode run() {
    diag::SourceMap sources;
    std::optional<CurrentModule> current;
    if (options_.modules.empty() || options_.dependencies) {
      auto opened = open_current_module(session_, configured_.working_directory, sources);
      if (!opened) return opened.error();
      current = std::move(*opened);
    }
    if (options_.dependencies) return show_dependencies(current->file);
    if (options_.modules.empty()) return show(std::string(current->file.base_path()), {});
    for (const std::string& module : options_.modules) {
      auto [base, version] = cue::module::split_version(module);
      if (auto problem = cue::module::check_module_path(base)) return fail(*problem);
      if (!version.empty() && cue::module::canonical_version(version) != version)
        return fail("\"" + std::string(version) + "\" is no complete version, such as v1.2.3");
      if (ExitCode code = show(std::string(base), std::string(version)); code != ExitCode::success) return code;
    }
    return ExitCode::success;
  }

 private:
  ExitCode fail(const std::string& message) {
    session_.err.print("{}\n", message);
    return ExitCode::failure;
  }

  bool is_built_in(const cue::module::ModuleVersion& module) const {
    return !options_.flags.no_builtin && module.version == builtin::catalog_version() &&
           builtin::find_catalog_module(module.path) != nullptr;
  }

  std::string place_of(const std::string& base, const std::string& version) const {
    if (!version.empty()) {
      std::string path = base + "@" + std::string(cue::module::major_version(version));
      if (is_built_in({path, version})) return "built into opm";
    }
    oci::ModuleRegistry* registry = configured_.modules->registry();
    auto location = registry != nullptr ? registry->map().locate(base, version) : std::nullopt;
    if (!location) return {};
    if (version.empty()) location->tag.clear();
    return location->text();
  }

  ExitCode show(const std::string& base, const std::string& version) {
    std::string place = place_of(base, version);
    if (place.empty()) {
      session_.err.print("no registry is set for module {}\n", base);
      return ExitCode::not_found;
    }
    session_.out.print("{}\n", place);
    return ExitCode::success;
  }

  ExitCode show_dependencies(const cue::module::ModuleFile& file) {
    std::vector<cue::module::ModuleVersion> roots;
    for (const auto& dependency : file.dependencies)
      if (!dependency.module.version.empty()) roots.push_back(dependency.module);
    ExitCode code = ExitCode::success;
    for (const cue::module::ModuleVersion& module : cue::module::BuildList(file.path, roots).modules()) {
      std::string place = place_of(std::string(module.base_path()), module.version);
      if (place.empty()) {
        session_.err.print("no registry is set for module {}\n", module.base_path());
        code = ExitCode::not_found;
        continue;
      }
      session_.out.print("{}: {}\n", module.path, place);
    }
    return code;
  }

  Session& session_;
  const Options& options_;
  Configured& configured_;
};

}  // namespace

void add_mod_resolve_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("resolve", "Say where modules come from; nothing is asked of a registry");
  command.flag("--deps", options->dependencies, "Those that this module lists")
      .arguments("PATH[@VERSION]", options->modules, "Which ones, instead of this one");
  declare_config_flags(command, options->flags);
  command.run([&session, options] {
    auto configured = configure(session, options->flags);
    if (!configured) return configured.error();
    return Resolution(session, *options, *configured).run();
  });
}

}  // namespace opm::cli
