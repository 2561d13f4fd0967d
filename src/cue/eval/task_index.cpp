#include "cue/eval/task_index.h"

#include <algorithm>
#include <vector>

#include "cue/eval/evaluator.h"

namespace opm::cue::eval {

namespace {

using compile::DeclarationKind;
using compile::ExpressionKind;

// The names of all fields that a literal can make, whichever of its conditions hold. False: they are not all known, or very many.
bool gather_labels(const compile::StructExpression& body, std::vector<Label>& labels) {
  constexpr std::size_t kMost = 64;
  if (body.has_dynamic || body.has_pattern || labels.size() + body.fields.size() > kMost) return false;
  for (const compile::Field* field : body.fields) labels.push_back(field->label);
  if (!body.has_embedding) return true;
  for (const compile::Declaration& declaration : body.declarations) {
    if (declaration.kind == DeclarationKind::embedding) {
      if (declaration.expression->kind != ExpressionKind::structure) return false;
      if (!gather_labels(*static_cast<const compile::StructExpression*>(declaration.expression), labels)) return false;
    } else if (declaration.kind == DeclarationKind::comprehension) {
      const auto& inner = *static_cast<const compile::Comprehension*>(declaration.expression);
      if (!gather_labels(*inner.body, labels)) return false;
      if (inner.fallback != nullptr && !gather_labels(*inner.fallback, labels)) return false;
    }
  }
  return true;
}

bool gather_labels(const Task& task, std::vector<Label>& labels) {
  if (task.kind != TaskKind::comprehension) return false;
  const auto& comprehension = *static_cast<const compile::Comprehension*>(task.expression);
  if (!gather_labels(*comprehension.body, labels)) return false;
  return comprehension.fallback == nullptr || gather_labels(*comprehension.fallback, labels);
}

}  // namespace

std::size_t TaskIndex::slot_of(std::span<const Entry> entries, Label label) {
  std::size_t mask = entries.size() - 1;
  std::size_t slot = (std::hash<Label>{}(label) >> 3) & mask;
  while (!entries[slot].tasks.empty() && entries[slot].label != label) slot = (slot + 1) & mask;
  return slot;
}

const TaskIndex::Entry* TaskIndex::find(Label label) const {
  if (entries_.empty()) return nullptr;
  const Entry& entry = entries_[slot_of(entries_, label)];
  return entry.tasks.empty() ? nullptr : &entry;
}

TaskIndex::Entry& TaskIndex::entry_of(base::Arena& arena, Label label) {
  if (entry_count_ * 2 >= entries_.size()) {
    std::span<Entry> larger = arena.make_array<Entry>(entries_.empty() ? 64 : entries_.size() * 2);
    for (const Entry& entry : entries_) {
      if (!entry.tasks.empty()) larger[slot_of(larger, entry.label)] = entry;
    }
    entries_ = larger;
  }
  Entry& entry = entries_[slot_of(entries_, label)];
  if (entry.tasks.empty()) {
    entry.label = label;
    ++entry_count_;
  }
  return entry;
}

void TaskIndex::update(base::Arena& arena, const ArenaVector<Task>& tasks) {
  std::vector<Label> labels;
  for (; indexed_ < tasks.size(); ++indexed_) {
    labels.clear();
    if (!gather_labels(tasks[indexed_], labels)) {
      others_.push(arena, indexed_);
      continue;
    }
    for (Label label : labels) {
      Entry& entry = entry_of(arena, label);
      if (entry.tasks.empty() || entry.tasks.back() != indexed_) entry.tasks.push(arena, indexed_);
    }
  }
}

std::uint32_t TaskIndex::next(Label label, std::uint32_t from) const {
  auto first_of = [&](std::span<const std::uint32_t> tasks) {
    auto found = std::ranges::lower_bound(tasks, from);
    return found == tasks.end() ? indexed_ : *found;
  };
  std::uint32_t other = first_of(others_.span());
  const Entry* entry = find(label);
  return entry == nullptr ? other : std::min(other, first_of(entry->tasks.span()));
}

// The next of the node's tasks, from that number on, that is not known to say nothing of a field of that name.
std::uint32_t Evaluator::next_candidate(State& state, Label label, std::uint32_t from) {
  constexpr std::uint32_t kFew = 12;
  spend();
  if (state.tasks.size() <= kFew) return from;
  std::uint32_t& first = state.first_open_task;
  while (first < state.tasks.size() && state.tasks[first].state == TaskState::done) ++first;
  from = std::max(from, first);
  if (from >= state.tasks.size()) return from;
  if (state.task_index == nullptr) state.task_index = arena_.make<TaskIndex>();
  state.task_index->update(arena_, state.tasks);
  return state.task_index->next(label, from);
}

}  // namespace opm::cue::eval
