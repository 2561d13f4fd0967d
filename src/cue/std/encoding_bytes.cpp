// The packages encoding/base64 and encoding/hex.
#include "cue/std/bind.h"
#include "cue/std/byte_encoding.h"
#include "cue/std/packages.h"

namespace opm::cue::standard {
namespace {

// The encoding must be null, which stands for the standard one.
bool is_standard(Call& call, Value& failure) {
  const Value& encoding = call.value(0);
  if (encoding.kind == eval::ValueKind::null) return true;
  failure = call.error("base64: unsupported encoding: cannot use value {} (type {}) as null",
                       {Argument::silent(encoding), Argument::of_kinds(eval::kinds_of(encoding))});
  return false;
}

Value base64_encoded_length(Call& call) {
  Value failure;
  if (!is_standard(call, failure)) return failure;
  std::int64_t size = call.int64(1);
  if (call.failed()) return call.failure();
  return call.make_int(static_cast<std::int64_t>((static_cast<__int128>(size) + 2) / 3 * 4));
}

Value base64_decoded_length(Call& call) {
  Value failure;
  if (!is_standard(call, failure)) return failure;
  std::int64_t size = call.int64(1);
  if (call.failed()) return call.failure();
  return call.make_int(size / 4 * 3);
}

Value base64_encode(Call& call) {
  Value failure;
  if (!is_standard(call, failure)) return failure;
  std::string_view bytes = call.bytes(1);
  if (call.failed()) return call.failure();
  return call.make_string(encoding::to_base64(bytes));
}

Value base64_decode(Call& call) {
  Value failure;
  if (!is_standard(call, failure)) return failure;
  std::string_view text = call.string(1);
  if (call.failed()) return call.failure();
  return ResultOf<Result<ByteString>>::make(call, encoding::from_base64(text));
}

std::int64_t hex_encoded_length(std::int64_t size) { return static_cast<std::int64_t>(static_cast<std::uint64_t>(size) * 2); }
std::int64_t hex_decoded_length(std::int64_t size) { return size / 2; }
std::string hex_encode(BytesView bytes) { return encoding::to_hexadecimal(bytes.bytes); }
Result<std::string> hex_dump(BytesView bytes) { return encoding::hexadecimal_dump(bytes.bytes); }

}  // namespace

StandardPackage base64_package() {
  constexpr KindSet bytes = kinds::bytes | kinds::string;
  return make_package("encoding/base64", {
    define("EncodedLen", {kinds::top, kinds::integer}, kinds::integer, base64_encoded_length),
    define("DecodedLen", {kinds::top, kinds::integer}, kinds::integer, base64_decoded_length),
    define("Encode", {kinds::top, bytes}, kinds::string, base64_encode),
    define("Decode", {kinds::top, kinds::string}, bytes, base64_decode),
  });
}

StandardPackage hex_package() {
  return make_package("encoding/hex", {
    bind<hex_encoded_length>("EncodedLen"),
    bind<hex_decoded_length>("DecodedLen"),
    bind<encoding::from_hexadecimal>("Decode"),
    bind<hex_dump>("Dump"),
    bind<hex_encode>("Encode"),
  });
}

}  // namespace opm::cue::standard
