#include "cue/module/deflate.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cue/module/huffman.h"

namespace opm::cue::module {
namespace {

constexpr std::size_t kWindow = 32768;
constexpr std::size_t kMinMatch = 4;
constexpr std::size_t kMaxMatch = 258;
constexpr std::size_t kNoMatch = kMinMatch - 1;
constexpr std::size_t kLookahead = kMinMatch + kMaxMatch;  // so much is seen ahead, except at the end
constexpr std::size_t kMaxTokens = 1 << 14;                // in a block
constexpr unsigned kHashBits = 17;

// How hard to try: level 5 of Go's compressor, which archive/zip uses.
constexpr std::size_t kLazyLength = 16;  // with that, the next position is not tried
constexpr std::size_t kNiceLength = 32;  // with that, the chain is left
constexpr unsigned kMaxChain = 32;

struct Match {
  std::size_t length = kNoMatch;
  std::size_t offset = 0;
};

class Compressor {
 public:
  Compressor(std::string& out, std::string_view input)
      : input_(input), writer_(out), newest_(std::size_t{1} << kHashBits, 0), older_(kWindow, 0) {}

  void run() {
    end_ = std::min(kWindow, input_.size());
    Match match;
    bool has_pending = false;  // the byte before `at_` is not written yet
    for (;;) {
      std::size_t ahead = end_ - at_;
      if (ahead < kLookahead) {
        if (end_ < input_.size()) {
          read_on();
          continue;
        }
        if (ahead == 0) break;
      }
      if (ahead > kNoMatch) insert(at_);
      Match previous = match;
      match = {};
      if (ahead > previous.length && previous.length < kLazyLength) match = find_match(ahead);
      if (previous.length >= kMinMatch && match.length <= previous.length) {
        // Nothing better begins here, so the match that began one byte earlier is taken.
        tokens_.push_back({static_cast<std::uint16_t>(previous.length), static_cast<std::uint16_t>(previous.offset)});
        std::size_t next = at_ + previous.length - 1;
        for (++at_; at_ < next; ++at_)
          if (at_ + kNoMatch < end_) insert(at_);
        has_pending = false;
        match = {};
        if (tokens_.size() == kMaxTokens) write_block(at_);
      } else {
        if (has_pending) add_literal(at_ - 1);
        ++at_;
        has_pending = true;
      }
    }
    if (has_pending) tokens_.push_back({static_cast<unsigned char>(input_[at_ - 1]), 0});
    if (!tokens_.empty()) write_block(at_);
    writer_.finish();
  }

 private:
  // The next half of the window comes in. A block whose beginning has left it can't be stored.
  void read_on() {
    if (end_ - window_begin_ == 2 * kWindow) {
      window_begin_ += kWindow;
      if (block_begin_ < window_begin_) block_left_window_ = true;
    }
    end_ = std::min(end_ + kWindow, input_.size());
  }

  std::uint32_t hash(std::size_t position) const {
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < kMinMatch; ++i) word = word << 8 | static_cast<unsigned char>(input_[position + i]);
    return (word * 0x1e35a7bdu) >> (32 - kHashBits);
  }

  // Positions are kept with 1 added; 0 is none.
  void insert(std::size_t position) {
    std::uint32_t& newest = newest_[hash(position)];
    candidate_ = newest;
    older_[position % kWindow] = newest;
    newest = static_cast<std::uint32_t>(position + 1);
  }

  Match find_match(std::size_t ahead) const {
    Match best;
    std::size_t limit = std::min(ahead, kMaxMatch);
    std::size_t nice = std::min(limit, kNiceLength);
    std::size_t oldest = std::max(window_begin_, at_ > kWindow ? at_ - kWindow : 0);
    std::uint32_t candidate = candidate_;
    for (unsigned tries = kMaxChain; tries > 0 && candidate > oldest; --tries) {
      std::size_t position = candidate - 1;
      if (input_[position + best.length] == input_[at_ + best.length]) {
        std::size_t length = 0;
        while (length < limit && input_[position + length] == input_[at_ + length]) ++length;
        // Short matches far away cost more than they save.
        if (length > best.length && (length > kMinMatch || at_ - position <= 4096)) {
          best = {length, at_ - position};
          if (length >= nice) break;
        }
      }
      if (position + kWindow == at_) break;  // what comes before it is already written over
      candidate = older_[position % kWindow];
    }
    return best;
  }

  void add_literal(std::size_t position) {
    tokens_.push_back({static_cast<unsigned char>(input_[position]), 0});
    if (tokens_.size() == kMaxTokens) write_block(position + 1);
  }

  void write_block(std::size_t block_end) {
    std::string_view original;
    if (!block_left_window_) original = input_.substr(block_begin_, block_end - block_begin_);
    writer_.write_block(tokens_, original);
    tokens_.clear();
    block_begin_ = block_end;
    block_left_window_ = false;
  }

  std::string_view input_;
  BlockWriter writer_;
  std::vector<std::uint32_t> newest_;  // by hash: the last position with it
  std::vector<std::uint32_t> older_;   // by position: the one before it with the same hash
  std::uint32_t candidate_ = 0;        // the last position with the hash of `at_`
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;           // of what is in the window
  std::size_t window_begin_ = 0;
  std::size_t block_begin_ = 0;
  bool block_left_window_ = false;
};

}  // namespace

void deflate_like_go(std::string& out, std::string_view input) { Compressor(out, input).run(); }

}  // namespace opm::cue::module
