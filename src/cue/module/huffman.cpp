#include "cue/module/huffman.h"

#include <algorithm>
#include <array>
#include <bit>

namespace opm::cue::module {
namespace {

constexpr unsigned kFirstLengthCode = 257;
constexpr unsigned kSizeCodes = 19;  // of the code in which code lengths are written
constexpr std::size_t kMaxStored = 65535;
constexpr std::array<std::uint8_t, kSizeCodes> kSizeOrder = {16, 17, 18, 0,  8,  7, 9,  6, 10, 5,
                                                             11, 4,  12, 3,  13, 2, 14, 1, 15};
constexpr unsigned kRepeat = 16, kZeros = 17, kManyZeros = 18;

// A code that stands for a range of numbers, of which extra bits choose one.
struct Range {
  unsigned code;
  unsigned extra_bits;
  unsigned extra;
};

// Lengths count from 3: 8 codes for one each, then 4 codes for each power of two. The
// largest has a code of its own.
Range length_range(unsigned length) {
  unsigned value = length - 3;
  if (value == 255) return {28, 0, 0};
  if (value < 8) return {value, 0, 0};
  unsigned extra_bits = static_cast<unsigned>(std::bit_width(value)) - 3;
  return {4 * extra_bits + (value >> extra_bits), extra_bits, value & ((1u << extra_bits) - 1)};
}

// Offsets count from 1: 4 codes for one each, then 2 codes for each power of two.
Range offset_range(unsigned offset) {
  unsigned value = offset - 1;
  if (value < 4) return {value, 0, 0};
  unsigned extra_bits = static_cast<unsigned>(std::bit_width(value)) - 2;
  return {2 * extra_bits + (value >> extra_bits), extra_bits, value & ((1u << extra_bits) - 1)};
}

unsigned extra_bits_of_length_code(unsigned code) { return code < 8 || code == 28 ? 0 : code / 4 - 1; }
unsigned extra_bits_of_offset_code(unsigned code) { return code < 4 ? 0 : code / 2 - 1; }

std::uint16_t reversed(unsigned bits, unsigned count) {
  std::uint16_t result = 0;
  for (unsigned i = 0; i < count; ++i) result = static_cast<std::uint16_t>(result << 1 | (bits >> i & 1));
  return result;
}

// How many symbols get each length, by merging packages: on every level the symbols and
// pairs of the level below compete by weight. A pair goes before a symbol of its weight.
std::vector<unsigned> lengths_by_weight(const std::vector<std::uint64_t>& weights, unsigned max_length) {
  std::size_t count = weights.size();
  unsigned levels = std::min<unsigned>(max_length, static_cast<unsigned>(count - 1));
  std::vector<std::vector<bool>> is_symbol(levels);
  std::vector<std::uint64_t> below;
  for (unsigned level = 0; level < levels; ++level) {
    std::vector<std::uint64_t> row;
    std::size_t symbol = 0;
    std::size_t pair = 0;
    while (symbol < count || pair + 1 < below.size()) {
      bool has_pair = pair + 1 < below.size();
      std::uint64_t pair_weight = has_pair ? below[pair] + below[pair + 1] : 0;
      bool takes_symbol = symbol < count && (!has_pair || weights[symbol] < pair_weight);
      row.push_back(takes_symbol ? weights[symbol] : pair_weight);
      is_symbol[level].push_back(takes_symbol);
      if (takes_symbol) ++symbol;
      else pair += 2;
    }
    below = std::move(row);
  }
  // From the top: 2n - 2 entries make the tree; each pair among them needs two of the level below.
  std::vector<unsigned> lengths(count, 0);
  std::size_t taken = 2 * count - 2;
  for (unsigned level = levels; level-- > 0;) {
    std::size_t symbols = 0;
    for (std::size_t i = 0; i < taken; ++i) symbols += is_symbol[level][i] ? 1 : 0;
    for (std::size_t i = 0; i < symbols; ++i) ++lengths[i];
    taken = 2 * (taken - symbols);
  }
  return lengths;
}

// The lengths of two codes, run-length encoded: codes and, behind 16, 17 and 18, their extra bits.
struct SizeRuns {
  struct Item {
    std::uint8_t code;
    std::uint8_t extra;
  };
  std::vector<Item> items;
  std::array<std::uint32_t, kSizeCodes> frequencies{};

