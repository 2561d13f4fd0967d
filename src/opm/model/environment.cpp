#include "opm/model/environment.h"

#include <algorithm>

#include "opm/model/read.h"

namespace opm::model {

namespace {

bool is_same(const Platform& a, const Platform& b) {
  return a.kube_context == b.kube_context && a.kube_config == b.kube_config && data::equal(a.context, b.context);
}

Environment read_environment(const cue::Value& value, const std::vector<Platform>& platforms, const FinishPlatform& finish) {
  Environment read;
  read.key = value.label();
  read.value = value;
  read.name = read.key;
  if (cue::Value metadata = value.field("metadata"); metadata.exists()) {
    if (std::string name = text_of(metadata, "name"); !name.empty()) read.name = std::move(name);
    read.labels = data_of(metadata, "labels");
    read.annotations = data_of(metadata, "annotations");
  }
  if (cue::Value platform = value.field("platform"); platform.exists()) {
    read.platform = read_platform(platform);
    finish(platform, read.platform);
    read.has_platform = !read.platform.kube_context.empty();
    // References are gone by now. Two platforms that are the same in everything may be taken for each other.
    auto found = std::ranges::find_if(platforms, [&](const Platform& known) { return is_same(known, read.platform); });
    if (read.has_platform && found != platforms.end()) read.platform.name = found->name;
  }
  read.namespace_name = text_of(value, "namespace");
  return read;
}

}  // namespace

const Environment* ReleaseDeclaration::find(std::string_view key) const {
  auto found = std::ranges::find(environments, key, &Environment::key);
  return found == environments.end() ? nullptr : &*found;
}

std::string query_text(const Platform& platform, std::string_view field) {
  std::string text;
  for (const PlatformQuery& query : platform.queries) {
    if (query.field == field) text += (text.empty() ? "" : "; ") + query.text;
  }
  return text;
}

std::vector<Unanswered> unanswered(const Platform& platform) {
  std::vector<Unanswered> result;
  for (const PlatformQuery& query : platform.queries) {
    auto is_it = [&](const Unanswered& other) { return other.query->field == query.field; };
    if (std::ranges::any_of(result, is_it)) continue;
    const data::Value* answered = platform.queried.find(query.field);
    bool is_known = answered != nullptr && answered->is_string();
    if (!is_known || answered->as_string() != query_text(platform, query.field)) result.push_back({&query, is_known});
  }
  return result;
}

Platform read_platform(const cue::Value& platform) {
  Platform read;
  read.kube_context = text_of(platform, "kubeContext");
  read.kube_config = text_of(platform, "kubeConfig");
  read.context = data_of(platform, "context");
  PlatformQueries queries = read_platform_queries(platform);
  read.queries = std::move(queries.queries);
  read.mistakes = std::move(queries.mistakes);
  read.queried = data_of(platform, "queried");
  return read;
}

std::vector<Platform> read_platforms(const cue::Value& platforms) {
  std::vector<Platform> read;
  if (!platforms.exists()) return read;
  for (const cue::Value::FieldEntry& entry : platforms.fields()) {
    Platform platform = read_platform(entry.value);
    platform.name = entry.value.label();
    read.push_back(std::move(platform));
  }
  return read;
}

ReleaseDeclaration read_release_declaration(const cue::Value& release, const std::vector<Platform>& platforms,
                                            const FinishPlatform& finish) {
  ReleaseDeclaration read;
  read.field = release.label();
  read.value = release;
  if (cue::Value metadata = release.field("metadata"); metadata.exists()) {
    read.name = text_of(metadata, "name");
    read.namespace_name = text_of(metadata, "namespace");
  }
  cue::Value environments = release.field("environments");
  if (!environments.exists()) return read;
  read.has_environments = true;
  for (const cue::Value::FieldEntry& entry : environments.fields())
    read.environments.push_back(read_environment(entry.value, platforms, finish));
  return read;
}

bool is_release(const cue::Value& value) {
  cue::Value kind = value.field("kind");
  return kind.exists() && kind.string() == "ModuleRelease";
}

}  // namespace opm::model
