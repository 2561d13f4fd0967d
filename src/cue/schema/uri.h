// Names of schemas: URIs, taken apart, resolved against each other and written again (RFC 3986).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace opm::cue::schema {

struct Uri {
  std::string scheme;
  std::string opaque;  // what follows a scheme without a slash: urn:x
  std::string host;
  std::string path;
  std::string query;
  std::string fragment;  // decoded
  bool has_host = false;

  // Nothing: no URI.
  static std::optional<Uri> parse(std::string_view text);

  bool is_absolute() const { return !scheme.empty(); }
  Uri resolve(const Uri& reference) const;
  std::string text() const;
  // Whether both name the same document, whatever is meant within.
  bool same_document(const Uri& other) const {
    return host == other.host && path == other.path && opaque == other.opaque;
  }
};

// The steps of a JSON pointer: /a/b~1c is a, b/c. Nothing: the pointer does not begin with a slash.
std::optional<std::vector<std::string>> pointer_steps(std::string_view pointer);
std::string pointer_of(const std::vector<std::string>& steps);

}  // namespace opm::cue::schema
