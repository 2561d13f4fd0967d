#include "opm/values/text.h"

#include <fmt/core.h>

#include "cue/syntax/literal.h"

namespace opm::values {

std::string_view tier_name(Tier tier) {
  switch (tier) {
    case Tier::author: return "Module Author";
    case Tier::platform: return "Platform Operator";
    case Tier::user: return "End User";
  }
  return {};
}

std::string tier_label(Tier tier) { return fmt::format("{} (Tier {})", tier_name(tier), static_cast<int>(tier)); }

std::string path_text(const FieldPath& path) {
  std::string text;
  for (const std::string& field : path) {
    if (!text.empty()) text += '.';
    text += cue::syntax::quote_label(field);
  }
  return text;
}

std::string place_text(const diag::SourceMap& sources, diag::Position position) {
  diag::Location location = sources.locate(position);
  std::string_view file = location.file;
  if (file.starts_with("./")) file.remove_prefix(2);
  return fmt::format("{}:{}", file, location.line);
}

std::string value_text(const data::Value& value) {
  if (value.is_null()) return "null";
  if (value.is_bool()) return value.as_bool() ? "true" : "false";
  if (value.is_number()) return value.as_number().text;
  if (value.is_string()) return cue::syntax::quote(value.as_string());
  if (value.is_bytes()) return cue::syntax::quote_bytes(value.as_bytes().bytes);
  std::string text;
  if (value.is_list()) {
    for (const data::Value& element : value.as_list()) {
      if (!text.empty()) text += ", ";
      text += value_text(element);
    }
    return "[" + text + "]";
  }
  for (const data::Member& member : value.as_map()) {
    if (!text.empty()) text += ", ";
    text += cue::syntax::quote_label(member.key) + ": " + value_text(member.value);
  }
  return "{" + text + "}";
}

}  // namespace opm::values
