#include "opm/render/platform_snapshot.h"

#include <fmt/core.h>

#include "base/path.h"
#include "cue/syntax/format.h"
#include "cue/syntax/literal.h"
#include "cue/syntax/parser.h"
#include "opm/render/module_files.h"
#include "opm/render/package_folder.h"
#include "opm/render/problems.h"
#include "opm/render/release_files.h"

namespace opm::render {

namespace {

constexpr std::size_t kLargestFile = 16u << 20;

void write_value(const data::Value& value, std::string& out) {
  using cue::syntax::quote;
  if (value.is_map()) {
    out += "{\n";
    for (const data::Member* member : data::sorted_members(value.as_map())) {
      out += cue::syntax::quote_label(member->key) + ": ";
      write_value(member->value, out);
      out += '\n';
    }
    out += '}';
  } else if (value.is_list()) {
    out += '[';
    for (const data::Value& item : value.as_list()) {
      if (out.back() != '[') out += ", ";
      write_value(item, out);
    }
    out += ']';
  } else if (value.is_string()) {
    out += quote(value.as_string());
  } else if (value.is_number()) {
    out += value.as_number().text;
  } else if (value.is_bool()) {
    out += value.as_bool() ? "true" : "false";
  } else {
    out += "null";
  }
}

std::string laid_out(std::string text) {
  diag::SourceMap sources;
  const diag::Source* source = sources.add(std::string(kSnapshotFile), text);
  base::Arena arena;
  cue::syntax::ParsedFile parsed = cue::syntax::parse_file(arena, *source);
  return parsed.file == nullptr ? text : cue::syntax::format(*parsed.file, {.source = source});
}

}  // namespace

std::string snapshot_text(const RenderOptions& options, const std::string& folder, const Snapshot& snapshot) {
  const base::FileSystem& files = options.files != nullptr ? *options.files : base::real_file_system();
  auto package = package_name(files, folder, {base::join_path(folder, kSnapshotFile)});
  std::string text = fmt::format(
      "// Written by `opm platform query`: what the clusters said. To be reviewed and committed like the files beside it.\n"
      "package {}\n",
      package && !package->empty() ? *package : "opm");
  for (const auto& [name, answers] : snapshot) {
    text += fmt::format("\n{}: {}: {{\n", kPlatformsField, cue::syntax::quote_label(name));
    if (!answers.context.as_map().empty()) {
      text += "context: ";
      write_value(answers.context, text);
      text += '\n';
    }
    text += "queried: ";
    write_value(answers.queried, text);
    text += "\n}\n";
  }
  return laid_out(std::move(text));
}

std::expected<Snapshot, Problem> read_snapshot(const RenderOptions& options, const std::string& folder) {
  const base::FileSystem& files = options.files != nullptr ? *options.files : base::real_file_system();
  std::string path = base::join_path(folder, kSnapshotFile);
  Snapshot snapshot;
  if (!files.status(path)) return snapshot;
  std::string shown = shown_file(options, path);
  auto unreadable = [&](const std::string& why) {
    return std::unexpected(make_problem(ProblemKind::invalid, "platform-query", fmt::format("cannot read {}: {}", shown, why),
                                        "remove the file and ask all clusters: opm platform query"));
  };
  auto text = files.read_file(path, kLargestFile);
  if (!text) return unreadable(text.error().message);
  std::string why;
  auto program = cue::Program::from_text(shown, std::move(*text));
  cue::run_on_large_stack([&] {
    if (!program->errors().empty()) why = program->errors().front().message;
    else if (!program->instances().front().errors.empty()) why = program->instances().front().errors.front().message;
    if (!why.empty()) return;
    cue::Context context(program);
    cue::Value platforms = context.instance(0).field(kPlatformsField);
    if (!platforms.exists()) return;
    auto data = platforms.to_data();
    if (!data || !data->is_map()) {
      why = "it is not what was written";
      return;
    }
    for (const data::Member& member : data->as_map()) {
      PlatformAnswers& answers = snapshot[member.key];
      answers.context.variant = answers.queried.variant = data::Map{};
      if (const data::Value* found = member.value.find("context"); found != nullptr && found->is_map()) answers.context = *found;
      if (const data::Value* found = member.value.find("queried"); found != nullptr && found->is_map()) answers.queried = *found;
    }
  });
  if (!why.empty()) return unreadable(why);
  return snapshot;
}

std::vector<Problem> query_mistakes(const model::Platform& platform) {
  std::vector<Problem> problems;
  for (const diag::Diagnostic& mistake : platform.mistakes) {
    diag::Diagnostic told = mistake;
    if (!platform.name.empty()) told.path = fmt::format("platforms.{}.{}", cue::syntax::quote_label(platform.name), told.path);
    append_problems(problems, {std::move(told)});
  }
  return problems;
}

std::vector<Problem> query_problems(const model::Platform& platform) {
  std::vector<Problem> problems = query_mistakes(platform);
  for (const model::Unanswered& unanswered : model::unanswered(platform)) {
    const model::PlatformQuery& query = *unanswered.query;
    Problem problem;
    if (platform.name.empty()) {
      problem = make_problem(ProblemKind::invalid, "platform-query",
                             fmt::format("{} is queried for a platform that is not one of \"platforms\"", query.field),
                             "declare the platform in .opm, and refer to it");
    } else {
      problem = make_problem(
          ProblemKind::invalid, "platform-query",
          fmt::format("platform \"{}\": {}", platform.name,
                      unanswered.is_changed ? query.field + " was asked for with another query than there is now"
                                            : "the cluster was never asked for " + query.field),
          "run opm platform query " + platform.name);
    }
    problem.diagnostic.positions = query.positions;
    problems.push_back(std::move(problem));
  }
  return problems;
}

}  // namespace opm::render
