// Finds items of a list again by what identifies them, where there are too many to look through. Lives in an arena, as the list
// does, which only grows: what was added to it since is taken in when it is asked.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/arena.h"
#include "cue/eval/arena_vector.h"

namespace opm::cue::eval {

// Up to four things, of which the first is never null: items that have null there are not looked for.
struct PlaceKey {
  const void* what = nullptr;
  const void* where = nullptr;
  const void* besides = nullptr;
  std::uintptr_t number = 0;

  bool operator==(const PlaceKey&) const = default;
  std::size_t hash() const {
    auto bits = [](const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); };
    std::uint64_t mixed = ((bits(what) * 31 + bits(where)) * 31 + bits(besides)) * 31 + number;
    return mixed * 0x9E3779B97F4A7C15u >> 32;
  }
};

class PlaceIndex {
 public:
  static constexpr std::uint32_t kFew = 12;

  // The place of the first of the items that has the key, or their number. `key_of` gives the key of an item.
  template <typename Item, typename KeyOf>
  std::uint32_t find(base::Arena& arena, const ArenaVector<Item>& items, const PlaceKey& key, const KeyOf& key_of) {
    update(arena, items, key_of);
    std::uint32_t entry = slots_[slot_of(items, key, key_of)];
    return entry == 0 ? items.size() : entry - 1;
  }

 private:
  template <typename Item, typename KeyOf>
  std::size_t slot_of(const ArenaVector<Item>& items, const PlaceKey& key, const KeyOf& key_of) const {
    std::size_t mask = slots_.size() - 1;
    std::size_t slot = key.hash() & mask;
    while (slots_[slot] != 0 && key_of(items[slots_[slot] - 1]) != key) slot = (slot + 1) & mask;
    return slot;
  }

  template <typename Item, typename KeyOf>
  void update(base::Arena& arena, const ArenaVector<Item>& items, const KeyOf& key_of) {
    if (items.size() * 2 > slots_.size()) {
      slots_ = arena.make_array<std::uint32_t>(std::bit_ceil<std::size_t>(items.size() * 4));
      known_ = 0;
    }
    for (; known_ < items.size(); ++known_) {
      PlaceKey key = key_of(items[known_]);
      if (key.what == nullptr) continue;
      std::uint32_t& slot = slots_[slot_of(items, key, key_of)];
      if (slot == 0) slot = known_ + 1;
    }
  }

  std::span<std::uint32_t> slots_;
  std::uint32_t known_ = 0;
};

// The same, for any number of items. The index is one of several that are made together where there are many.
template <typename Indexes, typename Item, typename KeyOf>
std::uint32_t place_of(base::Arena& arena, Indexes*& indexes, PlaceIndex Indexes::*index, const ArenaVector<Item>& items,
                       const PlaceKey& key, const KeyOf& key_of) {
  if (items.size() > PlaceIndex::kFew) {
    if (indexes == nullptr) indexes = arena.make<Indexes>();
    return (indexes->*index).find(arena, items, key, key_of);
  }
  std::uint32_t place = 0;
  while (place < items.size() && key_of(items[place]) != key) ++place;
  return place;
}

}  // namespace opm::cue::eval
