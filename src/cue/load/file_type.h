// How a file is to be read: its encoding (from the extension or a qualifier such as
// "json:" before it), what it is taken to mean, and which kinds of CUE it may hold.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace opm::cue::load {

enum class Encoding : std::uint8_t {
  cue,
  json,
  json_lines,
  yaml,
  toml,
  xml,
  text,
  binary,
  protobuf,
  text_protobuf,
  binary_protobuf,
  code
};

// What data stands for. `automatic`: plain data unless the content says that it is a schema.
enum class Interpretation : std::uint8_t { none, automatic, json_schema, openapi, protobuf_data };

enum class Form : std::uint8_t { unspecified, schema, graph, dag, data };

struct FileType {
  Encoding encoding = Encoding::cue;
  Interpretation interpretation = Interpretation::none;
  Form form = Form::unspecified;
  std::map<std::string, bool> flags;          // "strict" and the like
  std::map<std::string, std::string> values;  // "lang" of code

  bool operator==(const FileType&) const = default;
};

std::string_view encoding_name(Encoding encoding);

// A qualifier without its colon: "yaml", "jsonschema+strict", "" (none).
struct Qualifier {
  std::vector<std::string> types;
  std::map<std::string, bool> flags;
  std::map<std::string, std::string> values;
};
std::expected<Qualifier, std::string> parse_qualifier(std::string_view text);

enum class FileMode : std::uint8_t {
  input,       // arguments of a command: data files may turn out to be schemas
  definition,  // embedded files: data is data
};
// The error is what `cue` says, e.g. "unknown file extension .bar".
std::expected<FileType, std::string> file_type(std::string_view file_name, const Qualifier& qualifier,
                                               FileMode mode = FileMode::input);

struct FileArgument {
  std::string name;  // "-": standard input
  FileType type;
};
// Files and qualifiers: `a.cue json: b.data c.data yaml: d`. A qualifier holds for all files
// up to the next one.
std::expected<std::vector<FileArgument>, std::string> parse_file_arguments(const std::vector<std::string>& arguments);

// Arguments that name packages and those that name files, each in order.
struct SplitArguments {
  std::vector<std::string> packages;
  std::vector<std::string> files;
};
SplitArguments split_arguments(const std::vector<std::string>& arguments);
bool is_package_argument(std::string_view argument);

}  // namespace opm::cue::load
