#include "cue/compile/package_list.h"

#include <cassert>

#include "cue/compile/compile.h"
#include "cue/compile/package_image.h"

namespace opm::cue::compile {

void PackageList::stand_on(const PackageImage& image, const Environment& functions) {
  assert(image.first_package() == packages_.size());
  packages_.insert(packages_.end(), image.packages().begin(), image.packages().end());
  builtins_ = std::make_unique<std::atomic<const BuiltinSignature*>[]>(image.builtin_count());
  functions_ = &functions;
}

const BuiltinSignature* PackageList::find_builtin(const BuiltinExpression& expression) const {
  const BuiltinSignature* found = functions_->builtin(expression.builtin->package, expression.builtin->name);
  builtins_[expression.of_image - 1].store(found, std::memory_order_release);
  return found;
}

}  // namespace opm::cue::compile
