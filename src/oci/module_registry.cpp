#include "oci/module_registry.h"

#include <algorithm>

#include "cue/module/import_path.h"
#include "cue/module/version.h"
#include "data/json.h"

namespace opm::oci {
namespace {

constexpr std::string_view kManifestType = "application/vnd.oci.image.manifest.v1+json";
constexpr std::string_view kConfigType = "application/vnd.cue.module.v1+json";
constexpr std::string_view kConfig = "{}";
constexpr std::string_view kArchiveType = "application/zip";
constexpr std::string_view kModuleFileType = "application/vnd.cue.modulefile.v1";

ModuleError about(const ModuleVersion& module, ModuleError error) {
  error.message = "module " + module.text() + ": " + error.message;
  return error;
}

std::string text_of(const data::Value* value) {
  return value != nullptr && value->is_string() ? value->as_string() : std::string();
}

std::optional<Descriptor> read_descriptor(const data::Value& value) {
  const data::Value* size = value.find("size");
  if (size == nullptr || !size->is_number() || !size->as_number().is_integer || size->as_number().text.size() > 15 ||
      size->as_number().text.starts_with('-'))
    return std::nullopt;
  Descriptor descriptor{text_of(value.find("mediaType")), text_of(value.find("digest")),
                        std::stoull(size->as_number().text)};
  if (!is_digest(descriptor.digest)) return std::nullopt;
  if (text_of(value.find("artifactType")) == kModuleFileType) descriptor.media_type = kModuleFileType;
  return descriptor;
}

void append_descriptor(std::string& out, std::string_view type, std::string_view content) {
  out += R"({"mediaType":")" + std::string(type) + R"(","digest":")" + digest_of(content) + R"(","size":)" +
         std::to_string(content.size()) + "}";
}

}  // namespace

std::string write_manifest(const Publication& publication) {
  std::string text = R"({"schemaVersion":2,"mediaType":")" + std::string(kManifestType) + R"(","config":)";
  append_descriptor(text, kConfigType, kConfig);
  text += R"(,"layers":[)";
  append_descriptor(text, kArchiveType, publication.archive);
  text += ',';
  append_descriptor(text, kModuleFileType, publication.module_file);
  text += ']';
  if (!publication.annotations.empty()) {
    text += R"(,"annotations":{)";
    bool is_first = true;
    for (const auto& [key, value] : publication.annotations) {
      if (!is_first) text += ',';
      is_first = false;
      data::append_json_string(text, key, true);
      text += ':';
      data::append_json_string(text, value, true);
    }
    text += '}';
  }
  return text + "}";
}

ModuleRegistry::ModuleRegistry(cue::module::RegistryMap map, const RegistryServices& services)
    : map_(std::move(map)), services_(services) {}

Registry& ModuleRegistry::registry(const cue::module::RegistryHost& host) {
  std::lock_guard lock(mutex_);
  auto& registry = registries_[host];
  if (!registry) registry = std::make_unique<Registry>(host, services_);
  return *registry;
}

std::expected<std::optional<ModuleRegistry::Layers>, ModuleError> ModuleRegistry::layers(const ModuleVersion& module) {
  {
    std::lock_guard lock(mutex_);
    if (auto found = known_.find(module); found != known_.end()) return found->second;
  }
  auto answer = ask_for_layers(module);
  if (!answer) return answer;
  std::lock_guard lock(mutex_);
  known_.insert_or_assign(module, *answer);
  return answer;
}

std::expected<std::optional<ModuleRegistry::Layers>, ModuleError> ModuleRegistry::ask_for_layers(
    const ModuleVersion& module) {
  auto location = map_.locate(module.base_path(), module.version);
  if (!location) return std::nullopt;
  Registry& asked = registry(location->host);
  auto manifest = asked.manifest(location->repository, location->tag);
  if (!manifest) return std::unexpected(about(module, std::move(manifest.error())));
  if (!*manifest) return std::nullopt;
  auto bad = [&](const std::string& why) {
    return std::unexpected(about(module, {ModuleErrorKind::invalid, location->text() + " " + why}));
  };
  if ((*manifest)->media_type.find("json") == std::string::npos)
    return bad("is no manifest (media type is \"" + (*manifest)->media_type + "\")");
  diag::SourceMap sources;
  const diag::Source* source = sources.add("manifest", std::move((*manifest)->content));
  auto value = source != nullptr ? data::read_json(*source) : std::unexpected(std::vector<diag::Diagnostic>());
  if (!value) return bad("is no manifest: not JSON");
  const data::Value* config = value->find("config");
  if (config == nullptr || text_of(config->find("mediaType")) != kConfigType) return bad("is no CUE module");
  const data::Value* list = value->find("layers");
  if (list == nullptr || !list->is_list() || list->as_list().size() != 2)
    return bad("should refer to exactly two blobs");
  auto archive = read_descriptor(list->as_list()[0]);
  auto file = read_descriptor(list->as_list()[1]);
  if (!archive || !file) return bad("refers to blobs without good size and digest");
  if (file->media_type != kModuleFileType)
    return bad("has an unexpected media type \"" + file->media_type + "\" for the module file");
  if (archive->size > cue::module::ArchiveLimits{}.max_archive_bytes || file->size > cue::module::kMaxModuleFileBytes)
    return bad("is too large for a module");
  return Layers{std::move(*archive), std::move(*file), location->repository, &asked};
}

std::expected<std::optional<std::string>, ModuleError> ModuleRegistry::module_file(const ModuleVersion& module) {
  auto found = layers(module);
  if (!found) return std::unexpected(std::move(found.error()));
  if (!*found) return std::nullopt;
  auto text = (*found)->registry->blob((*found)->repository, (*found)->module_file, module.text());
  if (!text) return std::unexpected(about(module, std::move(text.error())));
  return std::move(*text);
}

std::expected<std::optional<std::string>, ModuleError> ModuleRegistry::archive(const ModuleVersion& module) {
  auto found = layers(module);
  if (!found) return std::unexpected(std::move(found.error()));
  if (!*found) return std::nullopt;
  auto content = (*found)->registry->blob((*found)->repository, (*found)->archive, module.text());
  if (!content) return std::unexpected(about(module, std::move(content.error())));
  return std::move(*content);
}

std::expected<std::vector<std::string>, ModuleError> ModuleRegistry::versions(std::string_view module_path) {
  auto [base, major] = cue::module::split_version(module_path);
  auto location = map_.locate(base, {});
  if (!location || !cue::module::is_repository_name(location->repository)) return std::vector<std::string>();
  auto tags = registry(location->host).tags(location->repository);
  if (!tags) {
    tags.error().message = "module " + std::string(module_path) + ": " + tags.error().message;
    return tags;
  }
  std::vector<std::string> found;
  for (const std::string& tag : *tags) {
    if (!tag.starts_with(location->tag)) continue;
    std::string version = tag.substr(location->tag.size());
    if (cue::module::canonical_version(version) != version || version.empty()) continue;
    if (major.empty() || cue::module::major_version(version) == major) found.push_back(std::move(version));
  }
  return found;
}

std::expected<cue::module::RegistryLocation, ModuleError> ModuleRegistry::publish(const Publication& publication) {
  const ModuleVersion& module = publication.module;
  auto location = map_.locate(module.base_path(), module.version);
  if (!location)
    return std::unexpected(about(module, {ModuleErrorKind::not_found, "no registry is set for it"}));
  Registry& target = registry(location->host);
  for (auto [type, content] : {std::pair(kConfigType, kConfig), std::pair(kArchiveType, std::string_view(publication.archive)),
                               std::pair(kModuleFileType, std::string_view(publication.module_file))}) {
    Descriptor descriptor{std::string(type), digest_of(content), content.size()};
    if (auto pushed = target.push_blob(location->repository, descriptor, content); !pushed)
      return std::unexpected(about(module, std::move(pushed.error())));
  }
  auto tagged = target.push_manifest(location->repository, location->tag, write_manifest(publication),
                                     std::string(kManifestType));
  if (!tagged) return std::unexpected(about(module, std::move(tagged.error())));
  return std::move(*location);
}

std::expected<std::optional<std::string>, ModuleError> ModuleRegistry::published_digest(const ModuleVersion& module) {
  auto location = map_.locate(module.base_path(), module.version);
  if (!location) return std::nullopt;
  auto manifest = registry(location->host).manifest(location->repository, location->tag);
  if (!manifest) return std::unexpected(about(module, std::move(manifest.error())));
  if (!*manifest) return std::nullopt;
  return digest_of((*manifest)->content);
}

std::expected<void, ModuleError> RegistrySource::check_place(const ModuleVersion& module) const {
  if (registry_.map().locate(module.base_path(), module.version)) return {};
  return std::unexpected(ModuleError{ModuleErrorKind::not_found, "module not found"});
}

std::expected<std::optional<std::string>, ModuleError> RegistrySource::module_file(const ModuleVersion& module) {
  if (auto place = check_place(module); !place) return std::unexpected(std::move(place.error()));
  auto lock = cache_.lock(module);
  if (!lock) return std::unexpected(std::move(lock.error()));
  // Somebody else may have been faster.
  if (auto text = cache_.module_file(module)) return text;
  auto text = registry_.module_file(module);
  if (!text || !*text) return text;
  if (auto stored = cache_.store_module_file(module, **text); !stored)
    return std::unexpected(std::move(stored.error()));
  return text;
}

std::expected<std::optional<cue::module::ModuleTree>, ModuleError> RegistrySource::content(
    const ModuleVersion& module) {
  if (auto place = check_place(module); !place) return std::unexpected(std::move(place.error()));
  auto lock = cache_.lock(module);
  if (!lock) return std::unexpected(std::move(lock.error()));
  auto folder = cache_.extracted(module);
  if (!folder) {
    if (!cache_.has_archive(module)) {
      auto archive = registry_.archive(module);
      if (!archive) return std::unexpected(std::move(archive.error()));
      if (!*archive) return std::nullopt;
      if (auto stored = cache_.store_archive(module, **archive); !stored)
        return std::unexpected(std::move(stored.error()));
    }
    auto unpacked = cache_.extract(module);
    if (!unpacked) return std::unexpected(std::move(unpacked.error()));
    folder = std::move(*unpacked);
    // Who asks only for the module file finds it then, too.
    if (!cache_.module_file(module)) {
      auto text = base::real_file_system().read_file(*folder + "/cue.mod/module.cue", cue::module::kMaxModuleFileBytes);
      if (text) static_cast<void>(cache_.store_module_file(module, *text));
    }
  }
  return cue::module::ModuleTree{&base::real_file_system(), std::move(*folder), {}};
}

std::expected<std::vector<std::string>, ModuleError> RegistrySource::versions(std::string_view module_path) {
  return registry_.versions(module_path);
}

}  // namespace opm::oci
