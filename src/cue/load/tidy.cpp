#include "cue/load/tidy.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/path.h"
#include "cue/load/build_attribute.h"
#include "cue/load/locator.h"
#include "cue/load/workspace.h"
#include "cue/module/build_list.h"
#include "cue/module/import_path.h"
#include "cue/module/local_module.h"
#include "cue/module/update.h"
#include "cue/module/version.h"
#include "cue/syntax/literal.h"

namespace opm::cue::load {
namespace {

using Errors = std::vector<diag::Diagnostic>;
using module::ModuleVersion;

// Each round adds a module or raises a version; so many are no longer plausible.
constexpr unsigned kMaxRounds = 200;
constexpr std::size_t kMaxFolders = 200'000;
constexpr unsigned kMaxDepth = 200;

// Imports with the place of the first file that has them.
using Imports = std::map<std::string, diag::Position>;

class Tidier {
 public:
  Tidier(TidyMode mode, Workspace& workspace, module::BuildListResolver& resolver, module::ModuleSources& modules)
      : mode_(mode), workspace_(workspace), resolver_(resolver), modules_(modules), locator_(workspace) {}

  std::expected<module::ModuleFile, Errors> run() {
    Imports roots;
    if (!collect_main(workspace_.module_root, true, 0, roots)) return std::unexpected(std::move(errors_));
    for (unsigned round = 0; round < kMaxRounds; ++round) {
      resolver_.begin(main());
      used_.clear();
      missing_.clear();
      if (!walk(roots)) return std::unexpected(std::move(errors_));
      if (!missing_.empty()) {
        if (!add_missing()) return std::unexpected(std::move(errors_));
        continue;
      }
      std::vector<ModuleVersion> wanted(used_.begin(), used_.end());
      std::vector<ModuleVersion> asked;  // whose requirements count
      for (const ModuleVersion& module : wanted) {
        const module::Dependency* listed = module::find_dependency(main().dependencies, module.path);
        if (listed == nullptr || listed->replace_with.empty()) {
          asked.push_back(module);
          continue;
        }
        auto target = module::parse_replacement(listed->replace_with, main().dependencies);
        if (target && target->folder.empty()) targets_.insert(target->module);
      }
      asked.insert(asked.end(), targets_.begin(), targets_.end());
      auto list = module::BuildList::expand(main().path, asked, modules_);
      if (!list) return fail(list.error());
      bool raised = false;
      for (const ModuleVersion& target : std::exchange(targets_, {}))
        if (std::ranges::find(wanted, target.path, &ModuleVersion::path) == wanted.end()) wanted.push_back(target);
      for (ModuleVersion& module : wanted) {
        std::string selected = list->selected(module.path).value_or(module.version);
        raised = raised || selected != module.version;
        module.version = std::move(selected);
      }
      require(wanted);
      if (!raised) return main();
    }
    return fail({module::ModuleErrorKind::invalid, "the versions that modules require of each other never settle"});
  }

 private:
  module::ModuleFile& main() { return *workspace_.main_module; }

  std::unexpected<Errors> fail(const module::ModuleError& problem) {
    diag::Diagnostic error = load_error(problem.message);
    error.code = problem.code();
    return std::unexpected(Errors{std::move(error)});
  }

  void add_imports(const syntax::File& file, Imports& imports) {
    base::Arena arena;
    for (const syntax::Declaration* declaration : file.declarations) {
      if (declaration->kind != syntax::NodeKind::import_declaration) continue;
      for (const syntax::ImportSpec* spec : syntax::as<syntax::ImportDeclaration>(declaration)->specs) {
        auto path = syntax::unquote(arena, spec->path->text);
        if (!path || path->empty() || module::looks_standard(*path) || module::is_relative_import(*path)) continue;
        imports.try_emplace(module::parse_import_path(*path).canonical().text(), spec->begin);
      }
    }
  }

  // Only @ignore() counts in the main module: its other files are built with some tags or others.
  static bool is_ignored(const syntax::File& file) {
    auto decision = decide_build(file, [](std::string_view) { return true; });
    return decision.reason.starts_with("@ignore");
  }

