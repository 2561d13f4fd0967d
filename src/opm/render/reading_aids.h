// What CUE says of a release, in words that help: one complaint for one mistake, told where it was made, with what to do about it.
#pragma once

#include <vector>

#include "cue/value.h"
#include "opm/render/options.h"
#include "opm/render/result.h"

namespace opm::render {

// A value that is none of those that it may be: what it may be in place of what is wrong with each. Before the alternatives are
// dropped, of which this is made.
void tell_choices(std::vector<Problem>& problems);

// `release`: what the problems are about; their paths are below it.
void add_reading_aids(const cue::Value& release, std::vector<Problem>& problems);

// The part of that which is about what values are, for problems that were found before there is a release.
void advise_on_values(const cue::Value& release, std::vector<Problem>& problems);

// Files given with --values cannot change what values.cue says, which is what whoever tries it wants.
void advise_to_override(const RenderOptions& options, const diag::SourceMap& sources, std::vector<Problem>& problems);

}  // namespace opm::render
