#include "base/pages.h"

#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "base/large_run.h"
#include "base/sanitized.h"

namespace opm::base {

namespace {

#ifdef OPM_SANITIZED
constexpr bool kKeepsBlocks = false;
#else
constexpr bool kKeepsBlocks = true;
#endif

constexpr std::size_t kHugePage = 2u << 20;
constexpr std::size_t kSmallestBlock = 16u << 10;
// What is taken in small pages first: a run that needs no more is spared the clearing of a huge one.
constexpr std::size_t kSmallStart = 256u << 10;
// Where small ones are skipped, arenas first take pieces of the heap of their thread: what arenas and heap of a small render need
// together is less than a huge page, so that one is cleared for both. Together no more than a part of what open_heap() opens.
constexpr std::size_t kSharedPiece = 128u << 10;
constexpr std::size_t kShared = 8u << 20;

// The heap of this thread lies in huge pages, most of it. So does the one that threads share, which the main thread has opened.
thread_local bool heap_is_open = false;

std::uintptr_t round_up(std::uintptr_t value, std::size_t multiple) { return (value + multiple - 1) & ~(multiple - 1); }

void* map(std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return memory;
}

// A huge page has to lie on a multiple of its size; newer kernels see to that themselves.
void* map_huge(std::size_t bytes) {
  void* memory = map(bytes);
  auto address = reinterpret_cast<std::uintptr_t>(memory);
  if (address % kHugePage != 0) {
    munmap(memory, bytes);
    memory = map(bytes + kHugePage);
    address = reinterpret_cast<std::uintptr_t>(memory);
    std::uintptr_t first = round_up(address, kHugePage);
    if (first > address) munmap(memory, first - address);
    std::uintptr_t behind = first + bytes;
    std::uintptr_t end = address + bytes + kHugePage;
    if (end > behind) munmap(reinterpret_cast<void*>(behind), end - behind);
    memory = reinterpret_cast<void*>(first);
  }
  madvise(memory, bytes, MADV_HUGEPAGE);
  return memory;
}

// Blocks of 16 KiB to 2 MiB, each a power of two, cut from larger pieces. Those that are given back are shared by all arenas of the
// process, as malloc's are; a piece belongs to the thread that cuts it, so that none waits for another one that asks the system
// or touches a page for the first time, which takes as long as much of what they do.
class PageStore {
 public:
  PageBlock take(std::size_t size) {
    if (void* memory = take_unused(size)) return {memory, size};
    Piece& piece = own_piece();
    while (piece.limit - piece.cursor < size) refill(piece, size);
    void* memory = reinterpret_cast<void*>(piece.cursor);
    piece.cursor += size;
    return {memory, size};
  }

  void give(const PageBlock& block) {
    std::lock_guard lock(mutex_);
    unused_[index_of(block.size)].push_back(block.memory);
  }

  void skip_small_pages() { starts_small_ = false; }
  bool starts_small() const { return starts_small_; }
  void share_heap() { heap_is_shared_ = true; }
  bool heap_is_shared() const { return heap_is_shared_; }

 private:
  struct Piece {
    Piece() = default;
    Piece(const Piece&) = delete;
    Piece& operator=(const Piece&) = delete;
    ~Piece() { give_rest(); }
    void give_rest();

    std::uintptr_t cursor = 0;
    std::uintptr_t limit = 0;
  };

  static Piece& own_piece() {
    thread_local Piece piece;
    return piece;
  }

  static std::size_t index_of(std::size_t size) {
    return static_cast<std::size_t>(std::countr_zero(size) - std::countr_zero(kSmallestBlock));
  }

  void* take_unused(std::size_t size) {
    std::lock_guard lock(mutex_);
    std::vector<void*>& unused = unused_[index_of(size)];
    if (unused.empty()) return nullptr;
    void* memory = unused.back();
    unused.pop_back();
    return memory;
  }

  void refill(Piece& piece, std::size_t size) {
    piece.give_rest();
    PageBlock next = piece_of_heap(size);
    if (next.memory == nullptr) {
      next.size = starts_small_ && piece.limit == 0 ? kSmallStart : kHugePage;
      next.memory = next.size == kHugePage ? map_huge(next.size) : map(next.size);
    }
    piece.cursor = reinterpret_cast<std::uintptr_t>(next.memory);
    piece.limit = piece.cursor + next.size;
  }

  // Never given back, as all blocks.
  PageBlock piece_of_heap(std::size_t size) const {
    thread_local std::size_t taken = 0;
    size = std::max(size, kSharedPiece);
    if (!(heap_is_open || heap_is_shared_) || starts_small_ || taken + size > kShared) return {};
    taken += size;
    return {std::malloc(size), size};
  }

