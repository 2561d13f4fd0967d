// One resolved configuration: from flags, the environment, the user's ~/.opm/config.cue and what holds without them.
// Nothing is evaluated for that as long as the settings are plain data, as they mostly are; the providers are
// evaluated by whoever needs them.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/environment.h"
#include "base/file_system.h"
#include "cue/module/resolver.h"
#include "cue/value.h"
#include "opm/config/origin.h"

namespace opm::config {

inline constexpr std::string_view kDefaultProvider = "kubernetes";

// What the command line says.
struct Flags {
  std::optional<std::string> config;
  std::optional<std::string> registry;
  std::optional<std::string> kubeconfig;
  std::optional<std::string> context;
  std::optional<std::string> namespace_name;
};

struct Inputs {
  Flags flags;
  std::string working_directory;  // absolute
  const base::Environment* environment = &base::real_environment();
  const base::FileSystem* files = &base::real_file_system();
  // What imports of the configuration are resolved with, given the registry. Asked only where the settings are no plain
  // data; lives as long as the result. Not given: nothing can be imported.
  std::function<cue::module::ModuleResolver*(const std::string& registry)> resolver;
};

struct Provider {
  std::string name;
  std::string path;  // of its value in the package of the configuration: config.providers.kubernetes
  Origin origin;
};

struct Configuration {
  Setting<std::string> file;      // config.cue; empty: there is none
  Setting<std::string> registry;  // in the notation of CUE_REGISTRY; empty: only what is built in

  std::vector<Provider> providers;  // by name, at least one
  const Provider* find_provider(std::string_view name) const;
  // The package that has the providers, for cue::Program::load: the user's own or one that is built in. The caller
  // sets LoadOptions::resolver.
  std::vector<std::string> package_arguments;
  cue::load::LoadOptions package_options;

  Setting<std::string> kubeconfig;  // one path, or several with ':' between as in $KUBECONFIG
  Setting<std::string> context;     // empty: the current one
  // Empty: not set. A flag or a variable comes before what a module says; a file after it.
  Setting<std::string> namespace_name;

  Setting<bool> timestamps;
  Setting<std::string> api_warnings;  // "warn", "debug" or "suppress"
};

struct Failure {
  enum class Kind : std::uint8_t { invalid, not_found, denied };
  Kind kind = Kind::invalid;
  cue::Diagnostics errors;
  std::shared_ptr<const diag::SourceMap> sources = std::make_shared<diag::SourceMap>();  // that their positions are in
};

std::expected<Configuration, Failure> resolve(const Inputs& inputs);
// Only the registry, of which the rest need not be right: --registry, $OPM_REGISTRY, the file, $CUE_REGISTRY.
std::expected<Setting<std::string>, Failure> resolve_registry(const Inputs& inputs);

// The settings as rows for people and programs, in a fixed order.
struct Row {
  std::string name;  // "kubernetes.namespace"
  std::variant<std::string, bool> value;
  Origin origin;
};
std::vector<Row> rows(const Configuration& configuration);

// Where the configuration is looked for unless told otherwise; empty: there is no home folder.
std::string default_folder(const base::Environment& environment);

}  // namespace opm::config
