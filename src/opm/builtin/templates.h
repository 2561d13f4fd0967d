// What opm writes for people to start from: real modules below templates/, compiled into the binary as they are.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/embedded_files.h"

namespace opm::builtin {

const base::EmbeddedFiles& template_files();

// The configuration of `opm config init`, which is also what holds where there is none.
inline constexpr const char* kConfigTemplate = "/config";

}  // namespace opm::builtin
