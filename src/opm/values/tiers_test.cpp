#include "opm/values/tiers.h"

#include <gtest/gtest.h>

#include <random>

#include "data/json.h"
#include "opm/values/provenance.h"

namespace opm::values {
namespace {

diag::SourceMap& sources() {
  static diag::SourceMap map;
  return map;
}

Tree tree(std::string text, Tier tier) {
  auto value = data::read_json(*sources().add("test.json", std::move(text)));
  EXPECT_TRUE(value.has_value());
  return value ? tree_of(*value, tier) : Tree{};
}

Tiers resolved(std::string author, std::string platform, std::string user) {
  return resolve(tree(std::move(author), Tier::author), {tree(std::move(platform), Tier::platform)},
                 {tree(std::move(user), Tier::user)});
}

std::string json(const Tree& values) { return data::write_json(data_of(values)); }

TEST(Tiers, AUserOverridesTheAuthorButNotThePlatform) {
  Tiers tiers = resolved(R"({"a":1,"b":1})", R"({"a":2})", R"({"a":3,"b":3,"c":3})");
  EXPECT_EQ(json(tiers.author), R"({"a":1,"b":1})");
  EXPECT_EQ(json(tiers.platform), R"({"a":2,"b":1})");
  EXPECT_EQ(json(tiers.effective), R"({"a":2,"b":3,"c":3})");
  ASSERT_EQ(tiers.violations.size(), 1u);
  EXPECT_EQ(path_text(tiers.violations[0].path), "a");
  EXPECT_EQ(value_text(tiers.violations[0].locked), "2");
  EXPECT_EQ(value_text(tiers.violations[0].provided), "3");
}

TEST(Tiers, TheSameValueBreaksNoLock) {
  EXPECT_TRUE(resolved("{}", R"({"a":{"b":[1,{"c":2}]}})", R"({"a":{"b":[1,{"c":2}]}})").violations.empty());
}

TEST(Tiers, TheSameNumberMayBeWrittenOtherwise) {
  EXPECT_TRUE(resolved("{}", R"({"a":1.50,"b":[{"c":1e3}]})", R"({"a":1.5,"b":[{"c":1000.0}]})").violations.empty());
  EXPECT_EQ(resolved("{}", R"({"a":1})", R"({"a":1.0})").violations.size(), 1u);
  EXPECT_EQ(resolved("{}", R"({"a":1})", R"({"a":"1"})").violations.size(), 1u);
}

TEST(Tiers, EmptyStructsLockNothing) {
  Tiers tiers = resolved("{}", R"({"a":{}})", R"({"a":{"b":1}})");
  EXPECT_TRUE(tiers.violations.empty());
  EXPECT_EQ(json(tiers.effective), R"({"a":{"b":1}})");
}

TEST(Tiers, AScalarInPlaceOfAStructBreaksTheLocksInIt) {
  Tiers tiers = resolved(R"({"a":{"x":1}})", R"({"a":{"y":{"z":2}}})", R"({"a":5})");
  ASSERT_EQ(tiers.violations.size(), 1u);
  EXPECT_EQ(value_text(tiers.violations[0].locked), "{y: {z: 2}}");
  EXPECT_EQ(json(tiers.effective), R"({"a":{"x":1,"y":{"z":2}}})");
}

TEST(Tiers, WithoutFilesTheAuthorsValuesHold) {
  Tiers tiers = resolve(tree(R"({"a":1})", Tier::author), {}, {});
  EXPECT_EQ(json(tiers.effective), R"({"a":1})");
}

TEST(Tiers, ALockErrorHasTheWordsOfTheSpecification) {
  Tiers tiers = resolved(R"({"replicas":1})", R"({"replicas":3})", R"({"replicas":5})");
  EXPECT_EQ(lock_text(tiers.violations.at(0), "platform-repo/overlays/webapp-prod.cue:3"),
            "Error: Cannot override locked value\n"
            "\n"
            "  Field:    replicas\n"
            "  Locked:   3 (set by Platform Operator)\n"
            "  Provided: 5 (End User)\n"
            "\n"
            "  The Platform Operator has set this value as concrete and it cannot be\n"
            "  overridden. Contact your platform team if you need a different value.\n"
            "\n"
            "  Locked in: platform-repo/overlays/webapp-prod.cue:3\n");
}

TEST(Provenance, TellsWhoSetWhatAndWhatItOverrode) {
  Tree platform = tree(R"({"image":"p","replicas":3})", Tier::platform);
  platform.fields[0].value.is_default = true;
  Tiers tiers = resolve(tree(R"({"image":"a","replicas":1,"port":80})", Tier::author), {platform},
                        {tree(R"({"image":"u","host":"h","port":81})", Tier::user)});
  std::vector<Leaf> leaves = leaves_of(tiers.effective);
  ASSERT_EQ(leaves.size(), 4u);
  EXPECT_EQ(status_text(leaves[0]), "Overridden platform default (*\"p\")");
  EXPECT_EQ(status_text(leaves[1]), "LOCKED (concrete value)");
  EXPECT_EQ(status_text(leaves[2]), "Overridden author default (80)");
  EXPECT_EQ(status_text(leaves[3]), "Set by End User (no default)");
  EXPECT_EQ(status_text(leaves_of(tiers.platform)[0]), "Platform default (can be overridden)");
  EXPECT_EQ(status_text(leaves_of(tiers.author)[0]), "Default (not overridden)");
}

TEST(Text, NamesPathsAndValuesAsCueDoes) {
  EXPECT_EQ(path_text({"a", "my field", "1"}), "a.\"my field\".\"1\"");
  auto value = data::read_json(*sources().add("x.json", R"({"a b":[1,null,true,"x\"y"],"c":{}})"));
  EXPECT_EQ(value_text(*value), R"({"a b": [1, null, true, "x\"y"], c: {}})");
}

// Whatever users write, each locked leaf of the platform is in the result as the platform made it.
TEST(TiersProperty, LocksHoldWhateverTheUserWrites) {
  std::mt19937 random(7);
  std::uint32_t position = 0;
  auto make = [&](auto&& self, Tier tier, int depth) -> Tree {
    Tree made;
    made.tier = tier;
    made.position = {++position};
    made.is_struct = depth == 0 || (depth < 4 && random() % 2 == 0);
    if (!made.is_struct) {
      made.is_default = random() % 2 == 0;
      made.leaf.variant = data::NumberText{std::to_string(random() % 5)};
      return made;
    }
    for (std::size_t count = random() % 4; count > 0; --count) {
      std::string name(1, static_cast<char>('a' + random() % 4));
      if (made.find(name) == nullptr) made.fields.push_back({name, self(self, tier, depth + 1)});
    }
    return made;
  };
  auto check = [](auto&& self, const Tree& platform, const Tree& effective) -> void {
    for (const Field& field : platform.fields) {
      const Tree* found = effective.find(field.name);
      ASSERT_NE(found, nullptr);
      if (field.value.is_struct && found->is_struct) self(self, field.value, *found);
      bool is_leaf_locked = !field.value.is_struct && is_locked(field.value);
      ASSERT_TRUE(!is_leaf_locked || data::equal(found->leaf, field.value.leaf));
    }
  };
  for (int i = 0; i < 10'000; ++i) {
    Tiers tiers = resolve(make(make, Tier::author, 0), {make(make, Tier::platform, 0), make(make, Tier::platform, 0)},
                          {make(make, Tier::user, 0)});
    check(check, tiers.platform, tiers.effective);
    if (HasFatalFailure()) FAIL() << i;
  }
}

}  // namespace
}  // namespace opm::values
