// How what a module renders hangs together, as text, for Mermaid, for Graphviz, and as a page with a drawing.
#pragma once

#include <string>

#include "opm/render/resource_graph.h"

namespace opm::cli {

std::string graph_text(const render::ResourceGraph& graph);
std::string graph_mermaid(const render::ResourceGraph& graph);
std::string graph_dot(const render::ResourceGraph& graph);
// A whole page that needs nothing from elsewhere: the drawing is SVG, and pointing at something shows what it belongs to.
std::string graph_html(const render::ResourceGraph& graph);

}  // namespace opm::cli
