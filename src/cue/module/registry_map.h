// Which registry a module is in: what $CUE_REGISTRY says, in all its forms.
//
//   host[:port][/repository][+insecure|+secure]      for all modules
//   prefix=host...,prefix=host...,host...            by the beginning of the module path; the longest wins
//   none                                             there is no registry
//   file:path, inline:text                           the same and more, as CUE data
#pragma once

#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/file_system.h"

namespace opm::cue::module {

// What `cue` asks where nothing else is said.
inline constexpr std::string_view kCentralRegistry = "registry.cue.works";

struct RegistryHost {
  std::string name;  // "host" or "host:port"; an IPv6 address is in brackets
  bool insecure = false;

  auto operator<=>(const RegistryHost&) const = default;
};

struct RegistryLocation {
  RegistryHost host;
  std::string repository;
  std::string tag;  // where no version is given: what all tags of the module begin with

  std::string text() const { return host.name + "/" + repository + (tag.empty() ? "" : ":" + tag); }
};

class RegistryMap {
 public:
  // How the message of every error of parse() begins.
  static constexpr std::string_view kBadValue = "bad value for registry";
  // `catch_all`: for modules of which `text` says nothing. `files`: for "file:".
  static std::expected<RegistryMap, std::string> parse(std::string_view text, std::string_view catch_all,
                                                       const base::FileSystem& files);

  // `module_base_path` is without a version. Nothing: no registry is set for it.
  std::optional<RegistryLocation> locate(std::string_view module_base_path, std::string_view version) const;

  // All hosts, sorted by name.
  std::vector<RegistryHost> hosts() const;

 private:
  enum class PathEncoding : std::uint8_t { path, hash_as_repository, hash_as_tag };
  struct Registry {
    bool none = false;
    RegistryHost host;
    std::string repository;
    PathEncoding encoding = PathEncoding::path;
    std::string tag_prefix;
    bool strip_prefix = false;
  };
  class ConfigReader;

  static std::expected<Registry, std::string> parse_registry(std::string_view text);
  static std::expected<RegistryMap, std::string> parse_list(std::string_view text, std::string_view catch_all);
  static std::expected<RegistryMap, std::string> parse_config(std::string text, std::string name,
                                                              std::string_view catch_all);
  std::optional<std::string> check_hosts() const;

  std::map<std::string, Registry, std::less<>> by_prefix_;
  Registry rest_;
};

// Whether the host is this machine, so that nobody can listen: "localhost", 127.0.0.0/8, ::1. With or without a port.
bool is_loopback_host(std::string_view host);

}  // namespace opm::cue::module
