#include "cli/command_env.h"

#include <algorithm>
#include <memory>

#include "cli/release_listing.h"

namespace opm::cli {

namespace {

struct Options {
  ListingFlags flags;
  std::string release;
};

ExitCode list(Session& session, const Options& options) {
  return print_listing(session, options.flags.folder, render::list_releases, [&](const render::ReleaseList& releases, const std::string&) {
    const std::string& wanted = options.release;
    if (!wanted.empty() && std::ranges::find(releases.releases, wanted, &model::ReleaseDeclaration::field) == releases.releases.end()) {
      session.err.print("error: there is no release \"{}\"\n", wanted);
      return ExitCode::invalid;
    }
    session.out.write(options.flags.output == "json" ? environments_json(releases, wanted) : environments_table(releases, wanted));
    return ExitCode::success;
  });
}

}  // namespace

void add_env_command(CommandLine& line, Session& session) {
  Command group = line.root().add("env", "Environments of releases");
  auto options = std::make_shared<Options>();
  Command command = group.add("list", "List the environments of releases");
  command.optional_argument("RELEASE", options->release, "Only those of this release");
  declare_listing_flags(command, options->flags);
  command.run([&session, options] { return list(session, *options); });
}

}  // namespace opm::cli
