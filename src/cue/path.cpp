// Paths as text and back.
#include <algorithm>

#include "cue/syntax/literal.h"
#include "cue/value.h"

namespace opm::cue {

std::expected<Path, std::string> Path::parse(std::string_view text) {
  Path path;
  base::Arena arena;
  std::size_t at = 0;
  auto identifier_end = [&](std::size_t from) {
    std::size_t end = from;
    while (end < text.size() && text[end] != '.' && text[end] != '[' && text[end] != ' ') ++end;
    return end;
  };
  while (at < text.size()) {
    Element element;
    if (text[at] == '[') {
      std::size_t close = text.find(']', at);
      if (close == std::string_view::npos) return std::unexpected("missing ] in path " + std::string(text));
      std::string_view inner = text.substr(at + 1, close - at - 1);
      if (!inner.empty() && inner.front() == '"') {
        auto unquoted = syntax::unquote(arena, inner);
        if (!unquoted) return std::unexpected(unquoted.error().message);
        element.name = std::string(*unquoted);
      } else {
        if (inner.empty() || inner.size() > 9) return std::unexpected("invalid index in path " + std::string(text));
        for (char c : inner) {
          if (c < '0' || c > '9') return std::unexpected("invalid index in path " + std::string(text));
          element.index = element.index * 10 + static_cast<std::uint32_t>(c - '0');
        }
        element.kind = Element::Kind::index;
      }
      at = close + 1;
    } else if (text[at] == '"') {
      std::size_t close = at + 1;
      while (close < text.size() && text[close] != '"') close += text[close] == '\\' ? 2 : 1;
      if (close >= text.size()) return std::unexpected("missing quote in path " + std::string(text));
      auto unquoted = syntax::unquote(arena, text.substr(at, close - at + 1));
      if (!unquoted) return std::unexpected(unquoted.error().message);
      element.name = std::string(*unquoted);
      at = close + 1;
    } else {
      std::size_t end = identifier_end(at);
      std::string_view name = text.substr(at, end - at);
      // Messages write the elements of lists so.
      if (std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; }) && !name.empty() && name.size() <= 9) {
        for (char c : name) element.index = element.index * 10 + static_cast<std::uint32_t>(c - '0');
        element.kind = Element::Kind::index;
      } else if (!syntax::is_valid_identifier(name)) return std::unexpected("invalid name \"" + std::string(name) + "\" in path " + std::string(text));
      if (element.kind != Element::Kind::index) element.name = std::string(name);
      if (name.starts_with('_')) element.kind = Element::Kind::hidden;
      else if (name.starts_with('#')) element.kind = Element::Kind::definition;
      at = end;
    }
    path.elements.push_back(std::move(element));
    if (at < text.size() && text[at] == '.') {
      ++at;
      if (at == text.size()) return std::unexpected("path ends in a dot: " + std::string(text));
    } else if (at < text.size() && text[at] != '[') {
      return std::unexpected("unexpected character in path " + std::string(text));
    }
  }
  return path;
}

Path Path::of(std::initializer_list<std::string_view> fields) {
  Path path;
  for (std::string_view field : fields) path.elements.push_back(path.child(field).elements.back());
  return path;
}

Path Path::child(std::string_view field) const {
  Path path = *this;
  Element element;
  element.name = std::string(field);
  if (field.starts_with('#')) element.kind = Element::Kind::definition;
  else if (field.starts_with('_')) element.kind = Element::Kind::hidden;
  path.elements.push_back(std::move(element));
  return path;
}

std::string Path::text() const {
  std::string text;
  for (const Element& element : elements) {
    if (element.kind == Element::Kind::index) {
      text += "[" + std::to_string(element.index) + "]";
      continue;
    }
    if (!text.empty()) text += ".";
    text += element.kind == Element::Kind::field ? syntax::quote_label(element.name) : element.name;
  }
  return text;
}

}  // namespace opm::cue
