#include "cue/load/attribute.h"

#include "base/arena.h"
#include "cue/syntax/literal.h"

namespace opm::cue::load {
namespace {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::string unquote(std::string_view text) {
  bool may_be_quoted = text.size() >= 2 && text.front() == text.back() &&
                       (text.front() == '"' || text.front() == '\'' || text.front() == '#');
  if (!may_be_quoted) return std::string(text);
  base::Arena arena;
  auto plain = syntax::unquote(arena, text);
  return std::string(plain ? *plain : text);
}

// Where the string literal that starts at `at` ends; `at` stands on a quote or on the first '#'.
std::size_t skip_string(std::string_view body, std::size_t at) {
  std::size_t hashes = 0;
  while (at < body.size() && body[at] == '#') ++hashes, ++at;
  if (at >= body.size() || (body[at] != '"' && body[at] != '\'')) return at;
  char quote = body[at];
  std::string closing(body.substr(at, 3) == std::string(3, quote) ? 3 : 1, quote);
  at += closing.size();
  closing.append(hashes, '#');
  std::string escape = "\\" + std::string(hashes, '#');
  while (at < body.size()) {
    if (body.substr(at).starts_with(closing)) return at + closing.size();
    if (body.substr(at).starts_with(escape)) {
      at += escape.size();
      if (at < body.size() && hashes == 0) ++at;
      continue;
    }
    ++at;
  }
  return at;
}

}  // namespace

std::string_view attribute_name(const syntax::Attribute& attribute) {
  std::string_view text = attribute.text;
  if (text.starts_with('@')) text.remove_prefix(1);
  return text.substr(0, text.find('('));
}

AttributeParts parse_attribute(const syntax::Attribute& attribute) {
  AttributeParts parts;
  parts.position = attribute.begin;
  parts.name = attribute_name(attribute);
  std::size_t open = attribute.text.find('(');
  if (open != std::string_view::npos) {
    parts.body = attribute.text.substr(open + 1);
    if (parts.body.ends_with(')')) parts.body.remove_suffix(1);
  }
  std::string_view body = parts.body;
  std::size_t start = 0;
  std::size_t equal = std::string_view::npos;
  unsigned depth = 0;
  auto finish = [&](std::size_t end) {
    AttributeArgument argument;
    argument.text = body.substr(start, end - start);
    if (equal != std::string_view::npos) {
      argument.key = trim(body.substr(start, equal - start));
      argument.value = trim(body.substr(equal + 1, end - equal - 1));
    } else {
      argument.value = trim(argument.text);
    }
    parts.arguments.push_back(argument);
    start = end + 1;
    equal = std::string_view::npos;
  };
  for (std::size_t at = 0; at < body.size();) {
    char c = body[at];
    if (c == '"' || c == '\'' || c == '#') {
      at = skip_string(body, at);
      continue;
    }
    if (body.substr(at).starts_with("//")) {
      at = std::min(body.find('\n', at), body.size());
      continue;
    }
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && depth > 0) --depth;
    if (depth == 0 && c == ',') finish(at);
    if (depth == 0 && c == '=' && equal == std::string_view::npos) {
      // Not the '=' of ==, =~, !=, <= or >=.
      char next = at + 1 < body.size() ? body[at + 1] : ' ';
      char before = at > 0 ? body[at - 1] : ' ';
      if (next == '=' || next == '~') {
        at += 2;
        continue;
      }
      if (before != '!' && before != '<' && before != '>') equal = at;
    }
    ++at;
  }
  finish(body.size());
  return parts;
}

std::string AttributeParts::positional(std::size_t index) const {
  if (index >= arguments.size()) return {};
  const AttributeArgument& argument = arguments[index];
  return argument.key.empty() ? unquote(argument.value) : std::string(argument.text);
}

std::optional<std::string> AttributeParts::lookup(std::size_t from, std::string_view key) const {
  for (std::size_t i = from; i < arguments.size(); ++i)
    if (arguments[i].key == key) return unquote(arguments[i].value);
  return std::nullopt;
}

bool AttributeParts::has_flag(std::size_t from, std::string_view word) const {
  for (std::size_t i = from; i < arguments.size(); ++i)
    if (arguments[i].key.empty() && unquote(arguments[i].value) == word) return true;
  return false;
}

}  // namespace opm::cue::load
