#include "cli/command_env.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>

#include "base/suggestion.h"
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
      base::Suggestion near(wanted);
      std::string names;
      for (const model::ReleaseDeclaration& release : releases.releases) {
        near.consider(release.field);
        names += (names.empty() ? "" : ", ") + release.field;
      }
      session.err.print("error: there is no release \"{}\"\n", wanted);
      std::string meant = near.best().empty() ? std::string() : fmt::format("did you mean \"{}\"? ", near.best());
      if (!names.empty()) session.err.print("  help: {}the package has {}\n", meant, names);
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
