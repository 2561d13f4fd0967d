// Which of a node's tasks may add to a field of some name, where there are too many tasks to ask each: a struct of a
// thousand conditions asks for each of its fields. Lives in an arena, as the tasks do.
#pragma once

#include <cstdint>
#include <span>

#include "base/arena.h"
#include "cue/eval/node.h"

namespace opm::cue::eval {

class TaskIndex {
 public:
  // Takes in the tasks that have come since.
  void update(base::Arena& arena, const ArenaVector<Task>& tasks);
  // The first task from `from` on that is worth asking, or the number of tasks.
  std::uint32_t next(Label label, std::uint32_t from) const;

 private:
  // The tasks that make a field of that name, in order.
  struct Entry {
    Label label;
    ArenaVector<std::uint32_t> tasks;
  };

  Entry& entry_of(base::Arena& arena, Label label);
  const Entry* find(Label label) const;
  static std::size_t slot_of(std::span<const Entry> entries, Label label);

  std::span<Entry> entries_;           // a hash table
  std::uint32_t entry_count_ = 0;
  ArenaVector<std::uint32_t> others_;  // those that it can't be told of what they make
  std::uint32_t indexed_ = 0;
};

}  // namespace opm::cue::eval
