#include "cue/std/digest.h"

#include <openssl/evp.h>

namespace opm::cue::standard {
namespace {

const EVP_MD* algorithm(DigestKind kind) {
  switch (kind) {
    case DigestKind::md5: return EVP_md5();
    case DigestKind::sha1: return EVP_sha1();
    case DigestKind::sha224: return EVP_sha224();
    case DigestKind::sha256: return EVP_sha256();
    case DigestKind::sha384: return EVP_sha384();
    case DigestKind::sha512: return EVP_sha512();
    case DigestKind::sha512_224: return EVP_sha512_224();
    case DigestKind::sha512_256: return EVP_sha512_256();
  }
  return EVP_sha256();
}

}  // namespace

std::string digest(DigestKind kind, std::string_view data) {
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  if (EVP_Digest(data.data(), data.size(), bytes, &size, algorithm(kind), nullptr) != 1) return {};
  return std::string(reinterpret_cast<const char*>(bytes), size);
}

}  // namespace opm::cue::standard
