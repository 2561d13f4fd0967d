// What clusters said when they were last asked: a CUE file beside those of the platforms, and so a part of their package. It
// is written by one command, read by everybody, and meant to be looked at and committed.
#pragma once

#include <expected>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "data/tree.h"
#include "opm/model/environment.h"
#include "opm/render/options.h"
#include "opm/render/result.h"

namespace opm::render {

inline constexpr std::string_view kSnapshotFile = "queried.cue";

// Of one platform; both are maps.
struct PlatformAnswers {
  data::Value context;  // what was found, in the places where it belongs
  data::Value queried;  // for each field that was asked for the queries, as text
};
using Snapshot = std::map<std::string, PlatformAnswers>;  // by platform

// The file, in the package of the other files of the folder.
std::string snapshot_text(const RenderOptions& options, const std::string& folder, const Snapshot& snapshot);

// What the folder of platforms has. None is fine; one that cannot be read is not.
std::expected<Snapshot, Problem> read_snapshot(const RenderOptions& options, const std::string& folder);

// What is wrong with how a platform's queries are written.
std::vector<Problem> query_mistakes(const model::Platform& platform);
// That, and fields of its context that the cluster has to be asked for.
std::vector<Problem> query_problems(const model::Platform& platform);

}  // namespace opm::render
