#include "cli/command_platform_query.h"


#include <algorithm>
#include <memory>

#include "base/file_writer.h"
#include "base/joined.h"
#include "base/path.h"
#include "base/suggestion.h"
#include "cli/cluster_flags.h"
#include "cli/release_flags.h"
#include "cli/render_report.h"
#include "data/build.h"
#include "data/json.h"
#include "opm/release/platform_answers.h"
#include "opm/render/module_files.h"

namespace opm::cli {

namespace {

using model::Platform;
using render::PlatformAnswers;
using render::Snapshot;

struct Options {
  RenderFlags folder;
  ClusterFlags cluster;
  std::vector<std::string> platforms;
  bool check = false;
  std::string output = "text";
};

// A field that was asked for, before and now; null: it is not set.
struct Change {
  std::string platform;
  std::string field;
  data::Value before;
  data::Value now;

  bool is_change() const { return !data::equal(before, now); }
};

const data::Value* at(const data::Value& context, std::string_view field) {
  const data::Value* place = &context;
  for (std::size_t begin = field.find('.'); begin != std::string_view::npos && place != nullptr;) {
    std::size_t end = field.find('.', begin + 1);
    place = place->find(field.substr(begin + 1, end - begin - 1));
    begin = end;
  }
  return place;
}

std::vector<Change> changes_of(const std::string& platform, const PlatformAnswers& before, const PlatformAnswers& now) {
  std::vector<Change> changes;
  for (const data::Member& member : now.queried.as_map()) {
    Change change{platform, member.key, {}, {}};
    if (const data::Value* found = at(before.context, member.key)) change.before = *found;
    if (const data::Value* found = at(now.context, member.key)) change.now = *found;
    changes.push_back(std::move(change));
  }
  return changes;
}

std::string shown(const data::Value& value) { return value.is_null() ? "unset" : data::write_json(value); }

std::string text_of(const std::vector<Change>& changes) {
  std::string text;
  for (const Change& change : changes) {
    text += fmt::format("{}: {}: ", change.platform, change.field);
    if (change.is_change()) text += fmt::format("{} → {}\n", shown(change.before), shown(change.now));
    else text += fmt::format("{}\n", shown(change.now));
  }
  return text;
}

std::string json_of(const std::vector<Change>& changes) {
  data::List items;
  for (const Change& change : changes) {
    items.push_back(data::map({{"platform", data::text(change.platform)},
                               {"field", data::text(change.field)},
                               {"before", change.before},
                               {"value", change.now},
                               {"changed", data::boolean(change.is_change())}}));
  }
  return data::write_json(data::list(std::move(items)), {.indent = 2, .sort_keys = false, .final_newline = true});
}

ExitCode no_such_platform(Session& session, const std::string& name, const std::vector<Platform>& known) {
  base::Suggestion suggestion(name);
  std::vector<std::string> names;
  for (const Platform& platform : known) {
    names.push_back(platform.name);
    suggestion.consider(platform.name);
  }
  session.err.print("error: there is no platform \"{}\"\n  help: {}the platforms are {}\n", name,
                    suggestion.best().empty() ? "" : fmt::format("did you mean \"{}\"? ", suggestion.best()), base::joined(names, ", "));
  return ExitCode::invalid;
}

class Query {
 public:
  Query(Session& session, const Options& options) : session_(session), options_(options) {}

  ExitCode run() {
    auto setup = set_up_release_render(session_, options_.folder);
    if (!setup) return setup.error();
    setup_ = std::move(*setup);
    if (ExitCode code = read(); code != ExitCode::success) return code;
    Snapshot now = kept_;
    for (const Platform& platform : list_.platforms) {
      // What is no longer queried is no longer said.
      if (platform.queries.empty()) now.erase(platform.name);
      else if (is_asked(platform)) ask(platform, now);
    }
    std::erase_if(now, [&](const auto& entry) {
      return std::ranges::find(list_.platforms, entry.first, &Platform::name) == list_.platforms.end();
    });
    std::string text = render::snapshot_text(setup_.options, list_.platforms_folder, now);
    // As those will read it who render: what a cluster says need not fit.
    render::ReleaseList checked = render::list_platforms_with(setup_.options, text);
    if (ExitCode code = report(checked); code != ExitCode::success) return code;
    session_.out.write(options_.output == "json" ? json_of(changes_) : text_of(changes_));
    if (ExitCode code = keep(text, now); code != ExitCode::success) return code;
    return report_problems(session_, problems_);
  }

