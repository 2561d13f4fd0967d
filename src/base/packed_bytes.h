// Values as bytes that the same build reads again: numbers of 32 bits, lists that begin with their length, and texts, which are
// lists of bytes. For what is worked out once, when the program is built.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace opm::base {

class PackedWriter {
 public:
  void number(std::size_t value) {
    auto small = static_cast<std::uint32_t>(value);
    bytes_.append(reinterpret_cast<const char*>(&small), sizeof small);
  }
  void text(std::string_view text) {
    number(text.size());
    bytes_ += text;
  }
  template <typename T, typename Each>
  void list(const std::vector<T>& items, Each each) {
    number(items.size());
    for (const T& item : items) each(item);
  }
  void texts(const std::vector<std::string>& texts) {
    list(texts, [&](const std::string& one) { text(one); });
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Asks for the same in the same order.
class PackedReader {
 public:
  explicit PackedReader(const unsigned char* bytes) : at_(reinterpret_cast<const char*>(bytes)) {}

  std::size_t number() {
    std::uint32_t value = 0;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::string text() {
    std::size_t size = number();
    const char* begin = at_;
    at_ += size;
    return std::string(begin, size);
  }
  template <typename T, typename Each>
  std::vector<T> list(Each each) {
    std::vector<T> items(number());
    for (T& item : items) each(item);
    return items;
  }
  std::vector<std::string> texts() {
    return list<std::string>([&](std::string& one) { one = text(); });
  }

 private:
  const char* at_;
};

}  // namespace opm::base