  // All files below, whatever their packages.
  bool collect_main(const std::string& folder, bool is_root, unsigned depth, Imports& imports) {
    if (depth > kMaxDepth || ++folders_ > kMaxFolders) {
      errors_ = {load_error("too many folders below " + workspace_.display(workspace_.module_root))};
      return false;
    }
    auto entries = workspace_.files.list_directory(folder);
    if (!entries) {
      errors_ = {load_error(workspace_.display(folder) + ": " + entries.error().message)};
      return false;
    }
    auto is_module = [](const base::DirectoryEntry& entry) { return entry.name == module::kModuleFolder; };
    if (!is_root && std::ranges::any_of(*entries, is_module)) return true;
    workspace_.read_ahead({{workspace_.main_tree(), folder}});
    for (const base::DirectoryEntry& entry : *entries) {
      if (is_hidden_name(entry.name) || entry.name == module::kModuleFolder) continue;
      std::string path = base::join_path(folder, entry.name);
      if (entry.kind == base::FileKind::directory) {
        if (!collect_main(path, false, depth + 1, imports)) return false;
      } else if (entry.name.ends_with(".cue")) {
        const SourceFile& file = workspace_.parsed(workspace_.main_tree(), path);
        if (!file.errors.empty()) {
          errors_ = file.errors;
          return false;
        }
        if (file.syntax != nullptr && !is_ignored(*file.syntax)) add_imports(*file.syntax, imports);
      }
    }
    return true;
  }

  Imports imports_of(const PackageLocation& location) {
    Imports imports;
    bool is_main = location.module.path == workspace_.module_path();
    for (std::string folder : location.folders) {
      for (;;) {
        const auto& names = workspace_.file_names(*location.tree.files, folder);
        for (const std::string& name : names ? *names : std::vector<std::string>()) {
          if (!name.ends_with(".cue") || is_hidden_name(name)) continue;
          const SourceFile& file = workspace_.parsed(location.tree, base::join_path(folder, name));
          if (file.syntax == nullptr || file.syntax->package_name() != location.name) continue;
          bool is_extra = name.ends_with("_tool.cue") || name.ends_with("_test.cue");
          auto no_tag = [](std::string_view) { return false; };
          if (is_main ? is_ignored(*file.syntax) : is_extra || !decide_build(*file.syntax, no_tag).included) continue;
          add_imports(*file.syntax, imports);
        }
        if (location.is_local() || folder == location.tree.root) break;
        folder = base::parent_path(folder);
      }
    }
    return imports;
  }

  // What is said of an import that can't be found, said of the module file.
  static std::string failed_to_resolve(const std::string& path, std::string why) {
    if (why.starts_with("cannot find package ")) why.erase(0, why.find("\": ") + 3);
    return "failed to resolve " + syntax::quote(path) + ": " + why;
  }

  // Everything that is imported from there on, level by level, so that what is needed is downloaded together.
  bool walk(const Imports& roots) {
    struct Step {
      std::string path;
      diag::Position position;
      ModuleVersion importer;
    };
    std::vector<Step> level;
    for (const auto& [path, position] : roots) level.push_back({path, position, {main().path, {}}});
    std::set<std::pair<std::string, std::string>> seen;  // where, and the package there
    while (!level.empty()) {
      std::map<ModuleVersion, std::vector<std::string_view>> by_importer;
      for (const Step& step : level) by_importer[step.importer].push_back(step.path);
      for (const auto& [importer, paths] : by_importer) locator_.prepare(paths, importer);
      std::vector<Step> next;
      for (const Step& step : level) {
        auto location = locator_.locate(step.path, step.importer);
        if (!location) {
          if (!note_problem(step.path, step.position, location.error())) return false;
          continue;
        }
        if (auto problem = locator_.problem_with(*location, step.path)) {
          errors_ = {load_error(failed_to_resolve(step.path, *problem), step.position)};
          return false;
        }
        if (!location->module.version.empty()) used_.insert(location->module);
        if (!seen.emplace(location->module.text() + " " + location->folders.front(), location->name).second) continue;
        for (const auto& [path, position] : imports_of(*location)) next.push_back({path, position, location->module});
      }
      level = std::move(next);
    }
    return true;
  }

