// A growing array whose memory is an arena's: growing leaves the old copy behind, and
// nothing is ever freed, which is what evaluation wants.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "base/arena.h"

namespace opm::cue::eval {

template <typename T>
class ArenaVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  std::uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::uint32_t index) { return data_[index]; }
  const T& operator[](std::uint32_t index) const { return data_[index]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& back() { return data_[size_ - 1]; }
  std::span<const T> span() const { return {data_, size_}; }
  void clear() { size_ = 0; }
  void truncate(std::uint32_t size) { size_ = size; }

  T& push(base::Arena& arena, const T& item) {
    if (size_ == capacity_) grow(arena, capacity_ == 0 ? 2 : capacity_ * 2);
    data_[size_] = item;
    return data_[size_++];
  }
  // As often as it is asked for, copying stays in proportion to what is pushed.
  void reserve(base::Arena& arena, std::uint32_t capacity) {
    if (capacity > capacity_) grow(arena, std::max(capacity, capacity_ * 2));
  }
  // A copy that does not share memory with this one.
  ArenaVector copy(base::Arena& arena) const {
    ArenaVector result;
    if (size_ == 0) return result;
    result.grow(arena, size_);
    std::memcpy(static_cast<void*>(result.data_), data_, sizeof(T) * size_);
    result.size_ = size_;
    return result;
  }

 private:
  void grow(base::Arena& arena, std::uint32_t capacity) {
    T* bigger = static_cast<T*>(arena.allocate(sizeof(T) * capacity, alignof(T)));
    if (size_ > 0) std::memcpy(static_cast<void*>(bigger), data_, sizeof(T) * size_);
    data_ = bigger;
    capacity_ = capacity;
  }

  T* data_ = nullptr;
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = 0;
};

}  // namespace opm::cue::eval
