// An arena owns memory that lives and dies together: a syntax tree, a compiled
// program, one evaluation. Allocation is a pointer bump, nothing is freed on its
// own, and no destructor runs, so only trivially destructible things go in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/pages.h"

namespace opm::base {

// Memory that arenas take turns to use: to get it from the system and give it back for each of many short
// evaluations takes longer than the evaluations themselves. For one thread at a time.
class BlockPool {
 public:
  BlockPool() = default;
  ~BlockPool();
  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;

 private:
  friend class Arena;
  std::vector<PageBlock> blocks_;
};

class Arena {
 public:
  Arena() = default;
  // The pool has to live as long; none: memory comes from the system.
  explicit Arena(BlockPool* pool) : pool_(pool) {}
  ~Arena();
  Arena(Arena&& other) noexcept;
  Arena& operator=(Arena&& other) noexcept;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  void* allocate(std::size_t bytes, std::size_t alignment) {
    std::uintptr_t start = (cursor_ + alignment - 1) & ~(alignment - 1);
    if (start + bytes > limit_ || start < cursor_) return allocate_slow(bytes, alignment);
    cursor_ = start + bytes;
    return reinterpret_cast<void*>(start);
  }

  template <typename T, typename... Arguments>
  T* make(Arguments&&... arguments) {
    static_assert(std::is_trivially_destructible_v<T>);
    return ::new (allocate(sizeof(T), alignof(T))) T{std::forward<Arguments>(arguments)...};
  }

  // Room for `count` objects, value-initialised.
  template <typename T>
  std::span<T> make_array(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    if (count == 0) return {};
    T* first = static_cast<T*>(allocate(sizeof(T) * count, alignof(T)));
    std::uninitialized_value_construct_n(first, count);
    return {first, count};
  }

  template <typename T>
  std::span<T> copy(std::span<const T> items) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (items.empty()) return {};
    T* first = static_cast<T*>(allocate(sizeof(T) * items.size(), alignof(T)));
    std::memcpy(static_cast<void*>(first), items.data(), sizeof(T) * items.size());
    return {first, items.size()};
  }
  template <typename T>
  std::span<T> copy(const std::vector<T>& items) {
    return copy(std::span<const T>(items));
  }

  std::string_view copy_text(std::string_view text) {
    auto bytes = copy(std::span<const char>(text.data(), text.size()));
    return {bytes.data(), bytes.size()};
  }

  // Everything in it is gone; the largest block stays for what comes next.
  void reset();

  std::size_t bytes_used() const { return total_ - (limit_ - cursor_); }

 private:
  void* allocate_slow(std::size_t bytes, std::size_t alignment);
  void release();

  using Block = PageBlock;
  BlockPool* pool_ = nullptr;
  std::uintptr_t cursor_ = 0;
  std::uintptr_t limit_ = 0;
  std::size_t total_ = 0;
  std::vector<Block> blocks_;
};

}  // namespace opm::base
