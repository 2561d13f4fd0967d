// The packages that an import can name without anybody asking a registry.
#pragma once

#include <vector>

#include "lsp/completion.h"

namespace opm::lsp {

// Of the module itself, of the modules that the package uses already, of the catalog, and of CUE.
std::vector<CompletionItem> importable_packages(const Workspace& workspace, const Analysis* analysis);

}  // namespace opm::lsp
