// The deep merge of values: structs are merged field by field, lists and scalars replaced, the later one wins. A tree
// knows for each of its values where it was written, which tier it belongs to, whether it carries a default marker,
// and what it took the place of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/tree.h"
#include "diag/source.h"

namespace opm::values {

// Who set a value.
enum class Tier : std::uint8_t { author = 1, platform = 2, user = 3 };

struct Field;

struct Tree {
  bool is_struct = false;
  std::vector<Field> fields;  // of a struct, in order; names are unique
  data::Value leaf;           // a scalar, or a list as a whole
  bool is_default = false;    // a leaf: was written with a default marker
  Tier tier = Tier::author;
  diag::Position position;  // of the field's name; the leaf has its own
  // A struct took the place of something else, and so hides every struct below it. Without this it would matter in
  // which order three trees are merged.
  bool hides_base = false;
  std::vector<Tree> history;  // what stood here before, the oldest first

  const Tree* find(std::string_view field) const;
};

struct Field {
  std::string name;
  Tree value;
};

// Associative; a tree merged with itself is that tree.
Tree merge(Tree base, Tree overlay);

// Plain data is concrete: nothing in it carries a default marker.
Tree tree_of(const data::Value& data, Tier tier = Tier::author);
// Without markers and history.
data::Value data_of(const Tree& tree);

// The same for plain data alone.
data::Value deep_merge(const data::Value& base, const data::Value& overlay);

}  // namespace opm::values