  bool note_problem(const std::string& path, diag::Position position, const LocateError& problem) {
    if (problem.is_missing && mode_ != TidyMode::check) {
      missing_.try_emplace(path, position);
      return true;
    }
    diag::Diagnostic error = problem.diagnostic();
    error.message = failed_to_resolve(path, error.message);
    if (problem.is_missing) {
      error.code = "not-tidy";
      error.message = "module is not tidy: missing dependency providing package " + path;
      error.advice = "run \"opm mod tidy\"";
    }
    error.positions = {position};
    errors_ = {std::move(error)};
    return false;
  }

  // The newest version of every module that could have a missing package.
  bool add_missing() {
    std::vector<module::Dependency> added;
    for (const auto& [import_path, position] : missing_) {
      module::ImportPath path = module::parse_import_path(import_path);
      std::vector<std::string> tried;
      std::size_t before = added.size();
      for (std::string prefix = path.path;;) {
        std::string wish = path.version.empty() ? prefix : prefix + "@" + path.version;
        if (!module::check_module_path(wish) && !is_listed(wish)) {
          auto versions = modules_.versions(wish);
          if (!versions) {
            errors_ = fail(versions.error()).error();
            errors_.front().positions = {position};
            return false;
          }
          std::string latest = module::latest_version(*versions);
          if (latest.empty()) {
            tried.push_back(wish + ": no versions");
          } else {
            module::Dependency dependency;
            dependency.module = {prefix + "@" + std::string(module::major_version(latest)), latest};
            dependency.is_default = path.version.empty();
            added.push_back(std::move(dependency));
          }
        } else if (is_listed(wish)) {
          tried.push_back(wish + ": does not have the package at the listed version");
        }
        std::size_t slash = prefix.rfind('/');
        if (slash == std::string::npos) break;
        prefix.resize(slash);
      }
      if (added.size() > before) continue;
      LocateError problem{.message = "failed to resolve " + syntax::quote(import_path) +
                                     ": cannot find module providing package " + import_path,
                          .code = "module-not-found",
                          .tried = std::move(tried)};
      problem.advice = "asked were " + modules_.names();
      diag::Diagnostic error = problem.diagnostic();
      error.positions = {position};
      errors_.push_back(std::move(error));
    }
    if (!errors_.empty()) return false;
    for (module::Dependency& dependency : added) {
      auto same = [&](const module::Dependency& other) { return other.module.path == dependency.module.path; };
      if (std::ranges::none_of(main().dependencies, same)) main().dependencies.push_back(std::move(dependency));
    }
    std::ranges::sort(main().dependencies, {}, &module::Dependency::module);
    return true;
  }

  // Whether it is listed already, so that another version of it is nobody's wish.
  bool is_listed(const std::string& wish) {
    return std::ranges::any_of(main().dependencies, [&](const module::Dependency& dependency) {
      return dependency.module.path == wish || dependency.module.base_path() == wish;
    });
  }

  void require(const std::vector<ModuleVersion>& wanted) {
    std::vector<module::Dependency> dependencies;
    for (const ModuleVersion& module : wanted) {
      module::Dependency dependency;
      for (const module::Dependency& old : main().dependencies)
        if (old.module.path == module.path) dependency = old;
      dependency.module = module;
      dependencies.push_back(std::move(dependency));
    }
    std::ranges::sort(dependencies, {}, &module::Dependency::module);
    main().dependencies = std::move(dependencies);
  }

