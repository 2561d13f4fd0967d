// The virtual file that puts a release together beside the module's own files, in their package, so that CUE does the
// rest: values are checked against #config, components become concrete, identity and labels are computed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace opm::render {

inline constexpr std::string_view kReleaseFile = "_opm_release.cue";
inline constexpr std::string_view kReleaseField = "_opmRelease";

struct ReleaseIdentity {
  std::optional<std::string> name;            // not given: the module's
  std::optional<std::string> namespace_name;  // not given: the module's default
  std::string fallback_namespace;             // where the module has none; empty: there is none
};

// What the user gave enters as quoted literals, never as source text.
std::string release_overlay(std::string_view package, const ReleaseIdentity& identity);

// The package clause of a file, or empty: what stands before it may only be comments and attributes.
std::string_view package_clause(std::string_view text);

}  // namespace opm::render
