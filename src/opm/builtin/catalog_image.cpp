#include "opm/builtin/catalog_image.h"

#include "opm/builtin/catalog.h"

extern "C" const unsigned char opm_catalog_image[];
extern "C" const unsigned char opm_stored_provider[];

namespace opm::builtin {

const cue::compile::PackageImage* catalog_image() {
  static const cue::compile::PackageImage image(opm_catalog_image, catalog_files());
  return &image;
}

const unsigned char* stored_provider() { return opm_stored_provider; }

}  // namespace opm::builtin
