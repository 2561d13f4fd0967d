// Secrets among values: kept out of messages, and told of where the catalog's discovery does not
// reach them. It looks at fields of the first three levels; one that is deeper,
// or in a list, would end up in clear in a manifest.
#pragma once

#include <vector>

#include "cue/value.h"
#include "data/tree.h"
#include "opm/render/result.h"

namespace opm::render {

// Takes the texts of all secrets among the values out of messages.
void hide_secrets(const cue::Value& values, std::vector<Problem>& problems);
void hide_secrets(const cue::Value& values, std::vector<DumpedFile>& dump);

std::vector<Problem> unreachable_secrets(const data::Value& values);

}  // namespace opm::render
