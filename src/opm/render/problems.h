// Making problems of diagnostics, and putting them in the order and words that people read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "opm/render/result.h"

namespace opm::render {

Problem make_problem(ProblemKind kind, std::string code, std::string message, std::string advice = {});

void append_problems(std::vector<Problem>& problems, const cue::Diagnostics& diagnostics,
                     ProblemKind kind = ProblemKind::invalid);

// Files of the user are named by where they are; those of the catalog by the module they belong to.
bool is_users_file(std::string_view file);

// The user's own files first, the catalog's second; what only the virtual files say is left out.
void order_positions(const diag::SourceMap& sources, diag::Diagnostic& diagnostic);

// Where none of a value's alternatives fits, the nearest is told; what is wrong with the others says little.
void drop_alternatives(std::vector<Problem>& problems);

// Who and where before what: `component "web", DeploymentTransformer: output.spec: …`. `whole`: what all of it is about, or
// empty.
diag::Diagnostic with_subject(const Problem& problem, const std::string& whole);

// In the order of first positions, then components; what is said twice is said once.
void sort_and_unite(const diag::SourceMap& sources, std::vector<Problem>& problems);

}  // namespace opm::render
