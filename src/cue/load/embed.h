// @embed(file=x.json), @embed(glob="*.yaml", type=text): content of files of the module as
// part of a package, in files that start with @extern(embed).
#pragma once

#include "cue/load/load.h"
#include "cue/load/workspace.h"

namespace opm::cue::load {

// Reads all that the package's files embed into Package::embedded; what can't be is an error
// of the package. Only files inside the package's module are read, whatever links say.
void read_embedded(Package& package, Workspace& workspace);

}  // namespace opm::cue::load
