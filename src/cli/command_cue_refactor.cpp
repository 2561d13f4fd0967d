#include "cli/command_cue_refactor.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "base/file_system.h"
#include "base/file_writer.h"
#include "base/path.h"
#include "cli/configure.h"
#include "cli/cue_errors.h"
#include "cli/module_folder.h"
#include "cue/load/walk.h"
#include "cue/load/workspace.h"
#include "cue/module/import_path.h"
#include "cue/module/version.h"
#include "cue/syntax/format.h"
#include "cue/syntax/literal.h"
#include "cue/syntax/parser.h"

namespace opm::cli {
namespace {

namespace module = cue::module;
namespace syntax = cue::syntax;
using module::ImportPath;
using syntax::NodeKind;

constexpr unsigned kMaxDepth = 200;

struct Options {
  bool exact = false;
  bool update_identifier = false;
  bool all_major = false;
  std::string identifier;
  std::vector<std::string> paths;  // [old] new
};

// What an import is to be.
struct Change {
  std::string path;
  std::string identifier;  // that the file uses for it
};

class Rewriting {
 public:
  Rewriting(Session& session, const Options& options) : session_(session), options_(options) {}

  ExitCode run() {
    if (options_.paths.empty() || options_.paths.size() > 2)
      return fail("say [old import path] and new import path");
    auto current = open_current_module(session_, current_directory(), sources_);
    if (!current) return current.error();
    file_ = current->file;
    if (auto problem = understand()) return fail(*problem);
    std::vector<std::string> paths;
    find_files(current->root, true, 0, paths);
    for (const std::string& path : paths) {
      if (ExitCode code = rewrite(path); code != ExitCode::success) return code;
    }
    return ExitCode::success;
  }

 private:
  ExitCode fail(const std::string& message) {
    session_.err.print("{}\n", message);
    return ExitCode::failure;
  }

  // The dependency that an import means.
  const module::Dependency* module_of(const ImportPath& path) const {
    for (std::string prefix = path.path;;) {
      std::string_view major = path.version.empty() ? file_.default_major_version(prefix) : path.version;
      for (const module::Dependency& dependency : file_.dependencies)
        if (!major.empty() && dependency.module.path == prefix + "@" + std::string(major)) return &dependency;
      std::size_t slash = prefix.rfind('/');
      if (slash == std::string::npos) return nullptr;
      prefix.resize(slash);
    }
  }

  // What the arguments mean; says what is wrong with them.
  std::optional<std::string> understand() {
    new_ = module::parse_import_path(options_.paths.back());
    old_ = options_.paths.size() > 1 ? module::parse_import_path(options_.paths.front()) : new_;
    exact_ = options_.exact || !options_.identifier.empty() || new_.explicit_qualifier || old_.explicit_qualifier;
    old_.explicit_qualifier = false;
    if (options_.paths.size() == 1 && !exact_) {
      old_.version.clear();
      const module::Dependency* known = module_of(old_);
      if (known == nullptr) return "cannot resolve module version for " + old_.text();
      old_.version = module::major_version(known->module.version);
    }
    if (options_.all_major) {
      old_.version.clear();
    } else if (const module::Dependency* known = module_of(old_)) {
      only_module_ = known->module.path;
      old_.version = module::major_version(known->module.version);
    } else if (!old_.version.empty()) {
      return "path " + syntax::quote(old_.text()) +
             " has a major version but does not resolve to a module in the dependencies";
    }
    return std::nullopt;
  }

  bool matches(ImportPath path) const {
    if (!base::is_within(path.path, old_.path)) return false;
    path.explicit_qualifier = false;
    if (options_.all_major) {
      path.version.clear();
    } else if (!only_module_.empty()) {
      const module::Dependency* known = module_of(path);
      if (known == nullptr || known->module.path != only_module_) return false;
      if (path.version.empty()) path.version = module::major_version(known->module.version);
    }
    if (exact_) return path == old_;
    return old_.version.empty() || path.version == old_.version;
  }

  // `identifier`: the one that is written; empty: the package's own.
  std::optional<Change> change_of(const std::string& import_path, const std::string& identifier) const {
    ImportPath old = module::parse_import_path(import_path);
    if (!matches(old)) return std::nullopt;
    ImportPath path = new_;
    bool is_longer = false;
    if (!exact_ && old.path.size() > old_.path.size()) {
      path.path += old.path.substr(old_.path.size());
      path.qualifier.clear();
      path.explicit_qualifier = false;
      is_longer = true;
    }
    if (only_module_.empty() && path.version.empty()) path.version = old.version;
    if (!options_.identifier.empty()) return Change{path.text(), options_.identifier};
    if (old.explicit_qualifier) {
      path.qualifier = old.qualifier;
      path.explicit_qualifier = true;
    }
    std::string kept = identifier.empty() ? old.qualifier : identifier;
    if (!options_.update_identifier || !identifier.empty()) return Change{path.text(), kept};
    if (is_longer && !path.explicit_qualifier) path = module::parse_import_path(path.text());
    return Change{path.text(), path.qualifier};
  }

