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
      auto list = module::BuildList::expand(main().path, wanted, modules_);
      if (!list) return fail(list.error());
      bool raised = false;
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
          errors_ = {load_error(*problem, step.position)};
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
    if (problem.is_missing && mode_ == TidyMode::update) {
      missing_.try_emplace(path, position);
      return true;
    }
    diag::Diagnostic error = problem.diagnostic();
    if (problem.is_missing) {
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
    main().dependencies = std::move(dependencies);
  }

  TidyMode mode_;
  Workspace& workspace_;
  module::BuildListResolver& resolver_;
  module::ModuleSources& modules_;
  Locator locator_;
  std::set<ModuleVersion> used_;
  Imports missing_;
  std::size_t folders_ = 0;
  Errors errors_;
};

}  // namespace

bool TidyResult::changed() const {
  auto same = [](const module::Dependency& a, const module::Dependency& b) {
    return a.module == b.module && a.is_default == b.is_default;
  };
  return !std::ranges::equal(before.dependencies, after.dependencies, same);
}

std::expected<TidyResult, std::vector<diag::Diagnostic>> tidy(TidyMode mode, const LoadOptions& options,
                                                              module::ModuleSources& modules,
                                                              diag::SourceMap& sources) {
  module::BuildListResolver resolver(modules);
  LoadOptions complete = options;
  complete.resolver = &resolver;
  std::vector<std::unique_ptr<base::Arena>> arenas;
  const base::FileSystem& files = options.files != nullptr ? *options.files : base::real_file_system();
  Workspace workspace(complete, files, sources, arenas);
  if (auto opened = workspace.open_module(); !opened) return std::unexpected(std::move(opened.error()));
  if (!workspace.main_module) {
    diag::Diagnostic error = load_error("no cue.mod/module.cue in this folder or one above it");
    error.code = "no-module";
    error.advice = "start a module with \"opm mod init\"";
    return std::unexpected(Errors{std::move(error)});
  }
  TidyResult result;
  result.before = *workspace.main_module;
  result.module_root = workspace.module_root;
  auto after = Tidier(mode, workspace, resolver, modules).run();
  if (!after) return std::unexpected(std::move(after.error()));
  result.after = std::move(*after);
  return result;
}

}  // namespace opm::cue::load