  TidyMode mode_;
  Workspace& workspace_;
  module::BuildListResolver& resolver_;
  module::ModuleSources& modules_;
  Locator locator_;
  std::set<ModuleVersion> used_;
  std::set<ModuleVersion> targets_;  // that stand for others
  Imports missing_;
  std::size_t folders_ = 0;
  Errors errors_;
};

}  // namespace

bool TidyResult::changed() const { return published_changed() || local_before != local_after; }

bool TidyResult::published_changed() const {
  auto same = [](const module::Dependency& a, const module::Dependency& b) {
    return a.module == b.module && a.is_default == b.is_default;
  };
  return !std::ranges::equal(before.dependencies, after.dependencies, same);
}

namespace {

bool has_replacements(const module::ModuleFile& file) {
  return std::ranges::any_of(file.dependencies, [](const auto& dependency) { return !dependency.replace_with.empty(); });
}

// A replacement at a version is one at the listed version: so that others can raise it.
void list_targets(module::ModuleFile& file) {
  std::vector<module::Dependency> added;
  for (module::Dependency& dependency : file.dependencies) {
    if (dependency.replace_with.empty()) continue;
    auto target = module::parse_replacement(dependency.replace_with, file.dependencies);
    if (!target || !target->folder.empty() || target->module.version.empty()) continue;
    if (dependency.replace_with.find('@') != std::string::npos) dependency.replace_with = target->module.path;
    if (module::find_dependency(file.dependencies, target->module.path) == nullptr)
      added.push_back({target->module, false, {}, {}});
  }
  std::ranges::move(added, std::back_inserter(file.dependencies));
  std::ranges::sort(file.dependencies, {}, &module::Dependency::module);
}

// What to publish of a module that is worked on with replacements: the same dependencies without them.
std::expected<module::ModuleFile, Errors> tidy_published(TidyMode mode, Workspace& workspace,
                                                         module::BuildListResolver& resolver,
                                                         module::ModuleSources& modules) {
  module::ModuleFile published = *workspace.published_module;
  for (module::Dependency& dependency : published.dependencies) dependency.replace_with.clear();
  bool is_stale = false;
  for (module::Dependency dependency : workspace.main_module->dependencies) {
    if (dependency.module.version.empty()) continue;
    dependency.replace_with.clear();
    auto same = [&](const module::Dependency& other) { return other.module.path == dependency.module.path; };
    auto known = std::ranges::find_if(published.dependencies, same);
    if (known == published.dependencies.end()) {
      published.dependencies.push_back(std::move(dependency));
    } else {
      is_stale = is_stale || known->module.version != dependency.module.version;
      known->module = dependency.module;
    }
  }
  std::ranges::sort(published.dependencies, {}, &module::Dependency::module);
  workspace.main_module = published;
  if (is_stale && mode == TidyMode::check) return published;
  auto tidied = Tidier(mode, workspace, resolver, modules).run();
  if (tidied) return tidied;
  for (diag::Diagnostic& error : tidied.error())
    error.advice = "what is replaced has to be published first; --local-only leaves module.cue alone";
  return tidied;
}

}  // namespace

std::expected<TidyResult, std::vector<diag::Diagnostic>> tidy(TidyMode mode, const LoadOptions& options,
                                                              module::ModuleSources& modules,
                                                              diag::SourceMap& sources) {
  module::BuildListResolver resolver(modules);
  LoadOptions complete = options;
  complete.resolver = &resolver;
  std::vector<std::unique_ptr<base::Arena>> arenas;
  const base::FileSystem& files = options.files != nullptr ? *options.files : base::real_file_system();
  Workspace workspace(complete, files, sources, arenas);
  workspace.moves_replacements = true;
  if (auto opened = workspace.open_module(); !opened) return std::unexpected(std::move(opened.error()));
  if (!workspace.main_module) {
    diag::Diagnostic error = load_error("no cue.mod/module.cue in this folder or one above it");
    error.code = "no-module";
    error.advice = "start a module with \"opm mod init\"";
    return std::unexpected(Errors{std::move(error)});
  }
  TidyResult result;
  result.before = *workspace.published_module;
  result.module_root = workspace.module_root;
  std::string local_path = base::join_path(workspace.module_root, "cue.mod/" + std::string(module::kLocalModuleFileName));
  result.local_before = files.read_file(local_path, module::kMaxModuleFileBytes).value_or("");
  if (workspace.has_local_module || has_replacements(*workspace.main_module)) {
    list_targets(*workspace.main_module);
    auto local = Tidier(mode, workspace, resolver, modules).run();
    if (!local) return std::unexpected(std::move(local.error()));
    result.after = result.before;
    if (mode != TidyMode::local_only) {
      auto published = tidy_published(mode, workspace, resolver, modules);
      if (!published) return std::unexpected(std::move(published.error()));
      result.after = std::move(*published);
    }
    if (has_replacements(*local)) result.local_after = module::write_local_module_file(local->dependencies, result.after);
    return result;
  }
  auto after = Tidier(mode, workspace, resolver, modules).run();
  if (!after) return std::unexpected(std::move(after.error()));
  result.after = std::move(*after);
  return result;
}

}  // namespace opm::cue::load
