// Which of a module's values are secret: by their own mark, by what #config says of their place, or because they are put
// where only secrets are.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cue/value.h"
#include "diag/source.h"

namespace opm::render {

struct FoundSecret {
  std::string path;   // "values.db.password"
  cue::Value given;   // what the values say; invalid: nothing
  cue::Value wanted;  // with what #config says; invalid: it says nothing
};

struct FoundSecrets {
  std::vector<FoundSecret> values;
  // Where these, and those that components bring along, were written. What does not evaluate is found as well: it is
  // what errors are about.
  std::set<diag::Position> places;
};

FoundSecrets find_secrets(const cue::Value& module);

}  // namespace opm::render
