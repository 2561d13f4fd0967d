#include "http/url.h"

#include <arpa/inet.h>

#include <algorithm>

namespace opm::http {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

bool is_good_text(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c > 0x20 && c != 0x7F; });
}

std::string_view usual_port(std::string_view scheme) { return scheme == "https" ? "443" : "80"; }

}  // namespace

std::string Url::authority() const { return port == usual_port(scheme) ? host : host + ":" + port; }

std::string Url::text() const { return scheme + "://" + authority() + target; }

bool Url::is_loopback() const {
  if (host == "localhost") return true;
  in_addr v4;
  if (::inet_pton(AF_INET, host.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == 127;
  in6_addr v6;
  return host.size() > 2 && ::inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), &v6) == 1 &&
         IN6_IS_ADDR_LOOPBACK(&v6);
}

std::optional<Url> parse_url(std::string_view text) {
  if (!is_good_text(text)) return std::nullopt;
  std::size_t mark = text.find("://");
  if (mark == std::string_view::npos) return std::nullopt;
  Url url;
  url.scheme = lower(text.substr(0, mark));
  if (url.scheme != "http" && url.scheme != "https") return std::nullopt;
  std::string_view rest = text.substr(mark + 3);
  std::size_t end = std::min(rest.find_first_of("/?#"), rest.size());
  std::string_view authority = rest.substr(0, end);
  if (authority.find_first_of("@\\") != std::string_view::npos) return std::nullopt;
  std::string_view target = rest.substr(end, rest.find('#') - end);
  url.target = target.starts_with('/') ? std::string(target) : "/" + std::string(target);
  std::size_t bracket = authority.rfind(']');
  std::size_t colon = authority.rfind(':');
  if (colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket)) {
    url.port = authority.substr(colon + 1);
    authority = authority.substr(0, colon);
    if (url.port.size() > 5 || url.port.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  }
  if (url.port.empty()) url.port = usual_port(url.scheme);
  if (authority.empty() || authority.find(':') < std::min(authority.find('['), authority.size())) return std::nullopt;
  url.host = lower(authority);
  return url;
}

std::optional<Url> resolve_url(const Url& base, std::string_view location) {
  if (location.empty() || !is_good_text(location)) return std::nullopt;
  if (location.starts_with("//")) return parse_url(base.scheme + ":" + std::string(location));
  if (location.find("://") < location.find_first_of("/?#")) return parse_url(location);
  Url url = base;
  std::string_view target = location.substr(0, location.find('#'));
  std::string path = base.target.substr(0, base.target.find('?'));
  if (target.starts_with('/')) url.target = target;
  else if (target.starts_with('?')) url.target = path + std::string(target);
  else url.target = path.substr(0, path.rfind('/') + 1) + std::string(target);
  return url;
}

std::string encode_query(std::string_view text) {
  std::string result;
  for (unsigned char c : text) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
                 c == '.' || c == '~';
    if (plain) {
      result += static_cast<char>(c);
    } else {
      result += '%';
      result += "0123456789ABCDEF"[c >> 4];
      result += "0123456789ABCDEF"[c & 15];
    }
  }
  return result;
}

}  // namespace opm::http
