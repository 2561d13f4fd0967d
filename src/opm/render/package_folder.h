// The folder of a package: which module it is in, what its files call the package, and how it is shown to people.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "cue/value.h"
#include "opm/render/options.h"
#include "opm/render/result.h"

namespace opm::render {

std::vector<Problem> one(Problem problem);

ProblemKind kind_of(const base::FileError& error);

// The folder above, or the folder itself, that has cue.mod; empty: none.
std::string module_root(const base::FileSystem& files, const std::string& folder);

// The name of the package that the folder's files are in, but for those of `others`; empty: there are none. If a file of that name
// is `likely` there and says it, the folder is not looked through.
std::expected<std::string, base::FileError> package_name(const base::FileSystem& files, const std::string& folder,
                                                         const std::vector<std::string>& others = {}, std::string_view likely = {});

// What loading the package in a folder of a module takes, before anything is added to it.
cue::LoadRequest request_for(const RenderOptions& options, const std::string& folder, const std::string& root);

}  // namespace opm::render
