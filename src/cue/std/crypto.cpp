// The packages crypto/md5, crypto/sha1, crypto/sha256 and crypto/sha512.
#include "base/digest.h"
#include "cue/std/bind.h"
#include "cue/std/packages.h"

namespace opm::cue::standard {
namespace {

template <base::DigestKind kind>
ByteString sum(BytesView data) {
  return {base::digest(kind, data.bytes)};
}

}  // namespace

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
