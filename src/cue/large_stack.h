// A stack for evaluations that nest deeply. It is the caller's thread that works on it, so that small evaluations are
// not slowed down by the start of a thread and by memory of its own.
#pragma once

#include <cstddef>

namespace opm::cue {

struct StackBounds {
  void* lowest = nullptr;  // the first byte that may be used
  std::size_t size = 0;
};

// The large stack that the calling thread is on (see run_on_large_stack in value.h); nullptr: it is on its own.
const StackBounds* current_large_stack();

}  // namespace opm::cue
