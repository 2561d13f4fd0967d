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

// Sanitizers have their own, which find what is used after it was deleted.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OPM_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define OPM_SANITIZED 1
#endif
#endif

#ifndef OPM_SANITIZED

namespace {

// A block is a multiple of this, begins with the number of them (0: it is malloc's), and what is handed out is aligned so.
constexpr std::size_t kStep = 16;
constexpr std::size_t kMostSteps = 32;
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

struct Lists {
  std::array<Unused*, kMostSteps + 1> unused{};  // by steps
  std::byte* cursor = nullptr;                   // of a chunk: where the next header goes
  std::byte* limit = nullptr;
  std::size_t next_chunk = kFirstChunk;
};

constinit thread_local Lists lists;

// What threads leave behind when they end, for the next ones.
struct Abandoned {
  Lists lists;
  Abandoned* next;
};
constinit std::mutex abandoned_mutex;
constinit Abandoned* abandoned = nullptr;

struct Leaving {
  void note() const {}
  ~Leaving() {
    void* place = std::malloc(sizeof(Abandoned));
    if (place == nullptr) return;
    std::lock_guard lock(abandoned_mutex);
    abandoned = ::new (place) Abandoned{std::exchange(lists, {}), abandoned};
  }
};
thread_local Leaving leaving;

bool take_abandoned() {
  std::lock_guard lock(abandoned_mutex);
  if (abandoned == nullptr) return false;
  Abandoned* taken = std::exchange(abandoned, abandoned->next);
  lists = taken->lists;
  std::free(taken);
  return true;
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

[[gnu::noinline]] void open_chunk() {
  if (lists.cursor == nullptr) {
    leaving.note();
    if (take_abandoned()) return;
  }
  // What is left of the last one is too little for the block that was asked for, but not for others.
  auto left = static_cast<std::size_t>(lists.limit - lists.cursor) / kStep;
  if (left > 0) {
    void* memory = lists.cursor + kHeaderBytes;
    steps_of(memory) = left;
    lists.unused[left] = ::new (memory) Unused{lists.unused[left]};
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
      return found;
    }
    if (static_cast<std::size_t>(lists.limit - lists.cursor) >= steps * kStep) {
      void* memory = lists.cursor + kHeaderBytes;
      lists.cursor += steps * kStep;
      steps_of(memory) = steps;
      return memory;
    }
    open_chunk();
  }
}

void release(void* memory) {
  if (memory == nullptr) return;
  Steps steps = steps_of(memory);
  if (steps == 0) {
    std::free(static_cast<std::byte*>(memory) - kStep);
  } else {
    lists.unused[steps] = ::new (memory) Unused{lists.unused[steps]};
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
