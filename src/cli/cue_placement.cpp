#include "cli/cue_placement.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "cli/cue_errors.h"
#include "cue/syntax/literal.h"
#include "cue/syntax/parser.h"
#include "data/build.h"

namespace opm::cli {

using cue::Diagnostics;
namespace syntax = cue::syntax;

namespace {

// One element of a path: a fixed name, or an expression.
struct LabelPart {
  std::optional<std::string> name;
  std::string expression;
  bool is_special = false;  // the name of a definition or a hidden field
};

std::string_view text_of(const diag::Source& source, const syntax::Node& node) {
  return std::string_view(source.text)
      .substr(node.begin.value - source.begin.value, node.end.value - node.begin.value);
}

// `"a": b: "\(c)":` as its labels.
std::expected<std::vector<LabelPart>, std::string> parse_full_path(cue::Context& context, const std::string& text) {
  base::Arena arena;
  const diag::Source* source = context.program().mutable_sources().add("--path", text + "_");
  syntax::ParsedFile parsed = syntax::parse_file(arena, *source);
  if (!parsed.errors.empty())
    return std::unexpected(fmt::format("parser error in path {}: {}", syntax::quote(text), parsed.errors[0].message));
  if (parsed.file->declarations.size() != 1)
    return std::unexpected("path flag must be a space-separated sequence of labels");
  std::vector<LabelPart> parts;
  const syntax::Node* declaration = parsed.file->declarations[0];
  while (declaration->kind == syntax::NodeKind::field) {
    const auto& field = *syntax::as<syntax::Field>(declaration);
    LabelPart part;
    const syntax::Node& label = *field.label;
    if (label.kind == syntax::NodeKind::identifier) {
      part.name = std::string(syntax::as<syntax::Identifier>(&label)->name);
      part.is_special = part.name->starts_with('_') || part.name->starts_with('#');
    } else if (label.kind == syntax::NodeKind::basic_literal) {
      auto unquoted = syntax::unquote(arena, syntax::as<syntax::BasicLiteral>(&label)->text);
      if (!unquoted) return std::unexpected(unquoted.error().message);
      part.name = std::string(*unquoted);
    } else {
      part.expression = text_of(*source, label);
    }
    parts.push_back(std::move(part));
    if (field.value->kind != syntax::NodeKind::struct_literal) return parts;
    const auto& inner = *syntax::as<syntax::StructLiteral>(field.value);
    if (inner.elements.size() != 1) return std::unexpected("path value may not contain a struct");
    declaration = inner.elements[0];
  }
  return std::unexpected("not a sequence of labels");
}

std::expected<std::vector<LabelPart>, std::string> parse_labels(cue::Context& context,
                                                                const std::vector<std::string>& labels) {
  std::vector<LabelPart> parts;
  for (const std::string& label : labels) {
    base::Arena arena;
    const diag::Source* source = context.program().mutable_sources().add("--path", label);
    syntax::ParsedExpression parsed = syntax::parse_expression(arena, *source);
    if (parsed.errors.empty()) {
      // What has alternatives is no name, whichever it takes.
      const syntax::Node* inner = parsed.expression;
      while (inner->kind == syntax::NodeKind::parenthesis) inner = syntax::as<syntax::Parenthesis>(inner)->inner;
      if (inner->kind == syntax::NodeKind::binary && syntax::as<syntax::Binary>(inner)->op == syntax::Token::or_value)
        return std::unexpected("expression is not a valid label: " + label);
      parts.push_back({std::nullopt, label});
      continue;
    }
    auto full = parse_full_path(context, label);
    if (!full)
      return std::unexpected(fmt::format("labels must be expressions (-l foo -l 'strings.ToLower(bar)') or full paths "
                                         "(-l '\"foo\": \"\\(strings.ToLower(bar))\":) : {}",
                                         full.error()));
    for (LabelPart& part : *full) parts.push_back(std::move(part));
  }
  return parts;
}

std::expected<std::string, Diagnostics> label_of(cue::Context& context, const cue::Value& scope, const LabelPart& part) {
  if (part.name) return *part.name;
  auto value = context.expression(part.expression, scope, "--path", "_");
  if (!value) {
    return std::unexpected(one_error(
        fmt::format("error evaluating label {}: {}", part.expression, value.error().front().message)));
  }
  if (auto text = value->string()) return std::string(*text);
  Diagnostics errors = value->validate();
  std::string why = errors.empty() ? value->to_cue() : errors.front().message;
  while (why.ends_with('\n')) why.pop_back();
  return std::unexpected(one_error(fmt::format("error evaluating label {}: {}", part.expression, why)));
}

data::Value map_of(std::string key, data::Value value) {
  data::Map map(1);
  map.front().key = std::move(key);
  map.front().key_position = value.position;
  map.front().value = std::move(value);
  data::Value result;
  result.position = map.front().key_position;
  result.variant = std::move(map);
  return result;
}

data::Value contextual(const data::Value& document, const std::string& file_name, std::size_t index, std::size_t count) {
  data::Map map(4);
  map[0].key = "data";
  map[0].value = document;
  map[1].key = "filename";
  map[1].value = data::text(file_name);
  map[2].key = "index";
  map[2].value = data::integer(static_cast<std::int64_t>(index));
  map[3].key = "recordCount";
  map[3].value = data::integer(static_cast<std::int64_t>(count));
  data::Value value;
  value.variant = std::move(map);
  return value;
}

// Appends to the list at `labels` below `root`, which is made if there is none.
void append_at(data::Value& root, const std::vector<std::string>& labels, data::Value document) {
  data::Value* at = &root;
  for (const std::string& label : labels) {
    if (!at->is_map()) at->variant = data::Map{};
    auto found = std::ranges::find(at->as_map(), label, &data::Member::key);
    if (found == at->as_map().end()) {
      at->as_map().emplace_back();
      at->as_map().back().key = label;
      at->as_map().back().key_position = document.position;
      found = std::prev(at->as_map().end());
    }
    at = &found->value;
  }
  if (!at->is_list()) at->variant = data::List{};
  at->as_list().push_back(std::move(document));
}

}  // namespace

std::expected<std::vector<PlacedDocument>, Diagnostics> place(cue::Context& context, std::vector<data::Value> documents,
                                                              const std::string& file_name, const PlacementOptions& options,
                                                              const Shape& shape) {
  std::vector<PlacedDocument> placed;
  if (options.labels.empty() && !options.list) {
    for (data::Value& document : documents) {
      auto shaped = shape(std::move(document), {});
      if (!shaped) return std::unexpected(std::move(shaped.error()));
      placed.push_back({std::move(*shaped), {}});
    }
    return placed;
  }
  auto parts = parse_labels(context, options.labels);
  if (!parts) return std::unexpected(one_error(std::move(parts.error())));
  auto last_special = std::find_if(parts->rbegin(), parts->rend(), [](const LabelPart& part) { return part.is_special; });
  std::size_t below = options.list ? 0 : static_cast<std::size_t>(parts->rend() - last_special);
  data::Value lists;
  lists.variant = data::List{};
  for (std::size_t i = 0; i < documents.size(); ++i) {
    std::vector<std::string> labels;
    if (!parts->empty()) {
      data::Value seen = options.with_context ? contextual(documents[i], file_name, i, documents.size()) : documents[i];
      cue::Value scope = context.from_documents({&seen, 1});
      for (const LabelPart& part : *parts) {
        auto label = label_of(context, scope, part);
        if (!label) return std::unexpected(std::move(label.error()));
        labels.push_back(std::move(*label));
      }
    }
    auto shaped = shape(std::move(documents[i]), labels);
    if (!shaped) return std::unexpected(std::move(shaped.error()));
    if (options.list) {
      append_at(lists, labels, std::move(*shaped));
      continue;
    }
    data::Value object = std::move(*shaped);
    for (std::size_t level = labels.size(); level-- > below;) object = map_of(labels[level], std::move(object));
    cue::Path path;
    for (std::size_t level = 0; level < below; ++level) path = path.child(labels[level]);
    placed.push_back({std::move(object), std::move(path)});
  }
  if (options.list) placed.push_back({std::move(lists), {}});
  return placed;
}

cue::Value together(cue::Context& context, std::vector<PlacedDocument> placed) {
  std::vector<data::Value> plain;
  std::vector<std::pair<cue::Path, cue::Value>> others;
  for (PlacedDocument& document : placed) {
    if (document.below.elements.empty()) plain.push_back(std::move(document.value));
    else others.emplace_back(std::move(document.below), context.from_documents({&document.value, 1}));
  }
  if (plain.empty() && !others.empty()) plain.push_back(data::map());
  cue::Value all = context.from_documents(plain);
  // One by one: several may go to the same place.
  for (const auto& other : others) all = all.fill({&other, 1});
  return all;
}

std::expected<cue::Value, Diagnostics> place_value(cue::Context& context, const cue::Value& value,
                                                   const std::vector<std::string>& labels) {
  auto parts = parse_labels(context, labels);
  if (!parts) return std::unexpected(one_error(std::move(parts.error())));
  cue::Path path;
  for (const LabelPart& part : *parts) {
    auto label = label_of(context, value, part);
    if (!label) return std::unexpected(std::move(label.error()));
    path = path.child(*label);
  }
  auto empty = context.compile("{}", "--path");
  if (!empty) return std::unexpected(std::move(empty.error()));
  std::pair<cue::Path, cue::Value> filled{std::move(path), value};
  return empty->fill({&filled, 1});
}

}  // namespace opm::cli
