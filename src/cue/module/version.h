// Semantic versions as CUE modules write them: "v1.2.3", "v1.2.3-rc.1", and the short
// forms "v1" and "v1.2". A version is kept as text; these functions read it.
#pragma once

#include <compare>
#include <string>
#include <string_view>

namespace opm::cue::module {

bool is_version(std::string_view text);
// With minor and patch filled in and without build metadata; empty when not a version.
std::string canonical_version(std::string_view text);
// "v1" of "v1.2.3"; empty when not a version.
std::string_view major_version(std::string_view text);
// "-rc.1" of "v1.2.3-rc.1+build"; empty when there is none.
std::string_view prerelease_of(std::string_view text);
// By precedence: a prerelease comes before its release, build metadata does not count, and
// what is not a version comes before everything.
std::strong_ordering compare_versions(std::string_view a, std::string_view b);

}  // namespace opm::cue::module
