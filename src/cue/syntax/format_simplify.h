// Which quoted labels could be plain names: those whose quotes may go without an identifier
// somewhere below suddenly meaning that field.
#pragma once

#include <unordered_set>

#include "cue/syntax/ast.h"

namespace opm::cue::syntax {

using LabelSet = std::unordered_set<const Node*>;

// The string labels below `root` that need no quotes.
LabelSet find_needless_quotes(const Node& root);

// What the quotes of a plain string label enclose.
std::string_view label_text(const BasicLiteral& label);

}  // namespace opm::cue::syntax
