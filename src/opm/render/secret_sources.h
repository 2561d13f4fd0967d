// Where the secrets of a release stand in its sources, and the sources with something else in their place. A release that is
// evaluated with those says what it says without any secret being there to be told: messages come from such a run, and
// what differs between the two runs is what depends on a secret.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cue/value.h"
#include "data/tree.h"
#include "diag/source.h"

namespace opm::render {

// What stands for a secret in the run without secrets, and how that is shown.
struct StandIn {
  std::string text;
  std::string shown;  // "<redacted sha256:…>"
};

// What the loader calls a file that came from standard input.
inline const std::string kStandardInput = "-";

struct MaskedSources {
  std::map<std::string, std::string> files;  // of CUE, by absolute path; positions are those of the real ones
  std::map<std::pair<std::string, std::uint32_t>, std::string> data;  // what stands in data files, by file and offset
  std::vector<StandIn> stand_ins;

  // Puts stand-ins into a document that was read from a data file.
  void revise(const diag::SourceMap& sources, data::Value& document) const;
  // A text of the run without secrets, as it is shown.
  std::string shown(std::string text) const;
};

// Nothing when there are no secrets. `places`: where they stand; `requests`: of the program, whose own packages may have
// them; `documents`: what was read from files that are none of the program's.
std::optional<MaskedSources> mask_secrets(const cue::Program& program, std::span<const std::size_t> requests,
                                          std::set<diag::Position> places, std::span<const data::Value> documents = {});

// Loads with stand-ins in the place of secrets.
void load_masked(const MaskedSources& masked, cue::load::LoadOptions& options);

}  // namespace opm::render
