#include "lsp/document.h"

#include <limits>

#include "data/build.h"

namespace opm::lsp {

std::optional<TextPosition> read_position(const data::Value* value) {
  if (value == nullptr) return std::nullopt;
  std::int64_t line = data::integer_at(*value, {"line"}, -1);
  std::int64_t character = data::integer_at(*value, {"character"}, -1);
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (line < 0 || character < 0 || line > kMost || character > kMost) return std::nullopt;
  return TextPosition{static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(character)};
}

std::optional<TextRange> read_range(const data::Value* value) {
  if (value == nullptr) return std::nullopt;
  auto start = read_position(value->find("start"));
  auto end = read_position(value->find("end"));
  if (!start || !end) return std::nullopt;
  return TextRange{*start, *end};
}

bool Document::apply(const data::Value& changes, Encoding encoding) {
  if (!changes.is_list()) return false;
  for (const data::Value& change : changes.as_list()) {
    const data::Value* replacement = change.find("text");
    if (replacement == nullptr || !replacement->is_string()) return false;
    const data::Value* place = change.find("range");
    if (place == nullptr || place->is_null()) {
      text = replacement->as_string();
    } else {
      auto range = read_range(place);
      if (!range) return false;
      LineIndex lines(text);
      std::size_t start = lines.offset(text, range->start, encoding);
      std::size_t end = lines.offset(text, range->end, encoding);
      if (end < start) std::swap(start, end);
      text.replace(start, end - start, replacement->as_string());
    }
    if (text.size() > kMaxBytes) return false;
  }
  return true;
}

}  // namespace opm::lsp
