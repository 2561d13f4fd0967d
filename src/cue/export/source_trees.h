// The sources of a program, parsed again with their comments: a program keeps little of what only readers of the
// source see, and few commands ask for it. A source is parsed when something in it is first asked for.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/arena.h"
#include "cue/syntax/ast.h"
#include "diag/source.h"

namespace opm::cue::exporting {

class SourceTrees {
 public:
  // The trees are made in the arena.
  SourceTrees(const diag::SourceMap& sources, base::Arena& arena) : sources_(sources), arena_(arena) {}

  // The field whose label stands at the position; null if there is none, or nothing is known of its source.
  const syntax::Field* field_at(diag::Position position);
  // What begins at the position: an attribute, a clause, a comprehension, or an embedded expression's declaration.
  const syntax::Node* node_at(syntax::NodeKind kind, diag::Position position);
  const syntax::File* file_at(diag::Position position);
  // The field a for the field b in `a: b: 1`.
  const syntax::Field* field_around(const syntax::Field& field) const;

  // `a: b: 1` with a name for b.
  static bool is_shorthand(const syntax::Field& field);

 private:
  void add(syntax::Node* node, const syntax::Field* around);

  const diag::SourceMap& sources_;
  base::Arena& arena_;
  std::unordered_map<const diag::Source*, const syntax::File*> files_;
  std::unordered_map<std::uint32_t, const syntax::Field*> fields_;
  std::map<std::pair<std::uint32_t, syntax::NodeKind>, const syntax::Node*> nodes_;
  std::unordered_map<const syntax::Field*, const syntax::Field*> around_;
};

}  // namespace opm::cue::exporting
