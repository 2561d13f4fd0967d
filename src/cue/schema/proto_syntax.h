// The text of a .proto file as a tree: what declares types, with the comments that stand at it.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "cue/schema/tree_maker.h"
#include "diag/source.h"

namespace opm::cue::schema {

struct ProtoOption {
  std::string name;
  std::string value;  // as written
  std::string text;   // of a string: what it says
  bool is_string = false;
  diag::Position position;
};

using ProtoComment = std::vector<std::string>;  // its lines, as they follow the slashes

struct ProtoItem {
  enum class Kind : std::uint8_t { comment, syntax, package, import, option, message, extend, enumeration, value, field, map, one_of };
  Kind kind = Kind::comment;
  std::string name;      // of a syntax, package or import: what it names
  std::string type;      // of a field or the values of a map
  std::string key_type;  // of a map
  std::string number;    // of a field or value
  bool is_repeated = false;
  std::vector<ProtoOption> options;
  std::vector<ProtoItem> items;
  ProtoComment comment;         // above it; of a comment: itself
  ProtoComment inline_comment;  // behind it
  diag::Position position;
};

// Services, extension ranges and reserved names say nothing about data; they are skipped.
std::expected<std::vector<ProtoItem>, Errors> parse_proto(const diag::Source& source);

}  // namespace opm::cue::schema
