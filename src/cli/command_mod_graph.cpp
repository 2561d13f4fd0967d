#include "cli/command_mod_graph.h"

#include <memory>

#include "cli/graph_output.h"
#include "cli/render_flags.h"
#include "cli/render_report.h"
#include "opm/render/render.h"

namespace opm::cli {

namespace {

struct Options {
  RenderFlags flags;
  std::string output = "text";
};

ExitCode draw(Session& session, const Options& options) {
  auto setup = set_up_render(session, options.flags);
  if (!setup) return setup.error();
  render::RenderResult result = render::render(setup->options);
  ExitCode code = report_render(session, result, {setup->options.working_directory, options.flags.verbose, options.flags.timings});
  if (code != ExitCode::success) return code;
  render::ResourceGraph graph = render::graph_of(result);
  session.out.write(options.output == "mermaid" ? graph_mermaid(graph)
                    : options.output == "dot"   ? graph_dot(graph)
                    : options.output == "html"  ? graph_html(graph)
                                                : graph_text(graph));
  return ExitCode::success;
}

}  // namespace

void add_mod_graph_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("graph", "Show components, transformers, resources and what refers to what");
  command.choice("-o,--output", options->output, {"text", "mermaid", "dot", "html"},
                 "A tree, a diagram for Mermaid or Graphviz, or a page with a drawing");
  declare_render_flags(command, options->flags);
  command.run([&session, options] { return draw(session, *options); });
}

}  // namespace opm::cli
