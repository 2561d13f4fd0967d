#include "cli/command_platform.h"

#include <memory>

#include "cli/command_platform_query.h"
#include "cli/release_listing.h"

namespace opm::cli {

namespace {

ExitCode list(Session& session, const ListingFlags& flags) {
  return print_listing(session, flags.folder, render::list_platforms, [&](const render::ReleaseList& list, const std::string& here) {
    session.out.write(flags.output == "json" ? platforms_json(list) : platforms_table(list, here));
    return ExitCode::success;
  });
}

}  // namespace

void add_platform_command(CommandLine& line, Session& session) {
  Command group = line.root().add("platform", "Clusters that environments run on");
  auto flags = std::make_shared<ListingFlags>();
  Command command = group.add("list", "List the platforms of the folder .opm here or above");
  declare_listing_flags(command, *flags);
  command.run([&session, flags] { return list(session, *flags); });
  add_platform_query_command(group, session);
}

}  // namespace opm::cli
