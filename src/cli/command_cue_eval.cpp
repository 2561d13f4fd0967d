#include "cli/command_cue_eval.h"

#include <memory>

#include "cli/cue_encoder.h"
#include "cli/cue_errors.h"
#include "cli/cue_plan.h"

namespace opm::cli {

namespace {

struct Options {
  CueFlags flags;
  bool concrete = false;
  bool hidden = false;
  bool optional = false;
  bool attributes = false;
  bool all = false;
};

class Evaluation {
 public:
  Evaluation(Session& session, const Options& options)
      : session_(session), options_(options), plan_(session, options.flags, CueMode::evaluate),
        encoder_(session, encoding(options)) {}

  ExitCode run() {
    cue::Diagnostics errors = plan_.run([&](const CuePlan::Item& item) { return show(item); });
    if (errors.empty() && is_open_) errors = encoder_.close();
    print(std::move(errors));
    return done(session_, code_);
  }

 private:
  static EncoderOptions encoding(const Options& options) {
    EncoderOptions result;
    result.force = options.flags.force;
    result.mode = CueMode::evaluate;
    return result;
  }

  void print(cue::Diagnostics errors) {
    if (errors.empty()) return;
    code_ = print_errors(session_, plan_.sources(), std::move(errors), plan_.working_directory(), options_.flags.errors);
  }

  cue::Diagnostics show(const CuePlan::Item& item) {
    if (!is_open_) {
      if (cue::Diagnostics problems = encoder_.open(plan_.output()); !problems.empty()) return problems;
      is_open_ = true;
    }
    std::string id = plan_.package_count() > 1 ? item.id : "";
    auto head = [&] {
      if (!id.empty()) session_.err.print("// {}\n", id);
    };
    if (plan_.output().type.encoding != cue::load::Encoding::cue) {
      if (cue::Diagnostics problems = encoder_.encode(item.value); !problems.empty()) {
        head();
        print(std::move(problems));
      }
      return {};
    }
    bool many = options_.flags.expressions.size() > 1;
    if (many) id = options_.flags.expressions[item.expression];
    if (!options_.flags.ignore) {
      if (cue::Diagnostics problems = item.value.validate({.concrete = options_.concrete, .to_be_shown = true}); !problems.empty()) {
        // What is wrong for good ends the run, what is only incomplete concerns this value alone.
        cue::Diagnostics lasting = item.value.validate({.to_be_shown = true});
        head();
        if (!lasting.empty()) return problems;
        bool is_part = !options_.flags.expressions.empty();
        print(is_part ? errors_of_field(options_.flags.expressions[item.expression], std::move(problems)) : std::move(problems));
        return {};
      }
    }
    cue::SourceSettings settings;
    settings.definitions = !options_.concrete;
    settings.optional = (options_.all || options_.optional) && !options_.concrete;
    settings.hidden = (options_.all || options_.hidden) && !options_.concrete;
    settings.attributes = options_.attributes;
    settings.errors_as_values = options_.flags.ignore;
    settings.package = item.hidden_package;
    settings.package_name = options_.flags.package;
    settings.simplify_labels = options_.flags.simplify;
    settings.indent_spaces = 4;
    std::string source = item.value.to_cue(settings);
    if (cue::Diagnostics problems = item.value.context().exhaustion(); !problems.empty()) return problems;
    encoder_.encode_source(source, many ? id : "");
    return {};
  }

  Session& session_;
  const Options& options_;
  CuePlan plan_;
  CueEncoder encoder_;
  bool is_open_ = false;
  ExitCode code_ = ExitCode::success;
};

}  // namespace

void add_cue_eval_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("eval", "Evaluate and print a configuration");
  declare_output_flags(command, options->flags, true);
  command.flag("-c,--concrete", options->concrete, "Require the evaluation to be concrete")
      .flag("-H,--show-hidden", options->hidden, "Display hidden fields")
      .flag("-O,--show-optional", options->optional, "Display optional fields")
      .flag("-A,--show-attributes", options->attributes, "Display field attributes")
      .flag("-a,--all", options->all, "Show optional and hidden fields");
  declare_global_flags(command, options->flags);
  declare_input_flags(command, options->flags);
  command.run([&session, options] { return Evaluation(session, *options).run(); });
}

}  // namespace opm::cli
