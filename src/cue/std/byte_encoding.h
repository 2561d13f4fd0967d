// Bytes as text: base64 and hexadecimal.
#pragma once

#include <string>
#include <string_view>

#include "cue/std/bind.h"

namespace opm::cue::standard::encoding {

std::string to_base64(std::string_view bytes);
// With padding; line breaks in between are skipped.
Result<ByteString> from_base64(std::string_view text);

std::string to_hexadecimal(std::string_view bytes);
Result<ByteString> from_hexadecimal(std::string_view text);
// As `hexdump -C` has it: offset, sixteen bytes a line, and what of them is printable.
Result<std::string> hexadecimal_dump(std::string_view bytes);
// The value of a hexadecimal digit, or -1.
int digit(char c);

}  // namespace opm::cue::standard::encoding
