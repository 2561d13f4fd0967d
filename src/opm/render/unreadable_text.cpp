#include "opm/render/unreadable_text.h"

#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/unicode.h"
#include "cue/load/walk.h"
#include "cue/syntax/ast.h"
#include "cue/syntax/literal.h"
#include "cue/syntax/parser.h"
#include "data/yaml.h"
#include "opm/values/read.h"

namespace opm::render {

namespace {

constexpr unsigned kDeepest = 200;

std::string child_path(const std::string& path, std::string_view field) {
  return path.empty() ? cue::syntax::quote_label(field) : path + "." + cue::syntax::quote_label(field);
}

// Of what begins at or before the position, the last.
std::string path_in(const data::Value& value, diag::Position position, const std::string& path, unsigned depth) {
  if (depth > kDeepest) return path;
  if (value.is_map()) {
    const data::Member* last = nullptr;
    for (const data::Member& member : value.as_map()) {
      if (member.key_position <= position) last = &member;
    }
    return last == nullptr ? path : path_in(last->value, position, child_path(path, last->key), depth + 1);
  }
  if (value.is_list()) {
    std::size_t count = 0;
    while (count < value.as_list().size() && value.as_list()[count].position <= position) ++count;
    if (count == 0) return path;
    return path_in(value.as_list()[count - 1], position, path + "[" + std::to_string(count - 1) + "]", depth + 1);
  }
  return path;
}

class FieldsAround {
 public:
  explicit FieldsAround(diag::Position position) : position_(position) {}

  void visit(cue::syntax::Node& node, unsigned depth = 0) {
    if (node.end <= position_ || position_ < node.begin || depth > kDeepest) return;
    if (node.kind == cue::syntax::NodeKind::field) {
      const cue::syntax::Node* label = cue::syntax::as<cue::syntax::Field>(&node)->label;
      bool is_name = label->kind == cue::syntax::NodeKind::identifier;
      path = child_path(path, is_name ? cue::syntax::as<cue::syntax::Identifier>(label)->name : std::string_view("…"));
    }
    cue::load::for_each_child(node, [&](cue::syntax::Node& child) { visit(child, depth + 1); });
  }

  std::string path;

 private:
  diag::Position position_;
};

// The same with other characters in the place of those that are none; what is where does not change.
std::string readable(std::string text) {
  for (std::size_t at = base::find_invalid_utf8(text); at != std::string::npos; at = base::find_invalid_utf8(text, at)) text[at] = 'x';
  return text;
}

std::string path_at(const diag::SourceMap& sources, diag::Position position) {
  const diag::Source* broken = sources.find(position);
  if (broken == nullptr) return {};
  diag::SourceMap own;
  const diag::Source* source = own.add(broken->path, readable(std::string(broken->text)));
  if (source == nullptr) return {};
  diag::Position place = source->begin.plus(position.value - broken->begin.value);
  if (broken->path.ends_with(".cue")) {
    base::Arena arena;
    cue::syntax::ParsedFile parsed = cue::syntax::parse_file(arena, *source, {.comments = false});
    if (parsed.file == nullptr) return {};
    FieldsAround fields(place);
    for (cue::syntax::Node* declaration : parsed.file->declarations) fields.visit(*declaration);
    return fields.path;
  }
  // JSON is YAML.
  auto documents = data::read_yaml(*source);
  if (!documents || documents->empty()) return {};
  std::string path = path_in(documents->front(), place, {}, 0);
  bool has_field = documents->front().find(values::kValuesField) != nullptr;
  return path.empty() || has_field ? path : std::string(values::kValuesField) + "." + path;
}

}  // namespace

void name_unreadable_text(const diag::SourceMap& sources, std::vector<Problem>& problems) {
  for (Problem& problem : problems) {
    diag::Diagnostic& error = problem.diagnostic;
    bool is_text = error.message == "invalid UTF-8" || error.message == "illegal UTF-8 encoding";
    if (!is_text || !error.path.empty() || error.positions.empty()) continue;
    error.path = path_at(sources, error.positions.front());
    error.message = "this is not text: it is not valid UTF-8";
    error.advice = "save the file as UTF-8; a secret that is not text is kept in a Secret of the cluster and referred to";
  }
}

}  // namespace opm::render
