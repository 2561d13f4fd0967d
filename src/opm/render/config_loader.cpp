#include "opm/render/config_loader.h"

#include <fmt/core.h>

#include "base/path.h"
#include "cue/module/build_list.h"
#include "opm/builtin/catalog.h"
#include "opm/render/problems.h"

namespace opm::render {

namespace {

constexpr std::string_view kSchemasModule = "opmodel.dev/schemas/kubernetes@v0";

// The module that the Kubernetes types are loaded for: no module of the user need depend on them.
constexpr std::string_view kTypesFolder = "/opm/types";

std::string types_module_file() {
  return fmt::format("module: \"opmodel.dev/types@v0\"\nlanguage: version: \"v0.15.0\"\ndeps: \"{}\": v: \"{}\"\n",
                     kSchemasModule, builtin::catalog_version());
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

cue::Value Loaded::module_in(cue::Context& any) const {
  cue::Value module = any.instance(module_instance);
  if (!redeclared) return module;
  any.redeclare(module_instance, redeclared->file, redeclared->field, any.from_documents(std::span(&redeclared->value, 1)));
  // What has been evaluated stays what it is: the module is made again.
  return module.without_files([](std::string_view) { return false; });
}

std::expected<Loaded, LoadFailure> load_configuration(const RenderOptions& options, std::vector<cue::LoadRequest> sources) {
  Loaded loaded;
  loaded.schemas = schema_packages();
  loaded.config_instance = sources.size();
  std::vector<cue::LoadRequest> requests = std::move(sources);
  const config::Configuration& configuration = *options.configuration;
  cue::LoadRequest config{configuration.package_arguments, configuration.package_options};
  config.options.resolver = options.resolver;
  config.options.comments = false;
  requests.push_back(std::move(config));
  cue::module::ModuleSources catalog(
      {std::make_shared<builtin::CatalogSource>(builtin::CatalogSource::Versions::up_to_it)});
  cue::module::BuildListResolver resolver(catalog);
  base::MemoryFileSystem types_files;
  types_files.add_file(base::join_path(kTypesFolder, "cue.mod/module.cue"), types_module_file());
  cue::LoadRequest types;
  types.options.directory = kTypesFolder;
  types.options.files = &types_files;
  types.options.resolver = &resolver;
  types.options.comments = false;
  for (const SchemaPackage& schema : loaded.schemas) types.arguments.push_back(schema_import_path(schema));
  requests.push_back(std::move(types));
  for (cue::LoadRequest& request : requests) request.options.all_standard_packages = false;
  loaded.program = cue::Program::load(std::move(requests));

  // Instances stand in the order of the arguments: the sources, the configuration, the schemas.
  std::vector<Problem> problems;
  std::span<const cue::Instance> instances = loaded.program->instances();
  std::size_t own = loaded.config_instance + 1;
  if (instances.size() != own + loaded.schemas.size()) {
    append_problems(problems, loaded.program->errors());
    return std::unexpected(LoadFailure{std::move(problems), loaded.program});
  }
  for (const cue::Instance& instance : instances.first(own)) append_problems(problems, instance.errors);
  if (!problems.empty()) return std::unexpected(LoadFailure{std::move(problems), loaded.program});
  std::size_t at = own;
  for (SchemaPackage& schema : loaded.schemas) schema.package = instances[at++].package;
  loaded.context = std::make_unique<cue::Context>(loaded.program);
  loaded.context->report_all_errors();
  return loaded;
}

}  // namespace opm::render
