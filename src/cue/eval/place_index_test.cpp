#include "cue/eval/place_index.h"

#include <gtest/gtest.h>

#include <array>

namespace opm::cue::eval {
namespace {

struct Indexes {
  PlaceIndex first;
  PlaceIndex second;
};

PlaceKey key_of(const int* item) { return {item}; }

TEST(PlaceIndex, FindsTheFirstOfManyAsOfFew) {
  base::Arena arena;
  std::array<int, 100> things{};
  ArenaVector<const int*> items;
  Indexes* indexes = nullptr;
  for (std::uint32_t i = 0; i < 2 * things.size(); ++i) {
    const int* thing = &things[i % things.size()];
    std::uint32_t expected = i < things.size() ? items.size() : i % static_cast<std::uint32_t>(things.size());
    EXPECT_EQ(place_of(arena, indexes, &Indexes::second, items, key_of(thing), key_of), expected) << i;
    items.push(arena, thing);
    EXPECT_EQ(place_of(arena, indexes, &Indexes::second, items, key_of(thing), key_of), i % things.size()) << i;
  }
}

TEST(PlaceIndex, LeavesOutWhatIsNotLookedFor) {
  base::Arena arena;
  ArenaVector<const int*> items;
  for (int i = 0; i < 1000; ++i) items.push(arena, nullptr);
  int thing = 0;
  Indexes* indexes = nullptr;
  EXPECT_EQ(place_of(arena, indexes, &Indexes::first, items, key_of(&thing), key_of), 1000u);
  items.push(arena, &thing);
  EXPECT_EQ(place_of(arena, indexes, &Indexes::first, items, key_of(&thing), key_of), 1000u);
  EXPECT_EQ(items.size(), 1001u);
}

TEST(PlaceIndex, TellsApartWhatDiffersInOnePart) {
  int a = 0, b = 0;
  EXPECT_NE((PlaceKey{&a, &b}), (PlaceKey{&b, &a}));
  EXPECT_NE((PlaceKey{&a, &b, nullptr, 1}), (PlaceKey{&a, &b, nullptr, 2}));
  EXPECT_NE((PlaceKey{&a, &b}).hash(), (PlaceKey{&b, &a}).hash());
}

}  // namespace
}  // namespace opm::cue::eval
