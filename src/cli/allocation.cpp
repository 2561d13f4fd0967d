// new and delete of the program. A run makes thousands of small objects and drops most of them soon: those are taken from
// lists of their size, one set of lists for each thread, which takes a few instructions where malloc takes a hundred. What
// is larger is malloc's. They are the program's only: who builds the engine into another one keeps what that has.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>

#include "base/sanitized.h"

#ifndef OPM_SANITIZED

namespace {

// A block is a multiple of this, begins with the number of them (0: it is malloc's), and what is handed out is aligned so.
constexpr std::size_t kStep = 16;
constexpr std::size_t kMostSteps = 128;
using Steps = std::uint64_t;
constexpr std::size_t kHeaderBytes = sizeof(Steps);
static_assert(kStep == __STDCPP_DEFAULT_NEW_ALIGNMENT__);

// What blocks are cut from; never given back. The first ones are small: short runs need little, and where the heap
// begins its pages are.
constexpr std::size_t kFirstChunk = 4u << 10;
constexpr std::size_t kLargestChunk = 64u << 10;

struct Unused {
  Unused* next;
};

// A thread that deletes what others made sets this many steps aside for them: else its lists would grow with every round
// of a watch, and theirs with new chunks.
constexpr std::size_t kMostUnused = (1u << 20) / kStep;
// How many of those are looked through for a block before a chunk is opened.
constexpr int kMostLookedThrough = 16;

struct Lists {
  std::array<Unused*, kMostSteps + 1> unused{};  // by steps
  std::size_t unused_steps = 0;                  // in all of them
  std::byte* cursor = nullptr;                   // of a chunk: where the next header goes
  std::byte* limit = nullptr;
  std::size_t next_chunk = kFirstChunk;
};

constinit thread_local Lists lists;

// What threads leave behind when they end, and set aside before, for any that needs it.
struct Abandoned {
  Lists lists;
  Abandoned* next;
};
constinit std::mutex abandoned_mutex;
constinit Abandoned* abandoned = nullptr;

void abandon(Lists&& given) {
  void* place = std::malloc(sizeof(Abandoned));
  if (place == nullptr) return;
  std::lock_guard lock(abandoned_mutex);
  abandoned = ::new (place) Abandoned{given, abandoned};
}

[[gnu::noinline]] void set_aside() {
  Lists given;
  given.unused = std::exchange(lists.unused, {});
  given.unused_steps = std::exchange(lists.unused_steps, 0);
  abandon(std::move(given));
}

struct Leaving {
  void note() const {}
  ~Leaving() { abandon(std::exchange(lists, {})); }
};
thread_local Leaving leaving;

// True: there is a block of that many steps now, of what was abandoned. What this thread has stays there in its place.
bool take_abandoned(std::size_t steps) {
  std::lock_guard lock(abandoned_mutex);
  Abandoned** place = &abandoned;
  for (int i = 0; i < kMostLookedThrough && *place != nullptr; ++i, place = &(*place)->next) {
    Abandoned* found = *place;
    bool has_room = static_cast<std::size_t>(found->lists.limit - found->lists.cursor) >= steps * kStep;
    if (found->lists.unused[steps] == nullptr && !has_room) continue;
    std::swap(lists, found->lists);
    if (found->lists.unused_steps == 0 && found->lists.limit == found->lists.cursor) {
      *place = found->next;
      std::free(found);
    }
    return true;
  }
  return false;
}

Steps& steps_of(void* memory) { return *reinterpret_cast<Steps*>(static_cast<std::byte*>(memory) - kHeaderBytes); }

[[gnu::noinline]] void* allocate_large(std::size_t bytes) {
  if (bytes > PTRDIFF_MAX - kStep) throw std::bad_alloc();
  void* block = std::malloc(bytes + kStep);
  if (block == nullptr) throw std::bad_alloc();
  void* memory = static_cast<std::byte*>(block) + kStep;
  steps_of(memory) = 0;
  return memory;
}

[[gnu::noinline]] void open_chunk(std::size_t steps) {
  leaving.note();
  if (take_abandoned(steps)) return;
  // What is left of the last one is too little for the block that was asked for, but not for others.
  auto left = static_cast<std::size_t>(lists.limit - lists.cursor) / kStep;
  if (left > 0) {
    void* memory = lists.cursor + kHeaderBytes;
    steps_of(memory) = left;
    lists.unused[left] = ::new (memory) Unused{lists.unused[left]};
    lists.unused_steps += left;
  }
  void* chunk = std::malloc(lists.next_chunk);
  if (chunk == nullptr) throw std::bad_alloc();
  lists.cursor = static_cast<std::byte*>(chunk) + (kStep - kHeaderBytes);
  lists.limit = lists.cursor + (lists.next_chunk - kStep);
  if (lists.next_chunk < kLargestChunk) lists.next_chunk *= 2;
}

void* allocate(std::size_t bytes) {
  std::size_t steps = (bytes + kHeaderBytes + kStep - 1) / kStep;
  if (bytes > kMostSteps * kStep - kHeaderBytes) return allocate_large(bytes);
  for (;;) {
    if (Unused* found = lists.unused[steps]) {
      lists.unused[steps] = found->next;
      lists.unused_steps -= steps;
      return found;
    }
    if (static_cast<std::size_t>(lists.limit - lists.cursor) >= steps * kStep) {
      void* memory = lists.cursor + kHeaderBytes;
      lists.cursor += steps * kStep;
      steps_of(memory) = steps;
      return memory;
    }
    open_chunk(steps);
  }
}

void release(void* memory) {
  if (memory == nullptr) return;
  Steps steps = steps_of(memory);
  if (steps == 0) {
    std::free(static_cast<std::byte*>(memory) - kStep);
  } else {
    lists.unused[steps] = ::new (memory) Unused{lists.unused[steps]};
    lists.unused_steps += steps;
    if (lists.unused_steps > kMostUnused) [[unlikely]] set_aside();
  }
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate(bytes); }
void* operator new[](std::size_t bytes) { return allocate(bytes); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }

#endif
