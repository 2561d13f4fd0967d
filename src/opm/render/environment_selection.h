// Which environments of a release are meant: those that are named, those whose labels match, or all.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "opm/model/environment.h"
#include "opm/render/result.h"

namespace opm::render {

struct EnvironmentSelection {
  std::vector<std::string> selectors;  // "staging", or labels: "tier=prod,region!=eu"
  bool all = false;
};

// Indexes into the release's environments, in order, each once. None at all for a release that has no environments.
std::expected<std::vector<std::size_t>, Problem> select_environments(const model::ReleaseDeclaration& release,
                                                                     const EnvironmentSelection& selection);

}  // namespace opm::render
