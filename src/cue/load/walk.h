// The children of a syntax node, for walks that look for a few kinds of node anywhere.
#pragma once

#include <functional>

#include "cue/syntax/ast.h"

namespace opm::cue::load {

// Calls `visit` for every expression, declaration and clause right below `node`; labels,
// names, comments and attributes are not visited.
void for_each_child(syntax::Node& node, const std::function<void(syntax::Node&)>& visit);

}  // namespace opm::cue::load
