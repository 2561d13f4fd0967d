// The plain tree that manifests, values files and API answers are: maps (in order),
// lists and scalars, each with the position that it was read from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "diag/source.h"

namespace opm::data {

// A number as written (decimal digits of any length), so that nothing is lost on the way.
struct NumberText {
  std::string text;
  bool is_integer = true;
  bool operator==(const NumberText&) const = default;
};
struct Bytes {
  std::string bytes;
  bool operator==(const Bytes&) const = default;
};

class Value;
struct Member;
using List = std::vector<Value>;
using Map = std::vector<Member>;  // in order; keys are unique (readers reject or report duplicates)

class Value {
 public:
  using Variant = std::variant<std::monostate, bool, NumberText, std::string, Bytes, List, Map>;
  Variant variant;  // monostate: null
  diag::Position position;

  bool is_null() const { return std::holds_alternative<std::monostate>(variant); }
  bool is_bool() const { return std::holds_alternative<bool>(variant); }
  bool is_number() const { return std::holds_alternative<NumberText>(variant); }
  bool is_string() const { return std::holds_alternative<std::string>(variant); }
  bool is_bytes() const { return std::holds_alternative<Bytes>(variant); }
  bool is_list() const { return std::holds_alternative<List>(variant); }
  bool is_map() const { return std::holds_alternative<Map>(variant); }
  bool as_bool() const { return std::get<bool>(variant); }
  const std::string& as_string() const { return std::get<std::string>(variant); }
  const NumberText& as_number() const { return std::get<NumberText>(variant); }
  const Bytes& as_bytes() const { return std::get<Bytes>(variant); }
  const List& as_list() const { return std::get<List>(variant); }
  const Map& as_map() const { return std::get<Map>(variant); }
  List& as_list() { return std::get<List>(variant); }
  Map& as_map() { return std::get<Map>(variant); }

  // The member with that key, or nullptr; also nullptr where this is no map.
  const Value* find(std::string_view key) const;
  // Follows keys down maps.
  const Value* find_path(std::initializer_list<std::string_view> keys) const;
};

struct Member {
  std::string key;
  Value value;
  diag::Position key_position;
};

// The members in the order of their keys (bytes).
std::vector<const Member*> sorted_members(const Map& map);

// Equal as data: the order of members does not matter, positions do not count.
bool equal(const Value& a, const Value& b);

}  // namespace opm::data
