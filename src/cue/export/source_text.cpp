#include "cue/export/source_text.h"

#include <algorithm>

namespace opm::cue::exporting {

namespace {

bool is_identifier_byte(char c) {
  return c == '_' || c == '$' || c == '#' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

void skip_space(std::string_view& text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t' || text.front() == '\n' || text.front() == '\r'))
    text.remove_prefix(1);
}

std::string_view take_identifier(std::string_view& text) {
  std::size_t size = 0;
  while (size < text.size() && is_identifier_byte(text[size])) ++size;
  std::string_view name = text.substr(0, size);
  text.remove_prefix(size);
  return name;
}

std::string_view alias_in(std::string_view text) {
  std::string_view name = take_identifier(text);
  if (name.empty()) return {};
  skip_space(text);
  bool is_single_equal = text.size() > 1 && text[0] == '=' && text[1] != '=' && text[1] != '~';
  return is_single_equal ? name : std::string_view();
}

}  // namespace

std::string_view SourceText::from(diag::Position position) const {
  const diag::Source* source = position.valid() ? sources_.find(position) : nullptr;
  if (source == nullptr) return {};
  return std::string_view(source->text).substr(std::min<std::size_t>(position.value - source->begin.value, source->text.size()));
}

std::string_view SourceText::of(const compile::Expression& expression) const {
  if (expression.end_position <= expression.position) return {};
  return from(expression.position).substr(0, expression.end_position.value - expression.position.value);
}

std::string_view SourceText::package_name_of(const compile::Expression& function) const {
  std::string_view text = of(function);
  std::string_view name = take_identifier(text);
  return text.starts_with('.') ? name : std::string_view();
}

std::string_view SourceText::alias_at(diag::Position position) const { return alias_in(from(position)); }

std::string_view SourceText::pattern_alias_at(diag::Position position) const {
  std::string_view text = from(position);
  std::size_t bracket = text.find('[');
  if (bracket == std::string_view::npos) return {};
  text.remove_prefix(bracket + 1);
  skip_space(text);
  return alias_in(text);
}

std::pair<std::string_view, std::string_view> SourceText::clause_names_at(diag::Position position) const {
  std::string_view text = from(position);
  take_identifier(text);  // the keyword
  skip_space(text);
  std::string_view first = take_identifier(text);
  skip_space(text);
  if (text.empty() || text.front() != ',') return {{}, first};
  text.remove_prefix(1);
  skip_space(text);
  return {first, take_identifier(text)};
}

syntax::Spacing SourceText::spacing_before(diag::Position position) const {
  const diag::Source* source = position.valid() ? sources_.find(position) : nullptr;
  if (source == nullptr) return syntax::Spacing::none;
  std::size_t at = position.value - source->begin.value;
  int line_breaks = 0;
  std::size_t begin = at;
  while (begin > 0) {
    char c = source->text[begin - 1];
    if (c == '\n') ++line_breaks;
    else if (c != ' ' && c != '\t' && c != '\r') break;
    --begin;
  }
  if (line_breaks > 1) return syntax::Spacing::new_section;
  if (line_breaks == 1) return syntax::Spacing::newline;
  return begin == at ? syntax::Spacing::no_space : syntax::Spacing::blank;
}

}  // namespace opm::cue::exporting
