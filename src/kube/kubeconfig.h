// Kubeconfig files as kubectl reads them: several merged into one, the first that says
// something winning, paths relative to the file that they stand in.
#pragma once

#include <expected>
#include <map>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "data/tree.h"
#include "diag/diagnostic.h"
#include "diag/source.h"

namespace opm::kube {

using Diagnostics = std::vector<diag::Diagnostic>;

// An entry of clusters, users or contexts, and where it comes from.
struct ConfigEntry {
  data::Value value;   // a map
  std::string folder;  // of its file
  diag::Position position;
};

struct Kubeconfig {
  std::map<std::string, ConfigEntry> clusters, users, contexts;
  std::string current_context;
  diag::Position current_position;
};

// Adds what a file has and `config` has not.
std::expected<void, Diagnostics> add_kubeconfig(Kubeconfig& config, const diag::Source& source);

}  // namespace opm::kube
