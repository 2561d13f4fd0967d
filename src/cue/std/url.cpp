#include "cue/std/url.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "base/unicode.h"
#include "cue/std/byte_encoding.h"
#include "cue/std/conversion.h"
#include "cue/std/ip_address.h"
#include "cue/std/text.h"

namespace opm::cue::standard::url {
namespace {

enum class Place { path, query, host, zone, other };

std::string quoted(std::string_view text) { return conversion::quote_text(text, conversion::Quoting::plain); }

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_unreserved(char c) { return is_letter(c) || is_digit(c) || std::string_view("-_.~").find(c) != std::string_view::npos; }
bool is_plain_in_host(char c) { return is_unreserved(c) || std::string_view("!$&'()*+,;=:[]<>\"").find(c) != std::string_view::npos; }

std::string escape(std::string_view text, std::string_view also_plain, bool space_is_plus) {
  std::string out;
  for (char c : text) {
    if (is_unreserved(c) || also_plain.find(c) != std::string_view::npos) {
      out += c;
    } else if (c == ' ' && space_is_plus) {
      out += '+';
    } else {
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

Result<std::string> unescape(std::string_view text, Place place) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      std::string_view code = text.substr(i, 3);
      bool good = code.size() == 3 && encoding::digit(code[1]) >= 0 && encoding::digit(code[2]) >= 0;
      if (!good) return wrong("invalid URL escape " + quoted(code));
      char byte = static_cast<char>(encoding::digit(code[1]) << 4 | encoding::digit(code[2]));
      // In a host only what is not ASCII may be escaped, and a percent sign.
      bool refused = (place == Place::host && encoding::digit(code[1]) < 8 && code != "%25") ||
                     (place == Place::zone && code != "%25" && byte != ' ' && !is_plain_in_host(byte));
      if (refused) return wrong("invalid URL escape " + quoted(code));
      out += byte;
      i += 2;
      continue;
    }
    bool is_ascii = static_cast<unsigned char>(c) < 0x80;
    if ((place == Place::host || place == Place::zone) && is_ascii && !is_plain_in_host(c)) {
      return wrong(fmt::format("invalid character {} in host name", quoted(text.substr(i, 1))));
    }
    out += c == '+' && place == Place::query ? ' ' : c;
  }
  return out;
}

bool is_port(std::string_view text) {
  return text.empty() || (text[0] == ':' && std::all_of(text.begin() + 1, text.end(), is_digit));
}

using Complaint = std::optional<std::string>;

Complaint complaint_of(const Result<std::string>& result) { return result ? Complaint() : Complaint(result.error()); }

Complaint check_literal_host(std::string_view host) {
  std::size_t close = host.rfind(']');
  if (close == std::string_view::npos) return "missing ']' in host";
  std::string_view port = host.substr(close + 1);
  if (!is_port(port)) return fmt::format("invalid port {} after host", quoted(port));
  std::string_view name = host.substr(1, close - 1);
  std::size_t zone = name.find("%25");
  Result<std::string> plain = unescape(name.substr(0, zone), Place::host);
  if (!plain) return plain.error();
  if (zone != std::string_view::npos) {
    Result<std::string> rest = unescape(name.substr(zone), Place::zone);
    if (!rest) return rest.error();
    *plain += *rest;
  }
  auto address = IpAddress::parse(*plain);
  if (!address) return "invalid host: " + address.error();
  if (address->is_v4()) return "invalid IP-literal";
  return std::nullopt;
}

Complaint check_host(std::string_view scheme, std::string_view host) {
  std::size_t open = host.rfind('[');
  if (open == 0) return check_literal_host(host);
  if (open != std::string_view::npos) return "invalid IP-literal";
  bool is_web = text::equal_fold(scheme, "http") || text::equal_fold(scheme, "https");
  std::size_t colon = is_web ? host.find(':') : host.rfind(':');
  if (colon != std::string_view::npos && !is_port(host.substr(colon))) {
    return fmt::format("invalid port {} after host", quoted(host.substr(colon)));
  }
  return complaint_of(unescape(host, Place::host));
}

Complaint check_authority(std::string_view scheme, std::string_view authority) {
  std::size_t at = authority.rfind('@');
  if (auto complaint = check_host(scheme, at == std::string_view::npos ? authority : authority.substr(at + 1))) return complaint;
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view user = authority.substr(0, at);
  auto allowed = [](char c) { return is_letter(c) || is_digit(c) || std::string_view("-._:~!$&'()*+,;=%@").find(c) != std::string_view::npos; };
  if (!std::all_of(user.begin(), user.end(), allowed)) return "net/url: invalid userinfo";
  return complaint_of(unescape(user, Place::other));
}

// The scheme, or "" where there is none.
Result<std::string_view> scheme_of(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == ':') {
      if (i == 0) return wrong("missing protocol scheme");
      return text.substr(0, i);
    }
    bool fits = is_letter(c) || (i > 0 && (is_digit(c) || c == '+' || c == '-' || c == '.'));
    if (!fits) break;
  }
  return std::string_view();
}

