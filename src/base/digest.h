// Checksums.
#pragma once

#include <string>
#include <string_view>

namespace opm::base {

enum class DigestKind { md5, sha1, sha224, sha256, sha384, sha512, sha512_224, sha512_256 };

// The bytes.
std::string digest(DigestKind kind, std::string_view data);
// SHA-256 in lower-case hexadecimal, by which registries name what they hold.
std::string sha256_hex(std::string_view data);
// The keyed one (RFC 2104).
std::string signature(DigestKind kind, std::string_view key, std::string_view data);

}  // namespace opm::base
