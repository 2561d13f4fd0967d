#include "cli/render_flags.h"

#include <cstdlib>
#include <set>

#include "base/clock.h"
#include "base/path.h"
#include "cli/module_flags.h"
#include "cli/standard_input.h"

namespace opm::cli {

void declare_render_flags(const Command& command, RenderFlags& flags) {
  command.optional_argument("DIR", flags.directory, "The folder of the module");
  declare_module_flags(command, flags);
}

void declare_module_flags(const Command& command, RenderFlags& flags) {
  command.option("-f,--values", flags.values, "FILE",
                 "Values (.cue, .yaml, .yml, .json), unified with the module's own; - is standard input (YAML or JSON; cue:- is "
                 "CUE)");
  declare_tier_flags(command, flags);
  command.option("--name,--release-name", flags.name, "NAME", "Name of the release; by default that of the module");
  command.option("-n,--namespace", flags.config.values.namespace_name, "NAMESPACE",
                 "Namespace of the release; by default metadata.defaultNamespace of the module");
  declare_shared_render_flags(command, flags);
}

void declare_tier_flags(const Command& command, RenderFlags& flags) {
  command.option("--platform", flags.platform, "FILE",
                 "Values of the Platform Operator, which override the module's own; the last one wins");
  command.option("--user", flags.user, "FILE",
                 "Values of the End User, which override what the platform has not locked; the last one wins");
}

void declare_shared_render_flags(const Command& command, RenderFlags& flags) {
  command.option("--provider", flags.provider, "NAME", "Which of the configured providers renders");
  command.flag("--strict", flags.strict, "Make errors of traits that nothing handles and of objects Kubernetes would not take");
  command.flag_or_value("-v,--verbose", flags.verbose, "text", "json",
                        "Explain which transformers match which components, and why");
  declare_config_flags(command, flags.config);
  command.flag("--timings", flags.timings, "Say how long each phase took");
  command.option("--jobs", flags.jobs, "N", "How many threads read, evaluate and write; by default one for each processor");
}

namespace {

// For catalogs that put the time into what they render: $SOURCE_DATE_EPOCH makes that the same every time.
std::string render_time() {
  base::Clock::Time time = base::real_clock().now();
  if (const char* epoch = std::getenv("SOURCE_DATE_EPOCH"); epoch != nullptr && *epoch != '\0') {
    char* end = nullptr;
    long long seconds = std::strtoll(epoch, &end, 10);
    if (*end == '\0') time = base::Clock::Time(std::chrono::seconds(seconds));
  }
  return base::format_time(time);
}

// How standard input is read when it is meant: "-" is YAML, and so JSON too. Empty: a file is meant.
std::string_view standard_input_type(std::string_view file) {
  if (file == "-" || file == "yaml:-") return "yaml";
  if (file == "json:-") return "json";
  return file == "cue:-" ? "cue" : "";
}

}  // namespace

std::optional<std::string> repeated_file(const std::vector<std::string>& platform, const std::vector<std::string>& user) {
  std::set<std::string> known;
  for (const std::vector<std::string>* files : {&platform, &user}) {
    for (const std::string& file : *files) {
      if (!known.insert(file).second) return file;
    }
  }
  return std::nullopt;
}

std::string absolute_path(const std::string& working_directory, const std::string& path) {
  return base::is_absolute_path(path) ? base::clean_path(path) : base::join_path(working_directory, path);
}

std::expected<RenderSetup, ExitCode> set_up_render(Session& session, const RenderFlags& flags) {
  auto refuse = [&](std::string_view message) {
    session.err.print("error: {}\n", message);
    return std::unexpected(ExitCode::failure);
  };
  if (!flags.verbose.empty() && flags.verbose != "text" && flags.verbose != "json")
    return refuse("--verbose takes \"text\" or \"json\", not \"" + flags.verbose + "\"");
  if (!flags.values.empty() && !(flags.platform.empty() && flags.user.empty()))
    return refuse("--values unifies and --platform and --user override: use one or the other");
  if (flags.jobs < 0) return refuse("--jobs takes a number from 1 up");
  auto configured = configure(session, flags.config);
  if (!configured) return std::unexpected(configured.error());
  RenderSetup setup;
  setup.configured = std::make_unique<Configured>(std::move(*configured));
  const config::Configuration& configuration = setup.configured->configuration;
  render::RenderOptions& options = setup.options;
  options.working_directory = setup.configured->working_directory;
  if (options.working_directory.empty()) return refuse("the working folder is gone");
  auto absolute = [&](const std::string& path) { return absolute_path(options.working_directory, path); };
  options.configuration = &configuration;
  options.resolver = &setup.configured->modules->resolver();
  options.module_directory = absolute(flags.directory);
  for (const std::string& file : flags.values) {
    std::string_view type = standard_input_type(file);
    if (type.empty()) {
      options.values_files.push_back(absolute(file));
      continue;
    }
    if (options.values_input) return refuse("standard input cannot be read more than once");
    auto content = read_standard_input();
    if (!content) return refuse("cannot read standard input: " + content.error());
    options.values_input = render::RenderOptions::ValuesInput{"-." + std::string(type), std::move(*content)};
  }
  for (const std::string& file : flags.platform) options.platform_files.push_back(absolute(file));
  for (const std::string& file : flags.user) options.user_files.push_back(absolute(file));
  if (auto file = repeated_file(options.platform_files, options.user_files))
    return refuse("\"" + base::relative_path(options.working_directory, *file) + "\" is given twice; a file has its place once");
  options.release_name = flags.name;
  options.tells_matches = !flags.verbose.empty();
  // What the user's file says of namespaces holds for modules that say nothing.
  const config::Setting<std::string>& where = configuration.namespace_name;
  if (where.origin.kind == config::OriginKind::flag || where.origin.kind == config::OriginKind::environment)
    options.namespace_name = where.value;
  else
    options.fallback_namespace = where.value;
  if (flags.provider) options.provider = *flags.provider;
  options.strict = flags.strict;
  options.threads = static_cast<unsigned>(flags.jobs);
  options.timestamp = render_time();
  if (flags.timings) options.clock = &base::real_clock();
  return setup;
}

}  // namespace opm::cli
