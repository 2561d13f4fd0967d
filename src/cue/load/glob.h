// File name patterns: * and ? within one path element, [a-z] and [^a-z], \ before a
// character that is meant as such.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"

namespace opm::cue::load {

// What is wrong with the pattern, or nothing.
std::expected<void, std::string> check_glob(std::string_view pattern);
// One path element against one element of a valid pattern.
bool matches_glob(std::string_view pattern, std::string_view name);
// Paths below `folder` that match, relative to it, sorted. Names with a leading dot need one
// in the pattern.
std::vector<std::string> find_glob(const base::FileSystem& files, const std::string& folder, std::string_view pattern);

}  // namespace opm::cue::load
