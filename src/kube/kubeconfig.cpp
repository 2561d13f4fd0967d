#include "kube/kubeconfig.h"

#include <fmt/core.h>

#include "base/path.h"
#include "data/yaml.h"

namespace opm::kube {
namespace {

Diagnostics error_at(diag::Position position, std::string message) {
  diag::Diagnostic diagnostic;
  diagnostic.code = "kubeconfig";
  diagnostic.message = std::move(message);
  diagnostic.positions = {position};
  return {std::move(diagnostic)};
}

struct Section {
  std::string_view list;   // "clusters"
  std::string_view entry;  // "cluster"
  std::map<std::string, ConfigEntry>& into;
};

std::expected<void, Diagnostics> add_section(const Section& section, const data::Value& list,
                                             const std::string& folder) {
  if (list.is_null()) return {};
  if (!list.is_list())
    return std::unexpected(error_at(list.position, fmt::format("\"{}\" is not a list", section.list)));
  std::map<std::string, ConfigEntry> found;
  for (const data::Value& named : list.as_list()) {
    const data::Value* name = named.find("name");
    if (name == nullptr || !name->is_string() || name->as_string().empty())
      return std::unexpected(
          error_at(named.position, fmt::format("an entry of \"{}\" has no name", section.list)));
    const data::Value* value = named.find(section.entry);
    ConfigEntry entry{{.variant = data::Map{}, .position = named.position}, folder, named.position};
    if (value != nullptr && value->is_map()) entry.value = *value;
    else if (value != nullptr && !value->is_null())
      return std::unexpected(error_at(value->position, fmt::format("\"{}\" of \"{}\" is not a map", section.entry,
                                                                   name->as_string())));
    if (!found.emplace(name->as_string(), std::move(entry)).second)
      return std::unexpected(error_at(
          name->position, fmt::format("\"{}\" has two entries named \"{}\"", section.list, name->as_string())));
  }
  // Names that an earlier file has stay as they are there.
  section.into.merge(found);
  return {};
}

}  // namespace

std::expected<void, Diagnostics> add_kubeconfig(Kubeconfig& config, const diag::Source& source) {
  data::ReadLimits limits;
  limits.max_bytes = std::size_t{16} << 20;
  limits.max_depth = 100;
  limits.max_nodes = 1'000'000;
  auto documents = data::read_yaml(source, limits);
  if (!documents) return std::unexpected(std::move(documents.error()));
  if (documents->empty() || documents->front().is_null()) return {};
  if (documents->size() > 1)
    return std::unexpected(error_at((*documents)[1].position, "a kubeconfig is one document, and this is a second"));
  const data::Value& top = documents->front();
  if (!top.is_map()) return std::unexpected(error_at(top.position, "this is no kubeconfig: it is not a map"));
  if (const data::Value* kind = top.find("kind"); kind != nullptr && !kind->is_null()) {
    if (!kind->is_string() || (kind->as_string() != "Config" && !kind->as_string().empty()))
      return std::unexpected(error_at(kind->position, "this is no kubeconfig: its kind is not \"Config\""));
  }
  std::string folder = base::parent_path(source.path);
  for (const Section& section : {Section{"clusters", "cluster", config.clusters}, Section{"users", "user", config.users},
                                 Section{"contexts", "context", config.contexts}}) {
    const data::Value* list = top.find(section.list);
    if (list == nullptr) continue;
    if (auto added = add_section(section, *list, folder); !added) return added;
  }
  if (const data::Value* current = top.find("current-context"); current != nullptr && !current->is_null()) {
    if (!current->is_string())
      return std::unexpected(error_at(current->position, "\"current-context\" is not a string"));
    if (config.current_context.empty()) {
      config.current_context = current->as_string();
      config.current_position = current->position;
    }
  }
  return {};
}

}  // namespace opm::kube
