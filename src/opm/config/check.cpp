#include "opm/config/check.h"

#include <fmt/core.h>

namespace opm::config {
namespace {

class Checker {
 public:
  ProviderSummary check(const Provider& provider, const cue::Value& value) {
    ProviderSummary summary{provider.name, {}, 0};
    if (!value.exists() || value.kind() != cue::kinds::structure) {
      fail(provider.path, "this provider is no struct", value, "import one: prov.#Registry[\"kubernetes\"]");
      return summary;
    }
    for (const char* field : {"name", "version", "description"}) {
      cue::Value text = value.find(cue::Path::of({"metadata", field}));
      if (!text.valid() || !text.string())
        fail(provider.path + ".metadata." + field, "a provider has to say this, as a string", text.valid() ? text : value);
      else if (std::string_view(field) == "version")
        summary.version = *text.string();
    }
    cue::Value transformers = value.field("transformers");
    if (!transformers.exists() || transformers.fields().empty()) {
      fail(provider.path + ".transformers", "a provider has to have transformers", value);
      return summary;
    }
    for (const cue::Value::FieldEntry& entry : transformers.fields()) {
      ++summary.transformers;
      std::string path = provider.path + ".transformers." + entry.name;
      if (entry.value.has_error()) {
        for (diag::Diagnostic& error : entry.value.validate()) errors.push_back(std::move(error));
        continue;
      }
      if (!entry.value.field("metadata").exists()) fail(path + ".metadata", "a transformer has to have metadata", entry.value);
      if (!entry.value.find("#transform.output").valid())
        fail(path + ".#transform.output", "a transformer has to say what it makes", entry.value);
    }
    return summary;
  }

  cue::Diagnostics errors;

 private:
  void fail(std::string path, std::string message, const cue::Value& at, std::string advice = {}) {
    diag::Diagnostic error;
    error.code = "provider";
    error.path = std::move(path);
    error.message = std::move(message);
    if (at.valid()) error.positions = at.positions();
    error.advice = std::move(advice);
    errors.push_back(std::move(error));
  }
};

}  // namespace

std::expected<std::vector<ProviderSummary>, Failure> check(const Configuration& configuration,
                                                           cue::module::ModuleResolver& resolver) {
  cue::load::LoadOptions options = configuration.package_options;
  options.resolver = &resolver;
  auto program = cue::Program::load(configuration.package_arguments, std::move(options));
  std::shared_ptr<const diag::SourceMap> sources(program, &program->sources());
  auto fail = [&](cue::Diagnostics errors) {
    return std::unexpected(Failure{Failure::Kind::invalid, std::move(errors), sources});
  };
  if (!program->errors().empty()) return fail(program->errors());
  if (!program->instances().front().errors.empty()) return fail(program->instances().front().errors);
  cue::Context context(program);
  cue::Value package = context.instance(0);
  if (cue::Diagnostics errors = package.validate(); !errors.empty()) return fail(std::move(errors));
  std::vector<ProviderSummary> summaries;
  Checker checker;
  for (const Provider& provider : configuration.providers)
    summaries.push_back(checker.check(provider, package.find(provider.path)));
  if (!checker.errors.empty()) return fail(std::move(checker.errors));
  return summaries;
}

}  // namespace opm::config
