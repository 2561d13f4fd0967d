// @if(expression) and @ignore() before the package clause: whether a file takes part.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cue/syntax/ast.h"
#include "diag/diagnostic.h"

namespace opm::cue::load {

struct BuildDecision {
  bool included = true;
  std::string reason;  // why not: "@if(prod) did not match"
  diag::Position position;
  std::vector<diag::Diagnostic> errors;  // an attribute that makes no sense; then not included
};

// `is_tag_set` is asked for every tag in the expression, whatever the outcome.
BuildDecision decide_build(const syntax::File& file, const std::function<bool(std::string_view)>& is_tag_set);

}  // namespace opm::cue::load
