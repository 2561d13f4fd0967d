// Attributes taken apart: @name(argument, key=value, "quoted").
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cue/syntax/ast.h"

namespace opm::cue::load {

struct AttributeArgument {
  std::string_view key;    // empty: none
  std::string_view value;  // as written, without the space around it
  std::string_view text;   // key and value as written
};

struct AttributeParts {
  std::string_view name;
  std::string_view body;  // between the parentheses
  diag::Position position;
  std::vector<AttributeArgument> arguments;  // at least one, perhaps empty

  // The value of the argument at that place, unquoted.
  std::string positional(std::size_t index) const;
  // The value of the first `key=value` from that place on, unquoted.
  std::optional<std::string> lookup(std::size_t from, std::string_view key) const;
  // Whether a bare word stands at that place or behind it.
  bool has_flag(std::size_t from, std::string_view word) const;
};

std::string_view attribute_name(const syntax::Attribute& attribute);
AttributeParts parse_attribute(const syntax::Attribute& attribute);

}  // namespace opm::cue::load
