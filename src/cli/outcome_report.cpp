#include "cli/outcome_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/joined.h"
#include "data/build.h"
#include "data/json.h"

namespace opm::cli {

namespace {

using release::ApplyOutcome;
using release::RemovalOutcome;

std::string_view word_for_applied(ApplyOutcome outcome, bool dry_run) {
  if (dry_run && outcome == ApplyOutcome::created) return "would be created";
  if (dry_run && outcome == ApplyOutcome::configured) return "would be configured";
  return release::name_of(outcome);
}

std::string_view word_for_pruned(RemovalOutcome outcome, bool dry_run) {
  bool goes = outcome == RemovalOutcome::removed || outcome == RemovalOutcome::requested;
  if (!goes) return word_for(outcome, dry_run);
  return dry_run ? "would be pruned" : "pruned";
}

// How many had which outcome, in the order in which they first come.
std::vector<std::pair<std::string_view, std::int64_t>> counts_of(const OutcomeReport& report) {
  std::vector<std::pair<std::string_view, std::int64_t>> counts;
  for (const ObjectOutcome& object : report.objects) {
    auto known = std::ranges::find(counts, object.word, &std::pair<std::string_view, std::int64_t>::first);
    if (known == counts.end())
      counts.emplace_back(object.word, 1);
    else
      ++known->second;
  }
  return counts;
}

}  // namespace

std::string_view word_for(RemovalOutcome outcome, bool dry_run) {
  switch (outcome) {
    case RemovalOutcome::removed:
      return dry_run ? "would be deleted" : "deleted";
    case RemovalOutcome::absent:
      return "was gone";
    case RemovalOutcome::requested:
      return "is being deleted";
    case RemovalOutcome::foreign:
      return "left: another release has it";
    case RemovalOutcome::failed:
      return "failed";
    case RemovalOutcome::held:
      return "is still there";
    case RemovalOutcome::not_tried:
      break;
  }
  return "not tried";
}

OutcomeReport report_of(const release::ApplyResult& result, const std::string& namespace_name, bool dry_run) {
  OutcomeReport report;
  report.namespace_name = namespace_name;
  report.dry_run = dry_run;
  report.change = result.change;
  if (result.makes_namespace) {
    report.objects.push_back(
        {{{"", "Namespace", "", namespace_name}, {}, "v1", {}}, word_for_applied(ApplyOutcome::created, dry_run)});
  }
  for (const release::AppliedObject& object : result.objects)
    report.objects.push_back({object.entry, word_for_applied(object.outcome, dry_run)});
  for (const release::RemovedObject& object : result.pruned)
    report.objects.push_back({object.entry, word_for_pruned(object.outcome, dry_run)});
  for (const release::Entry& entry : result.kept) report.objects.push_back({entry, "kept"});
  return report;
}

OutcomeReport report_of(const release::DeleteResult& result, const std::string& namespace_name, bool dry_run) {
  OutcomeReport report;
  report.namespace_name = namespace_name;
  report.dry_run = dry_run;
  for (const release::RemovedObject& object : result.objects)
    report.objects.push_back({object.entry, word_for(object.outcome, dry_run)});
  for (const release::Entry& entry : result.kept) report.objects.push_back({entry, "kept"});
  return report;
}

std::string outcome_text(const OutcomeReport& report, bool with_summary) {
  std::string out;
  for (const ObjectOutcome& object : report.objects)
    out += fmt::format("{} {}\n", release::display_name(object.entry.object), object.word);
  if (!with_summary) return out;
  std::vector<std::string> parts;
  for (const auto& [word, count] : counts_of(report)) parts.push_back(fmt::format("{} {}", count, word));
  return out + fmt::format("release \"{}\" in namespace \"{}\"{}: {}\n", report.release, report.namespace_name,
                           report.dry_run ? " (dry run)" : "",
                           parts.empty() ? "nothing to do" : base::joined(parts, ", "));
}

std::string outcome_json(const OutcomeReport& report) {
  data::List objects;
  for (const ObjectOutcome& object : report.objects) {
    const release::ObjectId& id = object.entry.object;
    objects.push_back(data::map({{"apiVersion", data::text(release::api_version(object.entry))},
                                 {"kind", data::text(id.kind)},
                                 {"namespace", data::text(id.namespace_name)},
                                 {"name", data::text(id.name)},
                                 {"component", data::text(object.entry.component)},
                                 {"outcome", data::text(std::string(object.word))}}));
  }
  data::Value summary = data::map();
  for (const auto& [word, count] : counts_of(report)) data::set(summary, word, data::integer(count));
  data::Value tree = data::map({{"release", data::text(report.release)},
                                {"namespace", data::text(report.namespace_name)},
                                {"dryRun", data::boolean(report.dry_run)}});
  if (!report.change.empty()) data::set(tree, "change", data::text(report.change));
  if (!report.differences.is_null()) data::set(tree, "diff", report.differences);
  data::set(tree, "objects", data::list(std::move(objects)));
  data::set(tree, "summary", std::move(summary));
  if (report.ready) data::set(tree, "ready", data::boolean(*report.ready));
  return data::write_json(tree, {.indent = 2, .final_newline = true});
}

}  // namespace opm::cli
