#include "cli/command_explain.h"

#include <unistd.h>

#include <memory>

#include "cli/cue_errors.h"
#include "cli/explain_report.h"
#include "cli/module_flags.h"
#include "cli/render_report.h"
#include "data/json.h"
#include "opm/render/explain.h"

namespace opm::cli {

namespace {

struct Options {
  RenderFlags flags;
  render::ExplainRequest request;
  std::string output = "text";
  std::string color = "auto";
  bool all = false;
};

ExitCode explain(Session& session, const Options& options) {
  auto refuse = [&](std::string_view message) {
    session.err.print("error: {}\n", message);
    return ExitCode::failure;
  };
  if (options.all && !options.request.path.empty()) return refuse("--all explains the whole resource: leave the path out");
  if (options.all && options.output != "text") return refuse("--all is for people; -o json has the same in full without it");
  auto setup = set_up_render(session, options.flags);
  if (!setup) return setup.error();
  render::ExplainedRender explained = render::explain(setup->options, options.request);
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
  command.option("-C,--directory", options->flags.directory, "DIR", "The folder of the module");
  declare_module_flags(command, options->flags);
  command.run([&session, options] { return explain(session, *options); });
}

}  // namespace opm::cli
