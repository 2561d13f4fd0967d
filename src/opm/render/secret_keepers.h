// Secrets that containers refer to although no object keeps them: written into a component, they are not among the values,
// where discovery looks.
#pragma once

#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "opm/model/release.h"
#include "opm/render/result.h"

namespace opm::render {

using SecretKey = std::pair<std::string, std::string>;  // the object and the key in it

// What one component keeps, and what its containers refer to.
struct SecretUses {
  struct Reference {
    SecretKey key;
    std::string path;
    std::vector<diag::Position> positions;
  };
  std::string component;
  std::set<SecretKey> kept;
  std::vector<Reference> references;  // but those to objects of the cluster
  bool has_secrets = false;           // containers refer to some, wherever those are kept
};

SecretUses secret_uses(const model::Component& component);
// `uses`: of all components.
std::vector<Problem> unkept_secrets(std::span<const SecretUses> uses);

}  // namespace opm::render
