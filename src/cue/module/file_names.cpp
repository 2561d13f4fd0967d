#include "cue/module/file_names.h"

#include <utf8proc.h>

#include "base/path.h"
#include "base/unicode.h"
#include "cue/module/import_path.h"
#include "cue/syntax/literal.h"

namespace opm::cue::module {
namespace {

bool is_file_character(char32_t c) {
  if (c >= 0x80) return base::is_letter(c);
  if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return true;
  // What shells and other systems give a meaning to is left out.
  return c != 0 && std::string_view("!#$%&()+,-.=@[]^_{}~ ").find(static_cast<char>(c)) != std::string_view::npos;
}

std::optional<std::string> check_element(std::string_view element) {
  if (element.empty()) return "empty path element";
  if (element.find_first_not_of('.') == std::string_view::npos) return "invalid path element " + syntax::quote(element);
  if (element.back() == '.') return "trailing dot in path element";
  for (std::string_view rest = element; !rest.empty();) {
    base::DecodedCharacter character = base::decode_utf8(rest);
    if (!is_file_character(character.value))
      return "invalid char '" + std::string(rest.substr(0, character.size)) + "'";
    rest.remove_prefix(character.size);
  }
  std::string_view stem = element.substr(0, element.find('.'));
  if (is_device_name(stem)) return syntax::quote(stem) + " disallowed as path element component on Windows";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> check_file_path(std::string_view path) {
  auto fail = [&](const std::string& why) { return "malformed file path " + syntax::quote(path) + ": " + why; };
  if (base::find_invalid_utf8(path) != std::string_view::npos) return fail("invalid UTF-8");
  if (path.empty()) return fail("empty string");
  if (path.find("//") != std::string_view::npos) return fail("double slash");
  if (path.back() == '/') return fail("trailing slash");
  for (std::size_t at = 0; at <= path.size();) {
    std::size_t slash = std::min(path.find('/', at), path.size());
    if (auto problem = check_element(path.substr(at, slash - at))) return fail(*problem);
    at = slash + 1;
  }
  return std::nullopt;
}

std::string fold_case(std::string_view text) {
  std::string folded;
  folded.reserve(text.size());
  while (!text.empty()) {
    base::DecodedCharacter character = base::decode_utf8(text);
    if (character.value < 0x80) {
      char c = static_cast<char>(character.value);
      folded.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
    } else {
      auto upper = utf8proc_toupper(static_cast<utf8proc_int32_t>(character.value));
      base::append_utf8(folded, static_cast<char32_t>(utf8proc_tolower(upper)));
    }
    text.remove_prefix(character.size);
  }
  return folded;
}

std::optional<std::string> NameCollisions::add(std::string_view path, bool is_folder) {
  for (std::string at(path); at != "."; at = base::parent_path(at), is_folder = true) {
    auto [known, is_new] = names_.try_emplace(fold_case(at), Known{at, is_folder});
    if (is_new) continue;
    if (known->second.path != at)
      return "case-insensitive file name collision: " + syntax::quote(known->second.path) + " and " + syntax::quote(at);
    if (known->second.is_folder != is_folder) return "entry " + syntax::quote(at) + " is both a file and a directory";
    if (!is_folder) return "multiple entries for file " + syntax::quote(at);
    return std::nullopt;  // and so its parents are known too
  }
  return std::nullopt;
}

}  // namespace opm::cue::module