  std::mutex mutex_;
  std::atomic<bool> starts_small_ = true;
  std::atomic<bool> heap_is_shared_ = false;  // by the threads that are started from now on
  std::array<std::vector<void*>, 8> unused_;
};

PageStore& store() {
  // Never destroyed: arenas of static objects may outlive it.
  alignas(PageStore) static std::byte place[sizeof(PageStore)];
  static PageStore* const instance = ::new (place) PageStore;
  return *instance;
}

void PageStore::Piece::give_rest() {
  for (; cursor < limit; cursor += kSmallestBlock) store().give({reinterpret_cast<void*>(cursor), kSmallestBlock});
}

}  // namespace

PageBlock take_pages(std::size_t bytes) {
  if (!kKeepsBlocks) {
    std::size_t size = round_up(std::max(bytes, kSmallestBlock), kSmallestBlock);
    return {map(size), size};
  }
  if (bytes > kHugePage) {
    std::size_t size = round_up(bytes, kHugePage);
    return {map_huge(size), size};
  }
  return store().take(std::max(std::bit_ceil(bytes), kSmallestBlock));
}

void give_pages(const PageBlock& block) {
  if (!kKeepsBlocks || block.size > kHugePage) {
    munmap(block.memory, block.size);
  } else {
    store().give(block);
  }
}

#if defined(__GLIBC__) && !defined(OPM_SANITIZED)

namespace {

constexpr std::size_t kLargestFromHeap = 32u << 20;
constexpr std::size_t kFirstBytes = 32u << 10;
// How glibc aligns the heaps of threads. A thread that ends leaves its heap to the next one.
constexpr std::size_t kThreadHeap = 64u << 20;

// False: it was noted before, or there are more than anyone starts threads.
bool note_opened(std::uintptr_t heap) {
  static std::array<std::atomic<std::uintptr_t>, 64> opened;
  for (std::atomic<std::uintptr_t>& known : opened) {
    std::uintptr_t expected = 0;
    if (known.compare_exchange_strong(expected, heap)) return true;
    if (expected == heap) return false;
  }
  return false;
}

// So that what malloc takes next lies at `end`, with the two words that it notes before it. `begin` is where it would have lain.
void skip(std::uintptr_t begin, std::uintptr_t end) {
  [[maybe_unused]] void* volatile skipped = std::malloc(end - begin + sizeof(void*));
}

}  // namespace

void tune_heap() {
  mallopt(M_MMAP_THRESHOLD, kLargestFromHeap);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 1 << 20);
}

void open_heap() {
  thread_local bool was_called = false;
  if (store().heap_is_shared() || std::exchange(was_called, true)) return;
  // What is freed at its end stays part of the heap, so this only stretches it.
  void* probe = std::malloc(kLargestFromHeap - kHugePage);
  if (probe == nullptr) return;
  auto address = reinterpret_cast<std::uintptr_t>(probe);
  std::uintptr_t end = address + kLargestFromHeap - kHugePage;
  std::free(probe);
  heap_is_open = true;
  if (!note_opened(address / kThreadHeap + 1)) return;
  // The heap goes on shortly below a huge page; what is skipped is never touched and so takes no memory.
  std::size_t small = store().starts_small() ? kSmallStart : 0;
  std::uintptr_t huge = round_up(address + small, kHugePage);
  std::uintptr_t start = huge - small;
  if (start > address + 64) skip(address, start);
  madvise(reinterpret_cast<void*>(huge), (end - huge) & ~(kHugePage - 1), MADV_HUGEPAGE);
  // What any run uses: to be given these pages at once takes a fraction of the time that it takes one by one.
  if (small > 0) madvise(reinterpret_cast<void*>(start), kFirstBytes, MADV_POPULATE_WRITE);
}

void share_heap() {
  mallopt(M_ARENA_MAX, 1);
  store().share_heap();
}

void expect_large_run() {
  thread_local bool was_called = false;
  if (std::exchange(was_called, true)) return;
  store().skip_small_pages();
  // So large that it can only come from the end of the heap.
  void* probe = std::malloc(2 * kSmallStart);
  if (probe == nullptr) return;
  auto address = reinterpret_cast<std::uintptr_t>(probe);
  std::free(probe);
  std::uintptr_t left = round_up(address, kHugePage) - address;
  if (left <= kSmallStart && left > 128) skip(address, address + left);
}

#else

void tune_heap() {}
void open_heap() {}
void expect_large_run() {}
void share_heap() {}

#endif

}  // namespace opm::base
