// Universally unique identifiers (RFC 4122).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "cue/std/bind.h"

namespace opm::cue::standard {

struct UniqueId {
  std::array<unsigned char, 16> bytes{};

  // 32 hexadecimal digits, with or without dashes, also as a URN or in braces.
  static Result<UniqueId> parse(std::string_view text);
  // A name in a space: versions 3 and 5.
  static UniqueId from_md5(const UniqueId& space, std::string_view data);
  static UniqueId from_sha1(const UniqueId& space, std::string_view data);

  std::string text() const;
  std::int64_t variant() const;  // 1: RFC 4122, 2: reserved, 3: Microsoft, 4: future
  std::int64_t version() const { return bytes[6] >> 4; }
};

}  // namespace opm::cue::standard
