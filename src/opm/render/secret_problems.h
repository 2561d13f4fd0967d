// What is wrong with secrets, in words of their own: what CUE says of a value that is one of two things fills a page, and
// tells little.
#pragma once

#include <span>
#include <vector>

#include "opm/render/result.h"
#include "opm/render/secret_finder.h"

namespace opm::render {

// Puts one problem in the place of all that are about a secret and come from it being fulfilled wrongly, or differently from
// another that is kept under the same name and key. Paths are those that people see.
void explain_secrets(std::span<const ValuesScope> scopes, std::vector<Problem>& problems);

}  // namespace opm::render
