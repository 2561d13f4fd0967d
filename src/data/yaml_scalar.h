// What a plain YAML scalar means. The rules are those of CUE's decoder: YAML 1.2 with
// the octals of 1.1 (0777) and underscores in numbers; yes, no, on and off are strings.
// Reader and writer share them, so that what is written reads back as the same value.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "data/tree.h"

namespace opm::data {

enum class YamlKind : std::uint8_t {
  null,
  boolean,
  integer,
  floating,
  false_octal,  // 0789: read as a string, but quoted when written
  not_finite,
  merge,
  string,
};

// The kind of a plain scalar without a tag.
YamlKind resolve_yaml_plain(std::string_view text);

// The number that a scalar of kind integer or floating stands for, in decimal notation that
// JSON accepts as well. The error says what is wrong with the text.
std::expected<NumberText, std::string> read_yaml_number(std::string_view text, YamlKind kind);

// The text as it is used for a key when it is a number: as written, but octals as 0o777.
std::string yaml_number_key(std::string_view text);

// True for strings that some reader of YAML 1.1 takes for a boolean, date, time or
// sexagesimal number; CUE quotes these although it would read them as strings.
bool is_yaml_legacy(std::string_view text);

// True for more: everything that a reader of YAML 1.1 or 1.2 may take for something else
// than a string, in any mixture of upper and lower case.
bool is_yaml_ambiguous(std::string_view text);

}  // namespace opm::data
