// The packages of the catalog as they were compiled when opm was built.
#pragma once

#include "cue/compile/package_image.h"

namespace opm::builtin {

// nullptr: while opm is built.
const cue::compile::PackageImage* catalog_image();

}  // namespace opm::builtin
