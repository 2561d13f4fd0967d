// How the label tables of structs are laid out: open addressing over a power of two,
// never more than half full. The compiler fills them, StructExpression::find reads them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/arena.h"
#include "cue/compile/label.h"

namespace opm::cue::compile {

// Up to this many fields a walk over them is faster than a table.
inline constexpr std::size_t kLinearFields = 8;

inline std::size_t label_table_size(std::size_t fields) { return std::bit_ceil(fields * 2); }

struct Field;

// Links fields of the same label, and builds the table that finds the first of them.
std::span<const std::uint32_t> link_fields(base::Arena& arena, std::span<Field* const> fields);

inline std::size_t label_slot(Label label, std::size_t mask) {
  // The kind sits in the low bits, so the low bits of the product alone would cluster.
  std::size_t hash = std::hash<Label>{}(label);
  return (hash ^ (hash >> 15)) & mask;
}

}  // namespace opm::cue::compile
