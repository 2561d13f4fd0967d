#include "opm/config/configuration.h"

#include <algorithm>

#include "base/path.h"
#include "cue/syntax/literal.h"
#include "opm/builtin/templates.h"
#include "opm/config/config_file.h"
#include "opm/config/settings.h"

namespace opm::config {
namespace {

// An empty variable is as good as none.
std::optional<std::string> variable(const base::Environment& environment, const std::string& name) {
  auto value = environment.get(name);
  if (value && value->empty()) return std::nullopt;
  return value;
}

std::string expand_home(const std::string& path, const base::Environment& environment) {
  auto home = variable(environment, "HOME");
  if (!home || (path != "~" && !path.starts_with("~/"))) return path;
  return *home + path.substr(1);
}

// Flag before variables before what `setting` already has.
void take(Setting<std::string>& setting, const std::optional<std::string>& flag, const std::string& flag_name,
          const base::Environment& environment, std::initializer_list<const char*> variables) {
  if (flag) {
    setting = {*flag, Origin::flag(flag_name)};
    return;
  }
  for (const char* name : variables) {
    if (auto value = variable(environment, name)) {
      setting = {std::move(*value), Origin::variable(name)};
      return;
    }
  }
}

// Empty: there is none, and nobody asked for one.
Setting<std::string> find_file(const Inputs& inputs) {
  Setting<std::string> file;
  take(file, inputs.flags.config, "--config", *inputs.environment, {"OPM_CONFIG"});
  bool is_wanted = !file.value.empty();
  if (is_wanted) {
    std::string path = expand_home(file.value, *inputs.environment);
    file.value = base::is_absolute_path(path) ? base::clean_path(path) : base::join_path(inputs.working_directory, path);
  } else if (std::string folder = default_folder(*inputs.environment); !folder.empty()) {
    file.value = base::join_path(folder, "config.cue");
  }
  auto status = inputs.files->status(file.value);
  if (status && status->kind == base::FileKind::directory) file.value = base::join_path(file.value, "config.cue");
  if (!is_wanted && !status && status.error().kind == base::FileErrorKind::not_found) file.value.clear();
  return file;
}

void use_builtin_provider(Configuration& configuration) {
  configuration.package_arguments = {"."};
  configuration.package_options.directory = builtin::kConfigTemplate;
  configuration.package_options.files = &builtin::template_files();
  configuration.package_options.package = kPackage;
  configuration.providers = {{std::string(kDefaultProvider), "config.providers.kubernetes", {}}};
}

std::expected<void, Failure> read_file(const Inputs& inputs, Configuration& configuration) {
  auto file = ConfigFile::open(configuration.file.value, inputs.working_directory, *inputs.files);
  if (!file) return std::unexpected(std::move(file.error()));
  auto registry = file->registry();
  if (!registry) return std::unexpected(std::move(registry.error()));

  std::optional<ConfigData> data = file->plain_data();
  if (!data) {
    Setting<std::string> from{*registry, {}};
    take(from, inputs.flags.registry, "--registry", *inputs.environment, {"OPM_REGISTRY"});
    if (from.value.empty()) take(from, {}, {}, *inputs.environment, {"CUE_REGISTRY"});
    auto evaluated = file->evaluate(inputs.resolver ? inputs.resolver(from.value) : nullptr);
    if (!evaluated) return std::unexpected(std::move(evaluated.error()));
    data = std::move(*evaluated);
  }
  cue::Diagnostics errors = take_settings(data->settings, *data->sources, inputs.working_directory, configuration);
  if (!errors.empty()) return std::unexpected(Failure{Failure::Kind::invalid, std::move(errors), data->sources});
  if (data->providers.empty()) return {};

  configuration.package_arguments = file->arguments();
  configuration.package_options = file->options();
  configuration.providers.clear();
  for (const auto& [name, position] : data->providers)
    configuration.providers.push_back({name, "config.providers." + cue::syntax::quote_label(name),
                                       origin_of(position, *data->sources, inputs.working_directory)});
  std::ranges::sort(configuration.providers, {}, &Provider::name);
  return {};
}

}  // namespace

std::string default_folder(const base::Environment& environment) {
  auto home = variable(environment, "HOME");
  return home ? base::join_path(*home, ".opm") : std::string();
}

const Provider* Configuration::find_provider(std::string_view name) const {
  auto found = std::ranges::find(providers, name, &Provider::name);
  return found == providers.end() ? nullptr : &*found;
}

std::expected<Configuration, Failure> resolve(const Inputs& inputs) {
  const base::Environment& environment = *inputs.environment;
  Configuration configuration;
  configuration.kubeconfig.value = "~/.kube/config";
  configuration.api_warnings.value = "warn";
  use_builtin_provider(configuration);
  take(configuration.registry, {}, {}, environment, {"CUE_REGISTRY"});

  configuration.file = find_file(inputs);
  if (!configuration.file.value.empty()) {
    if (auto read = read_file(inputs, configuration); !read) return std::unexpected(std::move(read.error()));
  }
  const Flags& flags = inputs.flags;
  take(configuration.registry, flags.registry, "--registry", environment, {"OPM_REGISTRY"});
  take(configuration.kubeconfig, flags.kubeconfig, "--kubeconfig", environment, {"OPM_KUBECONFIG", "KUBECONFIG"});
  take(configuration.context, flags.context, "--context", environment, {"OPM_CONTEXT"});
  take(configuration.namespace_name, flags.namespace_name, "--namespace", environment, {"OPM_NAMESPACE"});
  configuration.kubeconfig.value = expand_home(configuration.kubeconfig.value, environment);
  return configuration;
}

std::expected<Setting<std::string>, Failure> resolve_registry(const Inputs& inputs) {
  Setting<std::string> registry;
  take(registry, inputs.flags.registry, "--registry", *inputs.environment, {"OPM_REGISTRY"});
  if (!registry.value.empty() || inputs.flags.registry) return registry;
  if (Setting<std::string> path = find_file(inputs); !path.value.empty()) {
    auto file = ConfigFile::open(path.value, inputs.working_directory, *inputs.files);
    if (!file) return std::unexpected(std::move(file.error()));
    auto text = file->registry();
    if (!text) return std::unexpected(std::move(text.error()));
    registry.value = std::move(*text);
  }
  if (registry.value.empty()) take(registry, {}, {}, *inputs.environment, {"CUE_REGISTRY"});
  return registry;
}

std::vector<Row> rows(const Configuration& configuration) {
  std::vector<Row> all;
  auto add = [&](std::string name, const auto& setting) {
    all.push_back({std::move(name), setting.value, setting.origin});
  };
  add("config", configuration.file);
  add("registry", configuration.registry);
  for (const Provider& provider : configuration.providers) {
    bool is_builtin = provider.origin.kind == OriginKind::standard;
    all.push_back({"providers." + provider.name, std::string(is_builtin ? "built in" : "configured"), provider.origin});
  }
  add("kubernetes.kubeconfig", configuration.kubeconfig);
  add("kubernetes.context", configuration.context);
  add("kubernetes.namespace", configuration.namespace_name);
  add("log.timestamps", configuration.timestamps);
  add("log.kubernetes.apiWarnings", configuration.api_warnings);
  return all;
}

}  // namespace opm::config
