// Rendered resources as bytes: one stream of YAML documents, a JSON array, or a file each.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "opm/render/result.h"

namespace opm::render {

enum class ManifestFormat : std::uint8_t { yaml, json };

std::string write_manifests(const std::vector<Resource>& resources, ManifestFormat format);
// The same as YAML, piece by piece, written in several threads, which give up the resources as they go.
void write_manifests(std::vector<Resource> resources, unsigned threads, const std::function<void(std::string_view)>& out);

struct ManifestFile {
  std::string name;  // "deployment-web.yaml"
  std::string content;
};
// Each name once: where kind and name are not enough, namespace and group follow.
std::vector<ManifestFile> manifest_files(const std::vector<Resource>& resources, ManifestFormat format);

// The content of Secrets, and all that depends on one, as "<redacted sha256:…>", which still shows whether it changed.
void redact_secrets(std::vector<Resource>& resources);

}  // namespace opm::render
