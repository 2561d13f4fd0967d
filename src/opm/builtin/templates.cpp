#include "opm/builtin/templates.h"

extern "C" const unsigned char opm_templates[];

namespace opm::builtin {

const base::EmbeddedFiles& template_files() {
  static const base::EmbeddedFiles files(opm_templates);
  return files;
}

std::vector<std::string> module_templates() { return {"minimal", "webapp", "stateful", "full"}; }

}  // namespace opm::builtin
