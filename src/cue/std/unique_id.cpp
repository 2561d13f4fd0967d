#include "cue/std/unique_id.h"

#include <fmt/core.h>

#include <algorithm>

#include "cue/std/byte_encoding.h"
#include "cue/std/conversion.h"
#include "base/digest.h"
#include "cue/std/text.h"

namespace opm::cue::standard {
namespace {

constexpr const char* kFormat = "invalid UUID format";

UniqueId from_hash(std::string_view hash, unsigned version) {
  UniqueId id;
  std::copy_n(hash.begin(), id.bytes.size(), id.bytes.begin());
  id.bytes[6] = static_cast<unsigned char>((id.bytes[6] & 0x0F) | version << 4);
  id.bytes[8] = static_cast<unsigned char>((id.bytes[8] & 0x3F) | 0x80);
  return id;
}

std::string with_space(const UniqueId& space, std::string_view data) {
  std::string all(space.bytes.begin(), space.bytes.end());
  all += data;
  return all;
}

}  // namespace

Result<UniqueId> UniqueId::parse(std::string_view text) {
  constexpr std::string_view urn = "urn:uuid:";
  std::string digits;
  if (text.size() == 32) {
    digits = text;
  } else {
    if (text.size() == 36 + urn.size()) {
      if (!text::equal_fold(text.substr(0, urn.size()), urn)) {
        return wrong(fmt::format("invalid urn prefix: {}",
                                 conversion::quote_text(text.substr(0, urn.size()), conversion::Quoting::plain)));
      }
      text.remove_prefix(urn.size());
    } else if (text.size() == 38) {
      text = text.substr(1, 36);  // in braces
    } else if (text.size() != 36) {
      return wrong(fmt::format("invalid UUID length: {}", text.size()));
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
      bool is_dash_place = i == 8 || i == 13 || i == 18 || i == 23;
      if (is_dash_place != (text[i] == '-')) return wrong(kFormat);
      if (!is_dash_place) digits += text[i];
    }
  }
  auto bytes = encoding::from_hexadecimal(digits);
  if (!bytes) return wrong(kFormat);
  UniqueId id;
  std::copy(bytes->bytes.begin(), bytes->bytes.end(), id.bytes.begin());
  return id;
}

UniqueId UniqueId::from_md5(const UniqueId& space, std::string_view data) {
  return from_hash(base::digest(base::DigestKind::md5, with_space(space, data)), 3);
}

UniqueId UniqueId::from_sha1(const UniqueId& space, std::string_view data) {
  return from_hash(base::digest(base::DigestKind::sha1, with_space(space, data)), 5);
}

std::string UniqueId::text() const {
  std::string digits = encoding::to_hexadecimal({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  for (std::size_t place : {20, 16, 12, 8}) digits.insert(place, "-");
  return digits;
}

std::int64_t UniqueId::variant() const {
  unsigned char marks = bytes[8];
  if ((marks & 0xC0) == 0x80) return 1;
  if ((marks & 0xE0) == 0xC0) return 3;
  if ((marks & 0xE0) == 0xE0) return 4;
  return 2;
}

}  // namespace opm::cue::standard
