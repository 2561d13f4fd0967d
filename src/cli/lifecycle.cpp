#include "cli/lifecycle.h"

#include <unistd.h>

#include <algorithm>

#include "base/joined.h"
#include "cli/cue_errors.h"
#include "cli/diff_report.h"
#include "cli/outcome_report.h"
#include "cli/progress_table.h"
#include "cli/status_report.h"
#include "opm/release/delete.h"
#include "opm/release/release_diff.h"
#include "opm/release/status.h"

namespace opm::cli {

namespace {

using Clock = std::chrono::steady_clock;

std::expected<Clock::time_point, ExitCode> deadline_of(Session& session, const std::string& timeout) {
  auto duration = parse_duration(timeout);
  if (!duration) {
    session.err.print("error: --timeout takes a time such as 90s, 5m or 1h30m, not \"{}\"\n", timeout);
    return std::unexpected(ExitCode::failure);
  }
  // 0 is for ever.
  return duration->count() == 0 ? Clock::time_point::max() : Clock::now() + *duration;
}

release::ApplyOptions apply_options(const ApplyFlags& flags) {
  release::ApplyOptions options;
  options.dry_run = flags.dry_run;
  options.create_namespace = flags.create_namespace;
  options.prune = !flags.no_prune;
  options.prune_dangerous = flags.prune_dangerous;
  options.adopt = flags.adopt;
  options.force = flags.force;
  options.force_conflicts = !flags.no_force_conflicts;
  options.max_history = static_cast<std::size_t>(flags.max_history);
  return options;
}

void print_warnings(Session& session, const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) session.err.print("warning: {}\n", warning);
}

ExitCode wait_until_ready(Session& session, const ClusterRun& run, const std::vector<release::Entry>& entries,
                          const std::string& release_id, const std::string& timeout, Clock::time_point deadline,
                          ProgressTable& progress) {
  std::vector<release::Problem> problems;
  std::vector<release::ObjectStatus> last;
  bool ready = release::follow_objects(
      run.client, entries, release_id, deadline,
      [&](const std::vector<release::ObjectStatus>& statuses) {
        last = statuses;
        bool all = true, failed = false;
        for (const release::ObjectStatus& status : statuses) {
          progress.set(status.entry.object, kube::name_of(status.health.status), status.health.message);
          all = all && status.health.status == kube::HealthStatus::healthy;
          failed = failed || status.health.status == kube::HealthStatus::failed;
        }
        return all || failed;
      },
      problems);
  progress.clear();
  if (!problems.empty()) return report_problems(session, problems);
  for (const release::ObjectStatus& status : last) {
    if (status.health.status == kube::HealthStatus::healthy) continue;
    ready = false;
    problems.push_back({render::ProblemKind::general,
                        fmt::format("{} is not ready{}: {}", release::display_name(status.entry.object),
                                    Clock::now() >= deadline ? " after " + timeout : "", status.health.message),
                        status.reasons.empty() ? std::string{} : base::joined(status.reasons, "; ")});
  }
  return ready ? ExitCode::success : report_problems(session, problems);
}

}  // namespace

void declare_apply_flags(const Command& command, ApplyFlags& flags) {
  command.flag("--dry-run", flags.dry_run, "Ask the server what it would do, and change nothing")
      .flag("--diff", flags.diff, "Show first what will change")
      .flag("--wait", flags.wait, "Wait until everything is ready")
      .option("--timeout", flags.timeout, "TIME",
              "How long --wait waits at most, such as 90s or 5m, the default; 0 is for ever")
      .flag("--create-namespace", flags.create_namespace, "Create the namespace of the release if it is not there")
      .flag("--no-prune", flags.no_prune, "Keep objects that are no longer rendered")
      .flag("--prune-dangerous", flags.prune_dangerous,
            "Prune Namespaces and CustomResourceDefinitions too, with everything in them")
      .flag("--adopt", flags.adopt, "Take over objects that are there already and not from this release")
      .flag("--force", flags.force, "Remove everything where nothing is rendered")
      .flag("--no-force-conflicts", flags.no_force_conflicts,
            "Fail where others own fields, rather than take them over")
      .option("--max-history", flags.max_history, "N", "How many changes to remember; by default 10")
      .flag("--progress", flags.progress, "Show on a terminal what happens as it does")
      .choice("-o,--output", flags.output, {"text", "json"}, "Format of what was done")
      .choice("--color", flags.color, {"auto", "always", "never"}, "Whether --diff is coloured");
}

