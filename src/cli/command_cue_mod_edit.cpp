#include "cli/command_cue_mod_edit.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "base/file_system.h"
#include "base/path.h"
#include "cli/configure.h"
#include "cli/cue_errors.h"
#include "cli/module_folder.h"
#include "cue/module/import_path.h"
#include "cue/module/local_module.h"
#include "cue/module/version.h"
#include "cue/syntax/literal.h"

namespace opm::cli {
namespace {

namespace module = cue::module;
using module::Dependency;

struct Options {
  std::string source;
  bool drop_source = false;
  std::vector<std::string> require, drop_require;  // path@vN.N.N; path@vN
  std::vector<std::string> replace, drop_replace;  // path@vN=folder or module; path@vN
};

class Editing {
 public:
  Editing(Session& session, const Options& options) : session_(session), options_(options) {}

  ExitCode run() {
    auto current = open_current_module(session_, current_directory(), sources_);
    if (!current) return current.error();
    module::ModuleFile file = current->file;
    if (auto problem = edit(file)) return fail(*problem);
    if (auto written = write_current_module(session_, *current, file); !written) return written.error();
    if (options_.replace.empty() && options_.drop_replace.empty()) return ExitCode::success;

    std::vector<Dependency> local = file.dependencies;
    std::string path = base::join_path(current->root, "cue.mod/local-module.cue");
    if (auto text = base::real_file_system().read_file(path, module::kMaxModuleFileBytes)) {
      const diag::Source* source = sources_.add(path, std::move(*text));
      auto read = module::read_local_module_file(*source, file);
      if (!read) return report_errors(session_, sources_, std::move(read.error()), current_directory());
      local = std::move(*read);
    }
    if (auto problem = edit_replacements(local)) return fail(*problem);
    bool replaces = std::ranges::any_of(local, [](const Dependency& d) { return !d.replace_with.empty(); });
    auto written =
        write_local_module(session_, *current, replaces ? module::write_local_module_file(local, file) : std::string());
    return written ? ExitCode::success : written.error();
  }

 private:
  ExitCode fail(const std::string& message) {
    session_.err.print("{}\n", message);
    return ExitCode::failure;
  }

  static Dependency& entry(std::vector<Dependency>& dependencies, const std::string& path) {
    auto found = std::ranges::find_if(dependencies, [&](const Dependency& d) { return d.module.path == path; });
    if (found != dependencies.end()) return *found;
    dependencies.push_back({{path, {}}, false, {}, {}});
    std::ranges::sort(dependencies, {}, &Dependency::module);
    return *std::ranges::find_if(dependencies, [&](const Dependency& d) { return d.module.path == path; });
  }

  // What is wrong with a module path that has to say its major version.
  static std::optional<std::string> wrong_path(const std::string& path) {
    if (module::split_version(path).second.empty())
      return "invalid module path " + cue::syntax::quote(path) + ": no major version";
    return module::check_module_path(path);
  }

  std::optional<std::string> edit(module::ModuleFile& file) const {
    if (!options_.source.empty()) {
      if (options_.source != "self" && options_.source != "git")
        return "unrecognized source kind " + cue::syntax::quote(options_.source);
      file.source_kind = options_.source;
    }
    if (options_.drop_source) file.source_kind.clear();
    for (const std::string& wish : options_.require) {
      auto [base, version] = module::split_version(wish);
      if (version.empty() || module::canonical_version(version) != version)
        return "invalid argument " + cue::syntax::quote(wish) + ": say path@v1.2.3";
      std::string path = std::string(base) + "@" + std::string(module::major_version(version));
      entry(file.dependencies, path).module.version = version;
    }
    for (const std::string& path : options_.drop_require) {
      if (auto wrong = wrong_path(path)) return wrong;
      std::erase_if(file.dependencies, [&](const Dependency& dependency) { return dependency.module.path == path; });
    }
    return std::nullopt;
  }

  std::optional<std::string> edit_replacements(std::vector<Dependency>& local) const {
    for (const std::string& wish : options_.replace) {
      std::size_t equal = wish.find('=');
      if (equal == std::string::npos) return "invalid argument " + cue::syntax::quote(wish) + ": say path@v1=./folder";
      std::string path = wish.substr(0, equal);
      std::string target = wish.substr(equal + 1);
      if (auto wrong = wrong_path(path)) return wrong;
      if (auto parsed = module::parse_replacement(target, local); !parsed) return parsed.error();
      entry(local, path).replace_with = target;
    }
    for (const std::string& path : options_.drop_replace) {
      if (auto wrong = wrong_path(path)) return wrong;
      entry(local, path).replace_with.clear();
    }
    return std::nullopt;
  }

  Session& session_;
  const Options& options_;
  diag::SourceMap sources_;
};

}  // namespace

void add_cue_mod_edit_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("edit", "Change single fields of cue.mod/module.cue and cue.mod/local-module.cue");
  command.option("--require", options->require, "PATH@VERSION", "Depend on that version of a module")
      .option("--drop-require", options->drop_require, "PATH@MAJOR", "Do no longer depend on a module")
      .option("--replace", options->replace, "PATH@MAJOR=TARGET", "While working here, use a folder or another module instead")
      .option("--drop-replace", options->drop_replace, "PATH@MAJOR", "Use the module itself again")
      .option("--source", options->source, "KIND", "Where published files come from: self or git")
      .flag("--drop-source", options->drop_source, "Do no longer say where published files come from");
  command.run([&session, options] { return Editing(session, *options).run(); });
}

}  // namespace opm::cli
