// Whether values are what the module's #config allows, asked after each tier, so that an error can say whose value is
// wrong.
#pragma once

#include <string>
#include <string_view>

#include "cue/value.h"
#include "opm/values/tiers.h"

namespace opm::values {

struct SchemaSettings {
  bool complete = true;  // fields that the schema requires have to be there in the end
};

// Whose value is wrong, before what is wrong with it.
std::string schema_message(Tier tier, std::string_view what);

cue::Diagnostics schema_errors(const cue::Value& config, const Tiers& tiers, const SchemaSettings& settings = {});

}  // namespace opm::values
