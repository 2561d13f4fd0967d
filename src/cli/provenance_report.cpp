#include "cli/provenance_report.h"

#include <algorithm>

#include "data/build.h"
#include "opm/values/tiers.h"

namespace opm::cli {

namespace {

using values::Leaf;
using values::Status;
using values::Tier;
using values::Tree;

constexpr std::string_view kPlain = "\x1b[0m";

std::string_view color_of(Tier tier) {
  switch (tier) {
    case Tier::author: return "\x1b[36m";
    case Tier::platform: return "\x1b[33m";
    case Tier::user: return "\x1b[32m";
  }
  return {};
}

// A line of the tree, before it is known how far the right column has to move.
struct Line {
  std::string text;
  const Tree* leaf = nullptr;  // nullptr: a struct, which belongs to nobody
};

void add_lines(const Tree& tree, std::size_t depth, std::vector<Line>& lines) {
  for (const values::Field& field : tree.fields) {
    std::string text = std::string(2 * depth, ' ') + values::path_text({field.name}) + ":";
    bool is_leaf = !field.value.is_struct || field.value.fields.empty();
    if (is_leaf) text += " " + values::value_text(data_of(field.value));
    lines.push_back({std::move(text), is_leaf ? &field.value : nullptr});
    if (!is_leaf) add_lines(field.value, depth + 1, lines);
  }
}

std::string note_of(const Tree& leaf) {
  std::string note(values::tier_name(leaf.tier));
  if (!leaf.is_struct && values::is_locked(leaf)) note += ", LOCKED";
  else if (leaf.tier == Tier::platform) note += ", default";
  return note;
}

}  // namespace

void print_provenance(Output& out, const diag::SourceMap& sources, const std::string& module, const std::vector<Leaf>& leaves) {
  out.print("Values Provenance for {}:\n", module);
  for (const Leaf& leaf : leaves) {
    out.print("\n  {}: {}\n", values::path_text(leaf.path), values::value_text(data_of(*leaf.tree)));
    out.print("    Source: {}\n", values::tier_label(leaf.tree->tier));
    out.print("    File:   {}\n", values::place_text(sources, leaf.tree->position));
    out.print("    Status: {}\n", values::status_text(leaf));
  }
}

void print_value_tree(Output& out, const Tree& tree, bool with_color) {
  std::vector<Line> lines;
  add_lines(tree, 0, lines);
  constexpr std::size_t kWidest = 60;  // a long value does not move the notes of all the others
  std::size_t width = 0;
  for (const Line& line : lines) {
    if (line.leaf != nullptr && line.text.size() <= kWidest) width = std::max(width, line.text.size());
  }
  for (const Line& line : lines) {
    if (line.leaf == nullptr) {
      out.print("{}\n", line.text);
      continue;
    }
    std::string_view color = with_color ? color_of(line.leaf->tier) : "";
    std::string_view plain = with_color ? kPlain : "";
    out.print("{}{:<{}}{}  # {}\n", color, line.text, width, plain, note_of(*line.leaf));
  }
}

void print_history(Output& out, const diag::SourceMap& sources, const std::vector<Leaf>& leaves) {
  bool is_first = true;
  for (const Leaf& leaf : leaves) {
    if (!std::exchange(is_first, false)) out.write("\n");
    out.print("{}: {}\n\n", values::path_text(leaf.path), values::value_text(data_of(*leaf.tree)));
    std::vector<const Tree*> steps;
    for (const Tree& step : leaf.tree->history) steps.push_back(&step);
    steps.push_back(leaf.tree);
    std::size_t source_width = 0, value_width = 0;
    for (const Tree* step : steps) {
      source_width = std::max(source_width, values::tier_label(step->tier).size());
      value_width = std::max(value_width, values::marked_text(*step).size());
    }
    for (const Tree* step : steps) {
      out.print("  {} {:<{}}  {:<{}}  {}\n", step == leaf.tree ? "*" : " ", values::tier_label(step->tier), source_width,
                values::marked_text(*step), value_width, values::place_text(sources, step->position));
    }
    out.print("\n  Status: {}\n", values::status_text(leaf));
  }
}

data::Value origin_data(const diag::SourceMap& sources, const Tree& tree) {
  diag::Location location = sources.locate(tree.position);
  std::string_view file = location.file;
  if (file.starts_with("./")) file.remove_prefix(2);
  data::Map map;
  map.push_back({"value", data_of(tree)});
  if (tree.is_default) {
    data::Value yes;
    yes.variant = true;
    map.push_back({"default", std::move(yes)});
  }
  map.push_back({"tier", data::integer(static_cast<std::int64_t>(tree.tier))});
  map.push_back({"source", data::text(std::string(values::tier_name(tree.tier)))});
  map.push_back({"file", data::text(std::string(file))});
  map.push_back({"line", data::integer(location.line)});
  map.push_back({"column", data::integer(location.column)});
  data::Value value;
  value.variant = std::move(map);
  return value;
}

data::Value provenance_data(const diag::SourceMap& sources, const std::string& module, const std::vector<Leaf>& leaves) {
  data::List list;
  for (const Leaf& leaf : leaves) {
    data::Value entry = origin_data(sources, *leaf.tree);
    data::Map& map = entry.as_map();
    map.insert(map.begin(), {"path", data::text(values::path_text(leaf.path))});
    map.push_back({"status", data::text(std::string(values::status_name(leaf.status)))});
    data::List steps;
    for (const Tree& step : leaf.tree->history) steps.push_back(origin_data(sources, step));
    data::Value history;
    history.variant = std::move(steps);
    map.push_back({"history", std::move(history)});
    list.push_back(std::move(entry));
  }
  data::Value entries;
  entries.variant = std::move(list);
  data::Value all;
  all.variant = data::Map{{"module", data::text(module)}, {"values", std::move(entries)}};
  return all;
}

}  // namespace opm::cli
