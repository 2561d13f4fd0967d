// Where values come from, as people and programs read it.
#pragma once

#include <string>
#include <vector>

#include "cli/output.h"
#include "data/tree.h"
#include "diag/source.h"
#include "opm/values/provenance.h"

namespace opm::cli {

// "replicas: 3", and below it source, file and status, for each.
void print_provenance(Output& out, const diag::SourceMap& sources, const std::string& module,
                      const std::vector<values::Leaf>& leaves);

// The values, indented, each with the tier it comes from.
void print_value_tree(Output& out, const values::Tree& tree, bool with_color);

// Each value with all that stood there before it, tier by tier.
void print_history(Output& out, const diag::SourceMap& sources, const std::vector<values::Leaf>& leaves);

// {"module": …, "values": [{"path", "value", "tier", "source", "file", "line", "column", "status", "history"}]}
data::Value provenance_data(const diag::SourceMap& sources, const std::string& module, const std::vector<values::Leaf>& leaves);

// Of one value: {"value", "default", "tier", "source", "file", "line", "column"}.
data::Value origin_data(const diag::SourceMap& sources, const values::Tree& tree);

}  // namespace opm::cli
