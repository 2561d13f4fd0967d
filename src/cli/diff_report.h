// Differences between a module and a cluster, for people, programs, and programs that people chose.
#pragma once

#include <optional>
#include <string>

#include "cli/session.h"
#include "opm/release/release_diff.h"

namespace opm::cli {

std::string diff_text(const release::DiffResult& diff, bool with_color);
data::Value diff_tree(const release::DiffResult& diff);
std::string diff_json(const release::DiffResult& diff);

// Runs the program with a folder of the objects as they are and one of the objects as they would be. Nothing: it said
// all there is to say.
std::optional<ExitCode> external_diff(Session& session, const std::string& program, const release::DiffResult& diff);

}  // namespace opm::cli
