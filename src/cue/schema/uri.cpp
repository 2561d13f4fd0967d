#include "cue/schema/uri.h"

#include <algorithm>
#include <utility>

namespace opm::cue::schema {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    int high = hex_value(text[i + 1]), low = hex_value(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    result += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return result;
}

void append_escaped(std::string& out, std::string_view text, bool escapes_percent) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  constexpr std::string_view kOdd = " \"<>\\^`{|}#[]";
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7F && kOdd.find(c) == std::string_view::npos && !(escapes_percent && c == '%')) {
      out += c;
      continue;
    }
    out += '%';
    out += kHex[byte >> 4];
    out += kHex[byte & 15];
  }
}

// Without "." and ".." as steps; the result begins with a slash.
std::string without_dots(std::string_view path) {
  std::vector<std::string_view> kept;
  bool ends_in_folder = false;
  for (std::size_t at = 0; at <= path.size();) {
    std::size_t slash = std::min(path.find('/', at), path.size());
    std::string_view step = path.substr(at, slash - at);
    ends_in_folder = step == "." || step == "..";
    if (step == "..") {
      if (!kept.empty()) kept.pop_back();
    } else if (step != "." && !(step.empty() && at == 0)) {
      kept.push_back(step);
    }
    at = slash + 1;
  }
  std::string result;
  for (std::string_view step : kept) result.append("/").append(step);
  if (ends_in_folder || result.empty()) result += '/';
  return result;
}

}  // namespace

std::optional<Uri> Uri::parse(std::string_view text) {
  Uri uri;
  for (char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return std::nullopt;
  }
  if (std::size_t hash = text.find('#'); hash != std::string_view::npos) {
    auto fragment = decoded(text.substr(hash + 1));
    if (!fragment) return std::nullopt;
    uri.fragment = std::move(*fragment);
    text = text.substr(0, hash);
  }
  std::size_t colon = text.find_first_of(":/?");
  if (colon != std::string_view::npos && text[colon] == ':') {
    std::string_view scheme = text.substr(0, colon);
    bool is_scheme = !scheme.empty() && is_letter(scheme[0]) && std::ranges::all_of(scheme, [](char c) {
      return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.';
    });
    if (!is_scheme) return std::nullopt;
    for (char c : scheme) uri.scheme += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    text.remove_prefix(colon + 1);
  }
  if (std::size_t question = text.find('?'); question != std::string_view::npos) {
    uri.query = text.substr(question + 1);
    text = text.substr(0, question);
  }
  if (!uri.scheme.empty() && !text.starts_with('/')) {
    uri.opaque = text;
    return uri;
  }
  if (text.starts_with("//")) {
    text.remove_prefix(2);
    std::size_t slash = std::min(text.find('/'), text.size());
    uri.host = text.substr(0, slash);
    uri.has_host = true;
    text.remove_prefix(slash);
    if (uri.host.find_first_of(" \"<>\\^`{|}") != std::string::npos) return std::nullopt;
  }
  auto path = decoded(text);
  if (!path) return std::nullopt;
  uri.path = std::move(*path);
  return uri;
}

Uri Uri::resolve(const Uri& reference) const {
  if (reference.is_absolute()) return reference;
  Uri result = reference;
  result.scheme = scheme;
  if (reference.has_host) {
    result.path = reference.path.empty() ? "" : without_dots(reference.path);
    return result;
  }
  if (reference.path.empty() && reference.query.empty()) {
    result.query = query;
    if (reference.fragment.empty()) result.fragment = fragment;
  }
  if (reference.path.empty() && !opaque.empty()) {
    result.opaque = opaque;
    return result;
  }
  result.host = host;
  result.has_host = has_host;
  if (reference.path.empty()) {
    result.path = path;
  } else if (reference.path.starts_with('/')) {
    result.path = without_dots(reference.path);
  } else {
    std::size_t slash = path.rfind('/');
    std::string folder = slash == std::string::npos ? "/" : path.substr(0, slash + 1);
    result.path = without_dots(folder + reference.path);
  }
  return result;
}

std::string Uri::text() const {
  std::string result;
  if (!scheme.empty()) result = scheme + ":";
  if (!opaque.empty()) {
    result += opaque;
  } else {
    if (has_host) result += "//" + host;
    append_escaped(result, path, true);
  }
  if (!query.empty()) result += "?" + query;
  if (!fragment.empty()) {
    result += '#';
    append_escaped(result, fragment, true);
  }
  return result;
}

std::optional<std::vector<std::string>> pointer_steps(std::string_view pointer) {
  std::vector<std::string> steps;
  if (pointer.empty()) return steps;
  if (pointer[0] != '/') return std::nullopt;
  for (std::size_t at = 1; at <= pointer.size();) {
    std::size_t slash = std::min(pointer.find('/', at), pointer.size());
    std::string step;
    for (std::size_t i = at; i < slash; ++i) {
      bool is_escape = pointer[i] == '~' && i + 1 < slash && (pointer[i + 1] == '0' || pointer[i + 1] == '1');
      if (is_escape) step += pointer[++i] == '0' ? '~' : '/';
      else step += pointer[i];
    }
    steps.push_back(std::move(step));
    at = slash + 1;
  }
  return steps;
}

std::string pointer_of(const std::vector<std::string>& steps) {
  std::string pointer;
  for (const std::string& step : steps) {
    pointer += '/';
    for (char c : step) {
      if (c == '~') pointer += "~0";
      else if (c == '/') pointer += "~1";
      else pointer += c;
    }
  }
  return pointer;
}

}  // namespace opm::cue::schema
