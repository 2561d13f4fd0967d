// Tells a conjunct that refers to something which is not there from one that waits for a value: that one may be part of a
// circle which is closed from elsewhere.
#pragma once

#include <algorithm>
#include <string_view>

#include "cue/eval/node.h"

namespace opm::cue::eval {

inline bool waits(const Task& task) {
  return task.state == TaskState::blocked && task.error != nullptr;
}

// What the first conjunct of a node that waits does so for.
inline const Error* awaited_by(const Node& node) {
  if (node.state == nullptr || node.status == Status::finalized) return nullptr;
  for (const Task& task : node.state->tasks) {
    if (waits(task)) return task.error;
  }
  return nullptr;
}

inline bool waits_for_missing_part(const Task& task) {
  return waits(task) && task.error->code == ErrorCode::incomplete && task.error->format != nullptr &&
         std::string_view(task.error->format).starts_with("undefined field");
}

// What would say more of the node and is not there, in a value that waits for nothing itself; or null.
inline const Error* missing_part_of(const State& state) {
  for (const Task& task : state.tasks) {
    bool is_known = waits_for_missing_part(task) && !task.error->arguments.empty() && task.error->arguments.front().value.is_node();
    if (is_known) return task.error;
  }
  return nullptr;
}

// Told to an alternative that asks for the value of which it is one. The argument has the node that is to choose as well.
inline constexpr const char* kOwnChoice = "unresolved disjunction: {}";

// Of a choice that has been made since, or could not be, the answer is known.
inline bool asks_for_own_choice(const Error& error) {
  if (std::string_view(error.format) == kOwnChoice) {
    const State* chooser = error.arguments.front().value.node->state;
    return chooser != nullptr && chooser->disjunctions_running;
  }
  return (error.cause != nullptr && asks_for_own_choice(*error.cause)) ||
         std::ranges::any_of(error.parts, [](const Error* part) { return asks_for_own_choice(*part); });
}

// Told to a condition of a struct that asks for a field of it while its alternatives, which may say more of that, are not chosen.
inline constexpr const char* kBeforeChoice = "{} is not known before one of the alternatives is chosen";

inline bool waits_for_choice(const Task& task) {
  return waits(task) && task.kind == TaskKind::comprehension && std::string_view(task.error->format) == kBeforeChoice;
}

// A field that is one of its own alternatives adds nothing to what they have in common, nor to the struct in which it is embedded
// with them: there one of the steps that led to the alternative was to the same field, before it was tried.
inline bool is_alternative_of(Node* node, const Node* field, const ReferenceStep* steps) {
  if (!node->is_disjunct || field->is_disjunct) return false;
  if (node->parent != nullptr && node->parent == field->parent && node->label == field->label) return true;
  for (; field->parent == node && steps != nullptr; steps = steps->next) {
    const Node* before = steps->target;
    if (before->label == field->label && before->parent != nullptr && value_node(before->parent) == node) return true;
  }
  return false;
}

// Whether alternatives of the node are still to be added to it: to itself, or to those made of what is tried.
inline bool has_choice_ahead(const Node& node) {
  const State* state = node.state;
  if (state == nullptr || node.status == Status::finalized) return false;
  return !state->disjunctions.empty() || (node.is_disjunct && !state->finalizing);
}

// A struct whose fields are all there: what is left to do are conditions that add none. They may ask for the struct itself.
bool has_all_fields(const State& state);

// A comprehension that could make a field of that name only of a name that it computes.
bool makes_other_fields(const Task& task, Label label);

// A comprehension in which a field of that name is written out.
bool names_field(const Task& task, Label label);

// A condition asks for the node that adds to it what is no struct written out.
bool asker_may_add(const Node& node);

// With no field of its own, a literal to which nothing will be added and of which no comprehension made anything else is a struct.
inline void note_plain_struct(const Node& node) {
  State* state = node.state;
  bool is_plain = state != nullptr && node.base == BaseKind::unknown && state->has_struct && !state->scalar.exists() &&
                  state->open_tasks == 0 && state->disjunctions.empty() && !state->disjunctions_running;
  if (is_plain) state->is_struct = true;
}

}  // namespace opm::cue::eval
