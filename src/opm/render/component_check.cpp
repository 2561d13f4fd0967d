#include "opm/render/component_check.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "cue/known_value.h"

namespace opm::render {

namespace {

// What the catalog gives every component, sorted. Whether another may be there, and what is wrong with it, is not known before
// all is evaluated.
constexpr std::array<std::string_view, 10> kOfComponents = {"#blueprints", "#immutableNames", "#references", "#resources", "#traits",
                                                            "_allFields",  "apiVersion",      "kind",        "metadata",   "spec"};

}  // namespace

bool looks_sound(const cue::Value& component) {
  auto names = cue::settled_names(component);
  auto is_known = [](const std::string& name) { return std::ranges::binary_search(kOfComponents, std::string_view(name)); };
  return names && std::ranges::all_of(*names, is_known) && component.validate({.concrete = true, .only_regular = true}).empty();
}

}  // namespace opm::render