  void find_files(const std::string& folder, bool is_root, unsigned depth, std::vector<std::string>& found) const {
    const base::FileSystem& files = base::real_file_system();
    auto entries = files.list_directory(folder);
    if (!entries || depth > kMaxDepth) return;
    if (!is_root && files.status(base::join_path(folder, module::kModuleFolder))) return;
    for (const base::DirectoryEntry& entry : *entries) {
      if (cue::load::is_hidden_name(entry.name)) continue;
      std::string path = base::join_path(folder, entry.name);
      bool is_folder = entry.kind == base::FileKind::directory;
      if (is_folder && entry.name != module::kModuleFolder && entry.name != "testdata")
        find_files(path, false, depth + 1, found);
      else if (!is_folder && entry.name.ends_with(".cue"))
        found.push_back(std::move(path));
    }
  }

  ExitCode rewrite(const std::string& path) {
    auto text = base::real_file_system().read_file(path);
    if (!text) return fail(path + ": " + text.error().message);
    const diag::Source* source = sources_.add(path, std::move(*text));
    if (source == nullptr) return fail(path + ": too much source text");
    base::Arena arena;
    syntax::ParsedFile parsed = syntax::parse_file(arena, *source);
    if (!parsed.errors.empty())
      return print_errors(session_, sources_, std::move(parsed.errors), current_directory());
    bool changed = false;
    for (syntax::Declaration* declaration : parsed.file->declarations) {
      if (declaration->kind != NodeKind::import_declaration) continue;
      for (syntax::ImportSpec* spec : syntax::as<syntax::ImportDeclaration>(declaration)->specs)
        changed = rewrite(arena, *parsed.file, *spec) || changed;
    }
    if (!changed) return ExitCode::success;
    std::string formatted = syntax::format(*parsed.file);
    if (formatted == source->text) return ExitCode::success;
    auto written = base::real_file_writer().write_file(path, formatted);
    return written ? ExitCode::success : fail("cannot write " + path + ": " + written.error().message);
  }

  bool rewrite(base::Arena& arena, syntax::File& file, syntax::ImportSpec& spec) const {
    auto unquoted = syntax::unquote(arena, spec.path->text);
    if (!unquoted) return false;
    std::string import_path(*unquoted);
    std::string written = spec.name != nullptr ? std::string(spec.name->name) : std::string();
    auto change = change_of(import_path, written);
    if (!change) return false;
    std::string used = written.empty() ? module::parse_import_path(import_path).qualifier : written;
    if (change->identifier != used) rename(arena, file, used, change->identifier);
    bool is_implied = module::parse_import_path(change->path).qualifier == change->identifier;
    spec.path->text = arena.copy_text(syntax::quote(change->path));
    if (is_implied) {
      if (spec.name != nullptr) spec.path->spacing = spec.name->spacing;
      spec.name = nullptr;
    } else if (spec.name != nullptr) {
      spec.name->name = arena.copy_text(change->identifier);
    } else {
      spec.name = arena.make<syntax::Identifier>();
      spec.name->kind = NodeKind::identifier;
      spec.name->name = arena.copy_text(change->identifier);
      spec.name->begin = spec.path->begin;
      spec.name->end = spec.path->begin;
      spec.name->spacing = spec.path->spacing;
      spec.path->spacing = syntax::Spacing::blank;
    }
    return true;
  }

  // References to the import; labels are no references.
  static void rename(base::Arena& arena, syntax::Node& node, const std::string& old, const std::string& now) {
    if (node.kind == NodeKind::identifier) {
      auto& identifier = *syntax::as<syntax::Identifier>(&node);
      if (identifier.name == old) identifier.name = arena.copy_text(now);
    }
    cue::load::for_each_child(node, [&](syntax::Node& child) { rename(arena, child, old, now); });
  }

  Session& session_;
  const Options& options_;
  diag::SourceMap sources_;
  module::ModuleFile file_;
  ImportPath old_, new_;
  bool exact_ = false;
  std::string only_module_;  // whose imports are changed; empty: those of all
};

}  // namespace

void add_cue_refactor_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command refactor = group.add("refactor", "Change the files of a module all at once");
  Command command = refactor.add("imports", "Change what is imported, by path or major version");
  command.arguments("path", options->paths, "The import path that is meant, and what it is to be; or that alone")
      .flag("--exact", options->exact, "Only imports of that very path, not of those below it")
      .flag("--update-ident", options->update_identifier, "Use the new package's own name in the files")
      .flag("--all-major", options->all_major, "Whatever their major version")
      .option("--ident", options->identifier, "NAME", "The name to use in the files; implies --exact");
  command.run([&session, options] { return Rewriting(session, *options).run(); });
}

}  // namespace opm::cli