void declare_diff_flags(const Command& command, DiffFlags& flags) {
  command.choice("-o,--output", flags.output, {"text", "json"}, "Format of the differences")
      .choice("--color", flags.color, {"auto", "always", "never"}, "Whether the differences are coloured")
      .flag("--no-prune", flags.no_prune, "As for apply: nothing would be pruned")
      .flag("--prune-dangerous", flags.prune_dangerous, "As for apply: everything stale would be pruned")
      .flag("--no-force-conflicts", flags.no_force_conflicts, "Fail where others own fields");
  command.footer(
      "Ends with 0 where nothing differs, with 1 where something does, and with more than 1 on errors.\n"
      "$KUBECTL_EXTERNAL_DIFF names a program to show the differences, which is given two folders.");
}

void declare_status_flags(const Command& command, StatusFlags& flags) {
  command.choice("-o,--output", flags.output, {"table", "wide", "json", "yaml"}, "Format of the status")
      .flag("--watch", flags.watch, "Show it again whenever it changes, until interrupted")
      .choice("--wait-for", flags.wait_for, {"ready", "deleted"}, "Wait until everything is ready, or nothing is left")
      .option("--timeout", flags.timeout, "TIME",
              "How long --wait-for waits at most, such as 90s or 5m, the default; 0 is for ever")
      .flag("--progress", flags.progress, "Show on a terminal what happens as it does");
}

void declare_delete_flags(const Command& command, DeleteFlags& flags) {
  command.flag("--dry-run", flags.dry_run, "Ask the server what it would do, and change nothing")
      .flag("--keep-namespace", flags.keep_namespace,
            "Leave Namespaces; --keep-namespace=false deletes them with everything in them")
      .flag("--force", flags.force, "Go on where the cluster no longer has the kind of an object")
      .flag("--no-wait", flags.no_wait, "Do not wait until the objects are gone")
      .option("--timeout", flags.timeout, "TIME",
              "How long to wait at most, such as 90s or 5m, the default; 0 is for ever")
      .choice("-o,--output", flags.output, {"text", "json"}, "Format of what was done")
      .flag("--progress", flags.progress, "Show on a terminal what happens as it does");
}

release::DesiredRelease desired_release(render::RenderResult rendered) {
  release::DesiredRelease desired;
  desired.name = rendered.release.name;
  desired.namespace_name = rendered.release.namespace_name;
  desired.id = rendered.release.identity;
  desired.module = {rendered.module_path, rendered.module.version, rendered.module.name};
  desired.values = std::move(rendered.values);
  desired.resources = std::move(rendered.resources);
  return desired;
}

ExitCode apply_rendered(Session& session, const ClusterRun& run, render::RenderResult rendered,
                        const ApplyFlags& flags) {
  if (flags.max_history < 1) {
    session.err.write("error: --max-history takes a number from 1 up\n");
    return ExitCode::failure;
  }
  auto deadline = deadline_of(session, flags.timeout);
  if (!deadline) return deadline.error();
  release::DesiredRelease desired = desired_release(std::move(rendered));
  release::SecretTexts secrets(desired.resources);
  release::ApplyOptions options = apply_options(flags);
  bool as_json = flags.output == "json";
  data::Value differences;
  if (flags.diff) {
    release::DiffResult diff = release::diff_release(run.client, desired, options);
    if (!diff.problems.empty()) return report_problems(session, diff.problems);
    if (as_json)
      differences = diff_tree(diff);
    else
      session.out.write(diff_text(diff, wants_color(flags.color, ::isatty(STDOUT_FILENO) != 0)));
  }
  ProgressTable progress(flags.progress ? &session.err : nullptr);
  options.report = [&](std::string_view verb, const release::ObjectId& object) { progress.set(object, verb); };
  std::string name = desired.name, where = desired.namespace_name, id = desired.id;
  release::ApplyResult result = release::apply_release(run.client, std::move(desired), options);
  progress.clear();
  print_warnings(session, result.warnings);
  report_api_warnings(session, run.client, run.configured.configuration, secrets);
  OutcomeReport report = report_of(result, where, flags.dry_run);
  report.release = name;
  report.differences = std::move(differences);
  // Where nothing was tried, what is wrong says it all.
  bool is_tried = std::ranges::any_of(result.objects, [](const release::AppliedObject& object) {
    return object.outcome != release::ApplyOutcome::not_tried;
  });
  if (!as_json && (result.succeeded() || is_tried)) session.out.write(outcome_text(report, true));
  ExitCode code = report_problems(session, result.problems);
  if (code == ExitCode::success && flags.wait && !flags.dry_run) {
    session.out.flush();
    std::vector<release::Entry> entries;
    for (const release::AppliedObject& object : result.objects) entries.push_back(object.entry);
    code = wait_until_ready(session, run, entries, id, flags.timeout, *deadline, progress);
    report.ready = code == ExitCode::success;
  }
  if (as_json) session.out.write(outcome_json(report));
  return code;
}

ExitCode diff_failure(ExitCode code) { return code == ExitCode::failure ? ExitCode::invalid : code; }

