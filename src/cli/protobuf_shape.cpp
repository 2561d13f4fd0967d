#include "cli/protobuf_shape.h"

#include <fmt/core.h>

#include <algorithm>

#include "data/base64.h"

namespace opm::cli {

namespace kinds = cue::kinds;

namespace {

bool looks_like_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789.eE+-") == std::string_view::npos && text[0] >= '0' &&
         text[0] <= '9';
}

// Where Go's decoder says that base64 ends to be any; nothing: it does not.
std::size_t first_illegal_base64(std::string_view text) {
  std::size_t end = text.find_last_not_of('=');
  for (std::size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    bool is_legal = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
    if (!is_legal && !(c == '=' && (end == std::string_view::npos || at > end))) return at;
  }
  return text.size();
}

class Shaper {
 public:
  explicit Shaper(bool is_text) : is_text_(is_text) {}

  data::Value shape(const data::Value& data, const cue::Value& schema, const std::string& path,
                    diag::Position key_position) {
    if (!schema.valid()) return data;
    cue::KindSet wanted = schema.possible_kinds();
    if (wanted == kinds::list && !data.is_list() && is_text_) {
      data::Value list;
      list.position = data.position;
      list.variant = data::List{data};
      return shape(list, schema, path, key_position);
    }
    if (data.is_map()) return shape_map(data, schema, path);
    if (data.is_list()) return shape_list(data, schema, path, key_position);
    data::Value result = data;
    if (data.is_string()) shape_string(result, wanted, path);
    bool is_only_text = (wanted & (kinds::string | kinds::bytes)) != 0 && (wanted & ~(kinds::string | kinds::bytes)) == 0;
    if (is_text_ && data.is_number() && is_only_text)
      fail({}, fmt::format("textproto: invalid string or bytes: invalid quote character {}", data.as_number().text[0]),
           key_position);
    return result;
  }

  cue::Diagnostics errors;

 private:
  void fail(std::string path, std::string message, diag::Position position) {
    diag::Diagnostic& error = errors.emplace_back();
    error.path = std::move(path);
    error.message = std::move(message);
    error.positions.push_back(position);
  }

  data::Value shape_map(const data::Value& data, const cue::Value& schema, const std::string& path) {
    data::Value result = data;
    std::vector<cue::Value::FieldEntry> fields = schema.fields(cue::Value::optional);
    for (data::Member& member : result.as_map()) {
      auto known = std::ranges::find(fields, member.key, &cue::Value::FieldEntry::name);
      if (known == fields.end()) continue;
      std::string below = path.empty() ? member.key : path + "." + member.key;
      member.value = shape(member.value, known->value, below, member.key_position);
    }
    return result;
  }

  data::Value shape_list(const data::Value& data, const cue::Value& schema, const std::string& path,
                         diag::Position key_position) {
    data::Value result = data;
    std::vector<cue::Value> elements = schema.elements();
    for (std::size_t i = 0; i < result.as_list().size(); ++i) {
      if (i >= elements.size()) break;
      result.as_list()[i] = shape(result.as_list()[i], elements[i], fmt::format("{}.{}", path, i), key_position);
    }
    return result;
  }

  void shape_string(data::Value& value, cue::KindSet wanted, const std::string& path) {
    const std::string& text = value.as_string();
    if ((wanted & kinds::string) != 0) return;
    if (wanted == kinds::bytes && is_text_) {
      value.variant = data::Bytes{text};
    } else if (wanted == kinds::bytes) {
      std::size_t illegal = first_illegal_base64(text);
      auto bytes = data::decode_base64(text);
      if (bytes) value.variant = data::Bytes{std::move(*bytes)};
      else fail(path, fmt::format("failed to decode base64: illegal base64 data at input byte {}", illegal), value.position);
    } else if ((wanted & kinds::number) != 0 && looks_like_number(text)) {
      value.variant = data::NumberText{text, text.find_first_of(".eE") == std::string::npos};
    }
  }

  bool is_text_;
};

}  // namespace

bool needs_shape(const cue::load::FileType& type) {
  return type.encoding == cue::load::Encoding::text_protobuf ||
         type.interpretation == cue::load::Interpretation::protobuf_data;
}

std::expected<data::Value, cue::Diagnostics> shape_protobuf(const data::Value& data, const cue::Value& schema,
                                                            const cue::load::FileType& type) {
  Shaper shaper(type.encoding == cue::load::Encoding::text_protobuf);
  data::Value result = shaper.shape(data, schema, "", {});
  if (!shaper.errors.empty()) return std::unexpected(std::move(shaper.errors));
  return result;
}

}  // namespace opm::cli
