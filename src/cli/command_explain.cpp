#include "cli/command_explain.h"

#include <unistd.h>

#include <memory>

#include "cli/cue_errors.h"
#include "cli/explain_report.h"
#include "cli/module_flags.h"
#include "cli/release_flags.h"
#include "cli/render_report.h"
#include "data/json.h"
#include "opm/render/explain.h"

namespace opm::cli {

namespace {

struct Options {
  RenderFlags flags;
  std::optional<std::string> release;
  std::optional<std::string> environment;
  render::ExplainRequest request;
  std::string output = "text";
  std::string color = "auto";
  bool all = false;
};

// Flags that do not go together; empty: they do.
std::string_view contradiction(const Options& options) {
  if (options.all && !options.request.path.empty()) return "--all explains the whole resource: leave the path out";
  if (options.all && options.output != "text") return "--all is for people; -o json has the same in full without it";
  if (options.environment && !options.release) return "-e selects an environment of a release: name that with --release";
  const RenderFlags& flags = options.flags;
  if (options.release && (!flags.values.empty() || flags.name || flags.config.values.namespace_name))
    return "a release says itself what its values, its name and its namespace are: --values, --name and --namespace are for modules";
  return {};
}

ExitCode explain(Session& session, const Options& options) {
  auto refuse = [&](std::string_view message) {
    session.err.print("error: {}\n", message);
    return ExitCode::failure;
  };
  if (std::string_view message = contradiction(options); !message.empty()) return refuse(message);
  auto setup = options.release ? set_up_release_render(session, options.flags) : set_up_render(session, options.flags);
  if (!setup) return setup.error();
  render::ExplainedRender explained =
      options.release ? render::explain_release(setup->options, *options.release, options.environment, options.request)
                      : render::explain(setup->options, options.request);
  ExitCode code = report_render(session, explained.result, {setup->options.working_directory, options.flags.verbose, options.flags.timings});
  if (code != ExitCode::success) return code;
  if (!explained.origins) return refuse("the transformer makes something else each time, so it cannot be said where this comes from");
  const render::ResourceOrigins& origins = *explained.origins;
  if (options.output == "json") {
    session.out.write(data::write_json(explanation_data(origins), {.indent = 2, .final_newline = true}));
  } else if (options.all) {
    print_annotated(session.out, origins);
  } else if (origins.fields.size() == 1 && origins.fields.front().path == origins.path) {
    print_origin(session.out, origins, origins.fields.front(), wants_color(options.color, ::isatty(STDOUT_FILENO) != 0));
  } else {
    print_origins(session.out, origins);
  }
  return ExitCode::success;
}

}  // namespace

void add_explain_command(CommandLine& line, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = line.root().add("explain", "Say where a field of a rendered resource comes from");
  command.argument("RESOURCE", options->request.resource, "KIND/NAME, or NAME where that is enough: deployment/web, svc/web");
  command.optional_argument("PATH", options->request.path,
                            "A field: spec.replicas, spec.template.spec.containers[web].image; without one, all of them in a table");
  command.flag("--all", options->all, "Print the manifest with the place that each value comes from");
  command.choice("-o,--output", options->output, {"text", "json"}, "Format; json has every step");
  command.choice("--color", options->color, {"auto", "always", "never"}, "Colour the answer");
  command.option("-C,--directory", options->flags.directory, "DIR", "The folder of the module, or of the package that has the release");
  command.option("--release", options->release, "RELEASE", "Explain a release of a package, not a module");
  command.option("-e,--environment", options->environment, "ENVIRONMENT", "In which environment of the release");
  declare_module_flags(command, options->flags);
  command.run([&session, options] { return explain(session, *options); });
}

}  // namespace opm::cli
