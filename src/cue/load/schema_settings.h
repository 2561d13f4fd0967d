// How schemas of other languages are read that are named as arguments. The settings stand among the arguments of a
// load, as a command's flags do: "--path=LABEL", "--package=NAME", "--proto_path=FOLDER", "--proto_enum=MODE".
#pragma once

#include <string>
#include <vector>

namespace opm::cue::load {

struct SchemaSettings {
  std::vector<std::string> path;         // where they go when they are named without data: labels or expressions
  std::string package;                   // that they say they are of
  std::vector<std::string> proto_roots;  // folders that imports of .proto files are looked for in
  std::string proto_enum;                // "json" (or empty): names; "int": numbers
};

// Takes the settings out of the arguments.
SchemaSettings take_schema_settings(std::vector<std::string>& arguments);

}  // namespace opm::cue::load
