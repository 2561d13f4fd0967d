// OpenSSL asks the processor what it can before main() runs. On a virtual machine every such question goes to the host and back,
// eight of them take every run a twentieth of a millisecond, and few runs make digests. So they are asked when the first digest
// is begun, or the first transfer (cmake/network.cpp); the linker is told to put these functions in the place of OpenSSL's (--wrap).
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include "processor.h"

extern "C" {

void __real_OPENSSL_cpuid_setup();
// What the start of the program calls.
void __wrap_OPENSSL_cpuid_setup() {}

}  // extern "C"

void know_processor() {
  [[maybe_unused]] static const bool is_known = (__real_OPENSSL_cpuid_setup(), true);
}

#define OPM_BEGINNING_OF_DIGEST(name, Context) \
  int __real_##name(Context* context);         \
  int __wrap_##name(Context* context) {        \
    know_processor();                          \
    return __real_##name(context);             \
  }

extern "C" {

OPM_BEGINNING_OF_DIGEST(SHA1_Init, SHA_CTX)
OPM_BEGINNING_OF_DIGEST(SHA224_Init, SHA256_CTX)
OPM_BEGINNING_OF_DIGEST(SHA256_Init, SHA256_CTX)
OPM_BEGINNING_OF_DIGEST(SHA384_Init, SHA512_CTX)
OPM_BEGINNING_OF_DIGEST(SHA512_Init, SHA512_CTX)

}  // extern "C"
