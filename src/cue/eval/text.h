// Values, expressions and errors as text, for messages: compact, on one line, as CUE
// prints them. Formatting for output is the exporter's.
#pragma once

#include <string>
#include <vector>

#include "cue/eval/evaluator.h"
#include "diag/diagnostic.h"

namespace opm::cue::eval {

std::string value_text(Evaluator& evaluator, const Value& value);
std::string expression_text(Evaluator& evaluator, const Expression* expression);
std::string error_message(Evaluator& evaluator, const Error& error);
// The path of a node from its root: a.b[0]."c d"
std::string path_text(Evaluator& evaluator, const Node* node);
std::vector<Label> node_path(const Node* node);

// The errors that make up `error`, each with path, message and positions; the branches
// of a failed disjunction follow its line, nearest first.
std::vector<diag::Diagnostic> diagnostics(Evaluator& evaluator, const Error* error);

}  // namespace opm::cue::eval
