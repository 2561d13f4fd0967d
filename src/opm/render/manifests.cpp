#include "opm/render/manifests.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <span>

#include "base/workers.h"
#include "data/json.h"
#include "data/yaml.h"
#include "opm/model/redaction.h"
#include "opm/render/resource_order.h"

namespace opm::render {

namespace {

constexpr std::size_t kWorthAThread = 40;  // resources
constexpr data::JsonWriteOptions kManifestJson{.indent = 2, .sort_keys = true, .final_newline = true};

// What a name in a cluster may hold and a file name may not.
std::string file_word(std::string_view text) {
  std::string word(text);
  for (char& c : word) {
    if (c == '/' || c == '\\' || c == '\0' || c == ':') c = '_';
  }
  return word;
}

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

std::string base_name(const Resource& resource, int detail) {
  std::string name = lower(file_word(resource.kind)) + "-" + file_word(resource.name);
  if (detail > 0) name += "-" + file_word(resource.namespace_name);
  if (detail > 1) name += "-" + file_word(split_api_version(resource.api_version).first);
  return name;
}

}  // namespace

std::string write_manifests(const std::vector<Resource>& resources, ManifestFormat format, unsigned threads) {
  if (format == ManifestFormat::json) {
    data::List list;
    for (const Resource& resource : resources) list.push_back(resource.object);
    data::Value all;
    all.variant = std::move(list);
    return data::write_json(all, kManifestJson);
  }
  std::size_t parts = std::clamp<std::size_t>(resources.size() / kWorthAThread, 1, std::max(threads, 1u));
  std::vector<std::string> texts(parts);
  auto write = [&](std::size_t part) {
    std::span<const Resource> own(resources);
    own = own.subspan(part * own.size() / parts, (part + 1) * own.size() / parts - part * own.size() / parts);
    for (const Resource& resource : own) {
      if (&resource != &resources.front()) texts[part] += "---\n";
      texts[part] += data::write_yaml(resource.object, data::kManifestYaml);
    }
  };
  std::atomic<std::size_t> next = 0;
  auto write_all = [&] {
    for (std::size_t part = next++; part < parts; part = next++) write(part);
  };
  {
    base::Workers others(parts - 1, [&](std::size_t) { write_all(); });
    write_all();
  }
  std::string out = std::move(texts.front());
  for (std::size_t part = 1; part < parts; ++part) out += texts[part];
  return out;
}

std::vector<ManifestFile> manifest_files(const std::vector<Resource>& resources, ManifestFormat format) {
  std::vector<std::string> names;
  for (int detail = 0; detail <= 2; ++detail) {
    std::map<std::string, int> uses;
    for (std::size_t i = 0; i < resources.size(); ++i) {
      std::string name = base_name(resources[i], detail);
      if (detail == 0) names.push_back(name);
      ++uses[names[i]];
    }
    for (std::size_t i = 0; i < resources.size(); ++i) {
      if (uses[names[i]] > 1) names[i] = base_name(resources[i], detail + 1);
    }
  }
  std::vector<ManifestFile> files;
  std::set<std::string> known;
  for (std::size_t i = 0; i < resources.size(); ++i) {
    std::string name = names[i];
    for (int number = 2; !known.insert(name).second; ++number) name = fmt::format("{}-{}", names[i], number);
    if (format == ManifestFormat::json) {
      files.push_back({name + ".json", data::write_json(resources[i].object, kManifestJson)});
    } else {
      files.push_back({name + ".yaml", data::write_yaml(resources[i].object, data::kManifestYaml)});
    }
  }
  return files;
}

void redact_secrets(std::vector<Resource>& resources) {
  for (Resource& resource : resources) {
    bool is_secret = resource.kind == "Secret";
    model::redact_object(resource.object);
    for (const std::vector<std::string>& part : resource.secret_parts) {
      if (!is_secret || (part.front() != "data" && part.front() != "stringData")) model::redact_part(resource.object, part);
    }
  }
}

}  // namespace opm::render
