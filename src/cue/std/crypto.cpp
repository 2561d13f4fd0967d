// The packages crypto/md5, crypto/sha1, crypto/sha256, crypto/sha512, crypto/hmac and crypto/ed25519.
#include "base/digest.h"
#include "base/ed25519.h"
#include "cue/std/bind.h"
#include "cue/std/packages.h"

namespace opm::cue::standard {
namespace {

template <base::DigestKind kind>
ByteString sum(BytesView data) {
  return {base::digest(kind, data.bytes)};
}

Result<ByteString> sign(std::string_view name, BytesView key, BytesView data) {
  constexpr std::pair<std::string_view, base::DigestKind> kNames[] = {
      {"MD5", base::DigestKind::md5},       {"SHA1", base::DigestKind::sha1},     {"SHA224", base::DigestKind::sha224},
      {"SHA256", base::DigestKind::sha256}, {"SHA384", base::DigestKind::sha384}, {"SHA512", base::DigestKind::sha512},
      {"SHA512_224", base::DigestKind::sha512_224}, {"SHA512_256", base::DigestKind::sha512_256}};
  for (const auto& [known, kind] : kNames) {
    if (known == name) return ByteString{base::signature(kind, key.bytes, data.bytes)};
  }
  return wrong("unsupported hash function");
}

Result<bool> is_valid_signature(BytesView public_key, BytesView message, BytesView signed_with) {
  if (public_key.bytes.size() != 32) return wrong("ed25519: publicKey must be 32 bytes");
  return base::is_signed(public_key.bytes, message.bytes, signed_with.bytes);
}

}  // namespace

StandardPackage hmac_package() {
  return make_package("crypto/hmac", {bind<sign>("Sign")},
                      "MD5: \"MD5\"\nSHA1: \"SHA1\"\nSHA224: \"SHA224\"\nSHA256: \"SHA256\"\nSHA384: \"SHA384\"\n"
                      "SHA512: \"SHA512\"\nSHA512_224: \"SHA512_224\"\nSHA512_256: \"SHA512_256\"\n");
}

StandardPackage ed25519_package() {
  return make_package("crypto/ed25519", {bind<is_valid_signature>("Valid")}, "PublicKeySize: 32\n");
}

StandardPackage md5_package() {
  return make_package("crypto/md5", {bind<sum<base::DigestKind::md5>>("Sum")}, "Size: 16\nBlockSize: 64\n");
}

StandardPackage sha1_package() {
  return make_package("crypto/sha1", {bind<sum<base::DigestKind::sha1>>("Sum")}, "Size: 20\nBlockSize: 64\n");
}

StandardPackage sha256_package() {
  return make_package("crypto/sha256",
                      {bind<sum<base::DigestKind::sha256>>("Sum256"), bind<sum<base::DigestKind::sha224>>("Sum224")},
                      "Size: 32\nSize224: 28\nBlockSize: 64\n");
}

StandardPackage sha512_package() {
  return make_package("crypto/sha512",
                      {bind<sum<base::DigestKind::sha512>>("Sum512"), bind<sum<base::DigestKind::sha384>>("Sum384"),
                       bind<sum<base::DigestKind::sha512_224>>("Sum512_224"), bind<sum<base::DigestKind::sha512_256>>("Sum512_256")},
                      "Size: 64\nSize224: 28\nSize256: 32\nSize384: 48\nBlockSize: 128\n");
}

}  // namespace opm::cue::standard
