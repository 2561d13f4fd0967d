// Whether a rendered object is what the Kubernetes API takes, as far as the catalog's types know: #Kind of the package
// <first word of the group>/<version>. Kinds that they do not know are not checked.
#pragma once

#include <vector>

#include "opm/render/config_loader.h"

namespace opm::render {

cue::Diagnostics schema_violations(const std::vector<SchemaPackage>& schemas, cue::Context& context, const Resource& resource);

}  // namespace opm::render
