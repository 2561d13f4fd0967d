// Where the fields of a resource come from, as people and programs read it.
#pragma once

#include "cli/output.h"
#include "data/tree.h"
#include "opm/render/explanation.h"

namespace opm::cli {

// One field: its value, and below it every line that it is due to.
void print_origin(Output& out, const render::ResourceOrigins& explanation, const render::FieldOrigin& field, bool with_color);
// Several fields, a line each, with the place where each was written.
void print_origins(Output& out, const render::ResourceOrigins& explanation);
// The manifest, with that place as a comment behind every value.
void print_annotated(Output& out, const render::ResourceOrigins& explanation);

data::Value explanation_data(const render::ResourceOrigins& explanation);

}  // namespace opm::cli
