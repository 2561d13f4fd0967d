// Is a value fit for a purpose: without errors, complete, all its required fields there?
#pragma once

#include <vector>

#include "cue/eval/evaluator.h"

namespace opm::cue::eval {

struct ValidateOptions {
  bool concrete = false;           // every regular field has a concrete value
  bool final = false;              // required fields must be present
  bool report_incomplete = false;  // incomplete errors count
  bool disallow_cycles = false;
  bool all_errors = true;          // not only the first
  bool only_regular = false;       // of the node itself; everything below those
  bool to_be_shown = false;        // asked before it is printed: see ValidateSettings of value.h
};

std::vector<const Error*> validate(Evaluator& evaluator, Node* node, const ValidateOptions& options);

}  // namespace opm::cue::eval
