// Addresses and networks of IPv4 and IPv6.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "cue/std/bind.h"
#include "cue/std/integer.h"

namespace opm::cue::standard {

class IpAddress {
 public:
  IpAddress() = default;  // 0.0.0.0
  static Result<IpAddress> parse(std::string_view text);
  // Four or sixteen bytes.
  static Result<IpAddress> from_bytes(std::span<const std::uint8_t> bytes);

  bool is_v4() const { return size_ == 4; }
  bool is_v6() const { return size_ == 16; }
  // IPv4 in the guise of IPv6: ::ffff:1.2.3.4
  bool is_mapped() const;
  bool has_zone() const { return !zone_.empty(); }
  int bits() const { return static_cast<int>(size_) * 8; }
  std::span<const std::uint8_t> bytes() const { return {bytes_.data(), size_}; }
  std::array<std::uint8_t, 16> as_v6() const;
  std::string text() const;

  bool is_loopback() const;
  bool is_multicast() const;
  bool is_interface_local_multicast() const;
  bool is_link_local_multicast() const;
  bool is_link_local_unicast() const;
  bool is_global_unicast() const;
  bool is_unspecified() const;

  // IPv4 comes before IPv6.
  static int compare(const IpAddress& a, const IpAddress& b);
  Result<IpAddress> plus(const Integer& offset) const;

 private:
  IpAddress unmapped() const;
  unsigned word(std::size_t index) const { return static_cast<unsigned>(bytes_[2 * index] << 8 | bytes_[2 * index + 1]); }

  std::array<std::uint8_t, 16> bytes_{};
  std::size_t size_ = 4;
  std::string zone_;  // of IPv6, e.g. "eth0"
};

// A network: 10.0.0.0/8. The address may have bits behind the prefix.
struct IpNetwork {
  IpAddress address;
  int prefix = 0;

  static Result<IpNetwork> parse(std::string_view text);
  std::string text() const;
  bool contains(const IpAddress& address) const;
  IpAddress mask() const;
  IpAddress first() const;  // all bits behind the prefix cleared
  IpAddress last() const;   // all of them set
};

}  // namespace opm::cue::standard