Result<Checked> check_without_fragment(std::string_view text) {
  if (std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; })) {
    return wrong("net/url: invalid control character in URL");
  }
  if (text == "*") return Checked{};
  auto scheme = scheme_of(text);
  if (!scheme) return wrong(scheme.error());
  Checked checked{!scheme->empty()};
  std::string_view rest = scheme->empty() ? text : text.substr(scheme->size() + 1);
  rest = rest.substr(0, rest.find('?'));
  if (!rest.starts_with('/')) {
    if (checked.is_absolute) return checked;  // mailto:x
    if (rest.substr(0, rest.find('/')).find(':') != std::string_view::npos) {
      return wrong("first path segment in URL cannot contain colon");
    }
  }
  if ((checked.is_absolute || !rest.starts_with("///")) && rest.starts_with("//")) {
    std::size_t end = std::min(rest.find('/', 2), rest.size());
    if (auto complaint = check_authority(*scheme, rest.substr(2, end - 2))) return wrong(*complaint);
    rest.remove_prefix(end);
  }
  if (auto complaint = complaint_of(unescape(rest, Place::path))) return wrong(*complaint);
  return checked;
}

// The characters that a label xn--… stands for (RFC 3492); nothing if it is malformed.
std::optional<std::u32string> decode_punycode(std::string_view text) {
  constexpr std::uint32_t kBase = 36, kLow = 1, kHigh = 26, kSkew = 38, kDamp = 700;
  std::u32string out;
  std::size_t dash = text.rfind('-');
  if (dash != std::string_view::npos) {
    for (char c : text.substr(0, dash)) out += static_cast<char32_t>(static_cast<unsigned char>(c));
    text.remove_prefix(dash + 1);
  }
  std::uint32_t code = 0x80, at = 0, bias = 72;
  bool is_first = true;
  while (!text.empty()) {
    std::uint64_t value = at;
    std::uint64_t weight = 1;
    for (std::uint32_t k = kBase;; k += kBase) {
      if (text.empty()) return std::nullopt;
      char c = text[0];
      text.remove_prefix(1);
      std::uint32_t digit = is_digit(c) ? static_cast<std::uint32_t>(c - '0') + 26 : is_letter(c) ? static_cast<std::uint32_t>((c | 0x20) - 'a') : kBase;
      if (digit >= kBase) return std::nullopt;
      value += digit * weight;
      if (value > base::kLastCharacter * std::uint64_t{256}) return std::nullopt;
      std::uint32_t threshold = k <= bias ? kLow : k >= bias + kHigh ? kHigh : k - bias;
      if (digit < threshold) break;
      weight *= kBase - threshold;
    }
    auto count = static_cast<std::uint32_t>(out.size()) + 1;
    std::uint32_t delta = static_cast<std::uint32_t>(value) - at;
    delta = is_first ? delta / kDamp : delta / 2;
    is_first = false;
    delta += delta / count;
    bias = 0;
    for (; delta > (kBase - kLow) * kHigh / 2; bias += kBase) delta /= kBase - kLow;
    bias += (kBase - kLow + 1) * delta / (delta + kSkew);
    code += static_cast<std::uint32_t>(value) / count;
    at = static_cast<std::uint32_t>(value) % count;
    if (code > base::kLastCharacter || (code >= 0xD800 && code < 0xE000)) return std::nullopt;
    out.insert(out.begin() + at++, static_cast<char32_t>(code));
  }
  return out;
}

