#include "cli/cue_encoder.h"

#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/file_writer.h"
#include "base/path.h"
#include "cli/cue_errors.h"
#include "cli/schema_output.h"
#include "cue/definition.h"
#include "cue/syntax/literal.h"
#include "data/json.h"
#include "data/toml.h"
#include "data/yaml.h"

namespace opm::cli {

using cue::Diagnostics;
using cue::load::Encoding;

namespace {

// "string", "(int|string)": what the value is, to say that it is not what was wanted.
Diagnostics wrong_kind(const cue::Value& source, const data::Value& value, std::string_view wanted) {
  std::string text = data::write_json(value);
  std::string_view kind = value.is_null()     ? "null"
                          : value.is_bool()   ? "bool"
                          : value.is_number() ? (value.as_number().is_integer ? "int" : "float")
                          : value.is_string() ? "string"
                          : value.is_bytes()  ? "bytes"
                          : value.is_list()   ? "list"
                                              : "struct";
  Diagnostics errors = one_error(fmt::format("cannot use value {} (type {}) as {}", text, kind, wanted));
  errors.front().path = source.with_default().path();
  if (value.position.valid()) errors.front().positions.push_back(value.position);
  return errors;
}

}  // namespace

Diagnostics CueEncoder::open(const OutputFile& file) {
  file_ = file;
  switch (file.type.encoding) {
    case Encoding::cue:
    case Encoding::json:
    case Encoding::json_lines:
    case Encoding::yaml:
    case Encoding::toml:
    case Encoding::text:
    case Encoding::binary:
      break;
    default:
      return one_error("unsupported encoding " + cue::syntax::quote(cue::load::encoding_name(file.type.encoding)));
  }
  return {};
}

bool CueEncoder::is_concrete() const {
  return file_.type.encoding != Encoding::cue || options_.mode == CueMode::export_data ||
         file_.type.form == cue::load::Form::data || file_.type.form == cue::load::Form::dag ||
         file_.type.form == cue::load::Form::graph;
}

Diagnostics CueEncoder::encode(const cue::Value& value) {
  using cue::load::Interpretation;
  if (file_.type.interpretation == Interpretation::protobuf_data) return one_error("unsupported interpretation \"pb\"");
  if (file_.type.interpretation == Interpretation::openapi || file_.type.interpretation == Interpretation::json_schema)
    return encode_schema(value);
  if (file_.type.encoding == Encoding::cue) return encode_cue(value);
  bool is_yaml = file_.type.encoding == Encoding::yaml;
  auto data = value.to_data(is_yaml ? base::NumberStyle::yaml : base::NumberStyle::json);
  if (!data) return std::move(data.error());
  return encode_data(value, *data);
}

Diagnostics CueEncoder::encode_schema(const cue::Value& value) {
  if (Diagnostics errors = value.validate(); !errors.empty()) return errors;
  cue::SourceSettings settings;
  settings.definition = settings.optional = settings.definitions = settings.documentation = true;
  settings.take_defaults = false;
  settings.package = options_.hidden_package;
  settings.simplify_labels = true;
  auto schema = write_schema(value.to_cue(settings), file_.type.interpretation);
  if (Diagnostics errors = value.context().exhaustion(); !errors.empty()) return errors;
  if (!schema) return one_error(std::move(schema.error()));
  if (file_.type.encoding != Encoding::cue) return encode_data(value, *schema);
  encode_source(value.context().from_data(*schema).to_cue({.simplify_labels = true}), "");
  return {};
}

Diagnostics CueEncoder::encode_data(const cue::Value& value, const data::Value& data) {
  switch (file_.type.encoding) {
    case Encoding::json:
    case Encoding::json_lines: {
      data::JsonWriteOptions options;
      options.indent = 4;
      options.escape_html = options_.escape_html;
      options.final_newline = true;
      write(data::write_json(data, options));
      break;
    }
    case Encoding::yaml: {
      if (!is_first_) write("---\n");
      data::YamlWriteOptions options;
      options.style = data::YamlStyle::cue;
      write(data::write_yaml(data, options));
      break;
    }
    case Encoding::toml: {
      auto text = data::write_toml(data);
      if (!text) return one_error(std::move(text.error()));
      write(*text);
      break;
    }
    case Encoding::text:
      if (!data.is_string()) return wrong_kind(value, data, "string");
      write(data.as_string());
      write("\n");
      break;
    case Encoding::binary:
      if (data.is_string()) write(data.as_string());
      else if (data.is_bytes()) write(data.as_bytes().bytes);
      else return wrong_kind(value, data, "(string|bytes)");
      break;
    default:
      break;
  }
  is_first_ = false;
  return {};
}

Diagnostics CueEncoder::encode_cue(const cue::Value& value) {
  bool is_definition = options_.mode == CueMode::definition;
  if (Diagnostics errors = value.validate({.concrete = is_concrete()}); !errors.empty()) return errors;
  cue::SourceSettings settings;
  settings.definition = is_definition;
  settings.take_defaults = !is_definition;
  settings.optional = settings.definitions = settings.hidden = settings.attributes = is_definition;
  settings.documentation = is_definition || options_.mode == CueMode::export_data;
  settings.package = options_.hidden_package;
  settings.package_name = options_.package_name;
  settings.simplify_labels = true;
  std::string source = options_.inline_imports ? cue::definition_with_imports(value, settings) : value.to_cue(settings);
  if (Diagnostics errors = value.context().exhaustion(); !errors.empty()) return errors;
  encode_source(source, "");
  return {};
}

void CueEncoder::encode_source(std::string_view source, std::string_view title) {
  if (!title.empty()) write(fmt::format("// {}\n", base::base_name(title)));
  else if (!is_first_) session_.out.write("// ---\n");  // on standard output even where a file is written
  is_first_ = false;
  write(source);
}

void CueEncoder::write(std::string_view text) {
  if (file_.path == "-") session_.out.write(text);
  else pending_.append(text);
}

// A pipe or device stays what it is.
Diagnostics CueEncoder::write_through(const std::string& path) {
  std::ofstream out(path, std::ios::binary);
  out << pending_;
  out.close();
  if (!out) return one_error("error writing " + cue::syntax::quote(file_.path));
  return {};
}

Diagnostics CueEncoder::close() {
  if (file_.path == "-") return {};
  std::error_code error;
  std::filesystem::path path = std::filesystem::absolute(file_.path, error);
  std::filesystem::file_status status = std::filesystem::status(path, error);
  bool is_pipe = std::filesystem::is_fifo(status) || std::filesystem::is_character_file(status);
  if (is_pipe) return write_through(path.string());
  std::string target = path.lexically_normal().string();
  auto exists = [&] { return one_error("error writing " + cue::syntax::quote(file_.path) + ": file already exists"); };
  if (!options_.force && std::filesystem::exists(std::filesystem::symlink_status(path, error))) return exists();
  std::string written_to = options_.force ? target : fmt::format("{}.{}.partial", target, ::getpid());
  auto written = base::real_file_writer().write_file(written_to, pending_);
  if (!written) return one_error("open " + file_.path + ": " + written.error().message);
  if (options_.force) return {};
  // Another program may have made the file meanwhile: linking fails then, where renaming would replace it.
  int linked = ::link(written_to.c_str(), target.c_str());
  ::unlink(written_to.c_str());
  return linked == 0 ? Diagnostics{} : exists();
}

}  // namespace opm::cli
