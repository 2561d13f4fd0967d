#include "cue/load/importer.h"

#include <algorithm>

#include "base/path.h"
#include "cue/compile/package_image.h"
#include "cue/load/collector.h"
#include "cue/load/embed.h"
#include "cue/module/import_path.h"
#include "cue/syntax/literal.h"

namespace opm::cue::load {
namespace {

using syntax::NodeKind;

// Deeper chains than this are a mistake or an attack on the stack.
constexpr std::size_t kMaxImportDepth = 500;

std::string key_of(const PackageLocation& location) {
  const module::ModuleVersion& module = location.module;
  std::string key;
  key.reserve(module.path.size() + module.version.size() + location.folders.front().size() + location.name.size() + 3);
  key.append(module.version.empty() ? module.path : module.base_path()).append("@").append(module.version);
  for (const std::string& folder : location.folders) key.append("|").append(folder);
  key.append(":").append(location.name);
  return key;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += separator;
    text += part;
  }
  return text;
}

// All that is known of a package before its files.
Package describe(const PackageLocation& location, const std::string& import_path) {
  Package package;
  package.import_path = import_path;
  package.identity = location.identity;
  package.display_path = import_path;
  package.name = location.name;
  package.directory = location.folders.front();
  package.root = location.tree.root;
  package.module = location.module;
  package.language_version = location.language_version;
  return package;
}

}  // namespace

Package Importer::collect(const PackageLocation& location, const std::string& import_path) {
  Collector collector(workspace_, location.tree, describe(location, import_path), true);
  for (const std::string& folder : location.folders)
    collector.add_folder(folder, location.tree.root, !location.is_local());
  std::vector<Package> found = collector.finish();
  if (!found.empty()) return std::move(found.front());
  Package missing;
  missing.import_path = import_path;
  missing.display_path = import_path;
  missing.errors = {load_error("cannot find package " + syntax::quote(import_path))};
  return missing;
}

std::optional<CompiledPackage> Importer::compiled_at(const PackageLocation& location) {
  const LoadOptions& options = workspace_.options;
  const compile::PackageImage* image = options.module_files == nullptr ? nullptr : image_of(location.tree);
  if (image == nullptr || options.skip_imports) return std::nullopt;
  auto index = image->find(location.folders.front(), location.name);
  if (!index || location.folders.size() != 1) return std::nullopt;
  CompiledPackage compiled{image, *index};
  if (!meaning_of(compiled, location.module).is_same || !options.module_files->take(*image)) return std::nullopt;
  return compiled;
}

const std::expected<PackageLocation, LocateError>& Importer::locate(std::string_view import_path,
                                                                    const module::ModuleVersion& module) {
  // What most files import is the same whoever they belong to.
  std::pair key(std::string(import_path), locator_.depends_on(module, import_path) ? module.path : std::string());
  auto known = located_.find(key);
  if (known == located_.end()) known = located_.emplace(std::move(key), locator_.locate(import_path, module)).first;
  return known->second;
}

// Other versions may have been chosen for what it imports, or the main module may have packages of its own there.
const Importer::Meaning& Importer::meaning_of(const CompiledPackage& compiled, const module::ModuleVersion& module) {
  auto [known, is_new] = meanings_.try_emplace(MeaningKey(compiled.image, compiled.package));
  Meaning& meaning = known->second;
  if (!is_new) return meaning;
  const compile::PackageImage& image = *compiled.image;
  meaning.locations.resize(image.import_count(compiled.package));
  for (std::size_t i = 0; i < meaning.locations.size() && meaning.is_same; ++i) {
    compile::PackageImage::Import import = image.import(compiled.package, i);
    if (import.is_standard) continue;
    const auto& location = locate(import.path, module);
    meaning.is_same = location && image_of(location->tree) == &image && location->folders.size() == 1 &&
                      image.find(location->folders.front(), location->name) == import.package &&
                      meaning_of({&image, import.package}, location->module).is_same;
    if (meaning.is_same) meaning.locations[i] = &*location;
  }
  return meaning;
}

Package Importer::take(const CompiledPackage& compiled, const PackageLocation& location,
                       const std::string& import_path) {
  const compile::PackageImage& image = *compiled.image;
  Package package = describe(location, import_path);
  package.file_system = location.tree.files;
  const Meaning& meaning = meaning_of(compiled, location.module);
  // The image knows what it imports; here it has only to be there, too.
  for (std::size_t i = 0; i < meaning.locations.size(); ++i) {
    compile::PackageImage::Import written = image.import(compiled.package, i);
    if (!written.is_standard)
      load_compiled({&image, written.package}, *meaning.locations[i], std::string(written.path));
  }
  package.compiled = compiled;
  return package;
}

PackageId Importer::load_compiled(const CompiledPackage& compiled, const PackageLocation& location,
                                  const std::string& import_path) {
  std::string key = key_of(location);
  auto loaded = loaded_.find(key);
  if (loaded == loaded_.end())
    loaded = loaded_.emplace(std::move(key), keep(take(compiled, location, import_path))).first;
  return loaded->second;
}

PackageId Importer::keep(Package package) {
  package.id = PackageId(static_cast<std::uint32_t>(result_.packages.size()));
  if (package.identity.empty()) {
    if (!package.import_path.empty())
      package.identity = module::parse_import_path(package.import_path).canonical().text();
    else
      package.identity = package.name.empty() || package.name == "_" ? "_" : ":" + package.name;
  }
  PackageId id = package.id;
  result_.packages.push_back(std::move(package));
  return id;
}

