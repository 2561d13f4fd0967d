// What is wrong with the files of a package, from the engine that the commands use: a module as `opm mod vet` says it,
// releases in all their environments as `opm build` does, platforms as `opm platform list`, anything else as `opm cue vet`.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "diag/diagnostic.h"
#include "lsp/catalog_copy.h"
#include "lsp/source_places.h"
#include "lsp/workspace.h"

namespace opm::lsp {

struct Finding {
  struct Related {
    Place place;
    std::string message;
    auto operator<=>(const Related&) const = default;
  };
  diag::Severity severity = diag::Severity::error;
  TextRange range;
  std::string code;
  std::string message;
  std::vector<Related> related;
  auto operator<=>(const Finding&) const = default;
};

using Findings = std::map<std::string, std::vector<Finding>>;  // by file

Findings check(const Workspace& workspace, const PackageKey& package, CatalogCopy& catalog, Encoding encoding);

}  // namespace opm::lsp
