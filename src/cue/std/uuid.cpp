// The package uuid.
#include <fmt/core.h>

#include "cue/std/bind.h"
#include "cue/std/integer.h"
#include "cue/std/packages.h"
#include "cue/std/unique_id.h"

namespace opm::cue::standard {
namespace {

constexpr std::string_view kSource = R"(
ns: {
	DNS:  "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
	URL:  "6ba7b811-9dad-11d1-80b4-00c04fd430c8"
	OID:  "6ba7b812-9dad-11d1-80b4-00c04fd430c8"
	X500: "6ba7b814-9dad-11d1-80b4-00c04fd430c8"
	Nil:  "00000000-0000-0000-0000-000000000000"
}
variants: Invalid:   0
variants: RFC4122:   1
variants: Reserved:  2
variants: Microsoft: 3
variants: Future:    4
)";

Result<bool> is_valid(std::string_view text) {
  if (text.size() == 38 && (text.front() != '{' || text.back() != '}')) return wrong("invalid bracketed UUID format");
  auto id = UniqueId::parse(text);
  if (!id) return wrong(id.error());
  return true;
}

template <auto use>
auto with_id(std::string_view text) -> Result<decltype(use(UniqueId{}))> {
  auto id = UniqueId::parse(text);
  if (!id) return wrong(id.error());
  return use(*id);
}

std::string text_of(const UniqueId& id) { return id.text(); }
std::string urn_of(const UniqueId& id) { return "urn:uuid:" + id.text(); }
std::int64_t variant_of(const UniqueId& id) { return id.variant(); }
std::int64_t version_of(const UniqueId& id) { return id.version(); }

Result<std::string> from_int(Integer value) {
  std::size_t size = (value.bit_length() + 7) / 8;
  UniqueId id;
  if (size > id.bytes.size()) return wrong(fmt::format("invalid UUID (got {} bytes)", size));
  mpz_export(id.bytes.data() + id.bytes.size() - size, nullptr, 1, 1, 1, 0, value);
  return id.text();
}

// CUE takes the text itself, not what it stands for, as the bytes of the number.
Result<Integer> to_int(std::string_view text) {
  if (text.size() * 8 > kMaxIntegerBits) return wrong(fmt::format("result of more than {} bits", kMaxIntegerBits));
  Integer value;
  mpz_import(value, text.size(), 1, 1, 1, 0, text.data());
  return value;
}

Result<std::string> from_sha1(std::string_view space, BytesView data) {
  auto id = UniqueId::parse(space);
  if (!id) return wrong(id.error());
  return UniqueId::from_sha1(*id, data.bytes).text();
}

Result<std::string> from_md5(std::string_view space, BytesView data) {
  auto id = UniqueId::parse(space);
  if (!id) return wrong(id.error());
  return UniqueId::from_md5(*id, data.bytes).text();
}

}  // namespace

StandardPackage uuid_package() {
  return make_package("uuid", {
    bind<is_valid>("Valid"),
    bind<with_id<text_of>>("Parse"),
    bind<with_id<urn_of>>("URN"),
    bind<from_int>("FromInt"),
    bind<to_int>("ToInt"),
    bind<with_id<variant_of>>("Variant"),
    bind<with_id<version_of>>("Version"),
    bind<from_sha1>("SHA1"),
    bind<from_md5>("MD5"),
  }, kSource);
}

}  // namespace opm::cue::standard
