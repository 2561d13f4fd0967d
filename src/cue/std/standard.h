// The standard packages that can be imported: strings, list, encoding/json...
#pragma once

#include <span>
#include <string_view>

#include "cue/eval/builtin.h"

namespace opm::cue::standard {

// Their import paths, always in the same order.
std::span<const std::string_view> standard_paths();
// "json" of "encoding/json".
constexpr std::string_view name_of_path(std::string_view path) { return path.substr(path.rfind('/') + 1); }
// The package with that import path, or null. Made when first asked for; shared by all threads.
const eval::StandardPackage* find_standard_package(std::string_view path);
// The function of a package ("encoding/json", "Marshal"), or null.
const eval::Builtin* find_standard_function(std::string_view path, std::string_view name);

// CUE has a package of that path. Where find_standard_package() knows none, it is not supported yet.
bool is_standard_path(std::string_view path);

}  // namespace opm::cue::standard
