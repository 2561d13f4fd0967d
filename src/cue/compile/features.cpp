#include "cue/compile/features.h"

#include <fmt/core.h>

#include <array>
#include <charconv>
#include <vector>

namespace opm::cue::compile {

namespace {

struct Experiment {
  std::string_view name;
  std::string_view preview;  // the version from which it may be asked for
  std::string_view stable;   // the version from which it is always on; empty: none yet
  void (*enable)(Features&);
};

constexpr std::array kExperiments = {
    Experiment{"testing", "v0.13.0", "", [](Features& features) { features.testing = true; }},
    Experiment{"accepted_", "v0.13.0", "v0.15.0", [](Features&) {}},
    Experiment{"structcmp", "v0.14.0", "v0.15.0", [](Features& features) { features.struct_comparison = true; }},
    Experiment{"explicitopen", "v0.15.0", "", [](Features& features) { features.explicit_open = true; }},
    Experiment{"aliasv2", "v0.15.0", "", [](Features& features) { features.alias_v2 = true; }},
    Experiment{"try", "v0.16.0", "", [](Features& features) { features.try_clause = true; }},
    Experiment{"shortcircuit", "v0.17.0", "", [](Features& features) { features.short_circuit = true; }},
};

struct Version {
  std::array<unsigned, 3> numbers{};
  bool is_release = true;
};

Version parse_version(std::string_view text) {
  Version version;
  if (text.starts_with('v')) text.remove_prefix(1);
  for (unsigned& number : version.numbers) {
    auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) break;
    text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
    if (!text.starts_with('.')) break;
    text.remove_prefix(1);
  }
  version.is_release = !text.starts_with('-');
  return version;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t' || text.front() == '\n')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\n')) text.remove_suffix(1);
  return text;
}

// The names that the attributes before the package clause ask for. `behind` becomes
// the position of what follows them.
std::vector<std::string_view> asked_experiments(const syntax::File& file, Position& behind) {
  std::vector<std::string_view> asked;
  behind = file.end;
  for (const syntax::Declaration* declaration : file.declarations) {
    if (declaration->kind == syntax::NodeKind::comment_declaration) continue;
    if (declaration->kind != syntax::NodeKind::attribute) {
      behind = declaration->begin;
      break;
    }
    std::string_view text = syntax::as<syntax::Attribute>(declaration)->text;
    constexpr std::string_view kOpening = "@experiment(";
    if (!text.starts_with(kOpening) || !text.ends_with(')')) continue;
    text.remove_prefix(kOpening.size());
    text.remove_suffix(1);
    if (text.empty()) continue;
    for (;;) {
      std::size_t comma = text.find(',');
      asked.push_back(trim(text.substr(0, comma)));
      if (comma == std::string_view::npos) break;
      text.remove_prefix(comma + 1);
    }
  }
  return asked;
}

}  // namespace

bool version_at_least(std::string_view version, std::string_view wanted) {
  if (version.empty()) return true;
  Version have = parse_version(version), want = parse_version(wanted);
  if (have.numbers != want.numbers) return have.numbers > want.numbers;
  return have.is_release || !want.is_release;
}

Features version_features(std::string_view language_version) {
  Features features;
  for (const Experiment& experiment : kExperiments) {
    bool is_stable = !experiment.stable.empty() && version_at_least(language_version, experiment.stable);
    if (is_stable) experiment.enable(features);
  }
  return features;
}

std::expected<Features, FeatureError> file_features(const syntax::File& file, std::string_view language_version) {
  Features features = version_features(language_version);
  Position behind;
  std::string problems;
  auto complain = [&](const std::string& problem) { problems += (problems.empty() ? "" : "\n") + problem; };
  for (std::string_view name : asked_experiments(file, behind)) {
    const Experiment* found = nullptr;
    for (const Experiment& experiment : kExperiments) {
      if (experiment.name == name) found = &experiment;
    }
    if (!found) {
      complain(fmt::format("unknown experiment \"{}\"", name));
    } else if (!version_at_least(language_version, found->preview)) {
      complain(fmt::format("cannot set experiment \"{}\" before version {}", name, found->preview));
    } else {
      found->enable(features);
    }
  }
  if (problems.empty()) return features;
  return std::unexpected(
      FeatureError{fmt::format("parsing experiments for version \"{}\": {}", language_version, problems), behind});
}

}  // namespace opm::cue::compile
