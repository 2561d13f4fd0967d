#include "cue/load/decode.h"

#include <string>

#include "base/unicode.h"
#include "cue/load/workspace.h"
#include "cue/syntax/literal.h"
#include "data/json.h"
#include "data/toml.h"
#include "data/yaml.h"

namespace opm::cue::load {
namespace {

using Decoded = std::expected<std::vector<data::Value>, std::vector<diag::Diagnostic>>;

Decoded single(data::Value value) {
  std::vector<data::Value> values;
  values.push_back(std::move(value));
  return values;
}

// Broken sequences become U+FFFD, since a string has to be text.
std::string valid_text(std::string_view bytes) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  if (base::find_invalid_utf8(bytes) == std::string_view::npos) return std::string(bytes);
  std::string text;
  while (!bytes.empty()) {
    base::DecodedCharacter character = base::decode_utf8(bytes);
    base::append_utf8(text, character.value);
    bytes.remove_prefix(character.size);
  }
  return text;
}

Decoded decode_lines(const diag::Source& source) {
  std::vector<data::Value> values;
  std::string_view text = source.text;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) {
      // A source of its own at the same place, so that positions point into the file.
      diag::Source part;
      part.path = source.path;
      part.text = line;
      part.begin = source.begin.plus(static_cast<std::uint32_t>(at));
      auto value = data::read_json(part);
      if (!value) return std::unexpected(std::move(value.error()));
      values.push_back(std::move(*value));
    }
    at = end + 1;
  }
  return values;
}

}  // namespace

Decoded decode(Encoding encoding, const diag::Source& source) {
  switch (encoding) {
    case Encoding::json: {
      auto value = data::read_json(source);
      if (!value) return std::unexpected(std::move(value.error()));
      return single(std::move(*value));
    }
    case Encoding::json_lines:
      return decode_lines(source);
    case Encoding::yaml:
      return data::read_yaml(source);
    case Encoding::toml: {
      auto value = data::read_toml(source);
      if (!value) return std::unexpected(std::move(value.error()));
      return single(std::move(*value));
    }
    case Encoding::text: {
      data::Value value;
      value.variant = valid_text(source.text);
      value.position = source.begin;
      return single(std::move(value));
    }
    case Encoding::binary: {
      data::Value value;
      value.variant = data::Bytes{source.text};
      value.position = source.begin;
      return single(std::move(value));
    }
    default:
      break;
  }
  return std::unexpected(
      std::vector{load_error("encoding " + syntax::quote(encoding_name(encoding)) + " not (yet) supported")});
}

Decoded decode(const DataFile& file, const std::string& display, diag::SourceMap& sources) {
  const diag::Source* source = file.source;
  if (source == nullptr) {
    auto content = file.files->read_file(file.path);
    if (!content) return std::unexpected(std::vector{load_error("open " + display + ": " + content.error().message)});
    source = sources.add(display, std::move(*content));
    if (source == nullptr)
      return std::unexpected(std::vector{load_error("open " + display + ": too much source text")});
  }
  return decode(file.type.encoding, *source);
}

}  // namespace opm::cue::load
