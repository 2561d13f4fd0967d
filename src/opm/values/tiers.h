// The three tiers put together: each overrides the ones before it, but nobody overrides what the platform has set as
// concrete.
#pragma once

#include <vector>

#include "opm/values/merge.h"
#include "opm/values/text.h"

namespace opm::values {

struct LockViolation {
  FieldPath path;
  data::Value locked;
  data::Value provided;
  diag::Position locked_position;
  diag::Position provided_position;
};

struct Tiers {
  Tree author;     // after Tier 1,
  Tree platform;   // after Tier 2,
  Tree effective;  // after Tier 3; a locked value stays what the platform made it
  std::vector<LockViolation> violations;  // all of them, in the order of the user's fields
};

// Later ones of a tier win.
Tiers resolve(Tree author, std::vector<Tree> platform, std::vector<Tree> user);

// Whether a leaf, after the merge of Tier 2, may not be overridden.
bool is_locked(const Tree& leaf);

// "Error: Cannot override locked value", in full. `file` is where the lock is, with its line.
std::string lock_text(const LockViolation& violation, const std::string& locked_in);

}  // namespace opm::values
