// Makes a text piece by piece. Most pieces are a few characters long, so that to ask std::string for room each time, and
// to call for the copying, takes longer than the copying does: here both are part of the caller.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace opm::base {

class TextBuilder {
 public:
  // Goes on behind what `text` holds, which is complete when the builder is gone. The text may not be touched meanwhile.
  explicit TextBuilder(std::string& text) : text_(text), cursor_(text.data() + text.size()), limit_(cursor_) {}
  ~TextBuilder() { text_.resize(size()); }
  TextBuilder(const TextBuilder&) = delete;
  TextBuilder& operator=(const TextBuilder&) = delete;

  std::string_view view() const { return {text_.data(), size()}; }
  std::size_t size() const { return static_cast<std::size_t>(cursor_ - text_.data()); }

  void add(char character) {
    if (cursor_ == limit_) [[unlikely]] grow(1);
    *cursor_++ = character;
  }

  void add(std::string_view piece) {
    char* to = room_for(piece.size());
    copy(to, piece.data(), piece.size());
    cursor_ = to + piece.size();
  }

  void add_spaces(std::size_t count) {
    static constexpr std::size_t kBlock = 16;
    char* to = room_for(count + kBlock);
    cursor_ = to + count;
    for (; to < cursor_; to += kBlock) std::memset(to, ' ', kBlock);
  }

 private:
  char* room_for(std::size_t count) {
    if (static_cast<std::size_t>(limit_ - cursor_) < count) [[unlikely]] grow(count);
    return cursor_;
  }

  void grow(std::size_t count);

  // As two pieces that overlap, where it is short.
  static void copy(char* to, const char* from, std::size_t size) {
    if (size > 32) {
      std::memcpy(to, from, size);
    } else if (size >= 16) {
      copy_ends<16>(to, from, size);
    } else if (size >= 8) {
      copy_ends<8>(to, from, size);
    } else if (size >= 4) {
      copy_ends<4>(to, from, size);
    } else {
      for (std::size_t i = 0; i < size; ++i) to[i] = from[i];
    }
  }
  template <std::size_t kPiece>
  static void copy_ends(char* to, const char* from, std::size_t size) {
    char first[kPiece], last[kPiece];
    std::memcpy(first, from, kPiece);
    std::memcpy(last, from + size - kPiece, kPiece);
    std::memcpy(to, first, kPiece);
    std::memcpy(to + size - kPiece, last, kPiece);
  }

  std::string& text_;
  char* cursor_;
  char* limit_;
};

}  // namespace opm::base
