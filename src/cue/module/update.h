// Changes to what a module depends on: which version a wish means, and the requirements
// that have it.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cue/module/module_file.h"
#include "cue/module/resolver.h"
#include "cue/module/source.h"

namespace opm::cue::module {

// The newest of them, a release if there is one; empty: there are none.
std::string latest_version(std::span<const std::string> versions);

// The module at the version that a wish means: "host/name", "host/name@latest", "host/name@v1",
// "host/name@v1.2" or "host/name@v1.2.3". The file says which major version is the default.
std::expected<ModuleVersion, ModuleError> find_version(std::string_view wish, const ModuleFile& file,
                                                       ModuleSources& sources);

// The file with these modules added, or changed to these versions. What they need is raised with them; it is an error if
// something else needs a newer version of one of them.
std::expected<ModuleFile, ModuleError> update_versions(const ModuleFile& file,
                                                       const std::vector<ModuleVersion>& wanted,
                                                       ModuleSources& sources);

}  // namespace opm::cue::module
