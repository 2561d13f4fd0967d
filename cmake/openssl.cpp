// OpenSSL asks the processor what it can before main() runs. On a virtual machine every such question goes to the host and back,
// eight of them take every run a twentieth of a millisecond, and few runs make digests of much. So they are asked when the first of
// something large is made, or before the first transfer (cmake/network.cpp); the linker is told to put these functions in the
// place of OpenSSL's (--wrap).
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include <cstddef>

#include "processor.h"

extern "C" {

void __real_OPENSSL_cpuid_setup();
// What the start of the program calls.
void __wrap_OPENSSL_cpuid_setup() {}

}  // extern "C"

void know_processor() {
  [[maybe_unused]] static const bool is_known = (__real_OPENSSL_cpuid_setup(), true);
}

// What a question costs is more than knowing the answer saves before this.
constexpr std::size_t kLarge = 16 << 10;

#define OPM_PART_OF_DIGEST(name, Context)                                   \
  int __real_##name(Context* context, const void* data, std::size_t size);  \
  int __wrap_##name(Context* context, const void* data, std::size_t size) { \
    if (size >= kLarge) know_processor();                                   \
    return __real_##name(context, data, size);                              \
  }

extern "C" {

OPM_PART_OF_DIGEST(SHA1_Update, SHA_CTX)
OPM_PART_OF_DIGEST(SHA224_Update, SHA256_CTX)
OPM_PART_OF_DIGEST(SHA256_Update, SHA256_CTX)
OPM_PART_OF_DIGEST(SHA384_Update, SHA512_CTX)
OPM_PART_OF_DIGEST(SHA512_Update, SHA512_CTX)

}  // extern "C"
