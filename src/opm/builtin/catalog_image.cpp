#include "opm/builtin/catalog_image.h"

#include <algorithm>

#include "cue/module/stored_module_file.h"
#include "opm/builtin/catalog.h"

extern "C" const unsigned char opm_catalog_image[];
extern "C" const unsigned char opm_stored_provider[];
extern "C" const unsigned char opm_stored_modules[];

namespace opm::builtin {

const cue::compile::PackageImage* catalog_image() {
  static const cue::compile::PackageImage image(opm_catalog_image, catalog_files(),
                                                 cue::compile::PackageImage::Placement::moved);
  return &image;
}

const unsigned char* stored_provider() { return opm_stored_provider; }

const cue::module::ModuleFile* stored_module_file(std::string_view path) {
  static const std::vector<cue::module::ModuleFile> files = cue::module::restore_module_files(opm_stored_modules);
  auto found = std::ranges::find(files, path, &cue::module::ModuleFile::path);
  return found == files.end() ? nullptr : &*found;
}

}  // namespace opm::builtin
