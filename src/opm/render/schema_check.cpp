#include "opm/render/schema_check.h"

#include <fmt/core.h>

#include <algorithm>

#include "opm/render/resource_order.h"

namespace opm::render {

cue::Diagnostics schema_violations(const std::vector<SchemaPackage>& schemas, cue::Context& context,
                                   const Resource& resource) {
  auto [group, version] = split_api_version(resource.api_version);
  std::string_view word = group.substr(0, group.find('.'));
  if (word.empty()) word = "core";
  auto schema = std::ranges::find_if(
      schemas, [&](const SchemaPackage& candidate) { return candidate.group == word && candidate.version == version; });
  if (schema == schemas.end()) return {};
  cue::Value type = context.package_field(schema->package, "#" + resource.kind);
  if (!type.exists() || context.is_instance(resource.object, type)) return {};
  cue::Diagnostics violations = context.from_data(resource.object).unify(type).validate({.concrete = true});
  for (diag::Diagnostic& violation : violations) {
    violation.code = "kubernetes-schema";
    violation.message = fmt::format("{} \"{}\" is not what Kubernetes takes: {}", resource.kind, resource.name, violation.message);
  }
  return violations;
}

}  // namespace opm::render
