#include "cue/load/decode.h"

#include <string>

#include "base/unicode.h"
#include "cue/load/workspace.h"
#include "cue/syntax/literal.h"
#include "data/json.h"
#include "data/text_protobuf.h"
#include "data/toml.h"
#include "data/yaml.h"

namespace opm::cue::load {
namespace {

using Diagnostics = std::vector<diag::Diagnostic>;
using Decoded = std::expected<std::vector<data::Value>, Diagnostics>;
using Next = std::expected<std::optional<data::Value>, Diagnostics>;

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

}  // namespace

DocumentReader::DocumentReader(Encoding encoding, const diag::Source& source) : encoding_(encoding), source_(&source) {
  if (encoding == Encoding::yaml) yaml_.emplace(source);
}

std::expected<DocumentReader, Diagnostics> DocumentReader::open(const DataFile& file, const std::string& display,
                                                                diag::SourceMap& sources) {
  const diag::Source* source = file.source;
  if (source == nullptr) {
    auto content = file.files->read_file(file.path);
    if (!content) return std::unexpected(std::vector{load_error("open " + display + ": " + content.error().message)});
    source = sources.add(display, std::move(*content));
    if (source == nullptr)
      return std::unexpected(std::vector{load_error("open " + display + ": too much source text")});
  }
  return DocumentReader(file.type.encoding, *source);
}

Next DocumentReader::next() {
  if (encoding_ == Encoding::yaml) return yaml_->next();
  if (encoding_ == Encoding::json_lines)
    return data::read_json_next(*source_, at_);
  if (std::exchange(ended_, true)) return std::nullopt;
  data::Value value;
  value.position = source_->begin;
  switch (encoding_) {
    case Encoding::json:
      return data::read_json(*source_);
    case Encoding::toml:
      return data::read_toml(*source_);
    case Encoding::text_protobuf:
      return data::read_text_protobuf(*source_);
    case Encoding::text:
      value.variant = valid_text(source_->text);
      return value;
    case Encoding::binary:
      value.variant = data::Bytes{std::string(source_->text)};
      return value;
    default:
      return std::unexpected(
          std::vector{load_error("encoding " + syntax::quote(encoding_name(encoding_)) + " not (yet) supported")});
  }
}

namespace {

Decoded read_all(DocumentReader& reader) {
  std::vector<data::Value> values;
  for (;;) {
    auto document = reader.next();
    if (!document) return std::unexpected(std::move(document.error()));
    if (!*document) return values;
    values.push_back(std::move(**document));
  }
}

}  // namespace

Decoded decode(Encoding encoding, const diag::Source& source) {
  DocumentReader reader(encoding, source);
  return read_all(reader);
}

Decoded decode(const DataFile& file, const std::string& display, diag::SourceMap& sources) {
  auto reader = DocumentReader::open(file, display, sources);
  if (!reader) return std::unexpected(std::move(reader.error()));
  return read_all(*reader);
}

}  // namespace opm::cue::load
