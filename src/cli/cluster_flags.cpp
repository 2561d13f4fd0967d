#include "cli/cluster_flags.h"

#include <algorithm>

#include "base/file_writer.h"
#include "base/path.h"
#include "diag/printer.h"

namespace opm::cli {

namespace {

// For what servers say of themselves; empty: there is no place for it.
std::string cache_folder(const base::Environment& environment) {
  auto folder = environment.get("XDG_CACHE_HOME");
  if (folder && base::is_absolute_path(*folder)) return base::join_path(*folder, "opm/kube");
  auto home = environment.get("HOME");
  return home && base::is_absolute_path(*home) ? base::join_path(*home, ".cache/opm/kube") : std::string{};
}

}  // namespace

void declare_cluster_flags(const Command& command, ConfigFlags& config, ClusterFlags& flags) {
  command.option("--kubeconfig", config.values.kubeconfig, "FILE", "How to reach the cluster")
      .option("--context", config.values.context, "NAME", "Which context of the kubeconfig")
      .option("--as", flags.as, "USER", "Act as that user")
      .option("--as-group", flags.as_groups, "GROUP", "Act as a member of that group");
}

std::expected<std::unique_ptr<kube::Client>, ExitCode> connect(Session& session, const Configured& configured,
                                                               const ClusterFlags& flags,
                                                               const PlatformCluster& platform) {
  const config::Configuration& configuration = configured.configuration;
  kube::ConnectionRequest request;
  // The variables it reads itself: what they name is to be named in messages.
  if (configuration.kubeconfig.origin.kind == config::OriginKind::flag)
    request.kubeconfig_flag = {configuration.kubeconfig.value};
  if (configuration.kubeconfig.origin.kind == config::OriginKind::file)
    request.kubeconfig_of_configuration = configuration.kubeconfig.value;
  request.kubeconfig_of_platform = platform.kubeconfig;
  bool is_said = configuration.context.origin.kind == config::OriginKind::flag;
  request.context = is_said || platform.context.empty() ? configuration.context.value : platform.context;
  request.as = flags.as;
  request.as_groups = flags.as_groups;
  request.allow_exec = flags.allow_exec;
  diag::SourceMap sources;
  auto connection = kube::find_connection(request, configured.working_directory, base::real_environment(),
                                          base::real_file_system(), sources);
  if (!connection) {
    for (const diag::Diagnostic& error : connection.error()) {
      session.err.print("error: {}",
                        diag::format_text(sources, error, {.working_directory = configured.working_directory}));
    }
    return std::unexpected(ExitCode::failure);
  }
  kube::ClientOptions options;
  options.cache_folder = cache_folder(base::real_environment());
  return std::make_unique<kube::Client>(std::move(*connection),
                                        kube::ClientServices{base::real_environment(), base::real_file_system(),
                                                             base::real_file_writer(), base::real_clock()},
                                        std::move(options));
}

ExitCode report_problems(Session& session, const std::vector<release::Problem>& problems) {
  using render::ProblemKind;
  for (const release::Problem& problem : problems) {
    session.err.print("error: {}\n", problem.message);
    if (!problem.advice.empty()) session.err.print("  help: {}\n", problem.advice);
  }
  if (problems.size() > 1) session.err.print("{} errors\n", problems.size());
  auto has = [&](ProblemKind kind) {
    return std::ranges::find(problems, kind, &release::Problem::kind) != problems.end();
  };
  if (problems.empty()) return ExitCode::success;
  if (has(ProblemKind::unreachable)) return ExitCode::unreachable;
  if (has(ProblemKind::denied)) return ExitCode::denied;
  if (has(ProblemKind::not_found)) return ExitCode::not_found;
  if (has(ProblemKind::invalid)) return ExitCode::invalid;
  return ExitCode::failure;
}

void report_api_warnings(Session& session, kube::Client& client, const config::Configuration& configuration,
                         const release::SecretTexts& secrets) {
  std::vector<std::string> warnings = client.take_warnings();
  if (configuration.api_warnings.value == "suppress" || configuration.api_warnings.value == "debug") return;
  for (const std::string& warning : warnings) session.err.print("warning: {}\n", secrets.without(warning));
}

std::optional<std::chrono::seconds> parse_duration(const std::string& text) {
  std::chrono::seconds total{0};
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t digits = at;
    while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
    if (digits == at || digits - at > 9) return std::nullopt;
    long number = std::stol(text.substr(at, digits - at));
    char unit = digits < text.size() ? text[digits] : 's';
    if (unit == 'h')
      total += std::chrono::hours(number);
    else if (unit == 'm')
      total += std::chrono::minutes(number);
    else if (unit == 's')
      total += std::chrono::seconds(number);
    else
      return std::nullopt;
    at = digits + 1;
  }
  if (text.empty()) return std::nullopt;
  return total;
}

std::string age_of(const std::string& timestamp, const base::Clock& clock) {
  auto time = base::parse_time(timestamp);
  if (!time) return "-";
  long seconds =
      std::max(0L, static_cast<long>(std::chrono::duration_cast<std::chrono::seconds>(clock.now() - *time).count()));
  if (seconds < 120) return fmt::format("{}s", seconds);
  if (seconds < 120 * 60) return fmt::format("{}m", seconds / 60);
  if (seconds < 48 * 3600) return fmt::format("{}h", seconds / 3600);
  return fmt::format("{}d", seconds / 86400);
}

}  // namespace opm::cli
