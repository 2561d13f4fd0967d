// Which values are secret: by their own mark, by what #config says of their place, or because they are put where only
// secrets are.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "cue/value.h"
#include "diag/source.h"

namespace opm::render {

// Values, and what is asked of them.
struct ValuesScope {
  std::string path;   // what people call them: "values"
  cue::Value given;   // as somebody wrote them
  cue::Value whole;   // with what #config says
  cue::Value schema;  // what #config says alone: where the two don't fit, nothing is left of it in the whole
  bool is_partial = false;  // others may say what is missing
};

// Of a module with its release file.
ValuesScope values_of_module(const cue::Value& module);

struct FoundSecret {
  std::string path;   // "values.db.password"
  cue::Value given;   // what the values say; invalid: nothing
  cue::Value wanted;  // with what #config says; invalid: it says nothing
  bool is_partial = false;  // as in the scope
};

struct FoundSecrets {
  std::vector<FoundSecret> values;
  // Where these, and those that components have, were written. What does not evaluate is found as well: it is
  // what errors are about.
  std::set<diag::Position> places;
};

// `components`: each of them, in whatever context it was evaluated.
FoundSecrets find_secrets(std::span<const ValuesScope> scopes, std::span<const cue::Value> components = {});

// The places of a single component, in whatever context it was evaluated.
std::set<diag::Position> secret_places(const cue::Value& component);

// The fields of a struct, which may not exist.
std::vector<cue::Value> members_of(const cue::Value& structure);

}  // namespace opm::render
