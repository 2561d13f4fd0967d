// Names (identifiers, field labels) as 32-bit ids, so that comparing and hashing
// them costs nothing. A table may stand on a parent table: the parent is frozen
// while it has children, its ids stay valid in every child, and a child adds ids
// of its own. That is how many evaluations share one compiled program without a lock.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/arena.h"

namespace opm::base {

enum class Name : std::uint32_t {};
inline constexpr Name kNoName{0};  // the empty string is another name; this is none

class NameTable {
 public:
  struct Slot {
    std::uint32_t hash;
    std::uint32_t name;  // 0: empty
  };
  // A table that was made before the program ran, as it lies in memory. It has to live as long.
  struct Stored {
    struct Text {
      std::uint32_t begin;  // in `bytes`
      std::uint32_t size;
    };
    const char* bytes = nullptr;
    std::span<const Text> texts;  // by id, from the first one on
    std::span<const Slot> slots;
  };

  explicit NameTable(const NameTable* parent = nullptr, BlockPool* memory = nullptr);
  explicit NameTable(const Stored& stored);

  Name intern(std::string_view text);
  // The id of `text` if it has one here or in a parent, else kNoName.
  Name find(std::string_view text) const;
  std::string_view text(Name name) const;
  std::uint32_t size() const { return base_ + static_cast<std::uint32_t>(texts_.size()); }
  // Where the names of this table itself are found, for those who store it.
  std::span<const Slot> slots() const { return slots_; }

 private:
  Name find_hashed(std::string_view text, std::uint32_t hash) const;
  void grow();

  const NameTable* parent_;
  Stored stored_;       // in place of a parent
  std::uint32_t base_;  // ids below this belong to one of them
  Arena arena_;
  std::vector<std::string_view> texts_;
  std::vector<Slot> slots_;
};

}  // namespace opm::base
