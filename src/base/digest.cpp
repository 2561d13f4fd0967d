#include "base/digest.h"

// The functions that OpenSSL calls deprecated are the algorithms themselves. What it wants to be used instead finds
// them at run time and brings all of its algorithms along: most of the program, and a quarter of the time to start it.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/md5.h>
#include <openssl/sha.h>

#include <array>

namespace opm::base {
namespace {

template <typename Context, auto Start, auto Update, auto Finish, std::size_t kSize>
std::string run(std::string_view data) {
  Context context;
  std::array<unsigned char, kSize> bytes{};
  Start(&context);
  Update(&context, data.data(), data.size());
  Finish(bytes.data(), &context);
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

std::array<unsigned char, SHA512_DIGEST_LENGTH> sha512_from(const std::array<SHA_LONG64, 8>& beginning,
                                                             std::string_view data) {
  SHA512_CTX context;
  SHA512_Init(&context);
  for (std::size_t i = 0; i < beginning.size(); ++i) context.h[i] = beginning[i];
  SHA512_Update(&context, data.data(), data.size());
  std::array<unsigned char, SHA512_DIGEST_LENGTH> bytes{};
  SHA512_Final(bytes.data(), &context);
  return bytes;
}

// SHA-512/t is SHA-512 cut to t bits, from another beginning, which is made of its name (FIPS 180-4, 5.3.6).
std::string truncated_sha512(std::string_view name, std::string_view data, std::size_t size) {
  SHA512_CTX context;
  SHA512_Init(&context);
  std::array<SHA_LONG64, 8> beginning{};
  for (std::size_t i = 0; i < beginning.size(); ++i) beginning[i] = context.h[i] ^ 0xA5A5A5A5A5A5A5A5;
  std::array<unsigned char, SHA512_DIGEST_LENGTH> bytes = sha512_from(beginning, name);
  for (std::size_t i = 0; i < bytes.size(); ++i) beginning[i / 8] = beginning[i / 8] << 8 | bytes[i];
  bytes = sha512_from(beginning, data);
  return std::string(reinterpret_cast<const char*>(bytes.data()), size);
}

}  // namespace

std::string digest(DigestKind kind, std::string_view data) {
  switch (kind) {
    case DigestKind::md5:
      return run<MD5_CTX, MD5_Init, MD5_Update, MD5_Final, MD5_DIGEST_LENGTH>(data);
    case DigestKind::sha1:
      return run<SHA_CTX, SHA1_Init, SHA1_Update, SHA1_Final, SHA_DIGEST_LENGTH>(data);
    case DigestKind::sha224:
      return run<SHA256_CTX, SHA224_Init, SHA224_Update, SHA224_Final, SHA224_DIGEST_LENGTH>(data);
    case DigestKind::sha256:
      return run<SHA256_CTX, SHA256_Init, SHA256_Update, SHA256_Final, SHA256_DIGEST_LENGTH>(data);
    case DigestKind::sha384:
      return run<SHA512_CTX, SHA384_Init, SHA384_Update, SHA384_Final, SHA384_DIGEST_LENGTH>(data);
    case DigestKind::sha512:
      return run<SHA512_CTX, SHA512_Init, SHA512_Update, SHA512_Final, SHA512_DIGEST_LENGTH>(data);
    case DigestKind::sha512_224:
      return truncated_sha512("SHA-512/224", data, 28);
    case DigestKind::sha512_256:
      return truncated_sha512("SHA-512/256", data, 32);
  }
  return {};
}

std::string sha256_hex(std::string_view data) {
  std::string text;
  for (char byte : digest(DigestKind::sha256, data)) {
    text += "0123456789abcdef"[static_cast<unsigned char>(byte) >> 4];
    text += "0123456789abcdef"[static_cast<unsigned char>(byte) & 15];
  }
  return text;
}

std::string signature(DigestKind kind, std::string_view key, std::string_view data) {
  bool is_long = kind == DigestKind::sha384 || kind == DigestKind::sha512 || kind == DigestKind::sha512_224 ||
                 kind == DigestKind::sha512_256;
  std::size_t block = is_long ? 128 : 64;
  std::string padded = key.size() > block ? digest(kind, key) : std::string(key);
  padded.resize(block, '\0');
  std::string inner = padded;
  std::string outer = padded;
  for (char& byte : inner) byte = static_cast<char>(byte ^ 0x36);
  for (char& byte : outer) byte = static_cast<char>(byte ^ 0x5C);
  return digest(kind, outer + digest(kind, inner.append(data)));
}

}  // namespace opm::base
