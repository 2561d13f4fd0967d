#include "cli/command_build.h"

#include <algorithm>
#include <atomic>
#include <memory>

#include "base/workers.h"
#include "cli/manifest_output.h"
#include "cli/problem_report.h"
#include "cli/release_flags.h"
#include "cli/release_listing.h"
#include "cli/render_report.h"
#include "data/build.h"
#include "data/json.h"
#include "opm/render/manifests.h"

namespace opm::cli {

namespace {

struct Options {
  ReleaseFlags flags;
  ManifestFlags manifests;
  bool all_environments = false;
  std::string errors = "text";
};

ExitCode list(Session& session, const Options& options) {
  return print_listing(session, options.flags.render, render::list_releases, [&](const render::ReleaseList& releases, const std::string&) {
    session.out.write(options.manifests.output == "json" ? releases_json(releases) : releases_table(releases));
    return ExitCode::success;
  });
}

// By environment. There may be many, and long ones.
std::vector<std::string> yaml_of(std::vector<render::EnvironmentRender>& renders, unsigned threads) {
  std::vector<std::string> texts(renders.size());
  std::atomic<std::size_t> next = 0;
  auto write = [&] {
    for (std::size_t i = next++; i < renders.size(); i = next++) {
      // Nobody needs them any more, and here they are given up by several threads.
      std::vector<render::Resource> resources = std::move(renders[i].result.resources);
      texts[i] = render::write_manifests(resources, render::ManifestFormat::yaml);
    }
  };
  {
    std::size_t useful = std::clamp<std::size_t>(threads, 1, std::max<std::size_t>(renders.size(), 1));
    base::Workers others(useful - 1, [&](std::size_t) { write(); });
    write();
  }
  return texts;
}

// One render after the other: in YAML a comment says where each begins, in JSON each has a field.
ExitCode print_several(Session& session, const ManifestFlags& flags, std::vector<render::EnvironmentRender>& renders,
                       unsigned threads) {
  for (render::EnvironmentRender& render : renders) {
    if (flags.redact) render::redact_secrets(render.result.resources);
  }
  if (flags.output == "json") {
    data::Value all = data::map();
    for (render::EnvironmentRender& render : renders) {
      data::List objects;
      for (render::Resource& resource : render.result.resources) objects.push_back(std::move(resource.object));
      data::set(all, render.environment, data::list(std::move(objects)));
    }
    session.out.write(data::write_json(all, {.indent = 2, .sort_keys = true, .final_newline = true}));
    return ExitCode::success;
  }
  std::vector<std::string> texts = yaml_of(renders, threads);
  bool is_first = true;
  for (std::size_t i = 0; i < renders.size(); ++i) {
    if (texts[i].empty()) continue;
    session.out.print("{}# environment: {}\n", is_first ? "" : "---\n", renders[i].environment);
    session.out.write(texts[i]);
    is_first = false;
  }
  return ExitCode::success;
}

ExitCode build(Session& session, const Options& options) {
  const ManifestFlags& manifests = options.manifests;
  const RenderFlags& flags = options.flags.render;
  if (ExitCode code = check_manifest_flags(session, manifests); code != ExitCode::success) return code;
  if (options.all_environments && !options.flags.environments.empty()) {
    session.err.write("error: -e selects environments, --all-environments takes all: give one of them\n");
    return ExitCode::failure;
  }
  if (options.flags.release.empty() && (options.all_environments || !options.flags.environments.empty())) {
    session.err.write("error: name the release whose environments are meant\n");
    return ExitCode::failure;
  }
  if (options.flags.release.empty() && !(flags.platform.empty() && flags.user.empty())) {
    session.err.write("error: name the release whose values --platform and --user override\n");
    return ExitCode::failure;
  }
  if (options.flags.release.empty()) return list(session, options);
  auto setup = set_up_release_render(session, flags);
  if (!setup) return setup.error();
  const std::string& here = setup->options.working_directory;
  setup->options.dump_jobs = !manifests.dump_dir.empty();
  setup->options.show_secrets = manifests.show_secrets;
  setup->options.find_secrets = manifests.redact;
  render::EnvironmentRenders rendered = render::render_environments(
      setup->options, options.flags.release, {options.flags.environments, options.all_environments});
  ReportOptions report{here, flags.verbose, flags.timings};
  // Of what all environments share.
  render::RenderResult shared;
  shared.program = rendered.program;
  shared.errors = std::move(rendered.errors);
  ExitCode code = options.errors == "text" ? report_problems(session, shared.program.get(), shared.errors, report)
                                           : report_render_as(options.errors, session, shared, report);
  if (flags.timings) report_times(session, rendered.times, report);
  if (code != ExitCode::success) return code;

  bool is_several = options.all_environments || rendered.renders.size() > 1;
  for (render::EnvironmentRender& render : rendered.renders) {
    ReportOptions own = report;
    if (is_several) own.subject = "environment \"" + render.environment + "\"";
    own.timings = report.timings && !render.result.times.empty();
    ExitCode one = report_render_as(options.errors, session, render.result, own);
    std::string folder = is_several ? render.environment : std::string();
    if (!manifests.dump_dir.empty()) {
      ExitCode dumped = write_job_dump(session, manifests, here, render.result.dump, folder);
      if (one == ExitCode::success) one = dumped;
    }
    if (one == ExitCode::success && options.flags.confirmed_context)
      one = announce_context(session, render.platform.kube_context, options.flags.confirmed_context);
    if (code == ExitCode::success) code = one;
  }
  if (code != ExitCode::success) return code;
  if (is_several && !manifests.split) return print_several(session, manifests, rendered.renders, setup->options.usable_threads());
  for (render::EnvironmentRender& render : rendered.renders) {
    code = write_resources(session, manifests, here, std::move(render.result.resources), setup->options.usable_threads(),
                           is_several ? render.environment : "");
    if (code != ExitCode::success) return code;
  }
  return done(session, code);
}

}  // namespace

void add_build_command(CommandLine& line, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = line.root().add("build", "Render a release of this package for an environment");
  command.optional_argument("RELEASE", options->flags.release, "A field of the package; without one, the releases are listed");
  command.flag("--all-environments", options->all_environments, "Render all environments; --split makes a folder of each");
  declare_manifest_flags(command, options->manifests);
  command.choice("--output-errors", options->errors, {"text", "json", "github"},
                 "How errors are told: to people, as a line of JSON each, or as annotations of a workflow");
  declare_release_flags(command, options->flags);
  command.run([&session, options] { return build(session, *options); });
}

}  // namespace opm::cli
