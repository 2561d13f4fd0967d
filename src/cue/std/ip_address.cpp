#include "cue/std/ip_address.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "cue/std/byte_encoding.h"
#include "cue/std/conversion.h"

namespace opm::cue::standard {
namespace {

std::string quoted(std::string_view text) { return conversion::quote_text(text, conversion::Quoting::plain); }

// Reads one address; remembers the whole text for messages.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  bool read_v4(std::string_view part, std::uint8_t* out) {
    int value = 0;
    int digits = 0;
    int field = 0;
    for (std::size_t i = 0; i < part.size(); ++i) {
      char c = part[i];
      if (c >= '0' && c <= '9') {
        if (digits == 1 && value == 0) return fail("IPv4 field has octet with leading zero");
        value = value * 10 + (c - '0');
        ++digits;
        if (value > 255) return fail("IPv4 field has value >255");
      } else if (c != '.') {
        return fail("unexpected character", part.substr(i));
      } else {
        if (digits == 0 || i + 1 == part.size()) return fail("IPv4 field must have at least one digit", part.substr(i));
        if (field == 3) return fail("IPv4 address too long");
        out[field++] = static_cast<std::uint8_t>(value);
        value = digits = 0;
      }
    }
    if (field < 3) return fail("IPv4 address too short");
    out[3] = static_cast<std::uint8_t>(value);
    return true;
  }

  bool read_v6(std::array<std::uint8_t, 16>& out, std::string& zone) {
    std::string_view rest = text_;
    if (std::size_t mark = rest.find('%'); mark != std::string_view::npos) {
      zone = rest.substr(mark + 1);
      rest = rest.substr(0, mark);
      if (zone.empty()) return fail("zone must be a non-empty string");
    }
    std::optional<std::size_t> gap;  // where :: stands
    std::size_t filled = 0;
    if (rest.starts_with("::")) {
      gap = 0;
      rest.remove_prefix(2);
      if (rest.empty()) return true;
    }
    while (filled < 16) {
      std::size_t digits = 0;
      unsigned value = 0;
      for (; digits < rest.size() && encoding::digit(rest[digits]) >= 0; ++digits) {
        if (digits > 3) return fail("each group must have 4 or less digits", rest);
        value = value << 4 | static_cast<unsigned>(encoding::digit(rest[digits]));
      }
      if (digits == 0) return fail("each colon-separated field must have at least one digit", rest);
      if (digits < rest.size() && rest[digits] == '.') {
        if (!gap && filled != 12) return fail("embedded IPv4 address must replace the final 2 fields of the address", rest);
        if (filled + 4 > 16) return fail("too many hex fields to fit an embedded IPv4 at the end of the address", rest);
        if (!read_v4(rest, out.data() + filled)) return false;
        rest = {};
        filled += 4;
        break;
      }
      out[filled++] = static_cast<std::uint8_t>(value >> 8);
      out[filled++] = static_cast<std::uint8_t>(value);
      rest.remove_prefix(digits);
      if (rest.empty()) break;
      if (rest[0] != ':') return fail("unexpected character, want colon", rest);
      if (rest.size() == 1) return fail("colon must be followed by more characters", rest);
      rest.remove_prefix(1);
      if (rest[0] != ':') continue;
      if (gap) return fail("multiple :: in address", rest);
      gap = filled;
      rest.remove_prefix(1);
      if (rest.empty()) break;
    }
    if (!rest.empty()) return fail("trailing garbage after address", rest);
    if (filled == 16) return gap ? fail("the :: must expand to at least one field of zeros") : true;
    if (!gap) return fail("address string too short");
    // The words behind the gap belong to the end.
    std::size_t behind = filled - *gap;
    std::copy_backward(out.begin() + *gap, out.begin() + filled, out.end());
    std::fill(out.begin() + *gap, out.end() - behind, 0);
    return true;
  }

  bool fail(std::string_view what, std::string_view where = {}) {
    error_ = fmt::format("ParseAddr({}): {}", quoted(text_), what);
    if (!where.empty()) error_ += fmt::format(" (at {})", quoted(where));
    return false;
  }
  std::string error() { return std::move(error_); }

