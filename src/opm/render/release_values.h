// What a release and one of its environments say of values, put together. What the environment gives takes the place of what
// the release gives. What either only constrains, or gives a choice of, has to hold for what the other gives.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cue/value.h"
#include "data/tree.h"
#include "opm/model/environment.h"

namespace opm::render {

// What the catalog says of a release, rather than whoever wrote it.
bool is_release_definition(std::string_view file);

// What the release itself says of its values.
cue::Value written_values(const model::ReleaseDeclaration& release);

// What is said of values, by their paths.
using Constraints = std::vector<std::pair<cue::Path, cue::Value>>;

struct EffectiveValues {
  data::Value data;
  Constraints unsettled;    // what nothing that is given makes concrete
  cue::Diagnostics broken;  // what is given does not keep to
};

// Of something else, what takes the place of what is only constrained.
enum class Taking : std::uint8_t {
  choices,      // also of what has a default: it may be something else
  constraints,  // what has a default is given
};

class ReleaseValues {
 public:
  explicit ReleaseValues(const model::ReleaseDeclaration& release);

  // What the two say, in the order in which they override each other. `environment`: null for a release without.
  std::vector<data::Value> own(const model::Environment* environment);
  // What the two come to. `overriding`: what takes the place of everything that the two give.
  EffectiveValues effective(const model::Environment* environment, const std::optional<data::Value>& overriding);

 private:
  // Of those that override each other, one.
  struct Layer {
    cue::Value value;  // with what it leaves open filled by the others
    data::Value data;  // what it gives; a map
    cue::Diagnostics broken;

    void take(const data::Value& offered, Taking taking);
  };
  std::vector<Layer> layers(const model::Environment* environment, const std::optional<data::Value>& overriding);
  bool leaves_open(const data::Value& given);

  cue::Value written_;
  data::Value own_;
  bool is_open_ = false;            // some of its values are constraints or choices
  std::set<std::string> unbounded_;  // paths that the release says nothing of, not even by a pattern
};

}  // namespace opm::render
