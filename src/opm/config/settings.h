// The settings that a configuration file may have, taken from plain data and checked.
#pragma once

#include <string>

#include "data/tree.h"
#include "diag/source.h"
#include "opm/config/configuration.h"

namespace opm::config {

// Takes what `data` (the field `config` without its providers) says into `into`; the rest stays. What is wrong with
// it: unknown fields, wrong types. `folder` is what the paths of its sources are relative to.
cue::Diagnostics take_settings(const data::Value& data, const diag::SourceMap& sources, const std::string& folder,
                               Configuration& into);

// Where something stands, as an origin.
Origin origin_of(diag::Position position, const diag::SourceMap& sources, const std::string& folder);

}  // namespace opm::config
