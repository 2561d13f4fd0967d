// Addresses of HTTP servers, as far as they matter for who is asked and who may know a secret.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace opm::http {

struct Url {
  std::string scheme;  // "http" or "https"
  std::string host;    // lower case, without port; an IPv6 address is in brackets
  std::string port;    // always given
  std::string target;  // path and query, with the leading '/'

  std::string text() const;
  // "host" or, where the port is not the usual one, "host:port"
  std::string authority() const;
  // The same server: scheme, host and port.
  bool same_origin(const Url& other) const {
    return scheme == other.scheme && host == other.host && port == other.port;
  }
  bool is_loopback() const;
  // Whether a secret sent there is safe on the way.
  bool is_private() const { return scheme == "https" || is_loopback(); }
};

// Nothing: not an http or https address, or one with a user name or control characters in it.
std::optional<Url> parse_url(std::string_view text);
// What a Location header means in an answer from `base`.
std::optional<Url> resolve_url(const Url& base, std::string_view location);

// Percent-encoded, for a part of a query.
std::string encode_query(std::string_view text);

}  // namespace opm::http