  void add(unsigned code, std::size_t extra = 0) {
    items.push_back({static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(extra)});
    ++frequencies[code];
  }
  void add_run(unsigned length, std::size_t count) {
    if (length == 0) {
      for (; count >= 11; count -= std::min<std::size_t>(count, 138)) add(kManyZeros, std::min<std::size_t>(count, 138) - 11);
      if (count >= 3) {
        add(kZeros, count - 3);
        count = 0;
      }
    } else {
      add(length);
      --count;
      for (; count >= 3; count -= std::min<std::size_t>(count, 6)) add(kRepeat, std::min<std::size_t>(count, 6) - 3);
    }
    for (; count > 0; --count) add(length);
  }
};

SizeRuns runs_of(std::span<const std::uint8_t> literals, std::span<const std::uint8_t> offsets) {
  std::vector<std::uint8_t> all(literals.begin(), literals.end());
  all.insert(all.end(), offsets.begin(), offsets.end());
  SizeRuns runs;
  for (std::size_t start = 0; start < all.size();) {
    std::size_t end = start;
    while (end < all.size() && all[end] == all[start]) ++end;
    runs.add_run(all[start], end - start);
    start = end;
  }
  return runs;
}

std::size_t used_codes(std::span<const std::uint32_t> frequencies) {
  std::size_t count = frequencies.size();
  while (count > 0 && frequencies[count - 1] == 0) --count;
  return count;
}

}  // namespace

void PrefixCode::assign_bits() {
  bits.assign(lengths.size(), 0);
  unsigned code = 0;
  for (unsigned length = 1; length <= 15; ++length) {
    code <<= 1;
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol)
      if (lengths[symbol] == length) bits[symbol] = reversed(code++, length);
  }
}

PrefixCode PrefixCode::optimal(std::span<const std::uint32_t> frequencies, unsigned max_length) {
  PrefixCode code;
  code.lengths.assign(frequencies.size(), 0);
  std::vector<std::pair<std::uint32_t, std::size_t>> used;
  for (std::size_t symbol = 0; symbol < frequencies.size(); ++symbol)
    if (frequencies[symbol] != 0) used.emplace_back(frequencies[symbol], symbol);
  if (used.size() <= 2) {
    for (const auto& [frequency, symbol] : used) code.lengths[symbol] = 1;
  } else {
    std::ranges::sort(used);
    std::vector<std::uint64_t> weights;
    for (const auto& [frequency, symbol] : used) weights.push_back(frequency);
    std::vector<unsigned> lengths = lengths_by_weight(weights, max_length);
    for (std::size_t i = 0; i < used.size(); ++i)
      code.lengths[used[i].second] = static_cast<std::uint8_t>(lengths[i]);
  }
  code.assign_bits();
  return code;
}

PrefixCode PrefixCode::fixed_literals() {
  PrefixCode code;
  // Two symbols that never occur take part in the numbering.
  code.lengths.assign(288, 8);
  std::fill(code.lengths.begin() + 144, code.lengths.begin() + 256, std::uint8_t{9});
  std::fill(code.lengths.begin() + 256, code.lengths.begin() + 280, std::uint8_t{7});
  code.assign_bits();
  return code;
}

PrefixCode PrefixCode::fixed_offsets() {
  PrefixCode code;
  code.lengths.assign(kOffsetCodes, 5);
  code.assign_bits();
  return code;
}

std::uint64_t PrefixCode::cost(std::span<const std::uint32_t> frequencies) const {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < frequencies.size(); ++i) total += std::uint64_t{frequencies[i]} * lengths[i];
  return total;
}

void BlockWriter::put(std::uint64_t bits, unsigned count) {
  pending_ |= bits << pending_count_;
  pending_count_ += count;
  for (; pending_count_ >= 8; pending_count_ -= 8, pending_ >>= 8) out_.push_back(static_cast<char>(pending_));
}

void BlockWriter::align() {
  if (pending_count_ > 0) out_.push_back(static_cast<char>(pending_));
  pending_ = 0;
  pending_count_ = 0;
}

void BlockWriter::write_stored_header(std::size_t length, bool is_last) {
  put(is_last ? 1 : 0, 3);
  align();
  put(length, 16);
  put(~length & 0xFFFF, 16);
}

void BlockWriter::finish() { write_stored_header(0, true); }

