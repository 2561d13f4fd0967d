#include "opm/values/tiers.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/arena.h"
#include "base/number.h"
#include "opm/values/field_index.h"

namespace opm::values {

namespace {

// What of a tree is locked, or nothing.
const Tree* first_lock(const Tree& tree) {
  if (!tree.is_struct) return is_locked(tree) ? &tree : nullptr;
  for (const Field& field : tree.fields) {
    if (const Tree* found = first_lock(field.value)) return found;
  }
  return nullptr;
}

data::Value locked_part(const Tree& tree) {
  if (!tree.is_struct) return tree.leaf;
  data::Map map;
  for (const Field& field : tree.fields) {
    if (first_lock(field.value) != nullptr) map.push_back({field.name, locked_part(field.value), field.value.position});
  }
  data::Value data;
  data.variant = std::move(map);
  return data;
}

bool same_number(const data::NumberText& a, const data::NumberText& b) {
  if (a == b) return true;
  base::Arena arena;
  auto left = base::Number::parse_decimal(arena, a.text);
  auto right = base::Number::parse_decimal(arena, b.text);
  return left && right && a.is_integer == b.is_integer && base::Number::compare(*left, *right) == 0;
}

// The same to CUE: 1.50 is 1.5, but 1 is not 1.0.
bool same_value(const data::Value& a, const data::Value& b) {
  if (a.is_number() && b.is_number()) return same_number(a.as_number(), b.as_number());
  if (a.is_list() && b.is_list()) return std::ranges::equal(a.as_list(), b.as_list(), same_value);
  if (!a.is_map() || !b.is_map()) return data::equal(a, b);
  auto same_member = [](const data::Member* x, const data::Member* y) { return x->key == y->key && same_value(x->value, y->value); };
  return std::ranges::equal(sorted_members(a.as_map()), sorted_members(b.as_map()), same_member);
}

class LockCheck {
 public:
  std::vector<LockViolation> violations;

  // What of the user's values remains once everything locked is taken out. False: nothing of it.
  bool keep(const Tree& base, Tree& user) {
    if (base.is_struct && user.is_struct) {
      FieldIndex index(base.fields);
      std::erase_if(user.fields, [&](Field& field) {
        std::size_t at = index.find(field.name);
        if (at == base.fields.size()) return false;
        path_.push_back(field.name);
        bool is_kept = keep(base.fields[at].value, field.value);
        path_.pop_back();
        return !is_kept;
      });
      return true;
    }
    const Tree* lock = first_lock(base);
    if (lock == nullptr) return true;
    // Saying what holds anyway is no attempt to override it.
    bool is_same = !base.is_struct && !user.is_struct && same_value(base.leaf, user.leaf);
    if (!is_same) violations.push_back({path_, locked_part(base), data_of(user), lock->position, user.position});
    return false;
  }

 private:
  FieldPath path_;
};

Tree merge_all(Tree first, std::vector<Tree> overlays) {
  for (Tree& overlay : overlays) first = merge(std::move(first), std::move(overlay));
  return first;
}

Tree empty_struct(Tier tier) {
  Tree tree;
  tree.is_struct = true;
  tree.tier = tier;
  return tree;
}

}  // namespace

bool is_locked(const Tree& leaf) { return leaf.tier == Tier::platform && !leaf.is_default; }

Tiers resolve(Tree author, std::vector<Tree> platform, std::vector<Tree> user) {
  Tiers tiers;
  tiers.author = std::move(author);
  tiers.platform = merge_all(tiers.author, std::move(platform));
  Tree wanted = merge_all(empty_struct(Tier::user), std::move(user));
  LockCheck check;
  check.keep(tiers.platform, wanted);
  tiers.violations = std::move(check.violations);
  tiers.effective = merge(tiers.platform, std::move(wanted));
  return tiers;
}

std::string lock_text(const LockViolation& violation, const std::string& locked_in) {
  return fmt::format(
      "Error: Cannot override locked value\n"
      "\n"
      "  Field:    {}\n"
      "  Locked:   {} (set by {})\n"
      "  Provided: {} ({})\n"
      "\n"
      "  The Platform Operator has set this value as concrete and it cannot be\n"
      "  overridden. Contact your platform team if you need a different value.\n"
      "\n"
      "  Locked in: {}\n",
      path_text(violation.path), value_text(violation.locked), tier_name(Tier::platform), value_text(violation.provided),
      tier_name(Tier::user), locked_in);
}

}  // namespace opm::values
