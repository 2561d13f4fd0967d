// Schemas of other languages that are named as arguments: they are read as CUE files of the package.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "cue/load/load.h"
#include "cue/load/source_files.h"
#include "cue/load/workspace.h"

namespace opm::cue::load {

// A file each; none: it is plain data. `source` of the data file may be set on the way, where it was read.
std::expected<std::vector<SourceFile>, std::vector<diag::Diagnostic>> read_schema_file(
    DataFile& file, const std::string& display, Workspace& workspace);

// Puts what the files declare below `path`, labels as behind -l.
std::vector<diag::Diagnostic> place_schemas(std::vector<syntax::File*> files, const std::vector<std::string>& path,
                                            Workspace& workspace);

}  // namespace opm::cue::load
