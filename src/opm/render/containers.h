// The containers of a component, wherever it has them.
#pragma once

#include <functional>
#include <string>

#include "opm/model/release.h"

namespace opm::render {

// The main container, init containers and sidecars, each with its path below the release.
void visit_containers(const model::Component& component,
                      const std::function<void(const cue::Value& container, const std::string& path)>& visit);

}  // namespace opm::render
