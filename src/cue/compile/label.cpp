#include "cue/compile/label.h"

#include <fmt/core.h>

#include "cue/syntax/literal.h"

namespace opm::cue {

Label identifier_label(base::NameTable& names, std::string_view identifier, std::string_view package) {
  if (!identifier.starts_with('_')) {
    LabelKind kind = identifier.starts_with('#') ? LabelKind::definition : LabelKind::string;
    return Label::make(kind, static_cast<std::uint32_t>(names.intern(identifier)));
  }
  LabelKind kind = identifier.starts_with("_#") ? LabelKind::hidden_definition : LabelKind::hidden;
  std::string qualified;
  qualified.reserve(identifier.size() + 1 + package.size());
  qualified.append(identifier).append(1, '\0').append(package);
  return Label::make(kind, static_cast<std::uint32_t>(names.intern(qualified)));
}

Label string_label(base::NameTable& names, std::string_view text) { return Label::string(names.intern(text)); }

std::string_view label_text(const base::NameTable& names, Label label) {
  if (label.is_integer()) return {};
  std::string_view text = names.text(label.name());
  return label.is_hidden() ? text.substr(0, text.find('\0')) : text;
}

std::string_view hidden_package(const base::NameTable& names, Label label) {
  if (!label.is_hidden()) return {};
  std::string_view text = names.text(label.name());
  std::size_t end = text.find('\0');
  return end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
}

std::string selector_text(const base::NameTable& names, Label label) {
  if (!label.valid()) return "_";
  if (label.is_integer()) return fmt::format("{}", label.index());
  std::string_view text = label_text(names, label);
  if (label.kind() != LabelKind::string) return std::string(text);
  // A string that looks like a definition or a hidden field must not read as one.
  bool plain = !text.starts_with('#') && !text.starts_with('_') && syntax::is_valid_identifier(text);
  return plain ? std::string(text) : syntax::quote(text);
}

}  // namespace opm::cue
