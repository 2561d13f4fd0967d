// Takes secrets out of what a server says. It is the one place where they have to be looked for in a text: a server that
// refuses an object quotes from it.
#pragma once

#include <string>
#include <vector>

#include "data/tree.h"
#include "opm/release/problem.h"
#include "opm/render/result.h"

namespace opm::release {

class SecretTexts {
 public:
  // Those of Secrets, and the parts of other objects that were found to depend on one.
  explicit SecretTexts(const std::vector<render::Resource>& resources);

  std::string without(std::string message) const;
  void hide(std::vector<Problem>& problems) const;
  void hide(std::vector<std::string>& messages) const;
  // In every text of an object: one that is in the cluster may hold a secret where what was rendered holds none.
  void hide(data::Value& object) const;

 private:
  void add(const std::string& text);

  std::vector<std::string> texts_;  // the longest first: one may be part of another
};

}  // namespace opm::release
