// The seam to the variables of the environment: read only through this interface, so that a test says what they are.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace opm::base {

class Environment {
 public:
  virtual ~Environment() = default;
  // Nothing: not set.
  virtual std::optional<std::string> get(const std::string& name) const = 0;
};

// That of this process.
const Environment& real_environment();

class MemoryEnvironment : public Environment {
 public:
  MemoryEnvironment() = default;
  explicit MemoryEnvironment(std::map<std::string, std::string> variables) : variables_(std::move(variables)) {}

  std::optional<std::string> get(const std::string& name) const override;

 private:
  std::map<std::string, std::string> variables_;
};

}  // namespace opm::base
