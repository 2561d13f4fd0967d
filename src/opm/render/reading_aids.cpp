#include "opm/render/reading_aids.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/joined.h"
#include "base/path.h"
#include "base/suggestion.h"
#include "cue/derivation.h"
#include "cue/syntax/literal.h"
#include "opm/builtin/catalog.h"
#include "opm/render/module_files.h"
#include "opm/render/problems.h"
#include "opm/render/secret_sources.h"

namespace opm::render {

namespace {

constexpr std::string_view kNotAllowed = "field not allowed";
constexpr std::string_view kIncomplete = "incomplete value";
constexpr std::string_view kUndefined = "undefined field: ";
// What the catalog asks of names, as it stands in messages.
constexpr std::string_view kNamePattern = "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$";
constexpr std::string_view kWorkloadType = "\"core.opmodel.dev/workload-type\"";
constexpr std::size_t kLargestFile = 1u << 20;

bool is_below(std::string_view path, std::string_view whole) {
  return path.size() > whole.size() && path.starts_with(whole) && (path[whole.size()] == '.' || path[whole.size()] == '[');
}

bool is_not_allowed(const Problem& problem) { return problem.diagnostic.message.starts_with(kNotAllowed); }
bool is_incomplete(const Problem& problem) { return problem.diagnostic.message.starts_with(kIncomplete); }

// `conflicting values "a" and "b"`: both texts.
std::optional<std::pair<std::string, std::string>> conflicting_texts(std::string_view message) {
  constexpr std::string_view kBegin = "conflicting values \"", kBetween = "\" and \"";
  if (!message.starts_with(kBegin) || !message.ends_with('"')) return std::nullopt;
  message.remove_prefix(kBegin.size());
  message.remove_suffix(1);
  std::size_t between = message.find(kBetween);
  if (between == std::string_view::npos || message.find('"', between + kBetween.size()) != std::string_view::npos) return std::nullopt;
  return std::pair(std::string(message.substr(0, between)), std::string(message.substr(between + kBetween.size())));
}

// The text that is in all of the pairs; empty: there is none.
std::string common_text(const std::vector<std::pair<std::string, std::string>>& pairs) {
  for (const std::string* candidate : {&pairs.front().first, &pairs.front().second}) {
    auto has_it = [&](const auto& pair) { return pair.first == *candidate || pair.second == *candidate; };
    if (std::ranges::all_of(pairs, has_it)) return *candidate;
  }
  return {};
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", name);
  return text;
}

// What a component embeds to have a field in its spec.
struct Provided {
  std::string definition;  // "#Scaling"
  std::string package;     // "opmodel.dev/traits/workload@v0"
};

// Text between two others, from `at` on; what is behind it is at `at` afterwards.
std::string_view between(std::string_view text, std::string_view before, std::string_view after, std::size_t& at) {
  std::size_t begin = text.find(before, at);
  if (begin == std::string_view::npos) return {};
  begin += before.size();
  std::size_t end = text.find(after, begin);
  if (end == std::string_view::npos) return {};
  at = end + after.size();
  return text.substr(begin, end - begin);
}

// The resources, traits and blueprints of the catalog by the field of spec that they bring. Read as text: the module that is
// wrong need not import them.
class CatalogFields {
 public:
  CatalogFields() {
    for (const builtin::CatalogModule& module : builtin::catalog_modules()) {
      std::string path(module.path.substr(0, module.path.find('@')));
      std::string version(module.path.substr(module.path.find('@')));
      read_folder(std::string(module.root), path, version, 0);
    }
  }

  const Provided* find(std::string_view field) const {
    auto found = fields_.find(field);
    return found == fields_.end() ? nullptr : &found->second;
  }
  std::string_view nearest(std::string_view field) const {
    base::Suggestion suggestion(field);
    for (const auto& [name, provided] : fields_) suggestion.consider(name);
    return suggestion.best();
  }

 private:
  void read_folder(const std::string& folder, const std::string& package, const std::string& version, int depth) {
    if (depth > 4) return;
    auto entries = builtin::catalog_files().list_directory(folder, 1000);
    if (!entries) return;
    for (const base::DirectoryEntry& entry : *entries) {
      std::string path = folder + "/" + entry.name;
      if (entry.kind == base::FileKind::directory) {
        read_folder(path, package + "/" + entry.name, version, depth + 1);
      } else if (entry.name.ends_with(".cue")) {
        if (auto text = builtin::catalog_files().read_file(path, kLargestFile)) read_text(*text, package + version);
      }
    }
  }

