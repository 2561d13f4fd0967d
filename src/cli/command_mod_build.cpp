#include "cli/command_mod_build.h"

#include <chrono>
#include <memory>

#include "cli/manifest_output.h"
#include "cli/problem_report.h"
#include "cli/render_flags.h"
#include "cli/render_rounds.h"
#include "cli/watch.h"
#include "opm/render/render.h"

namespace opm::cli {

namespace {

struct Options {
  RenderFlags flags;
  ManifestFlags manifests;
  bool watch = false;
  std::string errors = "text";
};

ExitCode build(Session& session, const Options& options) {
  const ManifestFlags& manifests = options.manifests;
  if (ExitCode code = check_manifest_flags(session, manifests); code != ExitCode::success) return code;
  auto setup = set_up_render(session, options.flags);
  if (!setup) return setup.error();
  const std::string& here = setup->options.working_directory;
  setup->options.dump_jobs = !manifests.dump_dir.empty();
  setup->options.show_secrets = manifests.show_secrets;
  setup->options.find_secrets = manifests.redact;
  render::RenderResult result = render::render(setup->options);
  ExitCode code = report_render_as(options.errors, session, result, {here, options.flags.verbose, options.flags.timings});
  if (!manifests.dump_dir.empty()) {
    ExitCode dumped = write_job_dump(session, manifests, here, result.dump);
    if (code == ExitCode::success) code = dumped;
  }
  if (code != ExitCode::success) return code;
  return done(session, write_resources(session, manifests, here, std::move(result.resources), setup->options.usable_threads()));
}

class BuildRounds {
 public:
  BuildRounds(Session& session, const Options& options) : session_(session), options_(options), rounds_(session) {}

  void run(const std::vector<std::string>& changed) {
    auto start = std::chrono::steady_clock::now();
    for (const std::string& file : changed) session_.err.print("changed: {}\n", file);
    auto setup = set_up_render(session_, options_.flags);
    if (!setup) return;
    const std::string& here = setup->options.working_directory;
    setup->options.find_secrets = true;  // differences show none
    render::RenderResult result = render::render(setup->options);
    ReportOptions report{here, options_.flags.verbose, options_.flags.timings};
    if (report_render_as(options_.errors, session_, result, report) != ExitCode::success) return;
    if (options_.manifests.split) write_resources(session_, options_.manifests, here, result.resources, setup->options.usable_threads());
    std::size_t count = result.resources.size();
    RenderRounds::Change change = rounds_.show(std::move(result.resources));
    double milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    session_.err.print("{} objects, {} ({:.0f} ms)\n", count,
                       change == RenderRounds::Change::first  ? "waiting for changes"
                       : change == RenderRounds::Change::some ? "changed as shown"
                                                              : "none of them changed",
                       milliseconds);
  }

 private:
  Session& session_;
  const Options& options_;
  RenderRounds rounds_;
};

ExitCode watch(Session& session, const Options& options) {
  if (ExitCode code = check_manifest_flags(session, options.manifests); code != ExitCode::success) return code;
  if (!options.manifests.dump_dir.empty()) {
    session.err.write("error: --dump-jobs writes once: leave --watch out\n");
    return ExitCode::failure;
  }
  BuildRounds rounds(session, options);
  return watch_module(session, options.flags, [&](const std::vector<std::string>& changed) { rounds.run(changed); });
}

}  // namespace

void add_mod_build_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("build", "Render a module as Kubernetes manifests");
  declare_manifest_flags(command, options->manifests);
  command.flag("--watch", options->watch, "Render again when files change, and show what changes in the manifests");
  command.choice("--output-errors", options->errors, {"text", "json", "github"},
                 "How errors are told: to people, as a line of JSON each, or as annotations of a workflow");
  declare_render_flags(command, options->flags);
  command.run([&session, options] { return options->watch ? watch(session, *options) : build(session, *options); });
}

}  // namespace opm::cli
