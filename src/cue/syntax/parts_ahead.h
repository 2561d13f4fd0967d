// A large file is read by several threads. Where declarations begin in the middle of a text can only be guessed, from how
// its lines are indented, so parts are read ahead from such places, and the parser that reads the file from its beginning
// takes over those that begin where it comes to a declaration itself: from there on it would have read the same. What it
// cannot take over it reads, so that the tree and the errors are those that one thread finds.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "base/arena.h"
#include "base/workers.h"
#include "cue/syntax/parser_state.h"

namespace opm::cue::syntax {

class PartsAhead {
 public:
  PartsAhead(const diag::Source& source, const ParseOptions& options, std::size_t threads);

  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  // Where the first part that nobody asked for yet begins.
  std::uint32_t next_begin() const { return next_ < parts_.size() ? parts_[next_].begin : kNone; }
  void skip() { ++next_; }
  // The parser that has read it, which lives as long as this. Null: nobody does, and from now on nobody will.
  const Parser* take();
  // The part that was taken last is part of the tree.
  void keep() { parts_[next_ - 1].is_kept = true; }
  // Where those parts are.
  void move_arenas_to(std::vector<std::unique_ptr<base::Arena>>& arenas);

 private:
  struct Part {
    explicit Part(std::uint32_t first) : begin(first) {}
    std::uint32_t begin;
    std::uint32_t stop = kNone;
    bool is_kept = false;
    std::unique_ptr<base::Arena> arena = std::make_unique<base::Arena>();
    std::optional<Parser> parser;
    std::atomic<bool> is_claimed = false;
    std::atomic<bool> is_read = false;
  };

  void read_some(const diag::Source& source, const ParseOptions& options);

  std::deque<Part> parts_;
  std::size_t next_ = 0;
  base::Workers workers_;
};

}  // namespace opm::cue::syntax
