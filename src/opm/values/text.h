// How tiers, paths and values are called in what people read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/tree.h"
#include "opm/values/merge.h"

namespace opm::values {

// The fields that lead to a value, from the top.
using FieldPath = std::vector<std::string>;

std::string_view tier_name(Tier tier);      // "Platform Operator"
std::string tier_label(Tier tier);          // "Platform Operator (Tier 2)"
std::string path_text(const FieldPath& path);  // as CUE: resources.limits."my cpu"

// "overlays/prod.cue:3", as seen from the working folder.
std::string place_text(const diag::SourceMap& sources, diag::Position position);

// A value as CUE on one line: "nginx", [1, 2], {a: 1}.
std::string value_text(const data::Value& value);

}  // namespace opm::values
