#include "cli/render_diff.h"

#include <compare>
#include <map>
#include <string>

#include "opm/release/object_diff.h"

namespace opm::cli {

namespace {

struct ObjectName {
  std::string group, kind, name;
  auto operator<=>(const ObjectName&) const = default;
};

ObjectName name_of(const render::Resource& resource) {
  release::ObjectId id = release::object_id(resource);
  return {id.group, id.kind, id.name};
}

using Index = std::map<ObjectName, const render::Resource*>;

Index index_of(const std::vector<render::Resource>& resources) {
  Index index;
  for (const render::Resource& resource : resources) index.try_emplace(name_of(resource), &resource);
  return index;
}

}  // namespace

release::DiffResult diff_renders(const std::vector<render::Resource>& before, const std::vector<render::Resource>& after) {
  release::DiffResult result;
  Index old_ones = index_of(before), new_ones = index_of(after);
  for (const render::Resource& resource : after) {
    auto old = old_ones.find(name_of(resource));
    release::ObjectDifference difference;
    difference.entry = release::make_entry(resource);
    difference.after = release::comparable(resource.object, resource);
    if (old == old_ones.end()) {
      difference.kind = release::DifferenceKind::added;
    } else {
      difference.before = release::comparable(old->second->object, *old->second);
      difference.changes = release::diff_objects(difference.before, difference.after);
      if (!difference.changes.empty()) difference.kind = release::DifferenceKind::changed;
    }
    result.objects.push_back(std::move(difference));
  }
  for (const render::Resource& resource : before) {
    if (new_ones.contains(name_of(resource))) continue;
    release::ObjectDifference difference;
    difference.entry = release::make_entry(resource);
    difference.kind = release::DifferenceKind::orphaned;
    difference.before = release::comparable(resource.object, resource);
    result.objects.push_back(std::move(difference));
  }
  return result;
}

}  // namespace opm::cli
