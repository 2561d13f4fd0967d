// The packages of the catalog as they were compiled, and its provider and module files as they were read, when opm was built.
#pragma once

#include <string_view>

#include "cue/compile/package_image.h"
#include "cue/module/module_file.h"

namespace opm::builtin {

// nullptr: while opm is built.
const cue::compile::PackageImage* catalog_image();

// What the provider of the catalog was read as then (opm/model/stored_provider.h).
const unsigned char* stored_provider();

// What the cue.mod/module.cue of a module of the catalog says. nullptr: while opm is built.
const cue::module::ModuleFile* stored_module_file(std::string_view path);

}  // namespace opm::builtin
