#include "cli/command_values_merge.h"

#include <memory>

#include "cli/values_flags.h"
#include "data/json.h"
#include "data/yaml.h"
#include "opm/values/read.h"

namespace opm::cli {

namespace {

struct Options {
  ValuesFlags flags;
  std::string output = "cue";
};

std::string as_cue(const ValuesRun& run, const data::Value& values) {
  cue::Context context(run.values.program);
  return context.from_data(values).to_cue();
}

ExitCode merge(Session& session, const Options& options) {
  auto run = run_values(session, options.flags, {.complete = false});
  if (!run) return run.error();
  // What is printed is a values file itself.
  data::Value file;
  file.variant = data::Map{{std::string(values::kValuesField), values::data_of(run->values.tiers.effective)}};
  if (options.output == "json") session.out.write(data::write_json(file, {.indent = 2, .final_newline = true}));
  else if (options.output == "yaml") session.out.write(data::write_yaml(file));
  else session.out.write(as_cue(*run, file));
  return ExitCode::success;
}

}  // namespace

void add_values_merge_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("merge", "Show the values with everything that overrides them");
  command.argument("MODULE", options->flags.module, "The folder of the module, or a CUE file in it");
  command.choice("-o,--output", options->output, {"cue", "yaml", "json"}, "Form of the values");
  declare_values_flags(command, options->flags);
  command.run([&session, options] { return merge(session, *options); });
}

}  // namespace opm::cli
