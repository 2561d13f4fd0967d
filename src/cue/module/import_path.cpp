#include "cue/module/import_path.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "cue/module/version.h"
#include "cue/syntax/literal.h"

namespace opm::cue::module {
namespace {

std::string implied_qualifier(std::string_view path) {
  std::string_view last = path.substr(path.rfind('/') + 1);
  if (!syntax::is_valid_identifier(last) || last.starts_with('#') || last == "_") return {};
  return std::string(last);
}

// Module paths name registry repositories, so they allow less than import paths do.
enum class PathKind { module, import };

bool is_module_character(char c) {
  return c == '-' || c == '.' || c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
}

bool is_import_character(char c) { return is_module_character(c) || c == '+' || c == '~' || (c >= 'A' && c <= 'Z'); }

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::toupper(x) == std::toupper(y); });
}

std::string quoted_character(std::string_view text) {
  // The whole UTF-8 sequence, so that the message shows what the user typed.
  std::size_t length = 1;
  while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) ++length;
  return "'" + std::string(text.substr(0, length)) + "'";
}

std::optional<std::string> check_element(std::string_view element, PathKind kind) {
  if (element.empty()) return "empty path element";
  if (element.find_first_not_of('.') == std::string_view::npos) return "invalid path element " + syntax::quote(element);
  if (kind == PathKind::module) {
    auto is_punctuation = [](char c) { return c == '.' || c == '_' || c == '-'; };
    if (is_punctuation(element.front())) return "leading " + quoted_character(element) + " in path element";
    if (is_punctuation(element.back()))
      return "trailing " + quoted_character(element.substr(element.size() - 1)) + " in path element";
  } else if (element.back() == '.') {
    return "trailing dot in path element";
  }
  for (std::size_t i = 0; i < element.size(); ++i) {
    bool good = kind == PathKind::module ? is_module_character(element[i]) : is_import_character(element[i]);
    if (!good) return "invalid char " + quoted_character(element.substr(i));
  }
  std::string_view stem = element.substr(0, element.find('.'));
  if (is_device_name(stem)) return syntax::quote(stem) + " disallowed as path element component on Windows";
  std::size_t tilde = stem.rfind('~');
  if (tilde != std::string_view::npos && tilde + 1 < stem.size() &&
      stem.find_first_not_of("0123456789", tilde + 1) == std::string_view::npos)
    return "trailing tilde and digits in path element";
  return std::nullopt;
}

std::optional<std::string> check_path(std::string_view path, PathKind kind) {
  if (path.empty()) return "empty string";
  if (path.front() == '-') return "leading dash";
  if (path.find("//") != std::string_view::npos) return "double slash";
  if (path.back() == '/') return "trailing slash";
  for (std::size_t at = 0; at <= path.size();) {
    std::size_t slash = std::min(path.find('/', at), path.size());
    if (auto problem = check_element(path.substr(at, slash - at), kind)) return problem;
    at = slash + 1;
  }
  return std::nullopt;
}

std::optional<std::string> module_path_problem(std::string_view text) {
  auto [base, version] = split_version(text);
  if (!version.empty() && major_version(version) != version) return "path can contain major version only";
  if (auto problem = check_path(base, PathKind::module)) return problem;
  std::string_view host = base.substr(0, base.find('/'));
  if (host.empty()) return "leading slash";
  if (host.find('.') == std::string_view::npos) return "missing dot in first path element";
  for (std::size_t i = 0; i < host.size(); ++i)
    if (host[i] == '_') return "invalid char '_' in first path element";
  if (!is_repository_name(base)) return "path does not conform to OCI repository name restrictions";
  return std::nullopt;
}

}  // namespace

std::pair<std::string_view, std::string_view> split_version(std::string_view path) {
  std::size_t at = path.find('@');
  if (at == std::string_view::npos || at + 1 == path.size()) return {path, {}};
  return {path.substr(0, at), path.substr(at + 1)};
}

ImportPath parse_import_path(std::string_view text) {
  ImportPath parts;
  std::string_view path = text;
  std::size_t mark = text.find_last_of("/:");
  if (mark != std::string_view::npos && text[mark] == ':') {
    path = mark == 0 ? std::string_view(".") : text.substr(0, mark);
    parts.qualifier = text.substr(mark + 1);
    parts.explicit_qualifier = true;
  }
  auto [base, version] = split_version(path);
  parts.path = base;
  parts.version = version;
  if (!parts.explicit_qualifier) parts.qualifier = implied_qualifier(parts.path);
  return parts;
}

ImportPath ImportPath::canonical() const {
  ImportPath parts = *this;
  std::string implied = implied_qualifier(path);
  if (implied.empty()) {
    parts.explicit_qualifier = !qualifier.empty();
  } else if (implied == qualifier) {
    parts.explicit_qualifier = false;
  } else if (qualifier.empty() && !explicit_qualifier) {
    parts.qualifier = implied;
  } else {
    parts.explicit_qualifier = true;
  }
  return parts;
}

ImportPath ImportPath::unqualified() const {
  ImportPath parts = *this;
  parts.qualifier.clear();
  parts.explicit_qualifier = false;
  return parts;
}

std::string ImportPath::text() const {
  std::string result = path;
  if (!version.empty()) result += "@" + version;
  if (explicit_qualifier || (!qualifier.empty() && implied_qualifier(path) != qualifier)) result += ":" + qualifier;
  return result;
}

std::optional<std::string> check_import_path(std::string_view text) {
  ImportPath parts = parse_import_path(text);
  std::optional<std::string> problem;
  if (parts.qualifier.find('@') != std::string::npos)
    problem = "package qualifier must not contain a version; use path@version:qualifier syntax";
  else if (!parts.version.empty() && major_version(parts.version) != parts.version)
    problem = "import paths can only contain a major version specifier";
  else
    problem = check_path(parts.path, PathKind::import);
  if (problem) return "malformed import path " + syntax::quote(text) + ": " + *problem;
  return std::nullopt;
}

std::optional<std::string> check_module_path(std::string_view text) {
  auto problem = module_path_problem(text);
  if (problem) return "malformed module path " + syntax::quote(text) + ": " + *problem;
  return std::nullopt;
}

// The grammar of OCI repository names: alphanumeric runs joined by one of ".", "_", "__", "-"...
bool is_repository_name(std::string_view path) {
  bool after_separator = true;
  for (std::size_t i = 0; i < path.size();) {
    char c = path[i];
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      after_separator = false;
      ++i;
      continue;
    }
    if (after_separator) return false;
    std::size_t run = i;
    while (run < path.size() && path[run] == c) ++run;
    std::size_t length = run - i;
    bool good = c == '-' || ((c == '.' || c == '/') && length == 1) || (c == '_' && length <= 2);
    if (!good) return false;
    after_separator = true;
    i = run;
  }
  return !after_separator;
}

bool is_device_name(std::string_view name) {
  static constexpr std::array<std::string_view, 4> kPlain = {"CON", "PRN", "AUX", "NUL"};
  for (std::string_view device : kPlain)
    if (equal_ignoring_case(name, device)) return true;
  return name.size() == 4 && name[3] >= '1' && name[3] <= '9' &&
         (equal_ignoring_case(name.substr(0, 3), "COM") || equal_ignoring_case(name.substr(0, 3), "LPT"));
}

bool looks_standard(std::string_view import_path) {
  std::string_view first = import_path.substr(0, import_path.find('/'));
  return !first.empty() && first.find('.') == std::string_view::npos;
}

bool is_relative_import(std::string_view path) {
  return path == "." || path == ".." || path.starts_with("./") || path.starts_with("../");
}

}  // namespace opm::cue::module
