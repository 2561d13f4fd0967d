// Text to syntax tree. Never fails outright: what can't be understood becomes a bad
// expression or declaration and a diagnostic, and parsing goes on, so that a user sees
// all syntax errors of a file at once.
#pragma once

#include <vector>

#include "base/arena.h"
#include "cue/syntax/ast.h"
#include "diag/diagnostic.h"

namespace opm::cue::syntax {

struct ParseOptions {
  bool comments = true;       // keep comments; evaluation alone does not need them
  bool only_imports = false;  // stop after the import declarations
  unsigned max_depth = 1000;  // nesting of brackets and operators, so that no input exhausts the stack
};

// No tree is higher than this, however it came about (nesting, or a long chain of
// operators or selectors), so that later passes may recurse.
inline constexpr unsigned kMaxTreeHeight = 10'000;

struct ParsedFile {
  File* file = nullptr;
  std::vector<diag::Diagnostic> errors;
  bool has_loader_attributes = false;  // by which a loader brings in values, and which may be wrong: @tag, @extern, @embed
};

ParsedFile parse_file(base::Arena& arena, const diag::Source& source, const ParseOptions& options = {});

struct ParsedExpression {
  Expression* expression = nullptr;
  std::vector<diag::Diagnostic> errors;
};
// A single expression, e.g. the argument of `-e`.
ParsedExpression parse_expression(base::Arena& arena, const diag::Source& source, const ParseOptions& options = {});

}  // namespace opm::cue::syntax
