#include "cli/command_mod_vet.h"

#include <chrono>
#include <memory>

#include "base/path.h"
#include "cli/problem_report.h"
#include "cli/render_flags.h"
#include "cli/render_rounds.h"
#include "cli/watch.h"
#include "cli/write_folder.h"
#include "opm/render/render.h"

namespace opm::cli {

namespace {

struct Options {
  RenderFlags flags;
  bool watch = false;
  std::string errors = "text";
  std::string junit;
};

struct Vetted {
  ExitCode code = ExitCode::success;
  std::vector<render::Resource> resources;
};

// `find_secrets`: for those who show what is rendered.
Vetted vet(Session& session, const Options& options, bool find_secrets) {
  const RenderFlags& flags = options.flags;
  auto setup = set_up_render(session, flags);
  if (!setup) return {setup.error(), {}};
  setup->options.check_module = true;
  setup->options.find_secrets = find_secrets;
  render::RenderResult result = render::render(setup->options);
  const std::string& here = setup->options.working_directory;
  Vetted vetted{report_render_as(options.errors, session, result, {here, flags.verbose, flags.timings}), {}};
  if (!options.junit.empty()) {
    std::string file = absolute_path(here, options.junit);
    std::string report = junit_report(result, here);
    auto problem = update_folder(base::parent_path(file), std::vector<NewFile>{{std::string(base::base_name(file)), std::move(report)}}, {});
    if (problem) {
      session.err.print("error: {}\n", problem->message);
      if (vetted.code == ExitCode::success) vetted.code = ExitCode::failure;
    }
  }
  vetted.resources = std::move(result.resources);
  return vetted;
}

ExitCode watch(Session& session, const Options& options) {
  RenderRounds rounds(session);
  return watch_module(session, options.flags, [&](const std::vector<std::string>& changed) {
    auto start = std::chrono::steady_clock::now();
    for (const std::string& file : changed) session.err.print("changed: {}\n", file);
    Vetted vetted = vet(session, options, true);
    std::string_view outcome = "waiting for changes";
    if (vetted.code == ExitCode::success) {
      switch (rounds.show(std::move(vetted.resources))) {
        case RenderRounds::Change::first: outcome = "nothing is wrong"; break;
        case RenderRounds::Change::none: outcome = "nothing is wrong, and the manifests are the same"; break;
        case RenderRounds::Change::some: outcome = "nothing is wrong, and the manifests change as shown"; break;
      }
    }
    double milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    session.err.print("{} ({:.0f} ms)\n", outcome, milliseconds);
  });
}

}  // namespace

void add_mod_vet_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("vet", "Check a module, its values and what would be rendered of it");
  command.flag("--watch", options->watch, "Check again when files change, and show what changes in the manifests");
  command.choice("--output-errors", options->errors, {"text", "json", "github"},
                 "How errors are told: to people, as a line of JSON each, or as annotations of a workflow");
  command.option("--junit", options->junit, "FILE", "Write the result there, too, as the tests of JUnit");
  declare_render_flags(command, options->flags);
  command.run([&session, options] { return options->watch ? watch(session, *options) : vet(session, *options, false).code; });
}

}  // namespace opm::cli
