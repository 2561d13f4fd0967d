#include "opm/render/config_loader.h"

#include "base/large_run.h"
#include "opm/builtin/catalog.h"
#include "opm/builtin/catalog_image.h"
#include "opm/builtin/templates.h"
#include "opm/render/problems.h"

namespace opm::render {

namespace {

constexpr std::string_view kProvidersModule = "opmodel.dev/providers@v0";
constexpr std::string_view kSchemasModule = "opmodel.dev/schemas/kubernetes@v0";

// Packages of the catalog as they are built into opm, whatever the modules of the user depend on.
cue::LoadRequest request_catalog() {
  cue::LoadRequest request;
  request.options.directory = "/";
  request.options.files = &builtin::catalog_files();
  request.options.comments = false;
  return request;
}

// Whether the catalog's provider is the one that is built in: people can do without, and get it from a registry.
bool has_builtin_provider(const RenderOptions& options) {
  if (options.configuration->package_options.files != &builtin::template_files() || options.resolver == nullptr) return false;
  auto content = options.resolver->fetch({std::string(kProvidersModule), std::string(builtin::catalog_version())});
  return content && (*content)->files == &builtin::catalog_files();
}

// The provider that everyone has who configures none.
cue::LoadRequest request_builtin_provider() {
  cue::LoadRequest request = request_catalog();
  request.arguments = {"/providers/kubernetes:kubernetes"};
  return request;
}

// The packages of the catalog's Kubernetes types, <group>/<version>.
cue::LoadRequest request_types(std::vector<SchemaPackage>& schemas) {
  cue::LoadRequest request = request_catalog();
  const cue::compile::PackageImage& image = *builtin::catalog_image();
  std::string folder = std::string(builtin::find_catalog_module(kSchemasModule)->root) + "/";
  for (std::uint32_t i = 0; i < image.package_count(); ++i) {
    std::string_view path = image.directory(i);
    if (!path.starts_with(folder)) continue;
    path.remove_prefix(folder.size());
    std::size_t slash = path.find('/');
    if (slash == std::string_view::npos || path.find('/', slash + 1) != std::string_view::npos) continue;
    schemas.push_back({std::string(path.substr(0, slash)), std::string(path.substr(slash + 1)), 0});
    request.arguments.push_back(std::string(image.directory(i)) + ":" + std::string(image.name(i)));
  }
  return request;
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
  base::expect_large_run();
  Loaded loaded;
  loaded.config_instance = sources.size();
  std::vector<cue::LoadRequest> requests = std::move(sources);
  const config::Configuration& configuration = *options.configuration;
  loaded.has_builtin_provider = has_builtin_provider(options);
  if (loaded.has_builtin_provider) {
    requests.push_back(request_builtin_provider());
  } else {
    cue::LoadRequest config{configuration.package_arguments, configuration.package_options};
    config.options.resolver = options.resolver;
    config.options.comments = false;
    requests.push_back(std::move(config));
  }
  requests.push_back(request_types(loaded.schemas));
  for (cue::LoadRequest& request : requests) {
    request.options.all_standard_packages = false;
    request.options.threads = options.usable_threads();
  }
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
