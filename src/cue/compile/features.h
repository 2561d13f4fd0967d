// Which features of the language a file has: its module's language version brings
// the stable ones, `@experiment(name, ...)` before the package clause the others.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "cue/compile/program.h"
#include "cue/syntax/ast.h"

namespace opm::cue::compile {

struct FeatureError {
  std::string message;
  Position position;
};

std::expected<Features, FeatureError> file_features(const syntax::File& file, std::string_view language_version);
// Those of a file without experiments.
Features version_features(std::string_view language_version);

// True if `version` is at least `wanted` ("v0.15.0"); an empty version is the newest.
bool version_at_least(std::string_view version, std::string_view wanted);

}  // namespace opm::cue::compile
