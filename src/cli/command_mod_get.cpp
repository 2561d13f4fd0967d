#include "cli/command_mod_get.h"

#include <memory>

#include "cli/configure.h"
#include "cli/module_folder.h"
#include "cue/module/update.h"

namespace opm::cli {
namespace {

struct Options {
  ConfigFlags flags;
  ModFace face = ModFace::opm;
  std::vector<std::string> wishes;
};

ExitCode get(Session& session, const Options& options) {
  if (options.wishes.empty()) {
    session.err.write("error: which module?\n  help: opm mod get example.com/module@v1.2.3\n");
    return ExitCode::failure;
  }
  auto configured = configure(session, options.flags);
  if (!configured) return configured.error();
  diag::SourceMap sources;
  auto current = open_current_module(session, configured->working_directory, sources);
  if (!current) return current.error();
  cue::module::ModuleSources& modules = configured->modules->sources();
  std::vector<cue::module::ModuleVersion> wanted;
  for (const std::string& wish : options.wishes) {
    auto module = cue::module::find_version(wish, current->file, modules);
    if (!module) {
      if (options.face == ModFace::opm && module.error().kind == cue::module::ModuleErrorKind::not_found)
        module.error().message += " (asked " + modules.names() + ")";
      return print_module_error(session, module.error());
    }
    // Where there is no registry, what nobody can be asked about passes as a dependency; nobody wants to add one.
    if (configured->modules->registry() == nullptr) {
      if (auto content = modules.content(*module); !content) {
        session.err.print("cannot get {}: ", module->text());
        return print_module_error(session, content.error());
      }
    }
    wanted.push_back(std::move(*module));
  }
  auto updated = cue::module::update_versions(current->file, wanted, modules);
  if (!updated) return print_module_error(session, updated.error());
  std::vector<std::string> changes = describe_changes(current->file, *updated);
  if (changes.empty()) return ExitCode::success;
  if (auto written = write_current_module(session, *current, *updated); !written) return written.error();
  if (options.face == ModFace::cue) return ExitCode::success;
  for (const std::string& change : changes) session.out.print("{}\n", change);
  return ExitCode::success;
}

}  // namespace

void add_mod_get_command(const Command& group, Session& session, ModFace face) {
  auto options = std::make_shared<Options>();
  options->face = face;
  Command command = group.add("get", "Add modules to those that this one depends on, or change their versions");
  command.arguments("PATH@VERSION", options->wishes,
                    "Which ones; @v1 and @v1.2 mean the newest of those, @latest or nothing the newest of all");
  declare_config_flags(command, options->flags);
  command.run([&session, options] { return get(session, *options); });
}

}  // namespace opm::cli
