// In which order resources are applied, and so printed: what others depend on first. Deleting goes the other way.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "opm/render/result.h"

namespace opm::render {

int resource_weight(std::string_view group, std::string_view kind);

// Group (empty: core) and version of "apps/v1" or "v1".
std::pair<std::string_view, std::string_view> split_api_version(std::string_view api_version);

// By weight, API group, kind, namespace and name.
void sort_resources(std::vector<Resource>& resources);

}  // namespace opm::render
