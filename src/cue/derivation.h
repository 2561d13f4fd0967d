// How a value came about: the declarations that it is made of, as they were written, and what each of them refers to.
// Following these from one value to the next leads from anything that was evaluated back to where somebody wrote it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cue/value.h"
#include "diag/source.h"

namespace opm::cue {

// What a declaration does for the value.
enum class SourceRole : std::uint8_t {
  writes,     // a scalar, struct or list as it is
  refers,     // takes it from elsewhere
  computes,   // makes it of other values
  restricts,  // says what it may be, perhaps with a default
};

struct SourceDeclaration {
  SourceRole role = SourceRole::writes;
  diag::Position position;  // of the field's name; of an element: where it begins
  diag::Position value_begin;  // what is declared there, from its first character
  diag::Position value_end;    // to behind its last
  std::vector<Value> references;  // the values that it refers to, each once, in the order of the text
  const void* identity = nullptr;  // tells it from others, and is what FrozenOrigins knows it by
};

// In the order in which evaluation met them. Declarations that allow anything are left out.
std::vector<SourceDeclaration> source_declarations(const Value& value);

// Where the value itself was written: the scalar that won, wherever it came from.
diag::Position written_at(const Value& value);

// From the parts of frozen values back to the values that they were made of.
class FrozenOrigins {
 public:
  explicit FrozenOrigins(const Frozen& frozen) : frozen_(frozen) {}

  // All of `handle`, which was frozen from `original`.
  void add(Frozen::Handle handle, const Value& original);
  // The fields of a struct that was put together of frozen values: what each was frozen from, in the struct's order.
  void add_fields(Frozen::Handle structure, std::span<const Value> originals);
  // By the identity of a declaration. An invalid value, if it is no part of what was added.
  Value find(const void* identity) const;
  // What it is a part of; null, if it is the whole.
  const void* parent(const void* identity) const;

 private:
  struct Entry {
    Frozen::Handle parent;          // null: it is the whole
    std::optional<Value> original;  // looked up when somebody asks: most parts are not asked about
  };
  void add_parts(Frozen::Handle handle);
  Value part_of(const Value& original, Frozen::Handle whole, Frozen::Handle part) const;

  const Frozen& frozen_;
  mutable std::unordered_map<const void*, Entry> entries_;
};

// Whether anything in an evaluated value has a regular field of that name, however deep. For values that have been evaluated
// it is quick.
bool has_field_below(const Value& value, std::string_view name);

}  // namespace opm::cue
