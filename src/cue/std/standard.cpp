#include "cue/std/standard.h"

#include <algorithm>
#include <vector>

#include "cue/std/packages.h"

namespace opm::cue::standard {
namespace {

constexpr std::string_view kNotSupportedYet[] = {
    "encoding/openapi", "tool", "tool/cli", "tool/exec", "tool/file", "tool/http", "tool/os",
};

}  // namespace

std::span<const eval::StandardPackage> standard_packages() {
  static const std::vector<eval::StandardPackage> packages = [] {
    std::vector<eval::StandardPackage> list;
    for (auto make : {md5_package, sha1_package, sha256_package, sha512_package, hmac_package, ed25519_package, csv_package, toml_package,
                      html_package, tabwriter_package,
                      template_package, base64_package, hex_package, json_package,
                      yaml_package, list_package, math_package, math_bits_package, net_package, path_package, regexp_package,
                      strconv_package, strings_package, struct_package, time_package, uuid_package}) {
      list.push_back(make());
    }
    return list;
  }();
  return packages;
}

const eval::StandardPackage* find_standard_package(std::string_view path) {
  for (const eval::StandardPackage& package : standard_packages()) {
    if (package.path == path) return &package;
  }
  return nullptr;
}

const eval::Builtin* find_standard_function(std::string_view path, std::string_view name) {
  const eval::StandardPackage* package = find_standard_package(path);
  if (package == nullptr) return nullptr;
  for (const eval::Builtin& function : package->functions) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

bool is_standard_path(std::string_view path) {
  return find_standard_package(path) != nullptr || std::ranges::find(kNotSupportedYet, path) != std::end(kNotSupportedYet);
}

}  // namespace opm::cue::standard
