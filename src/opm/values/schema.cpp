#include "opm/values/schema.h"

#include <fmt/core.h>

#include <set>
#include <tuple>

#include "opm/values/read.h"

namespace opm::values {

namespace {

class SchemaCheck {
 public:
  explicit SchemaCheck(const cue::Value& config) : config_(config) {}
  cue::Diagnostics errors;

  void check(const Tree& tree, Tier tier) {
    for (diag::Diagnostic& error : validate(tree, false)) {
      std::vector<std::uint32_t> places;
      for (diag::Position position : error.positions) places.push_back(position.value);
      // What a tier took over from the one before it has been told already.
      if (!known_.emplace(error.path, error.message, std::move(places)).second) continue;
      error.message = schema_message(tier, error.message);
      errors.push_back(std::move(error));
    }
  }

  void check_complete(const Tree& tree) {
    for (diag::Diagnostic& error : validate(tree, true)) {
      error.message = fmt::format("the schema requires this field, but no tier sets it: {}", error.message);
      if (error.advice.empty())
        error.advice = fmt::format("the {} gives no default; set it in the values of another tier", tier_label(Tier::author));
      errors.push_back(std::move(error));
    }
  }

 private:
  cue::Diagnostics validate(const Tree& tree, bool complete) {
    data::Value data = data_of(tree);
    cue::Value values = config_.unify(config_.context().from_documents(std::span(&data, 1)));
    cue::Diagnostics found = values.validate({.concrete = complete});
    for (diag::Diagnostic& error : found)
      error.path = error.path.empty() ? std::string(kValuesField) : fmt::format("{}.{}", kValuesField, error.path);
    return found;
  }

  const cue::Value& config_;
  std::set<std::tuple<std::string, std::string, std::vector<std::uint32_t>>> known_;
};

}  // namespace

std::string schema_message(Tier tier, std::string_view what) {
  return fmt::format("the value of the {} does not satisfy the schema: {}", tier_label(tier), what);
}

cue::Diagnostics schema_errors(const cue::Value& config, const Tiers& tiers, const SchemaSettings& settings) {
  SchemaCheck check(config);
  if (!config.valid()) return {};
  check.check(tiers.author, Tier::author);
  check.check(tiers.platform, Tier::platform);
  check.check(tiers.effective, Tier::user);
  if (check.errors.empty() && settings.complete) check.check_complete(tiers.effective);
  return std::move(check.errors);
}

}  // namespace opm::values
