#include "opm/values/merge.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <variant>

#include "data/json.h"

namespace opm::values {
namespace {

data::Value json(std::string text) {
  static diag::SourceMap sources;
  auto value = data::read_json(*sources.add("test.json", std::move(text)));
  EXPECT_TRUE(value.has_value());
  return value ? *value : data::Value{};
}

std::string merged(std::string base, std::string overlay) {
  return data::write_json(deep_merge(json(std::move(base)), json(std::move(overlay))));
}

TEST(Merge, MergesStructsFieldByField) {
  EXPECT_EQ(merged(R"({"a":{"x":1,"y":2},"b":3})", R"({"a":{"y":5,"z":6},"c":7})"),
            R"({"a":{"x":1,"y":5,"z":6},"b":3,"c":7})");
}

TEST(Merge, ReplacesListsAndScalars) {
  EXPECT_EQ(merged(R"({"a":[1,2,3],"b":1})", R"({"a":[{"x":1}],"b":null})"), R"({"a":[{"x":1}],"b":null})");
}

TEST(Merge, ReplacesWhatIsOfAnotherKind) {
  EXPECT_EQ(merged(R"({"a":{"x":1}})", R"({"a":2})"), R"({"a":2})");
  EXPECT_EQ(merged(R"({"a":[1]})", R"({"a":{"x":1}})"), R"({"a":{"x":1}})");
  EXPECT_EQ(merged(R"({"a":{"x":1}})", R"({"a":{}})"), R"({"a":{"x":1}})");
}

TEST(Merge, KeepsWhatStoodThereBefore) {
  Tree tree = merge(merge(tree_of(json(R"({"a":1})"), Tier::author), tree_of(json(R"({"a":2})"), Tier::platform)),
                    tree_of(json(R"({"a":3})"), Tier::user));
  const Tree& a = *tree.find("a");
  EXPECT_EQ(a.tier, Tier::user);
  EXPECT_EQ(a.leaf.as_number().text, "3");
  ASSERT_EQ(a.history.size(), 2u);
  EXPECT_EQ(a.history[0].tier, Tier::author);
  EXPECT_EQ(a.history[1].tier, Tier::platform);
  EXPECT_EQ(a.history[1].leaf.as_number().text, "2");
}

TEST(Merge, KeepsTheMarkerOfWhatWins) {
  Tree base = tree_of(json(R"({"a":1,"b":1})"), Tier::platform);
  Tree overlay = tree_of(json(R"({"a":2})"), Tier::platform);
  overlay.fields[0].value.is_default = true;
  EXPECT_TRUE(merge(base, overlay).find("a")->is_default);
  EXPECT_FALSE(merge(overlay, base).find("a")->is_default);
}

TEST(Merge, TheSameFileTwiceIsOneStep) {
  Tree tree = tree_of(json(R"({"a":1})"), Tier::platform);
  EXPECT_TRUE(merge(tree, tree).find("a")->history.empty());
}

TEST(Merge, ManyFieldsAreLookedUpNotSearchedFor) {
  data::Value many;
  data::Map map;
  for (int i = 0; i < 100'000; ++i) map.push_back({"field" + std::to_string(i), json("1")});
  many.variant = std::move(map);
  EXPECT_TRUE(data::equal(deep_merge(many, many), many));
}

// --- properties ---------------------------------------------------------------------------

class RandomTrees {
 public:
  explicit RandomTrees(unsigned seed) : random_(seed) {}

  Tree next(int depth = 0) {
    Tree tree;
    tree.position = {++position_};
    tree.tier = static_cast<Tier>(1 + random_() % 3);
    tree.is_struct = depth == 0 || (depth < 5 && random_() % 2 == 0);
    if (!tree.is_struct) {
      tree.is_default = random_() % 3 == 0;
      tree.leaf = leaf();
      return tree;
    }
    for (std::size_t count = random_() % 5; count > 0; --count) {
      std::string name(1, static_cast<char>('a' + random_() % 6));
      if (tree.find(name) == nullptr) tree.fields.push_back({name, next(depth + 1)});
    }
    return tree;
  }

 private:
  data::Value leaf() {
    data::Value value;
    switch (random_() % 5) {
      case 0: value.variant = std::monostate{}; break;
      case 1: value.variant = random_() % 2 == 0; break;
      case 2: value.variant = data::NumberText{std::to_string(random_() % 100)}; break;
      case 3: value.variant = std::string(random_() % 4, 'x'); break;
      default: value.variant = data::List(random_() % 3); break;
    }
    return value;
  }

  std::mt19937 random_;
  std::uint32_t position_ = 0;
};

bool same(const Tree& a, const Tree& b) {
  auto all = [](const std::vector<Tree>& x, const std::vector<Tree>& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), same);
  };
  return a.is_struct == b.is_struct && a.is_default == b.is_default && a.tier == b.tier && a.position == b.position &&
         a.hides_base == b.hides_base && data::equal(a.leaf, b.leaf) && all(a.history, b.history) &&
         std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(),
                    [](const Field& x, const Field& y) { return x.name == y.name && same(x.value, y.value); });
}

