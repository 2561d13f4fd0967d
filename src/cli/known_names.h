// Names for completion: releases, environments, providers, contexts, namespaces, modules. What is wrong with the files that
// they come from is nobody's concern here: then there are none.
#pragma once

#include "cli/completion.h"

namespace opm::cli {

// Reads files; asks the cluster, for namespaces alone, and gives it a second to answer.
std::vector<Candidate> known_names(NameKind kind, const GivenWords& given);

}  // namespace opm::cli
