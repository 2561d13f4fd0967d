// The whole of a configuration checked: that it evaluates, and that its providers are what providers have to be.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "opm/config/configuration.h"

namespace opm::config {

struct ProviderSummary {
  std::string name;
  std::string version;
  std::size_t transformers = 0;
};

// Providers are checked for their shape: metadata, and transformers with something to do. What transformers make is only
// known once they meet a component.
std::expected<std::vector<ProviderSummary>, Failure> check(const Configuration& configuration,
                                                           cue::module::ModuleResolver& resolver);

}  // namespace opm::config
