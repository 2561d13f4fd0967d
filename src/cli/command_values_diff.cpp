#include "cli/command_values_diff.h"

#include <algorithm>
#include <map>
#include <memory>

#include "cli/provenance_report.h"
#include "cli/values_flags.h"
#include "data/json.h"

namespace opm::cli {

namespace {

struct Options {
  ValuesFlags flags;
  std::string output = "text";
};

struct Change {
  std::string path;
  const values::Tree* before = nullptr;  // nullptr: added
  const values::Tree* after = nullptr;   // nullptr: removed
};

std::vector<Change> changes_between(const std::vector<values::Leaf>& before, const std::vector<values::Leaf>& after) {
  std::map<values::FieldPath, const values::Tree*> known, kept;
  for (const values::Leaf& leaf : before) known.emplace(leaf.path, leaf.tree);
  for (const values::Leaf& leaf : after) kept.emplace(leaf.path, leaf.tree);
  std::vector<Change> changes;
  for (const values::Leaf& leaf : before) {
    if (!kept.contains(leaf.path)) changes.push_back({values::path_text(leaf.path), leaf.tree, nullptr});
  }
  for (const values::Leaf& leaf : after) {
    auto found = known.find(leaf.path);
    if (found == known.end()) changes.push_back({values::path_text(leaf.path), nullptr, leaf.tree});
    else if (!data::equal(data_of(*found->second), data_of(*leaf.tree)))
      changes.push_back({values::path_text(leaf.path), found->second, leaf.tree});
  }
  return changes;
}

void print_text(Output& out, const diag::SourceMap& sources, const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    const values::Tree& last = change.after != nullptr ? *change.after : *change.before;
    std::string text;
    if (change.before != nullptr && change.after != nullptr) {
      text = fmt::format("~ {}: {} -> {}", change.path, values::marked_text(*change.before), values::marked_text(*change.after));
    } else {
      text = fmt::format("{} {}: {}", change.after != nullptr ? '+' : '-', change.path, values::marked_text(last));
    }
    out.print("{}  # {}, {}\n", text, values::tier_name(last.tier), values::place_text(sources, last.position));
  }
}

void print_json(Output& out, const diag::SourceMap& sources, const std::vector<Change>& changes) {
  data::List list;
  for (const Change& change : changes) {
    auto text = [](std::string_view word) {
      data::Value value;
      value.variant = std::string(word);
      return value;
    };
    data::Map map;
    map.push_back({"path", text(change.path)});
    map.push_back({"change", text(change.before == nullptr ? "added" : change.after == nullptr ? "removed" : "changed")});
    if (change.before != nullptr) map.push_back({"before", origin_data(sources, *change.before)});
    if (change.after != nullptr) map.push_back({"after", origin_data(sources, *change.after)});
    list.emplace_back().variant = std::move(map);
  }
  data::Value all;
  all.variant = std::move(list);
  out.write(data::write_json(all, {.indent = 2, .final_newline = true}));
}

ExitCode diff(Session& session, const Options& options) {
  // As with kubectl, 1 says that there are differences; what went wrong is more.
  if (options.flags.module.empty()) {
    session.err.write("error: --base is missing: the module whose values are overridden\n");
    return ExitCode::invalid;
  }
  auto run = run_values(session, options.flags, {.complete = false});
  if (!run) return run.error() == ExitCode::failure ? ExitCode::invalid : run.error();
  std::vector<values::Leaf> before = values::leaves_of(run->values.tiers.author);
  std::vector<values::Leaf> after = values::leaves_of(run->values.tiers.effective);
  std::vector<Change> changes = changes_between(before, after);
  if (options.output == "json") print_json(session.out, run->sources(), changes);
  else print_text(session.out, run->sources(), changes);
  return changes.empty() ? ExitCode::success : ExitCode::failure;
}

}  // namespace

void add_values_diff_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("diff", "Show what overlays change; ends with 1 if they change something");
  command.option("--base", options->flags.module, "MODULE", "The folder of the module, or a CUE file in it");
  command.choice("-o,--output", options->output, {"text", "json"}, "Form of the output");
  declare_values_flags(command, options->flags);
  command.run([&session, options] { return diff(session, *options); });
}

}  // namespace opm::cli
