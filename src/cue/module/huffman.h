// The entropy coding of deflate: optimal prefix codes of limited length, and blocks written
// with the cheapest of the three forms that RFC 1951 has.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace opm::cue::module {

inline constexpr unsigned kLiteralCodes = 286;
inline constexpr unsigned kOffsetCodes = 30;
inline constexpr unsigned kEndOfBlock = 256;

// A prefix code: for each symbol its bits, the first one lowest, and how many there are.
struct PrefixCode {
  std::vector<std::uint16_t> bits;
  std::vector<std::uint8_t> lengths;

  // The code that needs the fewest bits for these frequencies, with no symbol longer than `max_length`.
  static PrefixCode optimal(std::span<const std::uint32_t> frequencies, unsigned max_length);
  // The code that the format has built in.
  static PrefixCode fixed_literals();
  static PrefixCode fixed_offsets();

  std::uint64_t cost(std::span<const std::uint32_t> frequencies) const;

 private:
  // The code in which shorter ones come first, and among equally long ones smaller symbols.
  void assign_bits();
};

// A literal byte (offset 0), or `length` bytes that stand `offset` bytes back.
struct Token {
  std::uint16_t value = 0;  // the byte, kEndOfBlock, or the length
  std::uint16_t offset = 0;
};

class BlockWriter {
 public:
  explicit BlockWriter(std::string& out) : out_(out) {}

  // `original`: what the tokens stand for, if it may be stored as it is; nullptr data: it may not.
  void write_block(std::vector<Token>& tokens, std::string_view original);
  // The empty stored block that ends a stream.
  void finish();

 private:
  void put(std::uint64_t bits, unsigned count);
  void align();
  void write_stored_header(std::size_t length, bool is_last);
  void write_tokens(const std::vector<Token>& tokens, const PrefixCode& literals, const PrefixCode& offsets);

  std::string& out_;
  std::uint64_t pending_ = 0;
  unsigned pending_count_ = 0;
};

}  // namespace opm::cue::module
