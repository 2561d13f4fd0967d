// Compiles the catalog and reads its provider and its module files when opm is built, so that opm need not do it in each run:
// writes the image that cue/compile/package_image.h reads and what opm/model/stored_provider.h and
// cue/module/stored_module_file.h restore to the files that it is given.
#include <algorithm>
#include <cstdio>
#include <expected>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/path.h"
#include "cue/compile/package_image_writer.h"
#include "cue/inspection.h"
#include "cue/mentions.h"
#include "cue/module/build_list.h"
#include "cue/module/stored_module_file.h"
#include "cue/program_parts.h"
#include "cue/std/standard.h"
#include "opm/builtin/catalog.h"
#include "opm/builtin/catalog_image.h"
#include "opm/model/stored_provider.h"

namespace opm::builtin {

// There are none yet.
const cue::compile::PackageImage* catalog_image() { return nullptr; }
const cue::module::ModuleFile* stored_module_file(std::string_view) { return nullptr; }

}  // namespace opm::builtin

namespace {

using namespace opm;

constexpr std::string_view kFolder = "/opm/image";

// The import paths of all packages of a module.
void add_packages(const builtin::CatalogModule& module, std::vector<std::string>& paths) {
  const base::FileSystem& files = builtin::catalog_files();
  std::size_t version = module.path.find('@');
  std::vector<std::string> waiting{std::string(module.root)};
  while (!waiting.empty()) {
    std::string folder = std::move(waiting.back());
    waiting.pop_back();
    bool has_files = false;
    auto entries = files.list_directory(folder);
    if (!entries) continue;
    for (const base::DirectoryEntry& entry : *entries) {
      if (entry.kind != base::FileKind::directory) has_files = has_files || entry.name.ends_with(".cue");
      else if (entry.name != cue::module::kModuleFolder) waiting.push_back(base::join_path(folder, entry.name));
    }
    if (!has_files) continue;
    std::string path(module.path.substr(0, version));
    path += folder.substr(module.root.size());
    paths.push_back(path + std::string(module.path.substr(version)));
  }
}

int fail(const std::string& why) {
  std::fprintf(stderr, "the catalog can't be compiled: %s\n", why.c_str());
  return 1;
}

bool write_file(const char* path, const std::string& bytes) {
  std::ofstream stream(path, std::ios::binary);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  return static_cast<bool>(stream);
}

// Which transformers declare their #context in the same places, all of them in packages.
void find_like_contexts(std::vector<model::Transformer>& transformers) {
  std::vector<std::optional<std::vector<cue::Declaration>>> known;
  for (model::Transformer& transformer : transformers) {
    auto declarations = transformer.value.find("#transform.#context").package_declarations();
    if (declarations) std::ranges::sort(*declarations);
    auto same = declarations ? std::ranges::find(known, declarations) : known.end();
    transformer.context_like = static_cast<std::size_t>(same - known.begin());
    known.push_back(std::move(declarations));
  }
}

// The provider that everyone has who configures none.
std::expected<std::string, std::string> read_provider(const std::shared_ptr<const cue::Program>& program) {
  auto instances = program->instances();
  auto found = std::ranges::find(instances, "/providers/kubernetes", &cue::Instance::directory);
  if (found == instances.end()) return std::unexpected("it has no provider");
  auto instance = static_cast<std::size_t>(found - instances.begin());
  cue::Context context(program);
  auto provider = model::read_provider(context.instance(instance).find("#Provider"));
  if (!provider) return std::unexpected(provider.error().front().message);
  model::StoredProvider stored;
  std::vector<cue::PackageField> transformers;
  for (const model::Transformer& transformer : provider->transformers) {
    std::vector<model::ImportedField>& fields = stored.definitions.emplace_back();
    for (const cue::PackageField& field : transformer.value.package_fields()) {
      transformers.push_back(field);
      auto import = cue::import_of_package(*program, instance, field.package);
      if (!import) return std::unexpected(transformer.fqn + " is made of what the provider does not import");
      fields.push_back({*import, cue::selector_text(program->parts().names, field.label)});
    }
    if (fields.empty()) return std::unexpected(transformer.fqn + " is no definition of a package");
  }
  find_like_contexts(provider->transformers);
  stored.provider = std::move(*provider);
  stored.provider.mentioned_definitions = cue::mentioned_definitions(*program, transformers);
  return model::store_provider(stored);
}

std::expected<std::string, std::string> read_module_files(cue::module::ModuleSources& catalog) {
  std::vector<cue::module::ModuleFile> files;
  for (const builtin::CatalogModule& module : builtin::catalog_modules()) {
    auto file = catalog.module_file({std::string(module.path), std::string(builtin::catalog_version())});
    if (!file) return std::unexpected(file.error().message);
    files.push_back(**file);
  }
  return cue::module::store_module_files(files);
}

int compile_catalog(const char* image_file, const char* provider_file, const char* modules_file) {
  std::vector<std::string> paths;
  std::string module_file = "module: \"opmodel.dev/image@v0\"\nlanguage: version: \"v0.15.0\"\n";
  for (const builtin::CatalogModule& module : builtin::catalog_modules()) {
    add_packages(module, paths);
    module_file += "deps: \"" + std::string(module.path) + "\": v: \"";
    module_file += std::string(builtin::catalog_version()) + "\"\n";
  }
  cue::module::ModuleSources catalog(
      {std::make_shared<builtin::CatalogSource>(builtin::CatalogSource::Versions::exact)});
  cue::module::BuildListResolver resolver(catalog);
  base::MemoryFileSystem files;
  files.add_file(base::join_path(kFolder, "cue.mod/module.cue"), module_file);
  cue::load::LoadOptions options;
  options.directory = kFolder;
  options.files = &files;
  options.resolver = &resolver;
  options.all_standard_packages = false;
  std::shared_ptr<const cue::Program> program = cue::Program::load(paths, options);
  for (const cue::Instance& instance : program->instances()) {
    for (const diag::Diagnostic& error : instance.errors) return fail(instance.import_path + ": " + error.message);
  }
  for (const diag::Diagnostic& error : program->errors()) return fail(error.message);

  // A package that was named and is imported stands there twice; one of them will do.
  const cue::load::LoadResult& loaded = program->loaded();
  const cue::Program::Parts& parts = program->parts();
  std::vector<cue::compile::ImagePackage> packages;
  std::vector<std::size_t> places;
  std::map<std::string, std::size_t> known;
  for (const cue::load::Package& package : loaded.packages) {
    auto [place, is_new] = known.try_emplace(package.directory + ":" + package.name, packages.size());
    places.push_back(place->second);
    if (is_new) packages.emplace_back();
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    cue::compile::ImagePackage& kept = packages[places[i]];
    if (kept.package != nullptr) continue;
    const cue::load::Package& package = loaded.packages[i];
    // What depends on who loads the package can't be kept. Files of other packages are left out for everybody.
    for (const cue::load::ExcludedFile& file : package.excluded) {
      if (!file.reason.starts_with("package is ")) return fail(file.path + " is left out: " + file.reason);
    }
    if (!package.embedded.empty() || !package.data_files.empty())
      return fail(package.import_path + " has files that are no CUE");
    kept.directory = package.directory;
    kept.module_path = package.module.path;
    kept.module_version = package.module.version;
    for (const auto& [path, import] : package.imports) {
      std::size_t target = import.package ? places[static_cast<std::size_t>(*import.package)] : 0;
      kept.imports.push_back({path, import.is_standard, target});
    }
    for (const cue::load::PackageFile& file : package.files) kept.sources.push_back({file.path, file.source});
    for (std::size_t number = 0; number < parts.packages.size(); ++number) {
      const cue::compile::Package* compiled = parts.packages.package(number);
      if (compiled->path == package.identity) kept.package = compiled;
    }
    if (kept.package == nullptr) return fail(package.import_path + " was not compiled");
  }
  auto image = cue::compile::write_image(packages, parts.names, static_cast<std::uint32_t>(cue::standard::standard_paths().size()));
  if (!image) return fail(image.error());
  auto provider = read_provider(program);
  if (!provider) return fail(provider.error());
  auto module_files = read_module_files(catalog);
  if (!module_files) return fail(module_files.error());
  bool is_written = write_file(image_file, *image) && write_file(provider_file, *provider) && write_file(modules_file, *module_files);
  return is_written ? 0 : fail("can't write it");
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return fail("the files to write are not named");
  return compile_catalog(arguments[1], arguments[2], arguments[3]);
}