 private:
  std::string_view text_;
  std::string error_;
};

}  // namespace

Result<IpAddress> IpAddress::parse(std::string_view text) {
  Parser parser(text);
  IpAddress address;
  std::size_t mark = text.find_first_of(".:%");
  bool good = false;
  if (mark == std::string_view::npos) {
    parser.fail("unable to parse IP");
  } else if (text[mark] == '%') {
    parser.fail("missing IPv6 address");
  } else if (text[mark] == '.') {
    good = parser.read_v4(text, address.bytes_.data());
  } else {
    address.size_ = 16;
    good = parser.read_v6(address.bytes_, address.zone_);
  }
  if (!good) return wrong(parser.error());
  // The zone of a mapped address has no meaning.
  if (address.is_mapped()) address.zone_.clear();
  return address;
}

Result<IpAddress> IpAddress::from_bytes(std::span<const std::uint8_t> bytes) {
  if (bytes.size() != 4 && bytes.size() != 16) return wrong(fmt::format("invalid IP length {}", bytes.size()));
  IpAddress address;
  address.size_ = bytes.size();
  std::copy(bytes.begin(), bytes.end(), address.bytes_.begin());
  return address;
}

bool IpAddress::is_mapped() const {
  return is_v6() && std::all_of(bytes_.begin(), bytes_.begin() + 10, [](std::uint8_t b) { return b == 0; }) && word(5) == 0xFFFF;
}

IpAddress IpAddress::unmapped() const {
  if (!is_mapped()) return *this;
  IpAddress address;
  std::copy(bytes_.begin() + 12, bytes_.end(), address.bytes_.begin());
  return address;
}

std::array<std::uint8_t, 16> IpAddress::as_v6() const {
  if (is_v6()) return bytes_;
  std::array<std::uint8_t, 16> result{};
  result[10] = result[11] = 0xFF;
  std::copy_n(bytes_.begin(), 4, result.begin() + 12);
  return result;
}

std::string IpAddress::text() const {
  if (is_v4()) return fmt::format("{}.{}.{}.{}", bytes_[0], bytes_[1], bytes_[2], bytes_[3]);
  if (is_mapped()) return "::ffff:" + unmapped().text();
  // The longest run of zeros, of two words at least, is written ::
  std::size_t gap = 8, gap_end = 8;
  for (std::size_t i = 0; i < 8; ++i) {
    std::size_t end = i;
    while (end < 8 && word(end) == 0) ++end;
    if (end - i >= 2 && end - i > gap_end - gap) {
      gap = i;
      gap_end = end;
    }
  }
  std::string out;
  for (std::size_t i = 0; i < 8; ++i) {
    if (i == gap) {
      out += "::";
      i = gap_end - 1;
      continue;
    }
    if (!out.empty() && !out.ends_with("::")) out += ':';
    fmt::format_to(std::back_inserter(out), "{:x}", word(i));
  }
  if (has_zone()) out += "%" + zone_;
  return out;
}

bool IpAddress::is_loopback() const {
  if (is_mapped()) return unmapped().is_loopback();
  if (is_v4()) return bytes_[0] == 127;
  return std::all_of(bytes_.begin(), bytes_.end() - 1, [](std::uint8_t b) { return b == 0; }) && bytes_[15] == 1;
}

bool IpAddress::is_multicast() const {
  if (is_mapped()) return unmapped().is_multicast();
  return is_v4() ? (bytes_[0] & 0xF0) == 0xE0 : bytes_[0] == 0xFF;
}

bool IpAddress::is_interface_local_multicast() const { return is_v6() && !is_mapped() && (word(0) & 0xFF0F) == 0xFF01; }

bool IpAddress::is_link_local_multicast() const {
  if (is_mapped()) return unmapped().is_link_local_multicast();
  if (is_v4()) return bytes_[0] == 224 && bytes_[1] == 0 && bytes_[2] == 0;
  return (word(0) & 0xFF0F) == 0xFF02;
}

bool IpAddress::is_link_local_unicast() const {
  if (is_mapped()) return unmapped().is_link_local_unicast();
  return is_v4() ? word(0) == 0xA9FE : (word(0) & 0xFFC0) == 0xFE80;
}

