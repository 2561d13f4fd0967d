// Evaluated values as CUE syntax. Two ways: what a value is (defaults taken, references gone,
// only what is incomplete still as the expression it came from), and how it is defined
// (conjuncts merged, references kept).
#pragma once

#include <string_view>

#include "base/arena.h"
#include "cue/eval/evaluator.h"
#include "cue/syntax/ast.h"

namespace opm::cue::exporting {

struct ExportOptions {
  bool definition = false;  // how it is defined, rather than what it is
  bool simplify = true;     // >=0 & <=255 & int is uint8
  bool take_defaults = true;
  bool optional = false;     // show optional fields,
  bool definitions = false;  // definitions,
  bool hidden = false;       // hidden fields of `package`,
  bool documentation = false;
  bool attributes = false;
  bool inline_imports = false;    // put what is imported in place of the reference, but for standard packages
  bool errors_as_values = false;  // show what is beside an error too
  std::string_view package = "_";
  std::string_view package_name;  // a package clause, unless empty
};

// The tree is made in the arena. The node is finalized; the evaluator may evaluate more.
const syntax::File* export_value(eval::Evaluator& evaluator, base::Arena& arena, eval::Node* node,
                                 const ExportOptions& options);

}  // namespace opm::cue::exporting
