#include "base/names.h"

#include <gtest/gtest.h>

#include <string>

namespace opm::base {
namespace {

TEST(NameTable, StandsOnOneThatWasStored) {
  NameTable made;
  std::string bytes;
  std::vector<NameTable::Stored::Text> texts;
  for (int i = 0; i < 300; ++i) {
    std::string text = "name" + std::to_string(i);
    ASSERT_EQ(made.intern(text), Name(i + 1));
    texts.push_back({static_cast<std::uint32_t>(bytes.size()), static_cast<std::uint32_t>(text.size())});
    bytes += text;
  }
  std::vector<NameTable::Slot> slots(made.slots().begin(), made.slots().end());
  NameTable stored(NameTable::Stored{bytes.data(), texts, slots});
  EXPECT_EQ(stored.size(), made.size());
  EXPECT_EQ(stored.find("name217"), Name{218});
  EXPECT_EQ(stored.text(Name{218}), "name217");
  EXPECT_EQ(stored.find("other"), kNoName);
  EXPECT_EQ(stored.text(kNoName), "");

  NameTable child(&stored);
  EXPECT_EQ(child.intern("name5"), Name{6});
  EXPECT_EQ(child.intern("other"), Name{301});
  EXPECT_EQ(child.text(Name{301}), "other");
  EXPECT_EQ(child.text(Name{300}), "name299");
  EXPECT_EQ(child.find("other"), Name{301});
  EXPECT_EQ(stored.find("other"), kNoName);

  // One without names of its own in between.
  NameTable empty(&child);
  NameTable last(&empty);
  EXPECT_EQ(last.intern("other"), Name{301});
  EXPECT_EQ(last.intern("third"), Name{302});
  EXPECT_EQ(last.text(Name{301}), "other");
  EXPECT_EQ(last.text(Name{302}), "third");
  EXPECT_EQ(last.find("name5"), Name{6});
}

}  // namespace
}  // namespace opm::base
