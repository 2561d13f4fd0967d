#include "base/environment.h"

#include <cstdlib>

namespace opm::base {
namespace {

class RealEnvironment final : public Environment {
 public:
  std::optional<std::string> get(const std::string& name) const override {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr) return std::nullopt;
    return value;
  }
};

}  // namespace

const Environment& real_environment() {
  static const RealEnvironment environment;
  return environment;
}

std::optional<std::string> MemoryEnvironment::get(const std::string& name) const {
  auto found = variables_.find(name);
  if (found == variables_.end()) return std::nullopt;
  return found->second;
}

}  // namespace opm::base
