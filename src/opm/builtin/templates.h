// What opm writes for people to start from: real modules below templates/, compiled into the binary as they are.
#pragma once

#include <string>
#include <vector>

#include "base/embedded_files.h"

namespace opm::builtin {

const base::EmbeddedFiles& template_files();

// The configuration of `opm config init`, which is also what holds where there is none.
inline constexpr const char* kConfigTemplate = "/config";
// The modules of `opm mod init`, a folder each.
inline constexpr const char* kModuleTemplates = "/modules";
// Their names, the simplest first.
std::vector<std::string> module_templates();

}  // namespace opm::builtin
