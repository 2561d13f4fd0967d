// In which order the fields of a struct are shown. Fields keep the order in which a struct
// literal declares them; literals that are unified without an `&` between them (embeddings,
// several declarations of one field) follow each other as they stand in the source; between
// the two sides of an `&` there is no order. What all that leaves open, and whatever
// contradicts itself, goes by name.
#pragma once

#include <vector>

#include "cue/eval/evaluator.h"

namespace opm::cue::eval {

// The arcs of a finalized node, those that are absent left out. `owner` is the node whose value this is,
// where that is another: it holds the conjuncts.
std::vector<Node*> fields_in_order(Evaluator& evaluator, Node* node, const Node* owner = nullptr);

}  // namespace opm::cue::eval
