#include "opm/release/entry.h"

#include "base/digest.h"
#include "data/build.h"
#include "data/json.h"
#include "opm/render/resource_order.h"

namespace opm::release {

ObjectId object_id(const render::Resource& resource) {
  return {std::string(render::split_api_version(resource.api_version).first), resource.kind, resource.namespace_name,
          resource.name};
}

Entry make_entry(const render::Resource& resource) {
  return {
      object_id(resource), resource.component, std::string(render::split_api_version(resource.api_version).second), {}};
}

std::string api_version(const Entry& entry) {
  return entry.object.group.empty() ? entry.version : entry.object.group + "/" + entry.version;
}

std::string display_name(const ObjectId& object) {
  std::string name = object.kind + " ";
  if (!object.namespace_name.empty()) name += object.namespace_name + "/";
  return name + object.name;
}

int weight(const ObjectId& object) { return render::resource_weight(object.group, object.kind); }

bool is_dangerous(const ObjectId& object) {
  return (object.group.empty() && object.kind == "Namespace") ||
         (object.group == "apiextensions.k8s.io" && object.kind == "CustomResourceDefinition");
}

std::string applied_fields(const data::Value& object, std::string_view manager) {
  const data::Value* managed = object.find_path({"metadata", "managedFields"});
  if (managed == nullptr || !managed->is_list()) return {};
  for (const data::Value& part : managed->as_list()) {
    if (data::text_at(part, {"manager"}) != manager || data::text_at(part, {"operation"}) != "Apply") continue;
    const data::Value* fields = part.find("fieldsV1");
    if (fields == nullptr) return {};
    return base::sha256_hex(data::write_json(*fields, {.sort_keys = true})).substr(0, 10);
  }
  return {};
}

}  // namespace opm::release
