#include "cue/std/standard.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>

#include "cue/std/packages.h"

namespace opm::cue::standard {
namespace {

constexpr std::string_view kNotSupportedYet[] = {
    "tool", "tool/cli", "tool/exec", "tool/file", "tool/http", "tool/os",
};

// Made when first asked for: a file imports few of them, and to make all takes a good part of a short run.
struct Entry {
  std::string_view path;
  eval::StandardPackage (*make)();
};
constexpr Entry kEntries[] = {
    {"crypto/md5", md5_package},
    {"crypto/sha1", sha1_package},
    {"crypto/sha256", sha256_package},
    {"crypto/sha512", sha512_package},
    {"crypto/hmac", hmac_package},
    {"crypto/ed25519", ed25519_package},
    {"encoding/csv", csv_package},
    {"encoding/toml", toml_package},
    {"html", html_package},
    {"text/tabwriter", tabwriter_package},
    {"text/template", template_package},
    {"encoding/base64", base64_package},
    {"encoding/hex", hex_package},
    {"encoding/json", json_package},
    {"encoding/yaml", yaml_package},
    {"list", list_package},
    {"math", math_package},
    {"math/bits", math_bits_package},
    {"net", net_package},
    {"path", path_package},
    {"regexp", regexp_package},
    {"strconv", strconv_package},
    {"strings", strings_package},
    {"struct", struct_package},
    {"time", time_package},
    {"uuid", uuid_package},
};
constexpr std::size_t kCount = std::size(kEntries);

constexpr std::array<std::string_view, kCount> kPaths = [] {
  std::array<std::string_view, kCount> paths;
  std::ranges::transform(kEntries, paths.begin(), &Entry::path);
  return paths;
}();

const eval::StandardPackage& made(std::size_t index) {
  struct Slot {
    std::once_flag once;
    std::optional<eval::StandardPackage> package;
  };
  static std::array<Slot, kCount> slots;
  Slot& slot = slots[index];
  std::call_once(slot.once, [&] { slot.package = kEntries[index].make(); });
  return *slot.package;
}

}  // namespace

std::span<const std::string_view> standard_paths() { return kPaths; }

const eval::StandardPackage* find_standard_package(std::string_view path) {
  auto found = std::ranges::find(kPaths, path);
  return found == kPaths.end() ? nullptr : &made(static_cast<std::size_t>(found - kPaths.begin()));
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
  return std::ranges::find(kPaths, path) != kPaths.end() ||
         std::ranges::find(kNotSupportedYet, path) != std::end(kNotSupportedYet);
}

}  // namespace opm::cue::standard
