// What the source says that the program does not keep, because only a printer cares: names of
// aliases and clause variables, the digits of a literal, and what stands before a token.
#pragma once

#include <string_view>
#include <utility>

#include "cue/compile/program.h"
#include "cue/syntax/ast.h"
#include "diag/source.h"

namespace opm::cue::exporting {

class SourceText {
 public:
  explicit SourceText(const diag::SourceMap& sources) : sources_(sources) {}

  // The text of an expression; empty if none stands for it.
  std::string_view of(const compile::Expression& expression) const;
  // The name of the package in `name.Function`; empty: something else stands there.
  std::string_view package_name_of(const compile::Expression& function) const;
  // The name in front of a single `=` at the position, as in `X=value`; empty: none.
  std::string_view alias_at(diag::Position position) const;
  // The same inside the brackets of a pattern: [X=string].
  std::string_view pattern_alias_at(diag::Position position) const;
  // Key and value of `for k, v in`; the name of `let x =` is the value.
  std::pair<std::string_view, std::string_view> clause_names_at(diag::Position position) const;
  // The spacing in front of the token at the position.
  syntax::Spacing spacing_before(diag::Position position) const;

 private:
  std::string_view from(diag::Position position) const;
  const diag::SourceMap& sources_;
};

}  // namespace opm::cue::exporting
