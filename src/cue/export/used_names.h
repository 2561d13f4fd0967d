// The names that an expression uses anywhere within it, so that new ones can differ from all of them.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "cue/compile/program.h"
#include "cue/export/source_text.h"

namespace opm::cue::exporting {

using NameSet = std::set<std::string, std::less<>>;

// Hidden names belong to a package and `let` names to a struct: neither gets in the way of others.
void collect_names(const compile::Expression* expression, const base::NameTable& names, const SourceText& text, NameSet& found);

}  // namespace opm::cue::exporting
