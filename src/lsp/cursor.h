// What stands at a place of a document, in the tree that the parser makes even of broken text: a name that is declared
// or referred to, the path of the field that it is about, and the structs around, in which names are looked up.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "cue/syntax/parser.h"
#include "cue/value.h"
#include "diag/source.h"

namespace opm::lsp {

// A text and its tree.
struct ParsedText {
  explicit ParsedText(std::string text);

  base::Arena arena;
  diag::Source source;
  const cue::syntax::File* file = nullptr;

  std::size_t offset(diag::Position position) const { return position.value - source.begin.value; }
  std::string_view text_of(const cue::syntax::Node& node) const;
};

// Something that names can be declared in: a file, a struct, a comprehension with its variables, or a field with an
// alias.
struct Scope {
  const cue::syntax::Node* node = nullptr;
  std::optional<cue::Path> path;  // of the value that it describes; nothing: it has none
};

struct Cursor {
  enum class Kind {
    nothing,
    label,      // of a field; `node` is the Field
    reference,  // `node` is an Identifier
    member,     // the name behind a period; `node` is the Selector
    import,     // `node` is the ImportSpec
    literal,    // `node` is the BasicLiteral
    package,    // the package clause
  };
  Kind kind = Kind::nothing;
  const cue::syntax::Node* node = nullptr;
  // Of the field whose value stands here; of a label: of the field itself.
  std::optional<cue::Path> path;
  std::vector<Scope> scopes;  // the file first
  // The field of which the node is the whole value, or an operand of & or |; nullptr: it is part of something else.
  const cue::syntax::Field* field = nullptr;
  const cue::syntax::Node* embedding = nullptr;  // the one that the node is the whole of
  bool in_list = false;                          // it is an element of a list
};

// `offset` may be right behind the last character of a name.
Cursor cursor_at(const ParsedText& text, std::size_t offset);

// A label as an element of a path; nothing for patterns and labels that are computed.
std::optional<cue::Path::Element> path_element(const cue::syntax::Node& label);

}  // namespace opm::lsp
