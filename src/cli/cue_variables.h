// What @tag(x,var=now) and the like stand for on this machine.
#pragma once

#include <map>
#include <string>

#include "cue/load/load.h"

namespace opm::cli {

std::map<std::string, cue::load::TagVariable> system_variables(const std::string& working_directory);

}  // namespace opm::cli
