#include "cli/cue_plan.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/environment.h"
#include "base/path.h"
#include "cli/cue_errors.h"
#include "cli/cue_experiments.h"
#include "cli/cue_placement.h"
#include "cli/cue_variables.h"
#include "cli/document_queue.h"
#include "cli/protobuf_shape.h"
#include "cli/standard_input.h"
#include "cue/load/decode.h"
#include "cue/syntax/literal.h"
#include "opm/config/configuration.h"

namespace opm::cli {

using cue::Diagnostics;
using cue::Instance;
using cue::Value;
namespace load = cue::load;

namespace {

std::unexpected<Diagnostics> fail(std::string message) { return std::unexpected(one_error(std::move(message))); }

// `--out` and `-o` together: "yaml" and "x.data" are "yaml:x.data".
std::expected<OutputFile, std::string> parse_output(const CueFlags& flags, CueMode mode) {
  std::string file = flags.out_file.empty() ? "-" : flags.out_file;
  if (flags.out.find(':') != std::string::npos && file.find(':') != std::string::npos)
    return std::unexpected("cannot specify qualifier in both --out and --outfile");
  std::string written = flags.out.empty() ? file : flags.out + ":" + file;
  OutputFile output{written, {}};
  load::Qualifier qualifier;
  if (std::size_t colon = written.find(':'); colon != std::string::npos && !base::is_absolute_path(written)) {
    auto parsed = load::parse_qualifier(std::string_view(written).substr(0, colon));
    if (!parsed) return std::unexpected(parsed.error());
    qualifier = std::move(*parsed);
    output.path = written.substr(colon + 1);
  }
  if (output.path.empty()) return std::unexpected("empty file name in \"" + written + "\"");
  if (output.path == "-" && qualifier.types.empty() && mode == CueMode::export_data) qualifier.types.push_back("json");
  auto type = load::file_type(output.path, qualifier, load::FileMode::definition);
  if (!type) return std::unexpected(type.error());
  output.type = std::move(*type);
  return output;
}

// Which file it is that was taken for JSON.
Diagnostics name_file(Diagnostics errors, const std::string& file) {
  for (diag::Diagnostic& error : errors) {
    if (error.code == "json-syntax")
      error.message = "invalid JSON for file " + cue::syntax::quote(file) + ": " + error.message;
  }
  return errors;
}

}  // namespace

CuePlan::CuePlan(Session& session, const CueFlags& flags, CueMode mode)
    : session_(session), flags_(flags), mode_(mode) {
  std::error_code error;
  working_directory_ = std::filesystem::current_path(error).string();
}

CuePlan::~CuePlan() = default;

const diag::SourceMap& CuePlan::sources() const { return program_ ? program_->sources() : no_sources_; }

std::expected<void, Diagnostics> CuePlan::choose_output() {
  if (mode_ == CueMode::check) return {};
  auto output = parse_output(flags_, mode_);
  if (!output) return fail(std::move(output.error()));
  output_ = std::move(*output);
  return {};
}

std::expected<void, Diagnostics> CuePlan::open_modules() {
  config::Inputs inputs;
  inputs.flags.registry = flags_.registry;
  inputs.working_directory = working_directory_;
  auto registry = config::resolve_registry(inputs);
  if (!registry) return fail("cannot read the configuration of opm: " + registry.error().errors.front().message);
  auto opened = ModuleChain::open(
      {.builtin = !flags_.no_builtin, .registry = registry->value, .lazily = true, .err = &session_.err});
  if (!opened) return fail(std::move(opened.error()));
  modules_ = std::move(*opened);
  return {};
}

std::expected<void, Diagnostics> CuePlan::load() {
  load::LoadOptions options;
  options.directory = working_directory_;
  options.tags = flags_.tags;
  // Only what is written as CUE, and not for people to look at, is shown with what documents it.
  bool writes_cue = output_.type.encoding == load::Encoding::cue && output_.type.interpretation == load::Interpretation::none;
  options.comments = mode_ == CueMode::definition || (mode_ == CueMode::export_data && writes_cue);
  if (flags_.inject_variables) options.tag_variables = system_variables(working_directory_);
  if (std::ranges::find(flags_.arguments, "-") != flags_.arguments.end()) {
    auto text = read_standard_input();
    if (!text) return fail("read stdin: " + text.error());
    options.standard_input = std::move(*text);
  }
  if (auto opened = open_modules(); !opened) return opened;
  options.resolver = &modules_->resolver();
  options.all_standard_packages = !flags_.expressions.empty() || !flags_.schema.empty() || !flags_.path.empty();
  std::vector<std::string> arguments;
  for (const std::string& label : flags_.path) arguments.push_back("--path=" + label);
  if (!flags_.package.empty()) arguments.push_back("--package=" + flags_.package);
  for (const std::string& folder : flags_.proto_path) arguments.push_back("--proto_path=" + folder);
  arguments.insert(arguments.end(), flags_.arguments.begin(), flags_.arguments.end());
  program_ = cue::Program::load(arguments, std::move(options));
  make_context();
  for (const Instance& instance : program_->instances())
    if (!instance.errors.empty()) return std::unexpected(instance.errors);
  if (!program_->errors().empty()) return std::unexpected(program_->errors());
  return {};
}

std::expected<void, Diagnostics> CuePlan::prepare() {
  if (auto wrong = wrong_experiment(base::real_environment())) return fail(std::move(*wrong));
  if (auto chosen = choose_output(); !chosen) return chosen;
  if (auto loaded = load(); !loaded) return loaded;

  std::optional<std::size_t> files;  // the instance made of files named as arguments
  for (std::size_t i = 0; i < program_->instances().size(); ++i) {
    if (program_->instances()[i].is_command_line) files = i;
    else packages_.push_back(i);
  }
  bool places = flags_.list || !flags_.path.empty();
  if (flags_.with_context && !places)
    return fail("flag \"with-context\" must be used with at least one of flag \"path\", \"list\", or \"files\"");
  if (places && !flags_.schema.empty())
    return fail("cannot combine --schema flag with flag \"path\", \"list\", or \"files\"");
  if (packages_.empty() && !flags_.name_filter.empty()) return fail("use of -n/--name flag without a directory");
  if (!files) return {};

  const Instance& named = program_->instances()[*files];
  for (const load::DataFile& file : named.data_files) data_files_.push_back(&file);
  if (packages_.size() > 1 && !flags_.schema.empty())
    return fail("cannot use --schema/-d with flag more than one schema");
  if (packages_.size() > 1)
    return fail(fmt::format("too many packages defined ({}) in combination with files", packages_.size()));
  std::optional<std::size_t> joined;  // CUE files beside a package
  if (packages_.empty()) {
    if (named.has_files) schema_instance_ = *files;
  } else {
    schema_instance_ = packages_.front();
    packages_.clear();
    if (named.has_files) joined = *files;
  }
  if (auto evaluated = evaluate_schema(); !evaluated) return evaluated;
  if (!flags_.schema.empty() && data_files_.empty()) return fail("-d/--schema flag requires non-CUE input files");
  bool merges = mode_ != CueMode::check && flags_.merge;
  streams_ = !data_files_.empty() && (!flags_.schema.empty() || (!merges && !places));
  if (!streams_ && !data_files_.empty()) {
    bool clashes = !flags_.package.empty() && !named.name.empty() && named.name != "_" && named.name != flags_.package;
    if (clashes && !flags_.force)
      return fail(fmt::format("\"package\" flag clashes with existing package name ({} vs {})", flags_.package, named.name));
    if (auto placed = place_documents(); !placed) return placed;
  }
  if (joined) {
    Value own = context_->instance(*joined);
    data_ = data_ ? own.unify(*data_) : own;
  }
  return {};
}

std::expected<void, Diagnostics> CuePlan::evaluate_schema() {
  if (!schema_instance_) {
    if (!flags_.schema.empty()) return fail("-d/--schema flag specified without a schema");
    return {};
  }
  const Instance& instance = program_->instances()[*schema_instance_];
  if (!instance.import_path.empty()) id_ = instance.import_path;
  schema_ = context_->instance(*schema_instance_);
  if (flags_.schema.empty()) return {};
  auto chosen = context_->expression(flags_.schema, *schema_, "--schema", instance.identity);
  if (!chosen) return std::unexpected(std::move(chosen.error()));
  if (Diagnostics errors = chosen->validate(); !errors.empty()) return std::unexpected(std::move(errors));
  schema_ = chosen->target();  // so that messages show where that stands, not the flag
  return {};
}

// As CUE files are called, so that all sort alike.
std::string CuePlan::shown_name(const load::DataFile& file) const {
  if (file.path == "-") return file.path;
  std::string relative = base::relative_path(working_directory_, file.path);
  return relative.starts_with('.') ? relative : "./" + relative;
}

std::expected<data::Value, Diagnostics> CuePlan::shaped(const load::DataFile& file, data::Value document,
                                                        const std::vector<std::string>& labels) {
  if (!needs_shape(file.type) || !schema_) return document;
  cue::Path path;
  for (const std::string& label : labels) path = path.child(label);
  cue::Value schema = labels.empty() ? *schema_ : schema_->find(path);
  if (flags_.list && schema.valid()) {
    std::vector<cue::Value> elements = schema.elements();
    schema = elements.empty() ? cue::Value() : elements.front();
  }
  return shape_protobuf(document, schema, file.type);
}

std::expected<void, Diagnostics> CuePlan::place_documents() {
  PlacementOptions options;
  options.labels = flags_.path;
  options.list = flags_.list;
  options.with_context = flags_.with_context;
  std::vector<PlacedDocument> placed;
  bool has_empty = false;
  for (const load::DataFile* file : data_files_) {
    auto documents = load::decode(*file, shown_name(*file), program_->mutable_sources());
    if (!documents) return std::unexpected(name_file(std::move(documents.error()), shown_name(*file)));
    if (documents->empty() && file->type.encoding == load::Encoding::yaml) has_empty = true;
    std::string name = file->path == "-" ? "-" : base::relative_path(working_directory_, file->path);
    auto shape = [&](data::Value document, const std::vector<std::string>& labels) {
      return shaped(*file, std::move(document), labels);
    };
    auto objects = place(*context_, std::move(*documents), name, options, shape);
    if (!objects) return std::unexpected(std::move(objects.error()));
    std::ranges::move(*objects, std::back_inserter(placed));
  }
  // A YAML file without content is null, unless there is something that it can be part of.
  if (placed.empty() && has_empty && !schema_) placed.emplace_back();
  if (!placed.empty()) data_ = together(*context_, std::move(placed));
  return {};
}

Diagnostics CuePlan::run(const std::function<Diagnostics(const Item&)>& work) {
  Diagnostics result;
  cue::run_on_large_stack([&] {
    if (auto prepared = prepare(); !prepared) result = std::move(prepared.error());
    else result = streams_ ? visit_documents(work) : visit_packages(work);
  });
  return result;
}

Diagnostics CuePlan::visit_packages(const std::function<Diagnostics(const Item&)>& work) {
  if (data_) {
    if (!flags_.ignore) {
      if (Diagnostics errors = data_->validate(); !errors.empty()) return errors;
    }
    return visit(schema_ ? data_->unify(*schema_) : *data_, id_, work);
  }
  if (packages_.empty()) return schema_ ? visit(*schema_, id_, work) : Diagnostics{};
  if (!flags_.ignore) {
    for (std::size_t index : packages_) {
      if (Diagnostics errors = context_->instance(index).validate(); !errors.empty()) return errors;
    }
  }
  for (std::size_t index : packages_) {
    const Instance& instance = program_->instances()[index];
    schema_instance_ = index;
    Diagnostics errors = visit(context_->instance(index), instance.import_path.empty() ? "_" : instance.import_path, work);
    if (!errors.empty()) return errors;
  }
  return {};
}

// Documents have nothing to do with each other: what evaluating the last ones took can go, and
// only what they share of the schema is evaluated again.
std::expected<void, Diagnostics> CuePlan::renew_context() {
  constexpr std::size_t kEnough = 3u << 20;
  if (context_->bytes_used() < kEnough) return {};
  make_context();
  return evaluate_schema();
}

void CuePlan::make_context() {
  cue::Budget budget;
  if (flags_.max_steps > 0) budget.steps = static_cast<std::uint64_t>(flags_.max_steps);
  context_ = std::make_unique<cue::Context>(program_, budget);
}

// Each document of each data file together with the schema.
Diagnostics CuePlan::visit_documents(const std::function<Diagnostics(const Item&)>& work) {
  for (const load::DataFile* file : data_files_) {
    auto reader = load::DocumentReader::open(*file, shown_name(*file), program_->mutable_sources());
    if (!reader) return std::move(reader.error());
    DocumentQueue documents(std::move(*reader));
    for (;;) {
      auto document = documents.next();
      if (!document) return name_file(std::move(document.error()), shown_name(*file));
      if (!*document) break;
      if (auto ready = renew_context(); !ready) return std::move(ready.error());
      bool is_only_checked = mode_ == CueMode::check && schema_ && flags_.expressions.empty();
      if (is_only_checked && !needs_shape(file->type) && context_->is_instance(**document, *schema_)) continue;
      auto meant = shaped(*file, std::move(**document), {});
      if (!meant) return std::move(meant.error());
      Value value = context_->from_documents({&*meant, 1});
      if (schema_) value = value.unify(*schema_);
      if (Diagnostics errors = value.validate(); !errors.empty()) return errors;
      if (Diagnostics errors = visit(value, "", work); !errors.empty()) return errors;
    }
  }
  return {};
}

Diagnostics CuePlan::visit(Value value, const std::string& id, const std::function<Diagnostics(const Item&)>& work) {
  std::string identity = schema_instance_ ? program_->instances()[*schema_instance_].identity : "_";
  std::string name = schema_instance_ ? program_->instances()[*schema_instance_].name : "";
  // A package is no longer itself once data was added to it.
  bool is_package = schema_instance_ && !program_->instances()[*schema_instance_].is_command_line;
  if (name == "_" || (data_ && is_package)) name.clear();
  if (mode_ == CueMode::export_data && !flags_.path.empty() && data_files_.empty()) {
    auto placed = place_value(*context_, value, flags_.path);
    if (!placed) return std::move(placed.error());
    value = *placed;
  }
  if (flags_.expressions.empty()) return work({value, id, identity, name, 0, visited_++});
  for (std::size_t i = 0; i < flags_.expressions.size(); ++i) {
    auto chosen = context_->expression(flags_.expressions[i], value, "--expression", identity);
    if (!chosen) return std::move(chosen.error());
    if (Diagnostics errors = work({*chosen, id, identity, "", i, visited_++}); !errors.empty()) {
      return errors_of_field(flags_.expressions[i], std::move(errors));
    }
  }
  return {};
}

}  // namespace opm::cli
