// Folders of a file system that is compiled: their packages are taken from its image as they stand, whatever modules say.
// No path is looked up and no file is read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cue/load/load.h"

namespace opm::cue::load {

// `arguments`: "/folder:package" each, an instance each. Nothing: the files are not compiled, one of the packages is not
// among them, or there is no room for their sources.
std::optional<LoadResult> load_compiled(const std::vector<std::string>& arguments, const LoadOptions& options);

}  // namespace opm::cue::load
