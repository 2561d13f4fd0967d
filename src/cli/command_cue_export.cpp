#include "cli/command_cue_export.h"

#include <memory>

#include "cli/cue_encoder.h"
#include "cli/cue_errors.h"
#include "cli/cue_plan.h"

namespace opm::cli {

namespace {

struct Options {
  CueFlags flags;
  bool escape = false;
};

ExitCode export_values(Session& session, const Options& options) {
  CuePlan plan(session, options.flags, CueMode::export_data);
  EncoderOptions encoding;
  encoding.force = options.flags.force;
  encoding.escape_html = options.escape;
  encoding.package_name = options.flags.package;
  CueEncoder encoder(session, encoding);
  bool is_open = false;
  cue::Diagnostics errors = plan.run([&](const CuePlan::Item& item) -> cue::Diagnostics {
    if (!is_open) {
      if (cue::Diagnostics problems = encoder.open(plan.output()); !problems.empty()) return problems;
      is_open = true;
    }
    return encoder.encode(item.value);
  });
  if (errors.empty() && is_open) errors = encoder.close();
  if (errors.empty()) return done(session, ExitCode::success);
  return done(session, print_errors(session, plan.sources(), std::move(errors), plan.working_directory(), options.flags.errors));
}

}  // namespace

void add_cue_export_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("export", "Output data in a standard format");
  declare_output_flags(command, options->flags, true);
  command.flag("--escape", options->escape, "Use HTML escaping");
  declare_global_flags(command, options->flags);
  declare_input_flags(command, options->flags);
  command.run([&session, options] { return export_values(session, *options); });
}

}  // namespace opm::cli