std::map<std::string, Importer::Wanted> Importer::imports_of(Package& package) {
  std::map<std::string, Wanted> wanted;
  base::Arena arena;
  for (const PackageFile& file : package.files) {
    for (const syntax::Declaration* declaration : file.syntax->declarations) {
      if (declaration->kind != NodeKind::import_declaration) continue;
      for (const syntax::ImportSpec* spec : syntax::as<syntax::ImportDeclaration>(declaration)->specs) {
        auto path = syntax::unquote(arena, spec->path->text);
        if (!path || path->empty()) {
          package.errors.push_back(
              load_error("invalid import path: " + std::string(spec->path->text), spec->path->begin));
          continue;
        }
        wanted[std::string(*path)].positions.push_back(spec->begin);
      }
    }
  }
  return wanted;
}

void Importer::fail(Package& package, diag::Position position, std::vector<diag::Diagnostic> errors) {
  for (diag::Diagnostic& error : errors) {
    error.message = "import failed: " + error.message;
    std::erase(error.positions, position);
    error.positions.insert(error.positions.begin(), position);
  }
  append_errors(package.errors, errors);
}

// Finds out where everything is before any of it is loaded, so that all files can be read together.
void Importer::resolve(Package& package, std::map<std::string, Wanted>& wanted) {
  std::vector<std::string_view> foreign;
  for (const auto& [path, want] : wanted)
    if (!module::is_relative_import(path) && !module::looks_standard(path)) foreign.push_back(path);
  locator_.prepare(foreign, package.module);
  std::vector<std::pair<Tree, std::string>> folders;
  for (auto& [path, want] : wanted) {
    diag::Position position = want.positions.front();
    Import import;
    import.position = position;
    if (module::is_relative_import(path)) {
      fail(package, position, {load_error("relative import paths not allowed (" + syntax::quote(path) + ")")});
    } else if (module::looks_standard(path)) {
      import.is_standard = true;
      const auto& is_known = workspace_.options.is_standard_package;
      if (is_known && !is_known(path)) {
        package.errors.push_back(load_error("builtin package " + syntax::quote(path) + " undefined", position));
        package.errors.back().code = "unknown-builtin";
        package.errors.back().only_explains = true;  // or that it is not used either would pass for the same
      }
    } else if (const auto& location = locate(path, package.module)) {
      want.compiled = compiled_at(*location);
      if (!want.compiled) {
        for (const std::string& folder : location->folders) folders.emplace_back(location->tree, folder);
      }
      want.location = &*location;
    } else {
      diag::Diagnostic error = location.error().diagnostic();
      bool is_bad_name = error.message.starts_with("_ is not a valid");
      error.only_explains = is_bad_name;  // or what follows would pass for the same
      fail_to_find(package, position, error);
      // `cue` says it of the path and of the package.
      if (is_bad_name) {
        error.only_explains = false;
        error.message = "cannot find package " +
                        syntax::quote(module::parse_import_path(path).unqualified().text()) + ": " + error.message;
        fail_to_find(package, position, std::move(error));
      }
    }
    package.imports.emplace(path, import);
  }
  workspace_.read_ahead(folders);
  for (auto& [path, want] : wanted) {
    if (want.location == nullptr || want.compiled) continue;
    auto problem = locator_.problem_with(*want.location, path);
    if (!problem) continue;
    fail_to_find(package, want.positions.front(), load_error(*problem));
    want.location = nullptr;
  }
}

void Importer::fail_to_find(Package& package, diag::Position position, diag::Diagnostic error) const {
  error.path = join(chain_, ".");
  fail(package, position, {std::move(error)});
}

void Importer::load_import(Package& package, const std::string& path, Wanted& wanted) {
  if (wanted.compiled) {
    package.imports[path].package = load_compiled(*wanted.compiled, *wanted.location, path);
    return;
  }
  std::string key = key_of(*wanted.location);
  diag::Position position = wanted.positions.front();
  auto loaded = loaded_.find(key);
  if (loaded == loaded_.end()) {
    auto again = std::ranges::find(stack_, key);
    if (again != stack_.end()) {
      diag::Diagnostic error = load_error("package import cycle not allowed");
      error.code = "import-cycle";
      std::vector<std::string> cycle(chain_.begin() + 1 + (again - stack_.begin()), chain_.end());
      cycle.push_back(cycle.front());
      error.notes.push_back({join(cycle, " imports "), {}});
      return fail(package, position, {std::move(error)});
    }
    if (stack_.size() >= kMaxImportDepth)
      return fail(
          package, position,
          {load_error("more than " + std::to_string(kMaxImportDepth) + " packages import one another in a row")});
    stack_.push_back(key);
    Package imported = collect(*wanted.location, path);
    if (imported.errors.empty()) complete(imported);
    stack_.pop_back();
    loaded = loaded_.emplace(std::move(key), keep(std::move(imported))).first;
  }
  const Package& imported = result_.package(loaded->second);
  if (!imported.errors.empty()) return fail(package, position, imported.errors);
  package.imports[path].package = loaded->second;
}

void Importer::complete(Package& package) {
  // A package that the user named by its folder is shown without its package name.
  bool is_folder = chain_.empty() && package.display_path.starts_with('.');
  chain_.push_back(is_folder ? module::parse_import_path(package.import_path).unqualified().text()
                             : package.import_path);
  if (!workspace_.options.skip_imports) {
    std::map<std::string, Wanted> wanted = imports_of(package);
    resolve(package, wanted);
    for (auto& [path, want] : wanted)
      if (want.location) load_import(package, path, want);
  }
  chain_.pop_back();
  // Whoever does not ask what a file imports does not ask what it embeds.
  if (!workspace_.options.skip_imports) read_embedded(package, workspace_);
}

}  // namespace opm::cue::load
