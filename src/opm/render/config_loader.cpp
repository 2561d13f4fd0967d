#include "opm/render/config_loader.h"

#include <fmt/format.h>

#include "base/path.h"
#include "cue/module/build_list.h"
#include "opm/builtin/catalog.h"
#include "opm/render/module_files.h"
#include "opm/render/problems.h"

namespace opm::render {

namespace {

constexpr std::string_view kSchemasModule = "opmodel.dev/schemas/kubernetes@v0";

// What stands in for a configuration when the user has none: the catalog's own providers. It is also the module that the
// Kubernetes types are loaded for, which no module of the user need depend on.
constexpr std::string_view kDefaultFolder = "/opm/default";
constexpr std::string_view kDefaultConfig = R"(package config

import "opmodel.dev/providers@v0"

config: "providers": providers.#Registry
)";

std::string default_module_file() {
  std::string text = "module: \"opmodel.dev/default@v0\"\nlanguage: version: \"v0.15.0\"\ndeps: {\n";
  for (const builtin::CatalogModule& module : builtin::catalog_modules())
    text += fmt::format("\t\"{}\": v: \"{}\"\n", module.path, builtin::catalog_version());
  return text + "}\n";
}

// The packages of the catalog's Kubernetes types: <group>/<version>.
std::vector<SchemaPackage> schema_packages() {
  std::vector<SchemaPackage> packages;
  const builtin::CatalogModule* module = builtin::find_catalog_module(kSchemasModule);
  if (module == nullptr) return packages;
  const base::FileSystem& files = builtin::catalog_files();
  auto groups = files.list_directory(std::string(module->root));
  if (!groups) return packages;
  for (const base::DirectoryEntry& group : *groups) {
    if (group.kind != base::FileKind::directory || group.name == cue::module::kModuleFolder) continue;
    auto versions = files.list_directory(base::join_path(module->root, group.name));
    if (!versions) continue;
    for (const base::DirectoryEntry& version : *versions) {
      if (version.kind == base::FileKind::directory) packages.push_back({group.name, version.name, 0});
    }
  }
  return packages;
}

std::string schema_import_path(const SchemaPackage& schema) {
  std::string path(kSchemasModule.substr(0, kSchemasModule.find('@')));
  return path + "/" + schema.group + "/" + schema.version + "@v0";
}

}  // namespace

cue::Value Place::in(cue::Context& context) const { return context.instance(instance).find(path); }

std::expected<Loaded, LoadFailure> load_configuration(const RenderOptions& options) {
  auto module = module_request(options);
  if (!module) return std::unexpected(LoadFailure{std::move(module.error()), nullptr});
  Loaded loaded;
  loaded.schemas = schema_packages();
  std::vector<cue::LoadRequest> requests;
  requests.push_back(std::move(*module));
  bool has_config = !options.config_directory.empty();
  if (has_config) {
    cue::LoadRequest config;
    config.options.directory = options.working_directory;
    config.options.module_root = options.config_directory;
    config.options.files = options.files;
    config.options.resolver = options.resolver;
    config.options.comments = false;
    config.arguments.push_back(options.config_directory);
    requests.push_back(std::move(config));
  }
  cue::module::ModuleSources sources(
      {std::make_shared<builtin::CatalogSource>(builtin::CatalogSource::Versions::up_to_it)});
  cue::module::BuildListResolver resolver(sources);
  base::MemoryFileSystem defaults;
  defaults.add_file(base::join_path(kDefaultFolder, "cue.mod/module.cue"), default_module_file());
  defaults.add_file(base::join_path(kDefaultFolder, "config.cue"), std::string(kDefaultConfig));
  cue::LoadRequest catalog;
  catalog.options.directory = kDefaultFolder;
  catalog.options.files = &defaults;
  catalog.options.resolver = &resolver;
  catalog.options.comments = false;
  if (!has_config) catalog.arguments.emplace_back(".");
  for (const SchemaPackage& schema : loaded.schemas) catalog.arguments.push_back(schema_import_path(schema));
  requests.push_back(std::move(catalog));
  loaded.program = cue::Program::load(std::move(requests));

  // Instances stand in the order of the arguments: the module, the configuration, the schemas.
  std::vector<Problem> problems;
  std::span<const cue::Instance> instances = loaded.program->instances();
  if (instances.size() != 2 + loaded.schemas.size()) {
    append_problems(problems, loaded.program->errors());
    return std::unexpected(LoadFailure{std::move(problems), loaded.program});
  }
  append_problems(problems, instances[0].errors);
  append_problems(problems, instances[1].errors);
  if (!problems.empty()) return std::unexpected(LoadFailure{std::move(problems), loaded.program});
  loaded.providers.instance = 1;
  loaded.providers.path = cue::Path::of({"config", "providers"});
  loaded.providers_file =
      has_config ? base::join_path(options.config_directory, "config.cue") : std::string("the catalog built into opm");
  std::size_t at = 2;
  for (SchemaPackage& schema : loaded.schemas) schema.package = instances[at++].package;
  loaded.context = std::make_unique<cue::Context>(loaded.program);
  return loaded;
}

}  // namespace opm::render
