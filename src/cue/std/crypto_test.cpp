#include "cue/std/evaluate_fixture.h"

namespace opm::cue::standard {
namespace {

TEST(Crypto, Sums) {
  expect_all({"crypto/md5", "crypto/sha1", "crypto/sha256", "crypto/sha512", "encoding/hex"}, {
    {R"(hex.Encode(md5.Sum("abc")))", R"("900150983cd24fb0d6963f7d28e17f72")"},
    {R"(hex.Encode(sha1.Sum('abc')))", R"("a9993e364706816aba3e25717850c26c9cd0d89d")"},
    {R"(hex.Encode(sha256.Sum256("abc")))", R"("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")"},
    {R"(hex.Encode(sha256.Sum224("abc")))", R"("23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7")"},
    {R"(hex.Encode(sha512.Sum384("")))",
     R"("38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b")"},
    {R"(hex.Encode(sha512.Sum512_224("abc")))", R"("4634270f707b6a54daae7530460842e20e37ed265ceee9a43e8924aa")"},
    {R"(hex.Encode(sha512.Sum512_256("abc")))", R"("53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23")"},
    {"[md5.Size, sha1.BlockSize, sha256.Size224, sha512.BlockSize]", "[16,64,28,128]"},
  });
}

TEST(Crypto, Signatures) {
  // RFC 2202, test case 2, and RFC 8032, test 2.
  expect_all({"crypto/hmac", "crypto/ed25519", "encoding/hex"}, {
    {R"(hex.Encode(hmac.Sign("MD5", "Jefe", "what do ya want for nothing?")))", R"("750c783e6ab0b503eaa86e310a5db738")"},
    {R"(hex.Encode(hmac.Sign(hmac.SHA1, "Jefe", "what do ya want for nothing?")))", R"("effcdf6ae5eb2fa2d27416d5f184df9c259a7c79")"},
    {R"(hmac.Sign("none", "k", "d"))", "error: error in call to crypto/hmac.Sign: unsupported hash function"},
    {R"(ed25519.Valid(hex.Decode("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"), '\x72', hex.Decode("92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00")))", "true"},
    {R"(ed25519.Valid(hex.Decode("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"), '\x73', hex.Decode("92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00")))", "false"},
    {R"(ed25519.Valid('', '', ''))", "error: error in call to crypto/ed25519.Valid: ed25519: publicKey must be 32 bytes"},
  });
}

TEST(Uuid, Identifiers) {
  expect_all({"uuid"}, {
    {R"(uuid.SHA1(uuid.ns.DNS, "opm.dev"))", R"("0dbc173c-349a-5d05-a685-6a3519799420")"},
    {R"(uuid.MD5(uuid.ns.URL, "https://cuelang.org"))", R"("d891d69e-ae5c-39e0-9ead-164abd207f1f")"},
    {R"(uuid.Parse("{052EF62D-7223-58B6-A551-C1DEEE46D401}"))", R"("052ef62d-7223-58b6-a551-c1deee46d401")"},
    {R"(uuid.Parse("URN:uuid:052ef62d-7223-58b6-a551-c1deee46d401"))", R"("052ef62d-7223-58b6-a551-c1deee46d401")"},
    {R"(uuid.Parse("052ef62d722358b6a551c1deee46d401"))", R"("052ef62d-7223-58b6-a551-c1deee46d401")"},
    {R"(uuid.Parse("052ef62d"))", "error: error in call to uuid.Parse: invalid UUID length: 8"},
    {R"(uuid.Parse("052ef62d_7223_58b6_a551_c1deee46d401"))", "error: error in call to uuid.Parse: invalid UUID format"},
    {R"(uuid.URN("052ef62d-7223-58b6-a551-c1deee46d401"))", R"("urn:uuid:052ef62d-7223-58b6-a551-c1deee46d401")"},
    {R"(uuid.Version("052ef62d-7223-58b6-a551-c1deee46d401"))", "5"},
    {R"(uuid.Variant("052ef62d-7223-58b6-a551-c1deee46d401"))", "1"},
    {"uuid.FromInt(0x052ef62d_7223_58b6_a551_c1deee46d401)", R"("052ef62d-7223-58b6-a551-c1deee46d401")"},
    {"uuid.FromInt(0x1_00000000_0000_0000_0000_000000000000)", "error: error in call to uuid.FromInt: invalid UUID (got 17 bytes)"},
    {R"(uuid.ToInt("ab"))", "24930"},
    {R"("052ef62d-7223-58b6-a551-c1deee46d401" & uuid.Valid)", R"("052ef62d-7223-58b6-a551-c1deee46d401")"},
    {R"("052ef62d" & uuid.Valid)", R"(error: invalid value "052ef62d" (does not satisfy uuid.Valid): invalid UUID length: 8)"},
    {R"("[052ef62d-7223-58b6-a551-c1deee46d401]" & uuid.Valid)",
     R"(error: invalid value "[052ef62d-7223-58b6-a551-c1deee46d401]" (does not satisfy uuid.Valid): invalid bracketed UUID format)"},
  });
}

}  // namespace
}  // namespace opm::cue::standard
