// How a release is doing, for people and programs.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "opm/release/status.h"

namespace opm::cli {

// `form`: "table", "wide", "json" or "yaml".
std::string format_status(const release::ReleaseStatus& status, std::string_view form, const base::Clock& clock);

// What of it a person would call a change: everything but ages.
std::string summary_of(const release::ReleaseStatus& status);

}  // namespace opm::cli
