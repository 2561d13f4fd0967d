#include "cli/graph_output.h"

#include <fmt/core.h>

#include <algorithm>

namespace opm::cli {

namespace {

using render::GraphReference;
using render::GraphResource;
using render::ResourceGraph;

// Text between quotes, in Mermaid and Graphviz.
std::string quoted(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\'';
    else if (static_cast<unsigned char>(c) >= 0x20) out.push_back(c);
  }
  return out;
}

std::string shown(const GraphResource& resource) { return resource.kind + " " + resource.name; }

// The transformers of a component, in the order of what they make.
std::vector<std::string> transformers_of(const ResourceGraph& graph, const std::string& component) {
  std::vector<std::string> names;
  for (const GraphResource& resource : graph.resources) {
    if (resource.component == component && std::ranges::find(names, resource.transformer) == names.end())
      names.push_back(resource.transformer);
  }
  return names;
}

class Tree {
 public:
  explicit Tree(const ResourceGraph& graph) : graph_(graph) {}

  std::string text() {
    out_ = graph_.module + "\n";
    for (std::size_t i = 0; i < graph_.components.size(); ++i) {
      bool is_last = i + 1 == graph_.components.size();
      line("", is_last, "component " + graph_.components[i]);
      add_component(graph_.components[i], is_last ? "   " : "│  ");
    }
    add_outside();
    return std::move(out_);
  }

 private:
  void line(const std::string& indent, bool is_last, const std::string& content) {
    out_ += indent + (is_last ? "└─ " : "├─ ") + content + "\n";
  }

  void add_component(const std::string& component, const std::string& indent) {
    std::vector<std::string> transformers = transformers_of(graph_, component);
    for (std::size_t i = 0; i < transformers.size(); ++i) {
      bool is_last = i + 1 == transformers.size();
      line(indent, is_last, transformers[i]);
      add_resources(component, transformers[i], indent + (is_last ? "   " : "│  "));
    }
  }

  void add_resources(const std::string& component, const std::string& transformer, const std::string& indent) {
    std::vector<std::size_t> made;
    for (std::size_t i = 0; i < graph_.resources.size(); ++i) {
      if (graph_.resources[i].component == component && graph_.resources[i].transformer == transformer) made.push_back(i);
    }
    for (std::size_t i : made) {
      bool is_last = i == made.back();
      line(indent, is_last, shown(graph_.resources[i]));
      add_references(i, indent + (is_last ? "   " : "│  "));
    }
  }

  void add_references(std::size_t from, const std::string& indent) {
    std::vector<const GraphReference*> found;
    for (const GraphReference& reference : graph_.references) {
      if (reference.from == from) found.push_back(&reference);
    }
    for (const GraphReference* reference : found) {
      const GraphResource& to = graph_.resources[reference->to];
      line(indent, reference == found.back(), fmt::format("→ {}: {}{}", reference->label, shown(to), to.is_rendered() ? "" : " (not rendered)"));
    }
  }

  void add_outside() {
    std::vector<std::string> outside;
    for (const GraphResource& resource : graph_.resources) {
      if (!resource.is_rendered()) outside.push_back(shown(resource));
    }
    if (outside.empty()) return;
    out_ += "\nreferred to, but not rendered:\n";
    for (const std::string& name : outside) out_ += "  " + name + "\n";
  }

  const ResourceGraph& graph_;
  std::string out_;
};

}  // namespace

std::string graph_text(const ResourceGraph& graph) { return Tree(graph).text(); }

std::string graph_mermaid(const ResourceGraph& graph) {
  std::string out = "flowchart LR\n";
  std::size_t transformer_number = 0;
  for (std::size_t c = 0; c < graph.components.size(); ++c) {
    const std::string& component = graph.components[c];
    out += fmt::format("  c{}[\"{}\"]:::component\n", c, quoted(component));
    for (const std::string& transformer : transformers_of(graph, component)) {
      std::size_t t = transformer_number++;
      out += fmt::format("  t{}([\"{}\"]):::transformer\n  c{} --> t{}\n", t, quoted(transformer), c, t);
      for (std::size_t i = 0; i < graph.resources.size(); ++i) {
        const GraphResource& resource = graph.resources[i];
        if (resource.component != component || resource.transformer != transformer) continue;
        out += fmt::format("  r{}[\"{}<br/>{}\"]:::resource\n  t{} --> r{}\n", i, quoted(resource.kind), quoted(resource.name), t, i);
      }
    }
  }
  for (std::size_t i = 0; i < graph.resources.size(); ++i) {
    const GraphResource& resource = graph.resources[i];
    if (!resource.is_rendered()) out += fmt::format("  r{}[\"{}<br/>{}\"]:::outside\n", i, quoted(resource.kind), quoted(resource.name));
  }
  for (const GraphReference& reference : graph.references)
    out += fmt::format("  r{} -. \"{}\" .-> r{}\n", reference.from, quoted(reference.label), reference.to);
  out += "  classDef component fill:#dbeafe,stroke:#1d4ed8\n  classDef transformer fill:#f3f4f6,stroke:#6b7280\n"
         "  classDef resource fill:#dcfce7,stroke:#15803d\n  classDef outside fill:#fff,stroke:#b45309,stroke-dasharray:4 3\n";
  return out;
}

std::string graph_dot(const ResourceGraph& graph) {
  std::string out = fmt::format("digraph \"{}\" {{\n  rankdir=LR\n  node [fontname=\"sans-serif\", shape=box, style=filled]\n", quoted(graph.module));
  std::size_t transformer_number = 0;
  for (std::size_t c = 0; c < graph.components.size(); ++c) {
    const std::string& component = graph.components[c];
    out += fmt::format("  c{} [label=\"{}\", fillcolor=\"#dbeafe\"]\n", c, quoted(component));
    for (const std::string& transformer : transformers_of(graph, component)) {
      std::size_t t = transformer_number++;
      out += fmt::format("  t{} [label=\"{}\", shape=ellipse, fillcolor=\"#f3f4f6\"]\n  c{} -> t{}\n", t, quoted(transformer), c, t);
      for (std::size_t i = 0; i < graph.resources.size(); ++i) {
        const GraphResource& resource = graph.resources[i];
        if (resource.component != component || resource.transformer != transformer) continue;
        out += fmt::format("  r{} [label=\"{}\\n{}\", fillcolor=\"#dcfce7\"]\n  t{} -> r{}\n", i, quoted(resource.kind), quoted(resource.name), t, i);
      }
    }
  }
  for (std::size_t i = 0; i < graph.resources.size(); ++i) {
    const GraphResource& resource = graph.resources[i];
    if (!resource.is_rendered())
      out += fmt::format("  r{} [label=\"{}\\n{}\", style=dashed]\n", i, quoted(resource.kind), quoted(resource.name));
  }
  for (const GraphReference& reference : graph.references)
    out += fmt::format("  r{} -> r{} [label=\"{}\", style=dashed]\n", reference.from, reference.to, quoted(reference.label));
  return out + "}\n";
}

}  // namespace opm::cli
