// What grows and shrinks at its end while a text is read or written, a vector of plain values. std::vector brings the code for
// the rare moment when it is full to every place that appends; here that stands once, out of the way, and the first room is for
// more than one value.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

namespace opm::base {

template <typename T>
class Stack {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  Stack() = default;
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t index) { return items_[index]; }
  const T& operator[](std::size_t index) const { return items_[index]; }
  T* begin() { return items_.get(); }
  T* end() { return begin() + size_; }
  const T* begin() const { return items_.get(); }
  const T* end() const { return begin() + size_; }
  T& front() { return items_[0]; }
  const T& front() const { return items_[0]; }
  T& back() { return items_[size_ - 1]; }
  const T& back() const { return items_[size_ - 1]; }
  std::span<const T> view() const { return {begin(), size_}; }

  void push_back(T item) {
    if (size_ == room_) [[unlikely]] grow();
    items_[size_++] = item;
  }
  void pop_back() { --size_; }
  // Drops what is behind the first `size`; there have to be that many.
  void cut(std::size_t size) { size_ = size; }
  void clear() { size_ = 0; }

 private:
  [[gnu::cold, gnu::noinline]] void grow() {
    constexpr std::size_t kLeast = std::max<std::size_t>(8, 256 / sizeof(T));
    room_ = std::max(kLeast, 2 * size_);
    std::unique_ptr<T[]> larger = std::make_unique_for_overwrite<T[]>(room_);
    std::copy(begin(), end(), larger.get());
    items_ = std::move(larger);
  }

  std::unique_ptr<T[]> items_;
  std::size_t size_ = 0;
  std::size_t room_ = 0;
};

}  // namespace opm::base