constexpr int kTrees = 10'000;

TEST(MergeProperty, IsAssociative) {
  RandomTrees trees(1);
  for (int i = 0; i < kTrees; ++i) {
    Tree a = trees.next(), b = trees.next(), c = trees.next();
    ASSERT_TRUE(same(merge(merge(a, b), c), merge(a, merge(b, c)))) << i;
  }
}

TEST(MergeProperty, IsIdempotent) {
  RandomTrees trees(2);
  for (int i = 0; i < kTrees; ++i) {
    Tree a = trees.next(), b = trees.next();
    ASSERT_TRUE(same(merge(a, a), a)) << i;
    Tree both = merge(a, b);
    ASSERT_TRUE(same(merge(both, b), both)) << i;
  }
}

// Each field of the overlay is there as the overlay has it; each of the base is too, unless something that is no struct
// took the place of the struct that it stood in.
void expect_nothing_lost(const Tree& base, const Tree& overlay, const Tree& result) {
  for (const Field& field : overlay.fields) {
    const Tree* found = result.find(field.name);
    ASSERT_NE(found, nullptr) << field.name;
    ASSERT_EQ(found->is_struct, field.value.is_struct);
    ASSERT_TRUE(found->is_struct || data::equal(found->leaf, field.value.leaf));
    const Tree* before = base.find(field.name);
    if (found->is_struct) expect_nothing_lost(before != nullptr && before->is_struct ? *before : Tree{}, field.value, *found);
  }
  for (const Field& field : base.fields) {
    const Tree* found = result.find(field.name);
    ASSERT_NE(found, nullptr) << field.name;
    ASSERT_TRUE(overlay.find(field.name) != nullptr || same(*found, field.value));
  }
}

TEST(MergeProperty, NeverLosesAField) {
  RandomTrees trees(3);
  for (int i = 0; i < kTrees; ++i) {
    Tree a = trees.next(), b = trees.next();
    expect_nothing_lost(a, b, merge(a, b));
    if (HasFatalFailure()) FAIL() << i;
  }
}

// The merge as one would write it down: maps of maps, with no thought of speed, order or where things come from.
struct Plain {
  std::variant<std::string, std::map<std::string, std::shared_ptr<Plain>>> value;
};

std::shared_ptr<Plain> plain(const Tree& tree) {
  auto result = std::make_shared<Plain>();
  if (!tree.is_struct) {
    result->value = data::write_json(tree.leaf);
    return result;
  }
  std::map<std::string, std::shared_ptr<Plain>> fields;
  for (const Field& field : tree.fields) fields[field.name] = plain(field.value);
  result->value = fields;
  return result;
}

std::shared_ptr<Plain> merge_plainly(const std::shared_ptr<Plain>& base, const std::shared_ptr<Plain>& overlay) {
  if (base == nullptr || base->value.index() == 0 || overlay->value.index() == 0) return overlay;
  auto result = std::make_shared<Plain>(*base);
  auto& fields = std::get<1>(result->value);
  for (const auto& [name, value] : std::get<1>(overlay->value)) fields[name] = merge_plainly(fields[name], value);
  return result;
}

std::string text(const Plain& tree) {
  if (const std::string* leaf = std::get_if<std::string>(&tree.value)) return *leaf;
  std::string result = "{";
  for (const auto& [name, value] : std::get<1>(tree.value)) result += name + ":" + text(*value) + ",";
  return result + "}";
}

TEST(MergeProperty, AgreesWithAPlainImplementation) {
  RandomTrees trees(4);
  for (int i = 0; i < kTrees; ++i) {
    Tree a = trees.next(), b = trees.next(), c = trees.next();
    std::string expected = text(*merge_plainly(merge_plainly(plain(a), plain(b)), plain(c)));
    ASSERT_EQ(text(*plain(merge(merge(a, b), c))), expected) << i;
  }
}

}  // namespace
}  // namespace opm::values
