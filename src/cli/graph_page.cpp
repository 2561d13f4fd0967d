// The page with the drawing: columns of boxes from left to right, components first, then what leads to workloads, the
// workloads, and what these make use of.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>

#include "cli/graph_output.h"
#include "cli/markup.h"

namespace opm::cli {

namespace {

using render::GraphReference;
using render::GraphResource;
using render::ResourceGraph;

constexpr int kBoxWidth = 200, kBoxHeight = 44, kColumnGap = 110, kRowGap = 14, kMargin = 24, kHeading = 28;

std::string shortened(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return std::string(text);
  std::size_t end = longest - 1;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

struct Box {
  std::string id;
  std::string group;  // the component
  std::string style;
  std::string first, second, whole;
  int column = 0;
  int x = 0, y = 0;
};

int column_of(const GraphResource& resource) {
  constexpr std::array<std::string_view, 7> kWorkloads = {"Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob", "Pod", "ReplicaSet"};
  if (std::ranges::find(kWorkloads, resource.kind) != kWorkloads.end()) return 3;
  if (resource.kind == "Service") return 2;
  if (resource.kind == "Ingress" || resource.kind.ends_with("Route") || resource.kind == "HorizontalPodAutoscaler" ||
      resource.kind == "PodDisruptionBudget" || resource.kind == "NetworkPolicy" || resource.kind == "ExternalSecret")
    return 1;
  return 4;
}

class Drawing {
 public:
  explicit Drawing(const ResourceGraph& graph) : graph_(graph) {
    for (std::size_t i = 0; i < graph.components.size(); ++i)
      boxes_.push_back({fmt::format("c{}", i), graph.components[i], "component", graph.components[i], "component", {}, 0});
    for (std::size_t i = 0; i < graph.resources.size(); ++i) {
      const GraphResource& resource = graph.resources[i];
      boxes_.push_back({fmt::format("r{}", i), resource.component, resource.is_rendered() ? "resource" : "outside", resource.name, resource.kind,
                        resource.is_rendered() ? "made by " + resource.transformer : "not rendered", column_of(resource)});
    }
    place();
  }

  std::string svg() const {
    std::string out = fmt::format("<svg viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" aria-label=\"{2}\">\n", width_, height_,
                                  escape_markup(graph_.module));
    out += "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">"
           "<path d=\"M0 0 8 4 0 8z\"/></marker></defs>\n";
    constexpr std::array<std::string_view, 5> kTitles = {"Components", "Routes and policies", "Services", "Workloads", "Configuration and storage"};
    for (std::size_t column = 0; column < kTitles.size(); ++column) {
      if (columns_.contains(static_cast<int>(column)))
        out += fmt::format("<text class=\"title\" x=\"{}\" y=\"{}\">{}</text>\n", columns_.at(static_cast<int>(column)), kMargin, kTitles[column]);
    }
    std::size_t components = graph_.components.size();
    for (std::size_t i = 0; i < graph_.resources.size(); ++i) {
      const GraphResource& resource = graph_.resources[i];
      auto component = std::ranges::find(graph_.components, resource.component);
      if (component == graph_.components.end()) continue;
      out += edge(boxes_[static_cast<std::size_t>(component - graph_.components.begin())], boxes_[components + i], "makes", resource.transformer);
    }
    for (const GraphReference& reference : graph_.references)
      out += edge(boxes_[components + reference.from], boxes_[components + reference.to], "refers", reference.label);
    for (const Box& box : boxes_) out += drawn(box);
    return out + "</svg>\n";
  }

 private:
  void place() {
    std::map<int, int> rows;
    for (const Box& box : boxes_) ++rows[box.column];
    int x = kMargin;
    for (const auto& [column, count] : rows) {
      columns_[column] = x;
      x += kBoxWidth + kColumnGap;
    }
    std::map<int, int> next;
    int tallest = 0;
    for (const auto& [column, count] : rows) tallest = std::max(tallest, count);
    for (Box& box : boxes_) {
      // Shorter columns stand in the middle.
      int offset = (tallest - rows[box.column]) * (kBoxHeight + kRowGap) / 2;
      box.x = columns_[box.column];
      box.y = kMargin + kHeading + offset + next[box.column]++ * (kBoxHeight + kRowGap);
    }
    width_ = std::max(x - kColumnGap + kMargin, 2 * kMargin);
    height_ = kMargin * 2 + kHeading + tallest * (kBoxHeight + kRowGap);
  }

  static std::string edge(const Box& from, const Box& to, std::string_view style, std::string_view label) {
    bool to_right = to.x > from.x;
    int x1 = from.x + kBoxWidth, y1 = from.y + kBoxHeight / 2, y2 = to.y + kBoxHeight / 2;
    int x2 = to_right ? to.x : to.x + kBoxWidth;
    // What leads back or stays in its column goes round on the right.
    int bend = to_right ? (x2 - x1) / 2 : 60;
    return fmt::format("<path class=\"{}\" data-from=\"{}\" data-to=\"{}\" d=\"M{} {}C{} {} {} {} {} {}\" marker-end=\"url(#arrow)\"><title>{}</title></path>\n",
                       style, from.id, to.id, x1, y1, x1 + bend, y1, to_right ? x2 - bend : x2 + bend, y2, x2, y2, escape_markup(label));
  }

  static std::string drawn(const Box& box) {
    return fmt::format(
        "<g class=\"{}\" id=\"{}\" tabindex=\"0\" transform=\"translate({} {})\"><title>{} {}{}</title><rect width=\"{}\" height=\"{}\" rx=\"6\"/>"
        "<text class=\"kind\" x=\"10\" y=\"16\">{}</text><text x=\"10\" y=\"34\">{}</text></g>\n",
        box.style, box.id, box.x, box.y, escape_markup(box.second), escape_markup(box.first), box.whole.empty() ? "" : escape_markup(", " + box.whole), kBoxWidth,
        kBoxHeight, escape_markup(shortened(box.second, 30)), escape_markup(shortened(box.first, 26)));
  }

  const ResourceGraph& graph_;
  std::vector<Box> boxes_;  // components, then resources
  std::map<int, int> columns_;  // where those that are used begin
  int width_ = 0, height_ = 0;
};

constexpr std::string_view kStyle = R"(
body{font:14px/1.4 system-ui,sans-serif;margin:24px;color:#111827;background:#fff}
h1{font-size:20px;margin:0 0 4px}
p{margin:0 0 16px;color:#4b5563}
svg{max-width:100%;height:auto}
rect{stroke-width:1.5}
.component rect{fill:#dbeafe;stroke:#1d4ed8}
.resource rect{fill:#dcfce7;stroke:#15803d}
.outside rect{fill:#fff;stroke:#b45309;stroke-dasharray:4 3}
text{font-size:13px}
text.kind{font-size:10px;fill:#4b5563}
text.title{font-size:12px;font-weight:600;fill:#374151}
path.makes{fill:none;stroke:#d1d5db}
path.refers{fill:none;stroke:#6b7280;stroke-dasharray:5 3}
g{cursor:pointer;outline:none}
svg.pointed g:not(.near),svg.pointed path:not(.near){opacity:.15}
@media(prefers-color-scheme:dark){body{background:#111827;color:#f9fafb}p{color:#9ca3af}text{fill:#111827}text.title{fill:#d1d5db}.outside text{fill:#f9fafb}.outside rect{fill:none}marker path{fill:#9ca3af}}
)";

constexpr std::string_view kScript = R"(
const svg=document.querySelector('svg');
function point(id){svg.querySelectorAll('.near').forEach(e=>e.classList.remove('near'));svg.classList.toggle('pointed',!!id);if(!id)return;
document.getElementById(id).classList.add('near');
svg.querySelectorAll('path[data-from]').forEach(e=>{if(e.dataset.from===id||e.dataset.to===id){e.classList.add('near');
for(const other of[e.dataset.from,e.dataset.to])document.getElementById(other).classList.add('near')}})}
svg.querySelectorAll('g[id]').forEach(e=>{e.addEventListener('mouseenter',()=>point(e.id));e.addEventListener('mouseleave',()=>point());
e.addEventListener('focus',()=>point(e.id));e.addEventListener('blur',()=>point())});
)";

}  // namespace

std::string graph_html(const ResourceGraph& graph) {
  auto rendered = std::ranges::count_if(graph.resources, &GraphResource::is_rendered);
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
      "<title>{0}</title><style>{1}</style></head>\n<body><h1>{0}</h1><p>{2} components, {3} resources, {4} references</p>\n{5}<script>{6}</script></body></html>\n",
      escape_markup(graph.module), kStyle, graph.components.size(), rendered, graph.references.size(), Drawing(graph).svg(), kScript);
}

}  // namespace opm::cli
