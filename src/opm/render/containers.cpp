#include "opm/render/containers.h"

#include <fmt/core.h>

#include <vector>

#include "cue/syntax/literal.h"

namespace opm::render {

void visit_containers(const model::Component& component,
                      const std::function<void(const cue::Value& container, const std::string& path)>& visit) {
  cue::Value spec = component.value.field("spec");
  if (!spec.valid()) return;
  std::string path = "components." + cue::syntax::quote_label(component.key) + ".spec.";
  if (cue::Value main = spec.field("container"); main.valid()) visit(main, path + "container");
  for (std::string_view list : {"initContainers", "sidecarContainers"}) {
    cue::Value containers = spec.field(list);
    if (!containers.valid()) continue;
    std::vector<cue::Value> elements = containers.elements();
    for (std::size_t i = 0; i < elements.size(); ++i) visit(elements[i], fmt::format("{}{}[{}]", path, list, i));
  }
}

}  // namespace opm::render