bool IpAddress::is_global_unicast() const {
  if (is_mapped()) return unmapped().is_global_unicast();
  if (is_v4() && word(0) == 0xFFFF && word(1) == 0xFFFF) return false;
  return !is_unspecified() && !is_loopback() && !is_multicast() && !is_link_local_unicast();
}

bool IpAddress::is_unspecified() const {
  auto all = bytes();
  return !has_zone() && std::all_of(all.begin(), all.end(), [](std::uint8_t b) { return b == 0; });
}

int IpAddress::compare(const IpAddress& a, const IpAddress& b) {
  if (a.size_ != b.size_) return a.size_ < b.size_ ? -1 : 1;
  if (a.bytes_ != b.bytes_) return a.bytes_ < b.bytes_ ? -1 : 1;
  return a.zone_ == b.zone_ ? 0 : a.zone_ < b.zone_ ? -1 : 1;
}

Result<IpAddress> IpAddress::plus(const Integer& offset) const {
  Integer value;
  mpz_import(value, size_, 1, 1, 1, 0, bytes_.data());
  mpz_add(value, value, offset);
  if (value.sign() < 0) return wrong("IP address arithmetic resulted in out-of-range address (underflow)");
  std::size_t used = (value.bit_length() + 7) / 8;
  if (used > size_) return wrong("IP address arithmetic resulted in out-of-range address (overflow)");
  IpAddress result;
  result.size_ = size_;
  mpz_export(result.bytes_.data() + size_ - used, nullptr, 1, 1, 1, 0, value);
  return result;
}

Result<IpNetwork> IpNetwork::parse(std::string_view text) {
  auto fail = [&](const std::string& what) { return wrong(fmt::format("netip.ParsePrefix({}): {}", quoted(text), what)); };
  std::size_t slash = text.rfind('/');
  if (slash == std::string_view::npos) return fail("no '/'");
  auto address = IpAddress::parse(text.substr(0, slash));
  if (!address) return fail(address.error());
  if (address->has_zone()) return fail("IPv6 zones cannot be present in a prefix");
  std::string_view digits = text.substr(slash + 1);
  bool is_number = !digits.empty() && (digits.size() == 1 || digits[0] != '0') &&
                   std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!is_number || digits.size() > 18) return fail("bad bits after slash: " + quoted(digits));
  int prefix = digits.size() > 3 ? 1000 : std::atoi(std::string(digits).c_str());
  if (prefix > address->bits()) return fail("prefix length out of range");
  return IpNetwork{*address, prefix};
}

std::string IpNetwork::text() const { return fmt::format("{}/{}", address.text(), prefix); }

namespace {

// The bits of a byte of a mask whose first `prefix` bits are set.
std::uint8_t mask_byte(int prefix, std::size_t index) {
  int bits = std::clamp(prefix - static_cast<int>(index) * 8, 0, 8);
  return static_cast<std::uint8_t>(0xFF00 >> bits);
}

template <typename Change>
IpAddress changed(const IpNetwork& network, Change change) {
  std::array<std::uint8_t, 16> bytes{};
  auto old_bytes = network.address.bytes();
  for (std::size_t i = 0; i < old_bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(change(old_bytes[i], mask_byte(network.prefix, i)));
  return *IpAddress::from_bytes({bytes.data(), old_bytes.size()});
}

}  // namespace

bool IpNetwork::contains(const IpAddress& other) const {
  if (other.has_zone() || other.bits() != address.bits()) return false;
  auto mine = address.bytes();
  auto theirs = other.bytes();
  for (std::size_t i = 0; i < mine.size(); ++i) {
    if ((mine[i] ^ theirs[i]) & mask_byte(prefix, i)) return false;
  }
  return true;
}

IpAddress IpNetwork::mask() const {
  return changed(*this, [](std::uint8_t, std::uint8_t mask) { return mask; });
}
IpAddress IpNetwork::first() const {
  return changed(*this, [](std::uint8_t byte, std::uint8_t mask) { return byte & mask; });
}
IpAddress IpNetwork::last() const {
  return changed(*this, [](std::uint8_t byte, std::uint8_t mask) { return byte | ~mask; });
}

}  // namespace opm::cue::standard
