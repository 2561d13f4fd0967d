#include "cli/command_manual.h"

#include <memory>

#include "cli/configure.h"
#include "cli/manual_pages.h"
#include "cli/render_flags.h"
#include "cli/write_folder.h"

namespace opm::cli {

namespace {

ExitCode write_manual(CommandLine& line, Session& session, const std::string& folder) {
  std::vector<NewFile> files;
  for (ManualPage& page : manual_pages(line.describe(), OPM_VERSION)) files.push_back({std::move(page.name), std::move(page.content)});
  auto problem = update_folder(absolute_path(current_directory(), folder), files, {});
  if (!problem) return ExitCode::success;
  session.err.print("error: {}\n", problem->message);
  return ExitCode::failure;
}

}  // namespace

void add_manual_command(CommandLine& line, Session& session) {
  auto folder = std::make_shared<std::string>();
  line.root()
      .add("__manual", "Write the manual pages of all commands")
      .argument("DIR", *folder, "Where to")
      .hide()
      .run([&line, &session, folder] { return write_manual(line, session, *folder); });
  line.root().add("__reference", "Print the page docs/commands.md").hide().run([&line, &session] {
    session.out.write(reference_page(line.describe()));
    return ExitCode::success;
  });
}

}  // namespace opm::cli
