// Which definitions evaluation can come to by name: those that are mentioned in what it evaluates. What is not mentioned
// anywhere need not be there.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cue/value.h"

namespace opm::cue {

// The names ("#name") of all definitions that are declared or selected within these fields, and within all that they refer to;
// sorted. As far as texts go: it is not asked whose definitions they are, so there may be more than evaluation comes to, and
// never fewer. Those at the top of a package do not count, which nothing else can be asked for.
std::vector<std::string> mentioned_definitions(const Program& program, std::span<const PackageField> fields);

}  // namespace opm::cue
