#include "cue/known_value.h"

#include "cue/eval/evaluator.h"

namespace opm::cue {

Value hidden_field(const Value& structure, std::string_view name) {
  if (!structure.valid()) return {};
  eval::Node* found = nullptr;
  structure.context().run([&] {
    eval::Evaluator& evaluator = structure.context().evaluator();
    eval::Node* node = evaluator.settled_struct(structure.node());
    if (node == nullptr) return;
    for (eval::Node* arc : node->arcs) {
      if (!arc->label.is_hidden() || arc->arc != eval::ArcKind::member || label_text(evaluator.names(), arc->label) != name) continue;
      if (found != nullptr) {
        found = nullptr;
        return;
      }
      found = arc;
    }
  });
  return found == nullptr ? Value() : Value(&structure.context(), found);
}

bool take_over(const Value& field, Frozen::Handle known) {
  eval::Node* node = field.node();
  if (node->status != eval::Status::fresh || node->state != nullptr) return false;
  eval::Conjunct conjunct;
  conjunct.node = field.context().thaw(known).node();
  node->conjuncts.clear();
  node->conjuncts.push(field.context().evaluator().arena(), conjunct);
  return true;
}

}  // namespace opm::cue
