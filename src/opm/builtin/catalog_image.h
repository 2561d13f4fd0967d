// The packages of the catalog as they were compiled, and its provider as it was read, when opm was built.
#pragma once

#include "cue/compile/package_image.h"

namespace opm::builtin {

// nullptr: while opm is built.
const cue::compile::PackageImage* catalog_image();

// What the provider of the catalog was read as then (opm/model/stored_provider.h).
const unsigned char* stored_provider();

}  // namespace opm::builtin
