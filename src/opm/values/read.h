// Values out of files: each of a file's values with where it stands and whether it carries a default marker. CUE is
// evaluated, YAML and JSON are taken as they are; what comes out is the same kind of tree.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "cue/value.h"
#include "opm/values/merge.h"

namespace opm::values {

inline constexpr std::string_view kValuesField = "values";

struct ValuesFile {
  std::string path;   // absolute
  std::string shown;  // as messages name it
  Tier tier = Tier::platform;

  bool is_cue() const { return path.ends_with(".cue"); }
};

// .cue, .yaml, .yml, .json
bool is_values_file(std::string_view path);

// What has to be loaded for the files that are CUE: a request, and so an instance, for each. `like` says how the module
// is loaded; a file that is in no module of its own imports what the module can.
std::vector<cue::LoadRequest> values_requests(std::span<const ValuesFile> files, const cue::load::LoadOptions& like);

struct Reading {
  std::optional<Tree> tree;  // there unless there are errors
  cue::Diagnostics errors;
};

// What to say of a CUE file that has no field `values`.
diag::Diagnostic no_values_field(const std::string& shown);

// The value of a field `values`. Values are concrete, or have a default where their tier may give one.
Reading read_values(const cue::Value& values, Tier tier);

// A file of values. `instance`: of a CUE file, what it was loaded as.
Reading read_values_file(cue::Context& context, const ValuesFile& file, std::optional<std::size_t> instance,
                         const base::FileSystem& files);

}  // namespace opm::values
