// A field's label as one 32-bit number: a kind and an index. Strings, definitions and
// hidden fields index the name table, list elements are their own index. Hidden names
// are scoped by package: the interned text is the name, a NUL and the package's path.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/names.h"

namespace opm::cue {

enum class LabelKind : std::uint8_t { string, integer, definition, hidden, hidden_definition };

struct Label {
  std::uint32_t bits = 0;  // 0: no label

  static constexpr std::uint32_t kMaxIndex = (1u << 29) - 1;
  static constexpr Label make(LabelKind kind, std::uint32_t index) {
    return {(index << 3) | static_cast<std::uint32_t>(kind)};
  }
  static constexpr Label string(base::Name name) { return make(LabelKind::string, static_cast<std::uint32_t>(name)); }
  static constexpr Label integer(std::uint32_t index) { return make(LabelKind::integer, index); }

  constexpr LabelKind kind() const { return static_cast<LabelKind>(bits & 7); }
  constexpr std::uint32_t index() const { return bits >> 3; }
  constexpr base::Name name() const { return base::Name{index()}; }
  constexpr bool valid() const { return bits != 0; }
  constexpr bool is_string() const { return bits != 0 && kind() == LabelKind::string; }
  constexpr bool is_integer() const { return kind() == LabelKind::integer; }
  constexpr bool is_regular() const { return bits != 0 && kind() <= LabelKind::integer; }
  constexpr bool is_definition() const {
    return kind() == LabelKind::definition || kind() == LabelKind::hidden_definition;
  }
  constexpr bool is_hidden() const { return kind() >= LabelKind::hidden; }
  constexpr bool operator==(const Label&) const = default;
};

// The label of an identifier (`a`, `#A`, `_a`, `_#A`); hidden ones belong to `package`
// (its import path, or "_" where there is none).
Label identifier_label(base::NameTable& names, std::string_view identifier, std::string_view package);
Label string_label(base::NameTable& names, std::string_view text);

// As a selector shows it: `a`, `"a b"`, `#A`, `_a`, `0`.
std::string selector_text(const base::NameTable& names, Label label);
// The bare text: quotes and package left off.
std::string_view label_text(const base::NameTable& names, Label label);
// The package that a hidden label belongs to.
std::string_view hidden_package(const base::NameTable& names, Label label);

}  // namespace opm::cue

template <>
struct std::hash<opm::cue::Label> {
  std::size_t operator()(opm::cue::Label label) const noexcept { return label.bits * 0x9E3779B1u; }
};
