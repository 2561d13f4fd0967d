#include "cli/render_flags.h"

#include <cstdlib>
#include <filesystem>

#include "base/clock.h"
#include "base/path.h"

namespace opm::cli {

void declare_render_flags(const Command& command, RenderFlags& flags) {
  command.optional_argument("DIR", flags.directory, "The folder of the module");
  command.option("-f,--values", flags.values, "FILE",
                 "Values (.cue, .yaml, .yml, .json), unified with the module's own; may be repeated");
  command.option("--name,--release-name", flags.name, "NAME", "Name of the release; by default that of the module");
  command.option("-n,--namespace", flags.namespace_name, "NAMESPACE",
                 "Namespace of the release; by default metadata.defaultNamespace of the module");
  command.option("--provider", flags.provider, "NAME", "Which of the configured providers renders");
  command.flag("--strict", flags.strict, "Make errors of traits that nothing handles and of objects Kubernetes would not take");
  command.flag_or_value("-v,--verbose", flags.verbose, "text", "json",
                        "Explain which transformers match which components, and why");
  command.flag("--timings", flags.timings, "Say how long each phase took");
  command.option("--jobs", flags.jobs, "N", "How many transformers run at the same time; by default one for each processor");
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

}  // namespace

std::expected<RenderSetup, std::string> set_up_render(const RenderFlags& flags) {
  RenderSetup setup;
  std::error_code error;
  setup.options.working_directory = std::filesystem::current_path(error).string();
  if (error) return std::unexpected("cannot find the working folder: " + error.message());
  auto absolute = [&](const std::string& path) {
    return base::is_absolute_path(path) ? base::clean_path(path) : base::join_path(setup.options.working_directory, path);
  };
  if (!flags.verbose.empty() && flags.verbose != "text" && flags.verbose != "json")
    return std::unexpected("--verbose takes \"text\" or \"json\", not \"" + flags.verbose + "\"");
  if (flags.jobs < 0) return std::unexpected("--jobs takes a number from 1 up");
  setup.options.module_directory = absolute(flags.directory);
  for (const std::string& file : flags.values) setup.options.values_files.push_back(absolute(file));
  setup.options.release_name = flags.name;
  setup.options.namespace_name = flags.namespace_name;
  if (flags.provider) setup.options.provider = *flags.provider;
  setup.options.strict = flags.strict;
  setup.options.threads = static_cast<unsigned>(flags.jobs);
  setup.options.timestamp = render_time();
  setup.modules = std::make_unique<ModuleChain>(ModuleChain::Options{});
  setup.options.resolver = &setup.modules->resolver();
  if (flags.timings) setup.options.clock = &base::real_clock();
  return setup;
}

}  // namespace opm::cli
