#include "opm/render/manifests.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <utility>

#include "base/workers.h"
#include "data/json.h"
#include "data/yaml.h"
#include "opm/model/redaction.h"
#include "opm/render/resource_order.h"

namespace opm::render {

namespace {

constexpr std::size_t kPiece = 32;  // resources that are written at a time
constexpr std::size_t kPiecesWorthAThread = 3;
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

void append_manifest(const Resource& resource, std::string& text, bool is_first) {
  if (!is_first) text += "---\n";
  data::append_yaml(text, resource.object, data::kManifestYaml);
}

std::string base_name(const Resource& resource, int detail) {
  std::string name = lower(file_word(resource.kind)) + "-" + file_word(resource.name);
  if (detail > 0) name += "-" + file_word(resource.namespace_name);
  if (detail > 1) name += "-" + file_word(split_api_version(resource.api_version).first);
  return name;
}

}  // namespace

std::string write_manifests(const std::vector<Resource>& resources, ManifestFormat format) {
  if (format == ManifestFormat::json) {
    data::List list;
    for (const Resource& resource : resources) list.push_back(resource.object);
    data::Value all;
    all.variant = std::move(list);
    return data::write_json(all, kManifestJson);
  }
  std::string text;
  for (const Resource& resource : resources) append_manifest(resource, text, &resource == &resources.front());
  return text;
}

void write_manifests(std::vector<Resource> resources, unsigned threads, const std::function<void(std::string_view)>& out) {
  std::size_t pieces = (resources.size() + kPiece - 1) / kPiece;
  std::vector<std::string> texts(pieces);
  std::vector<std::atomic<bool>> written(pieces);
  std::atomic<std::size_t> next = 0;
  auto write_next = [&] {
    std::size_t piece = next++;
    if (piece >= pieces) return false;
    for (std::size_t i = piece * kPiece; i < std::min((piece + 1) * kPiece, resources.size()); ++i) {
      Resource resource = std::move(resources[i]);
      append_manifest(resource, texts[piece], i == 0);
    }
    written[piece] = true;
    written[piece].notify_one();
    return true;
  };
  std::size_t useful = std::clamp<std::size_t>(threads, 1, std::max<std::size_t>(pieces / kPiecesWorthAThread, 1));
  base::Workers others(useful - 1, [&](std::size_t) { while (write_next()) continue; });
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    while (!written[piece] && write_next()) continue;
    written[piece].wait(false);
    out(std::exchange(texts[piece], {}));
  }
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