void BlockWriter::write_tokens(const std::vector<Token>& tokens, const PrefixCode& literals,
                               const PrefixCode& offsets) {
  for (const Token& token : tokens) {
    if (token.offset == 0) {
      put(literals.bits[token.value], literals.lengths[token.value]);
      continue;
    }
    Range length = length_range(token.value);
    unsigned symbol = kFirstLengthCode + length.code;
    put(literals.bits[symbol], literals.lengths[symbol]);
    put(length.extra, length.extra_bits);
    Range offset = offset_range(token.offset);
    put(offsets.bits[offset.code], offsets.lengths[offset.code]);
    put(offset.extra, offset.extra_bits);
  }
}

void BlockWriter::write_block(std::vector<Token>& tokens, std::string_view original) {
  tokens.push_back({kEndOfBlock, 0});
  std::array<std::uint32_t, kLiteralCodes> literal_counts{};
  std::array<std::uint32_t, kOffsetCodes> offset_counts{};
  for (const Token& token : tokens) {
    if (token.offset == 0) {
      ++literal_counts[token.value];
    } else {
      ++literal_counts[kFirstLengthCode + length_range(token.value).code];
      ++offset_counts[offset_range(token.offset).code];
    }
  }
  std::size_t literal_codes = used_codes(literal_counts);
  std::size_t offset_codes = used_codes(offset_counts);
  // The format has to describe one code of offsets at least.
  if (offset_codes == 0) offset_counts[0] = offset_codes = 1;

  PrefixCode literals = PrefixCode::optimal(literal_counts, 15);
  PrefixCode offsets = PrefixCode::optimal(offset_counts, 15);
  SizeRuns runs = runs_of(std::span(literals.lengths).first(literal_codes), std::span(offsets.lengths).first(offset_codes));
  PrefixCode sizes = PrefixCode::optimal(runs.frequencies, 7);
  std::size_t size_codes = kSizeCodes;
  while (size_codes > 4 && runs.frequencies[kSizeOrder[size_codes - 1]] == 0) --size_codes;

  // What the forms cost, without what both ways of coding have in common.
  static const PrefixCode fixed_literal_code = PrefixCode::fixed_literals();
  static const PrefixCode fixed_offset_code = PrefixCode::fixed_offsets();
  std::uint64_t fixed = 3 + fixed_literal_code.cost(literal_counts) + fixed_offset_code.cost(offset_counts);
  std::uint64_t dynamic = 3 + 5 + 5 + 4 + 3 * size_codes + sizes.cost(runs.frequencies) +
                          2 * std::uint64_t{runs.frequencies[kRepeat]} + 3 * std::uint64_t{runs.frequencies[kZeros]} +
                          7 * std::uint64_t{runs.frequencies[kManyZeros]} + literals.cost(literal_counts) +
                          offsets.cost(offset_counts);
  bool is_dynamic = dynamic < fixed;
  if (original.data() != nullptr && original.size() <= kMaxStored) {
    std::uint64_t extra = 0;
    for (unsigned code = 0; code < 29; ++code)
      extra += std::uint64_t{literal_counts[kFirstLengthCode + code]} * extra_bits_of_length_code(code);
    for (unsigned code = 0; code < kOffsetCodes; ++code)
      extra += std::uint64_t{offset_counts[code]} * extra_bits_of_offset_code(code);
    if ((original.size() + 5) * 8 < (is_dynamic ? dynamic : fixed) + extra) {
      write_stored_header(original.size(), false);
      out_.append(original);
      return;
    }
  }
  if (!is_dynamic) {
    put(2, 3);
    return write_tokens(tokens, fixed_literal_code, fixed_offset_code);
  }
  put(4, 3);
  put(literal_codes - kFirstLengthCode, 5);
  put(offset_codes - 1, 5);
  put(size_codes - 4, 4);
  for (std::size_t i = 0; i < size_codes; ++i) put(sizes.lengths[kSizeOrder[i]], 3);
  for (const SizeRuns::Item& item : runs.items) {
    put(sizes.bits[item.code], sizes.lengths[item.code]);
    if (item.code == kRepeat) put(item.extra, 2);
    if (item.code == kZeros) put(item.extra, 3);
    if (item.code == kManyZeros) put(item.extra, 7);
  }
  write_tokens(tokens, literals, offsets);
}

}  // namespace opm::cue::module