ExitCode diff_rendered(Session& session, const ClusterRun& run, render::RenderResult rendered, const DiffFlags& flags) {
  release::SecretTexts secrets(rendered.resources);
  release::ApplyOptions options;
  options.prune = !flags.no_prune;
  options.prune_dangerous = flags.prune_dangerous;
  options.force_conflicts = !flags.no_force_conflicts;
  release::DiffResult diff = release::diff_release(run.client, desired_release(std::move(rendered)), options);
  print_warnings(session, diff.warnings);
  report_api_warnings(session, run.client, run.configured.configuration, secrets);
  if (!diff.problems.empty()) return diff_failure(report_problems(session, diff.problems));
  if (flags.output == "json") {
    session.out.write(diff_json(diff));
  } else if (auto program = base::real_environment().get("KUBECTL_EXTERNAL_DIFF"); program && !program->empty()) {
    if (auto code = external_diff(session, *program, diff)) return *code;
  } else {
    session.out.write(diff_text(diff, wants_color(flags.color, ::isatty(STDOUT_FILENO) != 0)));
  }
  return diff.differs() ? ExitCode::failure : ExitCode::success;
}

ExitCode show_status(Session& session, const ClusterRun& run, const release::ReleaseKey& key,
                     const StatusFlags& flags) {
  auto deadline = deadline_of(session, flags.timeout);
  if (!deadline) return deadline.error();
  if (flags.watch && flags.wait_for.empty()) *deadline = Clock::time_point::max();
  release::ReleaseStatus status = release::release_status(run.client, key);
  bool is_gone = status.problems.size() == 1 && status.problems[0].kind == render::ProblemKind::not_found;
  if (flags.wait_for == "deleted" && is_gone) return ExitCode::success;
  if (!status.problems.empty()) return report_problems(session, status.problems);
  auto print = [&](const release::ReleaseStatus& current) {
    session.out.write(format_status(current, flags.output, base::real_clock()));
    session.out.flush();
  };
  if (!flags.watch && flags.wait_for.empty()) {
    print(status);
    return status.healthy() ? ExitCode::success : ExitCode::failure;
  }
  ProgressTable progress(flags.progress ? &session.err : nullptr);
  std::vector<release::Entry> entries;
  for (const release::ObjectStatus& object : status.objects) entries.push_back(object.entry);
  std::string shown;
  std::vector<release::Problem> problems;
  bool done = release::follow_objects(
      run.client, entries, status.id, *deadline,
      [&](const std::vector<release::ObjectStatus>& objects) {
        status.objects = objects;
        bool all_gone = true;
        for (const release::ObjectStatus& object : objects) {
          progress.set(object.entry.object, kube::name_of(object.health.status), object.health.message);
          all_gone = all_gone && object.health.status == kube::HealthStatus::missing;
        }
        if (flags.watch) {
          std::string now = summary_of(status);
          if (now != shown) print(status);
          shown = std::move(now);
        }
        if (flags.wait_for == "deleted") return all_gone;
        return flags.wait_for == "ready" && status.healthy();
      },
      problems);
  progress.clear();
  if (!problems.empty()) return report_problems(session, problems);
  if (!flags.watch && flags.wait_for == "ready") print(status);
  if (!done) {
    session.err.print("error: release \"{}\" is not {} after {}\n", status.name,
                      flags.wait_for == "deleted" ? "deleted" : "ready", flags.timeout);
    return ExitCode::failure;
  }
  return ExitCode::success;
}

ExitCode delete_named(Session& session, const ClusterRun& run, const release::ReleaseKey& key,
                      const DeleteFlags& flags) {
  auto deadline = deadline_of(session, flags.timeout);
  if (!deadline) return deadline.error();
  release::DeleteOptions options;
  options.dry_run = flags.dry_run;
  options.keep_namespace = flags.keep_namespace;
  options.force = flags.force;
  options.wait = !flags.no_wait;
  options.deadline = *deadline;
  ProgressTable progress(flags.progress ? &session.err : nullptr);
  options.report = [&](const release::RemovedObject& object) {
    progress.set(object.entry.object, word_for(object.outcome, flags.dry_run));
  };
  release::DeleteResult result = release::delete_release(run.client, key, options);
  progress.clear();
  report_api_warnings(session, run.client, run.configured.configuration);
  OutcomeReport report = report_of(result, key.namespace_name, flags.dry_run);
  report.release = key.name.empty() ? key.id : key.name;
  if (result.by_labels && result.problems.empty())
    session.err.write("note: the release has no inventory; its objects were found by their labels\n");
  session.out.write(flags.output == "json" ? outcome_json(report) : outcome_text(report, result.problems.empty()));
  return report_problems(session, result.problems);
}

}  // namespace opm::cli
