#include "cli/command_cue_vet.h"

#include <memory>

#include "cli/cue_errors.h"
#include "cli/cue_plan.h"

namespace opm::cli {

namespace {

struct Options {
  CueFlags flags;
  std::optional<bool> concrete;  // not given: incomplete values are told of, but not in detail
};

ExitCode vet(Session& session, const Options& options) {
  CuePlan plan(session, options.flags, CueMode::check);
  ExitCode code = ExitCode::success;
  bool told = false;
  auto print = [&](cue::Diagnostics errors) {
    if (errors.empty()) return;
    code = print_errors(session, plan.sources(), std::move(errors), plan.working_directory(), options.flags.errors);
  };
  cue::Diagnostics errors = plan.run([&](const CuePlan::Item& item) -> cue::Diagnostics {
    if (plan.checks_data_files()) {
      if (!plan.has_schema()) return one_error("data files specified without a schema");
      print(item.value.validate({.concrete = true}));
      return {};
    }
    cue::Diagnostics problems = item.value.validate({.concrete = options.concrete.value_or(true)});
    if (!problems.empty() && !options.concrete) {
      problems = item.value.validate({.concrete = false});
      if (problems.empty() && !told) {
        told = true;
        problems = one_error(
            "some instances are incomplete; use the -c flag to show errors or -c=false to allow incomplete instances");
      }
    }
    print(std::move(problems));
    return {};
  });
  print(std::move(errors));
  return done(session, code);
}

}  // namespace

void add_cue_vet_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("vet", "Validate data");
  command.flag("-c,--concrete", options->concrete,
               "Require the evaluation to be concrete; -c=false allows incomplete values");
  declare_global_flags(command, options->flags);
  declare_input_flags(command, options->flags);
  command.run([&session, options] { return vet(session, *options); });
}

}  // namespace opm::cli
