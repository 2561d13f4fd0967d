#include "cli/cue_experiments.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "cue/syntax/literal.h"

namespace opm::cli {

namespace {

constexpr std::array<std::string_view, 8> kCompleted = {"modules",  "yamlv3decoder", "decodeint64",    "embed",
                                                        "toposort", "evalv3",        "keepvalidators", "cmdreferencepkg"};
// Named so that it may be switched off in all versions alike.
constexpr std::string_view kComing = "formatv2";
constexpr std::string_view kComingVersion = "v0.18.0";

std::optional<bool> truth_of(std::string_view text) {
  constexpr std::array<std::string_view, 7> kTrue = {"", "1", "t", "T", "true", "TRUE", "True"};
  constexpr std::array<std::string_view, 6> kFalse = {"0", "f", "F", "false", "FALSE", "False"};
  if (std::ranges::find(kTrue, text) != kTrue.end()) return true;
  if (std::ranges::find(kFalse, text) != kFalse.end()) return false;
  return std::nullopt;
}

}  // namespace

std::optional<std::string> wrong_experiment(const base::Environment& environment) {
  std::string variable = environment.get("CUE_EXPERIMENT").value_or("");
  std::map<std::string, bool> asked;
  for (std::size_t at = 0; at < variable.size();) {
    std::size_t comma = std::min(variable.find(',', at), variable.size());
    std::string_view item = std::string_view(variable).substr(at, comma - at);
    at = comma + 1;
    if (item.empty()) continue;
    std::size_t equal = std::min(item.find('='), item.size());
    std::string name(item.substr(0, equal));
    std::string_view value = equal == item.size() ? std::string_view() : item.substr(equal + 1);
    std::optional<bool> truth = truth_of(value);
    if (!truth)
      return fmt::format("cannot parse CUE_EXPERIMENT: invalid value {} for experiment {}", cue::syntax::quote(value),
                         cue::syntax::quote(name));
    asked[name] = *truth;
  }
  std::string wrong;
  for (const auto& [name, is_on] : asked) {
    std::string reason;
    if (name == kComing) {
      if (is_on) reason = fmt::format("cannot set experiment \"{}\" before version {}", kComing, kComingVersion);
    } else if (std::ranges::find(kCompleted, name) == kCompleted.end()) {
      reason = "unknown experiment " + cue::syntax::quote(name);
    } else if (!is_on) {
      reason = "cannot disable stable experiment " + cue::syntax::quote(name);
    }
    if (!reason.empty()) wrong += (wrong.empty() ? "" : "\n") + reason;
  }
  if (wrong.empty()) return std::nullopt;
  return "error in CUE_EXPERIMENT: " + wrong;
}

}  // namespace opm::cli
