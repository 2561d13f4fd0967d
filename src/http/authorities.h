// Where a system keeps the certificates of the authorities that it trusts: distributions differ, and opm is one program for all.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace opm::http {

// In the order in which they are tried: Debian and Alpine, Fedora and RHEL, openSUSE, older RHEL, OpenELEC, the BSDs' layout.
inline constexpr std::string_view kAuthorityFiles[] = {
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ssl/ca-bundle.pem",             "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/pki/tls/cacert.pem",            "/etc/ssl/cert.pem"};

// The first of them that can be read; nothing where there is none.
std::string system_authorities(std::span<const std::string_view> files = kAuthorityFiles);

}  // namespace opm::http
