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

std::optional<std::vector<std::string>> settled_names(const Value& structure) {
  if (!structure.valid()) return std::nullopt;
  eval::Evaluator& evaluator = structure.context().evaluator();
  eval::Node* node = nullptr;
  structure.context().run([&] { node = evaluator.settled_struct(structure.node()); });
  if (node == nullptr || (node->state != nullptr && node->state->kind_set != eval::kinds::structure)) return std::nullopt;
  std::vector<std::string> names;
  for (const eval::Node* arc : node->arcs) {
    if (arc->arc == eval::ArcKind::member) names.emplace_back(label_text(evaluator.names(), arc->label));
  }
  return names;
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

void take_as_checked(const Value& structure) {
  if (structure.valid()) structure.node()->is_checked = true;
}

namespace {

bool says_nothing(eval::Evaluator& evaluator, const eval::Conjunct& conjunct) {
  if (conjunct.expression == nullptr || conjunct.expression->kind != compile::ExpressionKind::field) return false;
  auto redeclared = evaluator.redeclared().find(conjunct.expression);
  if (redeclared != evaluator.redeclared().end()) return redeclared->second == nullptr;
  return static_cast<const compile::Field*>(conjunct.expression)->value->kind == compile::ExpressionKind::top;
}

}  // namespace

void take_as_thawed(const Value& structure, std::string_view field) {
  if (!structure.valid()) return;
  eval::Evaluator& evaluator = structure.context().evaluator();
  structure.context().run([&] {
    eval::Node* node = evaluator.settled_struct(structure.node());
    if (node == nullptr) return;
    Label label = field.starts_with('#') ? identifier_label(evaluator.names(), field, "_") : string_label(evaluator.names(), field);
    eval::Node* arc = evaluator.find_arc(node, label);
    if (arc == nullptr || arc->status != eval::Status::fresh || arc->state != nullptr) return;
    const eval::Conjunct* thawed = nullptr;
    for (const eval::Conjunct& conjunct : arc->conjuncts) {
      if (says_nothing(evaluator, conjunct)) continue;
      if (thawed != nullptr || conjunct.node == nullptr || !conjunct.node->is_frozen) return;
      thawed = &conjunct;
    }
    if (thawed == nullptr) return;
    eval::Conjunct only = *thawed;
    arc->conjuncts.clear();
    arc->conjuncts.push(evaluator.arena(), only);
    evaluator.finalize(arc);
  });
}

}  // namespace opm::cue
