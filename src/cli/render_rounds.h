// What `--watch` shows of one render after the other: how the manifests differ from the last ones that were whole.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cli/session.h"
#include "opm/render/result.h"

namespace opm::cli {

class RenderRounds {
 public:
  explicit RenderRounds(Session& session) : session_(session) {}

  enum class Change : std::uint8_t { first, none, some };
  // The resources of a render without errors, which has found its secrets: differences show none.
  Change show(std::vector<render::Resource> resources);

 private:
  Session& session_;
  std::optional<std::vector<render::Resource>> last_;
};

}  // namespace opm::cli
