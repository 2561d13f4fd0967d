// Checksums.
#pragma once

#include <string>
#include <string_view>

namespace opm::cue::standard {

enum class DigestKind { md5, sha1, sha224, sha256, sha384, sha512, sha512_224, sha512_256 };

std::string digest(DigestKind kind, std::string_view data);

}  // namespace opm::cue::standard
