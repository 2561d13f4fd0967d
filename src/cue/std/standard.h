// The standard packages that can be imported: strings, list, encoding/json...
#pragma once

#include <span>
#include <string_view>

#include "cue/eval/builtin.h"

namespace opm::cue::standard {

// Made when first asked for; shared by all threads.
std::span<const eval::StandardPackage> standard_packages();
// The package with that import path, or null.
const eval::StandardPackage* find_standard_package(std::string_view path);
// The function of a package ("encoding/json", "Marshal"), or null.
const eval::Builtin* find_standard_function(std::string_view path, std::string_view name);

// CUE has a package of that path. Where find_standard_package() knows none, it is not supported yet.
bool is_standard_path(std::string_view path);

}  // namespace opm::cue::standard
