#include "kube/operation.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/digest.h"
#include "data/base64.h"
#include "data/json.h"
#include "http/url.h"

namespace opm::kube {
namespace {

// Servers that cannot do that give all of it.
constexpr std::string_view kMetadataOnly = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
constexpr std::string_view kMetadataOnlyList = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

// `get deployments.apps "shop/web"`
std::string described(std::string_view verb, const Resource& resource, std::string_view name_space,
                      std::string_view name) {
  std::string what = fmt::format("{} {}", verb, resource.name());
  bool in_namespace = resource.namespaced && !name_space.empty();
  if (name.empty()) return in_namespace ? fmt::format("{} in namespace \"{}\"", what, name_space) : what;
  return in_namespace ? fmt::format("{} \"{}/{}\"", what, name_space, name) : fmt::format("{} \"{}\"", what, name);
}

void add_write_options(Operation& operation, const WriteOptions& options) {
  if (!options.field_manager.empty()) operation.query.emplace_back("fieldManager", options.field_manager);
  if (!options.field_validation.empty()) operation.query.emplace_back("fieldValidation", options.field_validation);
  if (options.dry_run) operation.query.emplace_back("dryRun", "All");
}

// As one element of a path, and nothing that walks along it.
std::string element(std::string_view name) {
  if (name == ".") return "%2E";
  if (name == "..") return "%2E%2E";
  return http::encode_query(name);
}

data::Value text(std::string value) { return {.variant = std::move(value), .position = {}}; }

// What a Secret holds, encoded and not, and the lines of it, as messages escape line breaks.
void remember_secrets(Operation& operation, const data::Value& object) {
  if (kind_of(object) != "Secret") return;
  auto shown = [](std::string_view secret) {
    return fmt::format("<redacted sha256:{}>", base::sha256_hex(secret).substr(0, 8));
  };
  auto add = [&](const std::string& value) {
    if (value.empty()) return;
    operation.secrets.emplace_back(value, shown(value));
    constexpr std::size_t kTelling = 8;  // shorter lines give nothing away, and would be found everywhere
    if (value.find('\n') == std::string::npos) return;
    for (std::size_t start = 0; start < value.size();) {
      std::size_t end = std::min(value.find('\n', start), value.size());
      std::string line = value.substr(start, end - start);
      if (line.size() >= kTelling) operation.secrets.emplace_back(line, shown(line));
      start = end + 1;
    }
  };
  // What stands where a string should is shown by servers too.
  auto add_all = [&](const auto& self, const data::Value& value, unsigned depth) -> void {
    constexpr unsigned kDeepest = 100;
    if (depth > kDeepest) return;
    if (value.is_string()) add(value.as_string());
    if (value.is_number()) add(value.as_number().text);
    if (value.is_list())
      for (const data::Value& element : value.as_list()) self(self, element, depth + 1);
    if (value.is_map())
      for (const data::Member& member : value.as_map()) self(self, member.value, depth + 1);
  };
  for (std::string_view field : {"data", "stringData"}) {
    const data::Value* map = object.find(field);
    if (map == nullptr || !map->is_map()) continue;
    for (const data::Member& member : map->as_map()) {
      auto plain = field == "data" && member.value.is_string() ? data::decode_base64(member.value.as_string()) : std::nullopt;
      if (plain && !plain->empty()) {
        add(*plain);
        operation.secrets.emplace_back(member.value.as_string(), shown(*plain));
      } else {
        add_all(add_all, member.value, 0);
      }
    }
  }
  std::ranges::sort(operation.secrets, std::ranges::greater{}, [](const auto& each) { return each.first.size(); });
}

void replace_all(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
}

}  // namespace

std::string without_secrets(std::string message, const Operation& operation) {
  for (const auto& [secret, shown] : operation.secrets) {
    // A short one is a part of many words; as itself it stands in quotes.
    if (secret.size() >= 4) replace_all(message, secret, shown);
    else replace_all(message, "\"" + secret + "\"", shown);
  }
  return message;
}

std::string path_of(const Resource& resource, std::string_view name_space, std::string_view name,
                    std::string_view subresource) {
  const GroupVersion& group_version = resource.group_version;
  std::string path = group_version.group.empty()
                         ? "/api/" + group_version.version
                         : fmt::format("/apis/{}/{}", group_version.group, group_version.version);
  if (resource.namespaced && !name_space.empty()) path += "/namespaces/" + element(name_space);
  path += "/" + resource.plural;
  if (!name.empty()) path += "/" + element(name);
  if (!subresource.empty()) path += "/" + element(subresource);
  return path;
}

Operation get_object(const Resource& resource, std::string_view name_space, std::string_view name) {
  Operation operation;
  operation.path = path_of(resource, name_space, name);
  operation.what = described("get", resource, name_space, name);
  return operation;
}

Operation list_objects(const Resource& resource, std::string_view name_space, const ListOptions& options,
                       std::string_view continue_token) {
  Operation operation;
  operation.path = path_of(resource, name_space);
  operation.what = described("list", resource, name_space, {});
  if (!options.label_selector.empty()) operation.query.emplace_back("labelSelector", options.label_selector);
  if (!options.field_selector.empty()) operation.query.emplace_back("fieldSelector", options.field_selector);
  if (options.limit > 0) operation.query.emplace_back("limit", std::to_string(options.limit));
  if (!continue_token.empty()) operation.query.emplace_back("continue", continue_token);
  else if (!options.resource_version.empty()) operation.query.emplace_back("resourceVersion", options.resource_version);
  if (options.metadata_only)
    operation.accept = kMetadataOnlyList;
  return operation;
}

namespace {

// A request that carries a whole object.
Operation carrying(const data::Value& object, std::string method, std::string path, std::string content_type) {
  Operation operation;
  operation.method = std::move(method);
  operation.path = std::move(path);
  operation.content_type = std::move(content_type);
  operation.body = data::write_json(object);
  remember_secrets(operation, object);
  return operation;
}

}  // namespace

Operation create_object(const Resource& resource, std::string_view name_space, const data::Value& object,
                        const WriteOptions& options) {
  Operation operation = carrying(object, "POST", path_of(resource, name_space), "application/json");
  operation.repeatable = options.dry_run;
  operation.what = described("create", resource, name_space, name_of(object));
  add_write_options(operation, options);
  return operation;
}

Operation replace_object(const Resource& resource, std::string_view name_space, const data::Value& object,
                         const WriteOptions& options) {
  Operation operation = carrying(object, "PUT", path_of(resource, name_space, name_of(object)), "application/json");
  // With a version, asking again after it worked looks like a conflict with somebody else.
  operation.repeatable = options.dry_run || resource_version_of(object).empty();
  operation.what = described("replace", resource, name_space, name_of(object));
  add_write_options(operation, options);
  return operation;
}

Operation apply_object(const Resource& resource, std::string_view name_space, const data::Value& object,
                       const ApplyOptions& options) {
  // JSON is YAML.
  Operation operation = carrying(object, "PATCH", path_of(resource, name_space, name_of(object)), "application/apply-patch+yaml");
  operation.what = described("apply", resource, name_space, name_of(object));
  add_write_options(operation, {options.dry_run, options.field_manager, options.field_validation});
  operation.query.emplace_back("force", options.force ? "true" : "false");
  if (options.metadata_only) operation.accept = kMetadataOnly;
  return operation;
}

Operation patch_object(const Resource& resource, std::string_view name_space, std::string_view name, PatchKind kind,
                       const data::Value& patch, const WriteOptions& options, std::string_view subresource) {
  Operation operation;
  operation.method = "PATCH";
  operation.path = path_of(resource, name_space, name, subresource);
  switch (kind) {
    case PatchKind::merge: operation.content_type = "application/merge-patch+json"; break;
    case PatchKind::strategic: operation.content_type = "application/strategic-merge-patch+json"; break;
    case PatchKind::json: operation.content_type = "application/json-patch+json"; break;
  }
  operation.body = data::write_json(patch);
  // A list of steps may test for what it changes.
  operation.repeatable = options.dry_run || kind != PatchKind::json;
  operation.what = described("patch", resource, name_space, name);
  add_write_options(operation, options);
  return operation;
}

Operation delete_object(const Resource& resource, std::string_view name_space, std::string_view name,
                        const DeleteOptions& options) {
  Operation operation;
  operation.method = "DELETE";
  operation.path = path_of(resource, name_space, name);
  operation.content_type = "application/json";
  operation.what = described("delete", resource, name_space, name);
  data::Map body;
  body.push_back({"apiVersion", text("v1"), {}});
  body.push_back({"kind", text("DeleteOptions"), {}});
  switch (options.propagation) {
    case Propagation::background: body.push_back({"propagationPolicy", text("Background"), {}}); break;
    case Propagation::foreground: body.push_back({"propagationPolicy", text("Foreground"), {}}); break;
    case Propagation::orphan: body.push_back({"propagationPolicy", text("Orphan"), {}}); break;
  }
  if (options.grace_period_seconds)
    body.push_back({"gracePeriodSeconds",
                    {.variant = data::NumberText{std::to_string(*options.grace_period_seconds)}, .position = {}}, {}});
  data::Map preconditions;
  if (!options.uid.empty()) preconditions.push_back({"uid", text(options.uid), {}});
  if (!options.resource_version.empty())
    preconditions.push_back({"resourceVersion", text(options.resource_version), {}});
  if (!preconditions.empty())
    body.push_back({"preconditions", {.variant = std::move(preconditions), .position = {}}, {}});
  if (options.dry_run) {
    data::List all;
    all.push_back(text("All"));
    body.push_back({"dryRun", {.variant = std::move(all), .position = {}}, {}});
  }
  operation.body = data::write_json({.variant = std::move(body), .position = {}});
  return operation;
}

}  // namespace opm::kube
