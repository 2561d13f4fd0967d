// A value as people are told of it: its type as the schema writes it, its documentation, its fields. What users write
// themselves is not repeated: it may be a secret.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cue/value.h"

namespace opm::lsp {

// `int & >=1`, `"a" | "b"`, `{…}`: one line.
std::string type_text(const cue::Value& value);

// The fields of a struct, with those of all branches where it is not decided which; each name once.
std::vector<cue::Value::FieldEntry> members(const cue::Value& value, unsigned selection);

// Scalars that a value may be, as CUE: "a", "b", 3, true.
std::vector<std::string> choices(const cue::Value& value);

// Doc comments, a paragraph each.
std::string documentation_text(const cue::Value& value);

// All of it as Markdown.
struct Description {
  std::string name;
  std::vector<cue::Value> values;  // what is known of it; the first says what it is
  bool is_secret = false;          // of which no value is shown
};
std::string markdown(const Description& description);

}  // namespace opm::lsp
