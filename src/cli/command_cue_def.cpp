#include "cli/command_cue_def.h"

#include <memory>

#include "cli/cue_encoder.h"
#include "cli/cue_errors.h"
#include "cli/cue_plan.h"

namespace opm::cli {

namespace {

struct Options {
  CueFlags flags;
  bool attributes = false;      // they are always shown
  bool inline_imports = false;
};

ExitCode print_definitions(Session& session, const Options& options) {
  CuePlan plan(session, options.flags, CueMode::definition);
  EncoderOptions encoding;
  encoding.force = options.flags.force;
  encoding.mode = CueMode::definition;
  encoding.inline_imports = options.inline_imports;
  CueEncoder encoder(session, encoding);
  bool is_open = false;
  cue::Diagnostics errors = plan.run([&](const CuePlan::Item& item) -> cue::Diagnostics {
    if (!is_open) {
      if (cue::Diagnostics problems = encoder.open(plan.output()); !problems.empty()) return problems;
      is_open = true;
    }
    encoder.set_package(options.flags.package.empty() ? item.package_name : options.flags.package, item.hidden_package);
    return encoder.encode(item.value);
  });
  if (errors.empty() && is_open) errors = encoder.close();
  if (errors.empty()) return ExitCode::success;
  return print_errors(session, plan.sources(), std::move(errors), plan.working_directory(), options.flags.errors);
}

}  // namespace

void add_cue_def_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("def", "Print consolidated definitions");
  declare_output_flags(command, options->flags, true);
  command.flag("-A,--show-attributes", options->attributes, "Display field attributes")
      .flag("--inline-imports", options->inline_imports, "Expand references to non-core imports");
  declare_global_flags(command, options->flags);
  declare_input_flags(command, options->flags);
  command.run([&session, options] { return print_definitions(session, *options); });
}

}  // namespace opm::cli
