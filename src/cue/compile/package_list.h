// The packages of a program, by number: first the standard ones, then those of an image, if it uses one, then its own. So numbers
// that stand in an image mean the same in each program. Any thread may ask.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "cue/compile/program.h"

namespace opm::cue::compile {

class Environment;
class PackageImage;

class PackageList {
 public:
  // Adds the packages of an image, whose first one has the next number. `functions` says what its functions are here and lives
  // as long.
  void stand_on(const PackageImage& image, const Environment& functions);
  // Gives it the next number.
  void add(const Package* package) { packages_.push_back(package); }
  // The one with that number is known only now.
  void replace(std::uint32_t number, const Package* package) { packages_[number] = package; }

  std::size_t size() const { return packages_.size(); }
  const Package* package(std::size_t number) const { return packages_[number]; }
  // The environment's function.
  const BuiltinSignature* builtin(const BuiltinExpression& expression) const {
    if (expression.of_image == 0) return expression.builtin;
    const BuiltinSignature* known = builtins_[expression.of_image - 1].load(std::memory_order_acquire);
    return known != nullptr ? known : find_builtin(expression);
  }

 private:
  const BuiltinSignature* find_builtin(const BuiltinExpression& expression) const;

  std::vector<const Package*> packages_;
  const Environment* functions_ = nullptr;
  std::unique_ptr<std::atomic<const BuiltinSignature*>[]> builtins_;  // of the image; null until somebody asks for it
};

}  // namespace opm::cue::compile
