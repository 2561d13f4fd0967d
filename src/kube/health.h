// Whether an object does what it is there for, from what it says of itself: one function from
// an object to a verdict with its reason. Nothing is asked of a server here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "data/tree.h"

namespace opm::kube {

enum class HealthStatus : std::uint8_t {
  healthy,
  progressing,  // not yet, and nothing says that it won't
  failed,       // it will not get there by itself
  terminating,  // being deleted
  missing,      // not on the server
};

struct Health {
  HealthStatus status = HealthStatus::healthy;
  std::string reason;   // a word, e.g. "Available", "RolloutInProgress"
  std::string message;  // for people, e.g. "2 of 3 replicas are ready"
};

Health health_of(const data::Value& object);

// "Healthy", "Progressing", ...
std::string_view name_of(HealthStatus status);

}  // namespace opm::kube
