#include "cue/load/file_type.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/path.h"
#include "cue/module/import_path.h"
#include "cue/syntax/literal.h"

namespace opm::cue::load {
namespace {

template <typename T>
struct Row {
  std::string_view name;
  T value;
};

constexpr std::array kEncodings = std::to_array<Row<Encoding>>({
    {"cue", Encoding::cue},
    {"json", Encoding::json},
    {"jsonl", Encoding::json_lines},
    {"yaml", Encoding::yaml},
    {"toml", Encoding::toml},
    {"xml", Encoding::xml},
    {"text", Encoding::text},
    {"binary", Encoding::binary},
    {"proto", Encoding::protobuf},
    {"textproto", Encoding::text_protobuf},
    {"pb", Encoding::binary_protobuf},
    {"code", Encoding::code},
});

constexpr std::array kExtensions = std::to_array<Row<Encoding>>({
    {".cue", Encoding::cue},
    {".json", Encoding::json},
    {".jsonl", Encoding::json_lines},
    {".ldjson", Encoding::json_lines},
    {".ndjson", Encoding::json_lines},
    {".yaml", Encoding::yaml},
    {".yml", Encoding::yaml},
    {".toml", Encoding::toml},
    {".xml", Encoding::xml},
    {".txt", Encoding::text},
    {".go", Encoding::code},
    {".wasm", Encoding::binary},
    {".proto", Encoding::protobuf},
    {".textproto", Encoding::text_protobuf},
    {".textpb", Encoding::text_protobuf},
    {"-", Encoding::cue},
});

constexpr std::array kForms = std::to_array<Row<Form>>(
    {{"schema", Form::schema}, {"graph", Form::graph}, {"dag", Form::dag}, {"data", Form::data}});

constexpr std::array kInterpretations = std::to_array<Row<Interpretation>>({
    {"auto", Interpretation::automatic},
    {"jsonschema", Interpretation::json_schema},
    {"openapi", Interpretation::openapi},
});

constexpr std::array<std::string_view, 5> kFlags = {"strict", "strictKeywords", "strictFeatures",
                                                    "openOnlyWhenExplicit", "koala"};

template <typename T, std::size_t N>
const T* find_name(const std::array<Row<T>, N>& table, std::string_view name) {
  auto found = std::ranges::find(table, name, &Row<T>::name);
  return found == table.end() ? nullptr : &found->value;
}

bool is_type_name(std::string_view name) {
  return name == "go" || find_name(kEncodings, name) != nullptr || find_name(kForms, name) != nullptr ||
         find_name(kInterpretations, name) != nullptr;
}

std::optional<bool> parse_bool(std::string_view text) {
  for (std::string_view yes : {"1", "t", "T", "true", "TRUE", "True"})
    if (text == yes) return true;
  for (std::string_view no : {"0", "f", "F", "false", "FALSE", "False"})
    if (text == no) return false;
  return std::nullopt;
}

// A name that starts with its only dot has no extension.
std::string_view extension_of(std::string_view file) {
  if (file == "-") return file;
  std::string_view base = file.substr(file.rfind('/') + 1);
  std::size_t dot = base.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return {};
  return base.substr(dot);
}

bool may_hold_schema(Encoding encoding) {
  return encoding == Encoding::json || encoding == Encoding::yaml || encoding == Encoding::toml ||
         encoding == Encoding::xml;
}

bool is_flag_allowed(std::string_view flag, const FileType& type) {
  if (flag == "koala") return type.encoding == Encoding::xml;
  if (flag == "openOnlyWhenExplicit") return type.interpretation == Interpretation::json_schema;
  return type.interpretation == Interpretation::json_schema || type.interpretation == Interpretation::openapi;
}

// "json" and "" of "json:"; nothing where the argument has no qualifier. Absolute paths may hold colons.
std::optional<std::pair<std::string_view, std::string_view>> cut_qualifier(std::string_view argument) {
  if (base::is_absolute_path(argument)) return std::nullopt;
  std::size_t colon = argument.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  return std::pair(argument.substr(0, colon), argument.substr(colon + 1));
}

// False: two types that can't both hold.
template <typename T>
bool settle(std::optional<T>& slot, T value) {
  if (slot && *slot != value) return false;
  slot = value;
  return true;
}

}  // namespace

std::string_view encoding_name(Encoding encoding) {
  if (encoding == Encoding::binary_protobuf) return "binarypb";
  for (const auto& row : kEncodings)
    if (row.value == encoding) return row.name;
  return {};
}

std::expected<Qualifier, std::string> parse_qualifier(std::string_view text) {
  Qualifier qualifier;
  if (text.empty()) return qualifier;
  for (std::size_t at = 0; at <= text.size();) {
    std::size_t plus = std::min(text.find('+', at), text.size());
    std::string_view tag = text.substr(at, plus - at);
    at = plus + 1;
    std::size_t equal = tag.find('=');
    std::string name(tag.substr(0, equal));
    bool has_value = equal != std::string_view::npos;
    std::string_view value = has_value ? tag.substr(equal + 1) : std::string_view();
    if (is_type_name(name)) {
      if (has_value) return std::unexpected("cannot specify value for tag " + syntax::quote(name));
      if (std::ranges::find(qualifier.types, name) == qualifier.types.end()) qualifier.types.push_back(name);
    } else if (std::ranges::find(kFlags, name) != kFlags.end()) {
      std::optional<bool> flag = has_value ? parse_bool(value) : true;
      if (!flag) return std::unexpected("invalid boolean value for tag " + syntax::quote(name));
      qualifier.flags[name] = *flag;
    } else if (name == "lang") {
      if (!has_value) return std::unexpected("tag " + syntax::quote(name) + " must have value (" + name + "=<value>)");
      qualifier.values[name] = value;
    } else {
      return std::unexpected("unknown filetype " + name);
    }
  }
  return qualifier;
}

std::expected<FileType, std::string> file_type(std::string_view file_name, const Qualifier& qualifier, FileMode mode) {
  FileType type;
  std::optional<Encoding> encoding;
  std::optional<Form> form;
  std::optional<Interpretation> interpretation;
  bool has_protobuf_tag = false;
  bool fits = true;
  for (const std::string& name : qualifier.types) {
    if (name == "go") {
      fits = fits && settle(encoding, Encoding::code);
      type.values["lang"] = "go";
    } else if (name == "pb") {
      has_protobuf_tag = true;
    } else if (const auto* known_encoding = find_name(kEncodings, name)) {
      fits = fits && settle(encoding, *known_encoding);
    } else if (const auto* known_form = find_name(kForms, name)) {
      fits = fits && settle(form, *known_form);
    } else if (const auto* meaning = find_name(kInterpretations, name)) {
      fits = fits && settle(interpretation, *meaning);
    }
  }
  if (has_protobuf_tag) {
    // Alone it is an encoding; beside another it says that the data mirrors a protobuf message.
    fits = fits && settle(interpretation, encoding ? Interpretation::protobuf_data : Interpretation::none);
    if (!encoding) encoding = Encoding::binary_protobuf;
  }
  if (!fits) return std::unexpected("invalid tag combination");
  std::string_view extension = extension_of(file_name);
  if (!encoding) {
    const Encoding* by_extension = find_name(kExtensions, extension);
    if (by_extension != nullptr && !(extension == "-" && interpretation)) {
      encoding = *by_extension;
    } else if (interpretation) {
      encoding = Encoding::json;
    } else if (extension.empty()) {
      return std::unexpected("no encoding specified for file " + syntax::quote(file_name));
    } else {
      return std::unexpected("unknown file extension " + std::string(extension));
    }
    // The extension speaks for what people usually keep in such files; a qualifier speaks for itself.
    if (mode == FileMode::input && qualifier.types.empty() && may_hold_schema(*encoding))
      interpretation = Interpretation::automatic;
  }
  type.encoding = *encoding;
  type.interpretation = interpretation.value_or(Interpretation::none);
  bool is_verbatim = type.encoding == Encoding::text || type.encoding == Encoding::binary;
  type.form = form.value_or(is_verbatim ? Form::data : Form::unspecified);
  if (type.encoding == Encoding::code) {
    if (extension == ".go") type.values.try_emplace("lang", "go");
    for (const auto& [name, value] : qualifier.values) type.values[name] = value;
    type.values.try_emplace("lang", "");
  } else if (!qualifier.values.empty()) {
    return std::unexpected("tag " + qualifier.values.begin()->first + " is not allowed in this context");
  }
  for (const auto& [flag, value] : qualifier.flags) {
    if (!is_flag_allowed(flag, type)) return std::unexpected("tag " + flag + " is not allowed in this context");
    type.flags[flag] = value;
  }
  return type;
}

std::expected<std::vector<FileArgument>, std::string> parse_file_arguments(const std::vector<std::string>& arguments) {
  std::vector<FileArgument> files;
  Qualifier qualifier;
  std::string_view open_qualifier;  // one that still waits for its first file
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    auto cut = cut_qualifier(argument);
    if (!cut) {
      if (argument.empty()) return std::unexpected("empty file name");
      auto type = file_type(argument, qualifier);
      if (!type) return std::unexpected(type.error());
      files.push_back({argument, std::move(*type)});
      open_qualifier = {};
      continue;
    }
    auto [scope, file] = *cut;
    if (scope.empty()) return std::unexpected("empty filetype prefix in " + syntax::quote(argument));
    if (!file.empty())
      return std::unexpected("cannot combine file type and file name; did you mean " +
                             syntax::quote(std::string(scope) + ": " + std::string(file)) + "?");
    std::string_view lonely = i + 1 == arguments.size() ? scope : open_qualifier;
    if (!lonely.empty())
      return std::unexpected("scoped qualifier " + syntax::quote(std::string(lonely) + ":") + " without file");
    auto parsed = parse_qualifier(scope);
    if (!parsed) return std::unexpected(parsed.error());
    qualifier = std::move(*parsed);
    open_qualifier = scope;
  }
  return files;
}

bool is_package_argument(std::string_view argument) {
  if (argument == "." || argument == "..") return true;
  if (argument.empty() || argument == "-") return false;
  module::ImportPath parts = module::parse_import_path(argument);
  if (parts.explicit_qualifier) {
    if (parts.path.find(':') != std::string::npos || parts.path == "-") return false;
    if (syntax::is_valid_identifier(parts.qualifier)) return true;
    return parts.path.find('/') != std::string::npos;
  }
  if (!parts.version.empty()) return parts.version.find('/') == std::string::npos;
  // A file without an extension could not be read anyway, so it must be a package.
  return extension_of(argument).find_first_not_of('.') == std::string_view::npos;
}

SplitArguments split_arguments(const std::vector<std::string>& arguments) {
  SplitArguments split;
  bool behind_qualifier = false;
  for (const std::string& argument : arguments) {
    auto cut = cut_qualifier(argument);
    if (cut && !cut->first.empty() && cut->second.empty()) behind_qualifier = true;
    bool is_package = !behind_qualifier && is_package_argument(argument);
    (is_package ? split.packages : split.files).push_back(argument);
  }
  return split;
}

}  // namespace opm::cue::load
