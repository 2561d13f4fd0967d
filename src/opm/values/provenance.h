// Who set each value, where, and whether somebody else may change it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "opm/values/merge.h"
#include "opm/values/text.h"

namespace opm::values {

enum class Status : std::uint8_t {
  locked,            // by the platform
  platform_default,  // that the user may override, and did not
  overridden,        // by the user: a default of the platform or the author
  author_default,    // that nobody overrode
  added,             // by the user, where there was nothing
};

struct Leaf {
  FieldPath path;
  const Tree* tree = nullptr;  // of the tree that was asked; an empty struct counts as a leaf
  Status status = Status::author_default;
  const Tree* replaced = nullptr;  // what the user overrode
};

// In the order of the values.
std::vector<Leaf> leaves_of(const Tree& effective);

std::string_view status_name(Status status);  // for programs: "locked"
std::string status_text(const Leaf& leaf);    // for people: "LOCKED (concrete value)"

// With the marker, if it has one: *"nginx:1.25.0"
std::string marked_text(const Tree& tree);

}  // namespace opm::values
