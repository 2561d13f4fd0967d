// Signatures by Ed25519 (RFC 8032), checked; nothing here makes one, so nothing has to be kept secret.
#pragma once

#include <string_view>

namespace opm::base {

// Whether the owner of the 32-byte public key signed the message.
bool is_signed(std::string_view public_key, std::string_view message, std::string_view signature);

}  // namespace opm::base