 private:
  ExitCode report(const render::ReleaseList& list) {
    return report_problems(session_, list.program.get(), list.errors, {setup_.options.working_directory, options_.folder.verbose, false});
  }

  // The platforms without what clusters said before, which need not fit any more.
  ExitCode read() {
    list_ = render::list_platforms(setup_.options);
    if (list_.platforms_folder.empty()) return report(list_);
    list_ = render::list_platforms_with(setup_.options, render::snapshot_text(setup_.options, list_.platforms_folder, {}));
    for (const Platform& platform : list_.platforms)
      std::ranges::move(render::query_mistakes(platform), std::back_inserter(list_.errors));
    if (ExitCode code = report(list_); code != ExitCode::success) return code;
    for (const std::string& name : options_.platforms) {
      if (std::ranges::find(list_.platforms, name, &Platform::name) == list_.platforms.end())
        return no_such_platform(session_, name, list_.platforms);
    }
    auto kept = render::read_snapshot(setup_.options, list_.platforms_folder);
    if (!kept) {
      list_.errors.push_back(std::move(kept.error()));
      return report(list_);
    }
    kept_ = std::move(*kept);
    if (std::ranges::none_of(list_.platforms, [&](const Platform& platform) { return is_asked(platform) && !platform.queries.empty(); }))
      session_.err.write("note: there is nothing to ask: no platform has queries\n");
    return ExitCode::success;
  }

  bool is_asked(const Platform& platform) const {
    return options_.platforms.empty() || std::ranges::find(options_.platforms, platform.name) != options_.platforms.end();
  }

  void ask(const Platform& platform, Snapshot& now) {
    auto client = connect(session_, *setup_.configured, options_.cluster, {platform.kube_config, platform.kube_context});
    if (!client) {
      problems_.push_back({render::ProblemKind::general, fmt::format("platform \"{}\" was not asked", platform.name), {}});
      return;
    }
    session_.err.print("platform: {}, ", platform.name);
    static_cast<void>(announce_context(session_, (*client)->connection().context, {}));
    release::AnsweredPlatform answered = release::ask_platform(**client, platform);
    report_api_warnings(session_, **client, setup_.configured->configuration);
    if (!answered.problems.empty()) {
      // What it said before stays.
      std::ranges::move(answered.problems, std::back_inserter(problems_));
      return;
    }
    PlatformAnswers before = kept_.contains(platform.name) ? kept_.at(platform.name) : PlatformAnswers{data::map(), data::map()};
    std::ranges::move(changes_of(platform.name, before, answered.answers), std::back_inserter(changes_));
    now[platform.name] = std::move(answered.answers);
  }

  ExitCode keep(const std::string& text, const Snapshot& now) {
    std::string file = base::join_path(list_.platforms_folder, render::kSnapshotFile);
    std::string shown = render::shown_file(setup_.options, file);
    auto old = base::real_file_system().read_file(file, 16u << 20);
    bool is_there = old.has_value();
    if ((is_there && *old == text) || (!is_there && now.empty())) return ExitCode::success;
    if (options_.check) {
      session_.err.print("error: {} is not what the clusters say\n  help: run opm platform query without --check\n", shown);
      return ExitCode::failure;
    }
    auto written = now.empty() ? base::real_file_writer().remove_file(file) : base::real_file_writer().write_file(file, text);
    if (!written) {
      session_.err.print("error: cannot write {}: {}\n", shown, written.error().message);
      return ExitCode::failure;
    }
    session_.err.print("{} {}\n", now.empty() ? "removed" : "wrote", shown);
    return ExitCode::success;
  }

  Session& session_;
  const Options& options_;
  RenderSetup setup_;
  render::ReleaseList list_;
  Snapshot kept_;
  std::vector<Change> changes_;
  std::vector<release::Problem> problems_;
};

}  // namespace

void add_platform_query_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("query", "Ask clusters for what the queries of platforms want to know, and keep it in .opm");
  command.arguments("PLATFORM", options->platforms, "Only these; all that have queries, if none is named");
  command.flag("--check", options->check, "Write nothing; fail if clusters say something else than was kept");
  command.choice("-o,--output", options->output, {"text", "json"}, "Format");
  declare_folder_flags(command, options->folder);
  declare_cluster_flags(command, options->folder.config, options->cluster);
  command.flag("--allow-exec", options->cluster.allow_exec, "Run credential plugins that the platform's own kubeconfig names");
  command.run([&session, options] { return Query(session, *options).run(); });
}

}  // namespace opm::cli
