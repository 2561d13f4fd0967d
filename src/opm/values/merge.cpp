#include "opm/values/merge.h"

#include <algorithm>
#include <utility>

#include "opm/values/field_index.h"

namespace opm::values {

namespace {

// The same text given twice is one step.
void append_step(std::vector<Tree>& history, Tree step) {
  bool is_known = !history.empty() && step.position.valid() && history.back().position == step.position &&
                  history.back().tier == step.tier;
  if (!is_known) history.push_back(std::move(step));
}

std::vector<Tree> history_above(Tree base, std::vector<Tree> later, const Tree& now) {
  std::vector<Tree> history = std::move(base.history);
  base.history.clear();
  // Structs that followed one another were one struct by the time something else took their place.
  bool is_one = base.is_struct && !later.empty() && later.front().is_struct && !later.front().hides_base;
  if (is_one) {
    later.front() = merge(std::move(base), std::move(later.front()));
  } else {
    if (!later.empty() && later.front().is_struct) later.front().hides_base = true;
    append_step(history, std::move(base));
  }
  for (Tree& step : later) append_step(history, std::move(step));
  // What stands here now is no step of its own past.
  if (!history.empty() && now.position.valid() && history.back().position == now.position && history.back().tier == now.tier)
    history.pop_back();
  return history;
}

}  // namespace

const Tree* Tree::find(std::string_view field) const {
  auto found = std::ranges::find(fields, field, &Field::name);
  return found == fields.end() ? nullptr : &found->value;
}

Tree merge(Tree base, Tree overlay) {
  if (!base.is_struct || !overlay.is_struct || overlay.hides_base) {
    bool hides = overlay.is_struct && (overlay.hides_base || !base.is_struct);
    overlay.history = history_above(std::move(base), std::move(overlay.history), overlay);
    overlay.hides_base = hides;
    return overlay;
  }
  std::size_t own = base.fields.size();
  FieldIndex index(base.fields);
  std::vector<Field> added;
  for (Field& field : overlay.fields) {
    std::size_t at = index.find(field.name);
    if (at < own) base.fields[at].value = merge(std::move(base.fields[at].value), std::move(field.value));
    else added.push_back(std::move(field));
  }
  std::ranges::move(added, std::back_inserter(base.fields));
  // A struct is where it was last written.
  base.position = overlay.position;
  base.tier = overlay.tier;
  return base;
}

Tree tree_of(const data::Value& data, Tier tier) {
  Tree tree;
  tree.tier = tier;
  tree.position = data.position;
  if (!data.is_map()) {
    tree.leaf = data;
    return tree;
  }
  tree.is_struct = true;
  tree.fields.reserve(data.as_map().size());
  for (const data::Member& member : data.as_map()) {
    tree.fields.push_back({member.key, tree_of(member.value, tier)});
    if (member.key_position.valid()) tree.fields.back().value.position = member.key_position;
  }
  return tree;
}

data::Value data_of(const Tree& tree) {
  if (!tree.is_struct) return tree.leaf;
  data::Value data;
  data.position = tree.position;
  data::Map map;
  map.reserve(tree.fields.size());
  for (const Field& field : tree.fields) map.push_back({field.name, data_of(field.value), field.value.position});
  data.variant = std::move(map);
  return data;
}

data::Value deep_merge(const data::Value& base, const data::Value& overlay) {
  return data_of(merge(tree_of(base), tree_of(overlay)));
}

}  // namespace opm::values