  // `#ScalingTrait: core.#Trait & {… #spec: scaling: …` is what `#Scaling` brings.
  void read_text(std::string_view text, const std::string& package) {
    constexpr std::string_view kKinds[] = {"Trait", "Resource", "Blueprint"};
    for (std::string_view kind : kKinds) {
      std::string marker = fmt::format("{}: core.#{} & {{", kind, kind);
      for (std::size_t at = text.find(marker); at != std::string_view::npos; at = text.find(marker, at + 1)) {
        std::size_t begin = text.rfind('#', at);
        std::size_t behind = at;
        std::string_view field = between(text, "#spec: ", ":", behind);
        if (begin == std::string_view::npos || field.empty()) continue;
        fields_.try_emplace(std::string(field), Provided{std::string(text.substr(begin, at - begin)), package});
      }
    }
  }

  std::map<std::string, Provided, std::less<>> fields_;
};

// What is not allowed has parts that are not allowed either; it is told once.
void drop_parts(std::vector<Problem>& problems) {
  std::set<std::string> wholes;
  for (const Problem& problem : problems) {
    if (is_not_allowed(problem)) wholes.insert(problem.diagnostic.path);
  }
  std::erase_if(problems, [&](const Problem& problem) {
    return is_not_allowed(problem) && std::ranges::any_of(wholes, [&](const std::string& whole) {
             return is_below(problem.diagnostic.path, whole);
           });
  });
}

// The field of spec that the path of a problem names: components.web.spec.scaling.
std::string_view spec_field(const Problem& problem) {
  std::string_view path = problem.diagnostic.path;
  std::string before = fmt::format("components.{}.spec.", problem.component);
  if (problem.component.empty() || !path.starts_with(before)) return {};
  path.remove_prefix(before.size());
  return path.find_first_of(".[\"") == std::string_view::npos ? path : std::string_view();
}

std::string_view word_at(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  auto is_part = [](char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  while (end < text.size() && is_part(text[end])) ++end;
  return text.substr(begin, end - begin);
}

// A definition that the file names and that is nearly the one that is wanted: `traits.#Scalling`.
std::optional<std::pair<std::size_t, std::string>> misspelt(std::string_view text, std::string_view wanted) {
  for (std::size_t at = text.find(".#"); at != std::string_view::npos; at = text.find(".#", at + 1)) {
    std::string_view word = word_at(text, at + 2);
    if (word.empty() || word == wanted.substr(1)) continue;
    base::Suggestion suggestion(word);
    suggestion.consider(wanted.substr(1));
    if (!suggestion.best().empty()) return std::pair(at + 1, "#" + std::string(word));
  }
  return std::nullopt;
}

// A field of spec belongs to a trait or a resource that the component does not have, perhaps because it is misspelt.
void explain_spec_field(const diag::SourceMap& sources, const CatalogFields& catalog, std::string_view field, Problem& problem) {
  diag::Diagnostic& error = problem.diagnostic;
  const Provided* provided = catalog.find(field);
  if (provided == nullptr) {
    std::string_view meant = error.advice.empty() ? catalog.nearest(field) : std::string_view();
    if (!meant.empty()) error.advice = fmt::format("did you mean \"{}\", which {} of {} brings?", meant, catalog.find(meant)->definition, catalog.find(meant)->package);
    return;
  }
  const diag::Source* source = error.positions.empty() ? nullptr : sources.find(error.positions.front());
  if (source != nullptr) {
    if (auto found = misspelt(source->text, provided->definition)) {
      error.message = fmt::format("{} has no {}, so there is no field \"{}\"", provided->package, found->second, field);
      error.positions.insert(error.positions.begin(), source->begin.plus(static_cast<std::uint32_t>(found->first)));
      error.advice = fmt::format("did you mean {}?", provided->definition);
      return;
    }
  }
  error.advice = fmt::format("embed {} of {} in the component, which brings it", provided->definition, provided->package);
}

// Labels, identifiers and names that are made of a name say of it what it says itself.
void drop_derived(std::vector<Problem>& problems) {
  // What was wrong in the first place is the end of what they say.
  auto root_cause = [](const diag::Diagnostic& error) {
    std::string_view said = error.code == "empty-disjunction" && !error.notes.empty() ? std::string_view(error.notes.front().message)
                                                                                     : std::string_view(error.message);
    std::size_t begin = said.find("invalid value ");
    return begin == std::string_view::npos ? std::string_view() : said.substr(begin);
  };
  auto first_place = [](const diag::Diagnostic& error) {
    if (!error.positions.empty()) return error.positions.front();
    return error.notes.empty() || error.notes.front().positions.empty() ? diag::Position() : error.notes.front().positions.front();
  };
  std::set<std::pair<std::string, diag::Position>> direct;
  for (const Problem& problem : problems) {
    const diag::Diagnostic& error = problem.diagnostic;
    if (error.message.starts_with("invalid value ")) direct.emplace(error.message, first_place(error));
  }
  std::erase_if(problems, [&](const Problem& problem) {
    const diag::Diagnostic& error = problem.diagnostic;
    std::string_view cause = root_cause(error);
    if (cause.empty() || error.message.starts_with("invalid value ")) return false;
    return std::ranges::any_of(direct, [&](const auto& known) { return cause.starts_with(known.first) || known.first.starts_with(cause); });
  });
}

// A field that is missing because it is misspelt beside it.
void drop_misspelt(std::vector<Problem>& problems) {
  std::set<std::string> meant;  // paths
  for (const Problem& problem : problems) {
    const diag::Diagnostic& error = problem.diagnostic;
    std::size_t at = 0;
    std::string_view name = between(error.advice, "did you mean \"", "\"", at);
    std::size_t dot = error.path.rfind('.');
    if (is_not_allowed(problem) && !name.empty() && dot != std::string::npos) meant.insert(error.path.substr(0, dot + 1) + std::string(name));
  }
  std::erase_if(problems, [&](const Problem& problem) { return is_incomplete(problem) && meant.contains(problem.diagnostic.path); });
}

// Components that take over a value which nobody gave lack it too. Only the value is told.
void drop_unset_uses(const cue::Value& release, std::vector<Problem>& problems) {
  std::set<std::string> unset;
  for (const Problem& problem : problems) {
    if (is_incomplete(problem) && problem.diagnostic.path.starts_with("values."))
      unset.insert(problem.diagnostic.path.substr(std::string_view("values.").size()));
  }
  if (unset.empty()) return;
  auto takes_unset = [&](const cue::Value& value) {
    for (const cue::SourceDeclaration& declaration : cue::source_declarations(value)) {
      for (const cue::Value& reference : declaration.references) {
        std::string path = reference.path();
        constexpr std::string_view kConfig = "#config.";
        std::size_t at = path.find(kConfig);
        if (at != std::string::npos && unset.contains(path.substr(at + kConfig.size()))) return true;
      }
    }
    return false;
  };
  std::erase_if(problems, [&](const Problem& problem) {
    if (!is_incomplete(problem) || problem.component.empty()) return false;
    auto path = cue::Path::parse(problem.diagnostic.path);
    return path && takes_unset(release.find(*path));
  });
}

// "uint16" for "int", too.
bool names_type(std::string_view value, std::string_view kind) {
  if (value == kind) return true;
  for (std::string_view sized : {"int", "uint", "float", "rune"}) {
    if (!value.starts_with(sized)) continue;
    std::string_view size = value.substr(sized.size());
    if (size.find_first_not_of("0123456789") == std::string_view::npos) return true;
  }
  return false;
}

// What a value has to be and is not: "int" of `conflicting values int and "two" (mismatched types int and string)`.
std::string_view wanted_type(std::string_view message) {
  std::size_t at = 0;
  std::string_view kinds = between(message, " (mismatched types ", ")", at);
  std::string_view values = message.substr(0, message.find(" (mismatched types "));
  std::string_view before = "conflicting values ", amid = " and ";
  std::size_t split = kinds.find(amid);
  if (split == std::string_view::npos || !values.starts_with(before)) return {};
  std::string_view first = kinds.substr(0, split), second = kinds.substr(split + amid.size());
  values.remove_prefix(before.size());
  if (values.find(amid) == std::string_view::npos) return {};
  std::string_view left = values.substr(0, values.find(amid));
  std::string_view right = values.substr(values.rfind(amid) + amid.size());
  bool is_first = names_type(left, first);
  if (is_first == names_type(right, second)) return {};
  return is_first ? left : right;
}

// Those of a module or a release, or of one of its environments.
bool is_about_values(std::string_view path) {
  return path.starts_with("values.") || (path.starts_with("environments.") && path.find(".values.") != std::string_view::npos);
}

void advise_on_type(diag::Diagnostic& error) {
  std::string_view type = error.advice.empty() ? wanted_type(error.message) : std::string_view();
  if (!type.empty()) error.advice = fmt::format("it has to be {}{}", type, is_about_values(error.path) ? ", as #config says" : "");
}

// Whoever reads of a value wants to see first who set it, and what it has to be behind that.
void put_schema_last(const cue::Value& release, diag::Diagnostic& error) {
  if (error.positions.size() < 2 || !is_about_values(error.path)) return;
  const diag::SourceMap& sources = release.context().program().sources();
  // A release's #config has the values too; those do not stand in files that declare it.
  std::set<std::string_view> schemas;
  for (diag::Position position : release.find("#module.#config").positions()) {
    if (sources.line_text(position).find("#config") != std::string_view::npos) schemas.insert(sources.locate(position).file);
  }
  std::ranges::stable_partition(error.positions, [&](diag::Position position) { return !schemas.contains(sources.locate(position).file); });
}

// What is said only by the catalog is about a component that somebody wrote.
void add_component_place(const cue::Value& release, Problem& problem) {
  diag::Diagnostic& error = problem.diagnostic;
  const diag::SourceMap& sources = release.context().program().sources();
  auto is_own = [&](diag::Position position) { return is_users_file(sources.locate(position).file); };
  if (problem.component.empty() || std::ranges::any_of(error.positions, is_own)) return;
  for (diag::Position position : release.find(fmt::format("components.{}", cue::syntax::quote_label(problem.component))).positions()) {
    if (!is_own(position)) continue;
    error.positions.insert(error.positions.begin(), position);
    return;
  }
}

void advise(const diag::SourceMap& sources, const cue::Value& release, Problem& problem) {
  diag::Diagnostic& error = problem.diagnostic;
  if (!error.advice.empty()) return;
  if (is_incomplete(problem) && error.path.starts_with("values.")) {
    error.advice = "nobody gives it a value: set it in values.cue, or with --values or --user";
  } else if (error.message.find(kNamePattern) != std::string::npos) {
    error.advice = "a name has lower-case letters, digits and dashes, begins and ends with a letter or a digit, and has 63 of them at most";
  } else if (error.message.starts_with("field is required but not present")) {
    error.advice = error.path.ends_with(kWorkloadType)
                       ? "say what kind of workload it is: \"stateless\", \"stateful\", \"daemon\", \"task\" or \"scheduled-task\""
                       : "add it";
  } else if (error.message.starts_with(kUndefined) && !error.positions.empty()) {
    // `#config.img`: what #config has is known.
    std::string_view name = std::string_view(error.message).substr(kUndefined.size());
    std::string reference = fmt::format("#config.{}", name);
    if (sources.line_text(error.positions.front()).find(reference) == std::string_view::npos) return;
    cue::Value config = release.find("#module.#config");
    if (!config.exists()) return;
    base::Suggestion suggestion(name);
    std::vector<std::string> names;
    for (const cue::Value::FieldEntry& field : config.fields(cue::Value::regular | cue::Value::optional)) names.push_back(field.name);
    for (const std::string& known : names) suggestion.consider(known);
    error.advice = suggestion.best().empty() ? fmt::format("#config has {}", base::joined(names, ", "))
                                             : fmt::format("did you mean \"{}\"?", suggestion.best());
  }
}

// The end of a struct that begins there, or nothing where it has none.
std::size_t end_of_struct(std::string_view text, std::size_t begin) {
  std::size_t depth = 0;
  bool is_quoted = false;
  for (std::size_t at = begin; at < text.size(); ++at) {
    char c = text[at];
    if (is_quoted && c == '\\') ++at;
    else if (c == '"') is_quoted = !is_quoted;
    else if (!is_quoted && c == '{') ++depth;
    else if (!is_quoted && c == '}' && --depth == 0) return at + 1;
  }
  return std::string_view::npos;
}

// A message quotes what does not fit. Of a whole definition nobody reads more than that it is one; the positions say where it is.
void leave_out_long_structs(std::string& message) {
  constexpr std::size_t kLong = 100;
  for (std::size_t at = message.find('{'); at != std::string::npos; at = message.find('{', at + 1)) {
    std::size_t end = end_of_struct(message, at);
    if (end != std::string_view::npos && end - at > kLong) message.replace(at, end - at, "{…}");
  }
}

}  // namespace

void tell_choices(std::vector<Problem>& problems) {
  struct Conflicts {
    std::vector<std::pair<std::string, std::string>> texts;
    std::vector<diag::Position> positions;  // that all of them are about
  };
  std::map<std::string, Conflicts> pairs;  // by path
  for (const Problem& problem : problems) {
    const diag::Diagnostic& error = problem.diagnostic;
    auto texts = conflicting_texts(error.message);
    if (!texts) continue;
    Conflicts& known = pairs[error.path];
    if (known.texts.empty()) known.positions = error.positions;
    else std::erase_if(known.positions, [&](diag::Position position) { return std::ranges::find(error.positions, position) == error.positions.end(); });
    known.texts.push_back(std::move(*texts));
  }
  std::set<std::string> told;
  for (Problem& problem : problems) {
    diag::Diagnostic& error = problem.diagnostic;
    auto found = pairs.find(error.path);
    if (error.code != "empty-disjunction" || found == pairs.end() || found->second.texts.size() < 2) continue;
    std::string given = common_text(found->second.texts);
    if (given.empty()) continue;
    std::set<std::string> choices;
    for (const auto& [one, other] : found->second.texts) choices.insert(one == given ? other : one);
    std::vector<std::string> names(choices.begin(), choices.end());
    base::Suggestion suggestion(given);
    for (const std::string& name : names) suggestion.consider(name);
    error.message = fmt::format("\"{}\" is none of {}", given, listed(names));
    error.advice = suggestion.best().empty() ? std::string() : fmt::format("did you mean \"{}\"?", suggestion.best());
    error.positions = found->second.positions;
    error.notes.clear();  // about one of the choices
    told.insert(error.path);
  }
  // One disjunction within another says the same.
  std::set<std::string> first;
  std::erase_if(problems, [&](const Problem& problem) {
    const diag::Diagnostic& error = problem.diagnostic;
    return error.code == "empty-disjunction" && told.contains(error.path) && !first.insert(error.path).second;
  });
}

void advise_to_override(const RenderOptions& options, const diag::SourceMap& sources, std::vector<Problem>& problems) {
  if (options.values_files.empty() && !options.values_input) return;
  for (Problem& problem : problems) {
    diag::Diagnostic& error = problem.diagnostic;
    if (!error.advice.empty() || !error.path.starts_with("values.") || !error.message.starts_with("conflicting values ")) continue;
    bool is_authors = false, is_given = false;
    for (diag::Position position : error.positions) {
      std::string_view file = sources.locate(position).file;
      if (base::base_name(file) == kValuesFile) is_authors = true;
      else if (file == kStandardInput || std::ranges::any_of(options.values_files, [&](const std::string& path) { return shown_file(options, path) == file; }))
        is_given = true;
    }
    if (is_authors && is_given) error.advice = "--values adds to values.cue and cannot change what it says: --user overrides it";
  }
}

void advise_on_values(const cue::Value& release, std::vector<Problem>& problems) {
  for (Problem& problem : problems) {
    advise_on_type(problem.diagnostic);
    put_schema_last(release, problem.diagnostic);
  }
}

void add_reading_aids(const cue::Value& release, std::vector<Problem>& problems) {
  if (problems.empty()) return;
  const diag::SourceMap& sources = release.context().program().sources();
  drop_parts(problems);
  drop_derived(problems);
  drop_unset_uses(release, problems);
  drop_misspelt(problems);
  std::optional<CatalogFields> catalog;
  for (Problem& problem : problems) {
    std::string_view field = is_not_allowed(problem) ? spec_field(problem) : std::string_view();
    if (!field.empty()) {
      if (!catalog) catalog.emplace();
      explain_spec_field(sources, *catalog, std::string(field), problem);
    }
    advise_on_type(problem.diagnostic);
    advise(sources, release, problem);
    put_schema_last(release, problem.diagnostic);
    add_component_place(release, problem);
    leave_out_long_structs(problem.diagnostic.message);
  }
}

}  // namespace opm::render
