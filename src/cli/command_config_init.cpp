#include "cli/command_config_init.h"

#include <memory>

#include "base/path.h"
#include "cli/configure.h"
#include "cli/write_folder.h"
#include "opm/builtin/templates.h"

namespace opm::cli {
namespace {

struct Options {
  config::Flags flags;
  bool force = false;
};

ExitCode init(Session& session, const Options& options) {
  std::string folder;
  if (options.flags.config) {
    folder = base::parent_path(base::is_absolute_path(*options.flags.config)
                                   ? base::clean_path(*options.flags.config)
                                   : base::join_path(current_directory(), *options.flags.config));
    if (base::base_name(*options.flags.config) != "config.cue") {
      session.err.print("error: the configuration has to be called config.cue, not \"{}\"\n",
                        base::base_name(*options.flags.config));
      return ExitCode::failure;
    }
  } else {
    folder = config::default_folder(base::real_environment());
  }
  if (folder.empty()) {
    session.err.write("error: there is no home folder: HOME is not set\n");
    return ExitCode::failure;
  }
  std::string file = base::join_path(folder, "config.cue");
  if (!options.force && base::real_file_system().status(file)) {
    session.err.print("error: {} is there already\n  help: --force writes it anew\n", file);
    return ExitCode::failure;
  }
  std::vector<NewFile> files;
  for (NewFile& one : files_of_template(builtin::kConfigTemplate)) files.push_back(std::move(one));
  // The folder may come to hold credentials of registries.
  if (auto problem = write_folder(folder, files, base::FileAccess::owner_only)) {
    session.err.print("error: {}\n", *problem);
    return ExitCode::failure;
  }
  session.out.print("wrote {}\n", file);
  return ExitCode::success;
}

}  // namespace

void add_config_init_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("init", "Write a configuration to start from to ~/.opm");
  command.option("--config", options->flags.config, "FILE", "Where to write it instead of ~/.opm/config.cue")
      .flag("-f,--force", options->force, "Overwrite one that is there")
      .run([&session, options] { return init(session, *options); });
}

}  // namespace opm::cli