bool is_label(std::string_view label) {
  if (label.empty() || label.size() > 63) return false;
  if (!std::all_of(label.begin(), label.end(), [](char c) { return is_letter(c) || is_digit(c) || c == '-'; })) return false;
  if (label.size() >= 4 && text::equal_fold(label.substr(0, 4), "xn--")) {
    auto decoded = decode_punycode(label.substr(4));
    if (!decoded || decoded->empty()) return false;
    bool any_beyond_ascii = std::any_of(decoded->begin(), decoded->end(), [](char32_t c) { return c >= 0x80; });
    return any_beyond_ascii && decoded->front() != '-' && decoded->back() != '-' &&
           std::all_of(decoded->begin(), decoded->end(), [](char32_t c) { return base::is_printable(c) && text::lower(c) == c; });
  }
  if (label.size() > 4 && label.substr(2, 2) == "--") return false;
  return label.front() != '-' && label.back() != '-';
}

}  // namespace

std::string escape_path_segment(std::string_view text) { return escape(text, "$&+=:@", false); }
std::string escape_query(std::string_view text) { return escape(text, "", true); }
Result<std::string> unescape_path(std::string_view text) { return unescape(text, Place::path); }
Result<std::string> unescape_query(std::string_view text) { return unescape(text, Place::query); }

Result<Checked> check(std::string_view text) {
  std::size_t hash = text.find('#');
  std::string_view before = text.substr(0, hash);
  auto checked = check_without_fragment(before);
  if (!checked) return wrong(fmt::format("parse {}: {}", quoted(before), checked.error()));
  if (hash != std::string_view::npos) {
    if (auto complaint = complaint_of(unescape(text.substr(hash + 1), Place::other))) {
      return wrong(fmt::format("parse {}: {}", quoted(text), *complaint));
    }
  }
  return checked;
}

Result<std::vector<std::string>> split_host_port(std::string_view text) {
  auto fail = [&](std::string_view why) {
    return wrong(text.empty() ? std::string(why) : fmt::format("address {}: {}", text, why));
  };
  std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return fail("missing port in address");
  std::string_view host = text.substr(0, colon);
  std::size_t open_from = 0, close_from = 0;
  if (text[0] == '[') {
    std::size_t close = text.find(']');
    if (close == std::string_view::npos) return fail("missing ']' in address");
    if (close + 1 == text.size()) return fail("missing port in address");
    if (close + 1 != colon) return fail(text[close + 1] == ':' ? "too many colons in address" : "missing port in address");
    host = text.substr(1, close - 1);
    open_from = 1;
    close_from = close + 1;
  } else if (host.find(':') != std::string_view::npos) {
    return fail("too many colons in address");
  }
  if (text.find('[', open_from) != std::string_view::npos) return fail("unexpected '[' in address");
  if (text.find(']', close_from) != std::string_view::npos) return fail("unexpected ']' in address");
  return std::vector<std::string>{std::string(host), std::string(text.substr(colon + 1))};
}

std::string join_host_port(std::string_view host, std::string_view port) {
  return host.find(':') == std::string_view::npos ? fmt::format("{}:{}", host, port) : fmt::format("[{}]:{}", host, port);
}

bool is_domain_name(std::string_view text) {
  if (text.ends_with('.')) text.remove_suffix(1);
  if (text.empty() || text.size() > 253) return false;
  for (;;) {
    std::size_t dot = text.find('.');
    if (!is_label(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

}  // namespace opm::cue::standard::url
