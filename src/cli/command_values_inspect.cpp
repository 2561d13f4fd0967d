#include "cli/command_values_inspect.h"

#include <unistd.h>

#include <algorithm>
#include <memory>

#include "base/suggestion.h"
#include "cli/cue_errors.h"
#include "cli/provenance_report.h"
#include "cli/values_flags.h"
#include "data/json.h"

namespace opm::cli {

namespace {

struct Options {
  ValuesFlags flags;
  std::string output = "text";
  bool tree = false;
  std::string why;
  std::string color = "auto";
};

// Those at that path and below it.
std::vector<values::Leaf> leaves_below(const std::vector<values::Leaf>& leaves, const cue::Path& path) {
  std::vector<values::Leaf> found;
  for (const values::Leaf& leaf : leaves) {
    bool is_below = path.elements.size() <= leaf.path.size() &&
                    std::ranges::equal(path.elements, std::span(leaf.path).first(path.elements.size()), {},
                                       &cue::Path::Element::name);
    if (is_below) found.push_back(leaf);
  }
  return found;
}

ExitCode not_found(Session& session, const std::string& path, const std::vector<values::Leaf>& leaves) {
  session.err.print("error: no tier sets \"{}\"\n", path);
  base::Suggestion suggestion(path);
  std::vector<std::string> known;
  for (const values::Leaf& leaf : leaves) known.push_back(values::path_text(leaf.path));
  for (const std::string& name : known) suggestion.consider(name);
  if (!suggestion.best().empty()) session.err.print("  did you mean \"{}\"?\n", suggestion.best());
  return ExitCode::not_found;
}

ExitCode inspect(Session& session, const Options& options) {
  auto refuse = [&](std::string_view message) {
    session.err.print("error: {}\n", message);
    return ExitCode::failure;
  };
  if (options.tree && !options.why.empty()) return refuse("--tree shows all values and --why one: use one or the other");
  if (options.tree && options.output != "text") return refuse("--tree is for people; -o json has the same in full without it");
  auto run = run_values(session, options.flags, {.complete = false});
  if (!run) return run.error();
  const values::Tree& effective = run->values.tiers.effective;
  std::vector<values::Leaf> leaves = values::leaves_of(effective);
  if (options.tree) {
    print_value_tree(session.out, effective, wants_color(options.color, ::isatty(STDOUT_FILENO) != 0));
    return ExitCode::success;
  }
  if (!options.why.empty()) {
    std::string_view text = options.why;
    if (text.starts_with("values.")) text.remove_prefix(std::string_view("values.").size());
    auto path = cue::Path::parse(text);
    if (!path) return refuse("--why takes the path of a field, such as \"resources.limits.cpu\": " + path.error());
    std::vector<values::Leaf> wanted = leaves_below(leaves, *path);
    if (wanted.empty()) return not_found(session, options.why, leaves);
    if (options.output == "text") {
      print_history(session.out, run->sources(), wanted);
      return ExitCode::success;
    }
    leaves = std::move(wanted);
  }
  if (options.output == "json") {
    data::Value all = provenance_data(run->sources(), run->values.module, leaves);
    session.out.write(data::write_json(all, {.indent = 2, .final_newline = true}));
  } else {
    print_provenance(session.out, run->sources(), run->values.module, leaves);
  }
  return ExitCode::success;
}

}  // namespace

void add_values_inspect_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("inspect", "Show who set each value, where, and whether it can be overridden");
  command.argument("MODULE", options->flags.module, "The folder of the module, or a CUE file in it");
  command.choice("-o,--output", options->output, {"text", "json"}, "Form of the output");
  command.flag("--tree", options->tree, "Show the values as an indented tree, coloured by tier");
  command.option("--why", options->why, "PATH", "Show the whole history of one value, or of all below PATH");
  command.choice("--color", options->color, {"auto", "always", "never"}, "When to colour the tree");
  declare_values_flags(command, options->flags);
  command.run([&session, options] { return inspect(session, *options); });
}

}  // namespace opm::cli
