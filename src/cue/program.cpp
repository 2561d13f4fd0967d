#include <algorithm>
#include <set>
#include <tuple>

#include "base/workers.h"
#include "cue/compile/compile.h"
#include "cue/compile/data_expression.h"
#include "cue/compile/package_image.h"
#include "cue/eval/predeclared.h"
#include "cue/load/source_files.h"
#include "cue/program_parts.h"
#include "cue/std/standard.h"
#include "cue/syntax/parser.h"
#include "cue/value.h"

namespace opm::cue {

const compile::ImportTarget* PackageEnvironment::import(std::string_view import_path) const {
  auto found = imports.find(import_path);
  if (found != imports.end()) return &found->second;
  if (standard == nullptr) return nullptr;
  auto known = std::ranges::find(*standard, import_path, &compile::ImportTarget::path);
  return known == standard->end() ? nullptr : &*known;
}

const compile::BuiltinSignature* PackageEnvironment::builtin(std::string_view package, std::string_view name) const {
  if (package.empty()) return eval::find_predeclared(name);
  return standard::find_standard_function(package, name);
}

const data::Value* PackageEnvironment::embedded(const syntax::Attribute& attribute) const {
  if (loaded == nullptr) return nullptr;
  auto found = loaded->embedded.find(&attribute);
  return found == loaded->embedded.end() ? nullptr : &found->second;
}

Program::Program() : parts_(std::make_unique<Parts>()) {}
Program::~Program() = default;

std::span<const Instance> Program::instances() const { return parts_->instances; }
const Diagnostics& Program::errors() const { return parts_->errors; }
const diag::SourceMap& Program::sources() const { return parts_->sources; }
diag::SourceMap& Program::mutable_sources() const { return parts_->sources; }
const load::LoadResult& Program::loaded(std::size_t request) const { return parts_->loaded[request]; }

namespace {

std::unique_ptr<PackageEnvironment> make_environment(const Program::Parts& parts) {
  auto environment = std::make_unique<PackageEnvironment>();
  environment->standard = &parts.standard;
  return environment;
}

// The package with data as further files of it.
const compile::Package* with_data(Program::Parts& parts, const compile::Package& package,
                                  const std::vector<data::Value>& documents) {
  std::vector<const compile::StructExpression*> files(package.files.begin(), package.files.end());
  for (const data::Value& document : documents) {
    if (!document.is_map()) continue;
    files.push_back(static_cast<const compile::StructExpression*>(
        compile::data_expression(parts.arena, parts.names, document)));
  }
  auto kept = parts.arena.make_array<const compile::StructExpression*>(files.size());
  std::ranges::copy(files, kept.begin());
  auto* result = parts.arena.make<compile::Package>(package);
  result->files = kept;
  return result;
}

// What the functions that compiled packages use are in this program.
std::vector<const compile::BuiltinSignature*> builtins_of(const compile::PackageImage& image) {
  PackageEnvironment environment;
  std::vector<const compile::BuiltinSignature*> builtins(image.builtin_count());
  for (std::size_t i = 0; i < builtins.size(); ++i) {
    compile::BuiltinSignature wanted = image.builtin(i);
    builtins[i] = environment.builtin(wanted.package, wanted.name);
  }
  return builtins;
}

// Has packages of the image at hand for the program.
void stand_on_image(Program::Parts& parts, const load::CompiledSources& compiled) {
  if (compiled.image == nullptr) return;
  parts.names = base::NameTable(&compiled.image->names());
  parts.packages.stand_on(*compiled.image, compiled.sources.front()->begin, builtins_of(*compiled.image));
}

// A package of the image as the next one of the program. Adds the standard packages whose values it uses.
void add_compiled_package(Program::Parts& parts, const compile::PackageImage& image, std::string_view path,
                          std::unique_ptr<PackageEnvironment> environment,
                          std::set<std::string, std::less<>>& standard_imports) {
  const load::Package& package = *environment->loaded;
  std::uint32_t index = *image.find(package.directory, package.name);
  std::vector<std::uint32_t> imports(image.import_count(index));
  for (std::size_t i = 0; i < imports.size(); ++i) {
    compile::PackageImage::Import import = image.import(index, i);
    imports[i] = environment->import(import.path)->package;
    if (import.is_standard && import.is_used) standard_imports.emplace(import.path);
  }
  parts.packages.add_placed_later(index, imports);
  auto input = std::make_unique<compile::PackageInput>();
  input->path = parts.arena.copy_text(path);
  input->name = parts.arena.copy_text(package.name);
  input->language_version = parts.arena.copy_text(package.language_version);
  parts.environments.push_back(std::move(environment));
  parts.inputs.push_back(std::move(input));
  parts.files.push_back(std::make_unique<std::vector<const syntax::File*>>());
}

// Compiles one package of parsed files and adds it to the program.
Diagnostics add_package(Program::Parts& parts, std::string_view path, std::string_view name, std::string_view version,
                        std::vector<const syntax::File*> files, std::unique_ptr<PackageEnvironment> environment) {
  auto kept = std::make_unique<std::vector<const syntax::File*>>(std::move(files));
  auto input = std::make_unique<compile::PackageInput>();
  input->path = parts.arena.copy_text(path);
  input->name = parts.arena.copy_text(name);
  input->language_version = parts.arena.copy_text(version);
  input->files = *kept;
  input->threads = parts.threads;
  input->part_memory = &parts.part_memory;
  compile::CompileResult compiled;
  if (!input->files.empty()) compiled = compile::compile_package(parts.arena, parts.names, *environment, *input);
  const compile::Package* package = compiled.package;
  if (package == nullptr) {
    auto* empty = parts.arena.make<compile::Package>();
    empty->path = input->path;
    empty->name = input->name;
    package = empty;
  } else if (environment->loaded != nullptr && !environment->loaded->joined_data.empty()) {
    package = with_data(parts, *package, environment->loaded->joined_data);
  }
  parts.packages.add(package);
  parts.environments.push_back(std::move(environment));
  parts.inputs.push_back(std::move(input));
  parts.files.push_back(std::move(kept));
  return std::move(compiled.errors);
}

// A place that nothing of the program is at.
void add_empty_package(Program::Parts& parts, std::string_view path, std::string_view name) {
  auto* package = parts.arena.make<compile::Package>();
  package->path = path;
  package->name = name;
  parts.packages.add(package);
  parts.environments.emplace_back();
  parts.inputs.emplace_back();
  parts.files.emplace_back();
}

// Says where the standard packages will stand: behind the program's own `count` packages.
void place_standard_packages(Program::Parts& parts, std::size_t count) {
  for (std::string_view path : standard::standard_paths()) {
    compile::ImportTarget target;
    target.package = static_cast<std::uint32_t>(count++);
    target.is_standard = true;
    target.path = path;
    target.name = standard::name_of_path(path);
    parts.standard.push_back(target);
  }
  parts.standard_environment = make_environment(parts);
}

// All of them, imported or not: an expression that is evaluated later may name any without an import. Only those that
// are wanted have values besides their functions; not given: all.
void add_standard_packages(Program::Parts& parts, const std::set<std::string, std::less<>>* wanted = nullptr) {
  for (const compile::ImportTarget& target : parts.standard) {
    std::string_view text;
    if (wanted == nullptr || wanted->contains(target.path)) text = standard::find_standard_package(target.path)->source;
    if (text.empty()) {
      add_empty_package(parts, target.path, target.name);
      continue;
    }
    const diag::Source* source = parts.sources.add(std::string(target.path), std::string(text));
    add_package(parts, target.path, target.name, "", {syntax::parse_file(parts.arena, *source).file},
                make_environment(parts));
  }
}

}  // namespace

std::shared_ptr<const Program> Program::from_text(std::string name, std::string text) {
  std::shared_ptr<Program> program(new Program());
  Parts& parts = *program->parts_;
  place_standard_packages(parts, 1);
  Instance instance;
  instance.display_path = name;
  const diag::Source* source = parts.sources.add(std::move(name), std::move(text));
  syntax::ParsedFile parsed = syntax::parse_file(parts.arena, *source);
  instance.errors = std::move(parsed.errors);
  std::vector<const syntax::File*> files;
  if (instance.errors.empty()) {
    instance.name = std::string(parsed.file->package_name());
    files.push_back(parsed.file);
  }
  Diagnostics errors = add_package(parts, "_", instance.name, "", std::move(files), make_environment(parts));
  if (instance.errors.empty()) instance.errors = std::move(errors);
  instance.identity = "_";
  add_standard_packages(parts);
  parts.instances.push_back(std::move(instance));
  return program;
}

std::shared_ptr<const Program> Program::load(const std::vector<std::string>& arguments, load::LoadOptions options) {
  std::vector<LoadRequest> requests;
  requests.push_back({arguments, std::move(options)});
  return load(std::move(requests));
}

namespace {

// The most that one of them asks for.
unsigned threads_of(const std::vector<LoadRequest>& requests) {
  unsigned threads = 1;
  for (const LoadRequest& request : requests) {
    unsigned wanted = request.options.threads;
    threads = std::max(threads, wanted != 0 ? wanted : static_cast<unsigned>(base::usable_processors()));
  }
  return threads;
}

// Loaded packages of all requests as the program's own, each at its place.
class PackageList {
 public:
  explicit PackageList(const std::deque<load::LoadResult>& results) {
    std::map<std::tuple<const base::FileSystem*, std::string, std::string, std::string>, std::uint32_t> known;
    for (const load::LoadResult& result : results) {
      std::vector<std::uint32_t>& places = places_.emplace_back();
      for (const load::Package& package : result.packages) {
        // The main module's own files are its own whatever they say; a published version is the same for all.
        if (package.module.version.empty()) {
          places.push_back(add(package));
          continue;
        }
        auto [at, is_new] = known.try_emplace(
            {package.file_system, package.directory, package.identity, package.module.version}, 0);
        if (is_new) at->second = add(package);
        places.push_back(at->second);
      }
    }
  }

  struct Entry {
    const load::Package* package;
    std::size_t request;
  };
  const std::vector<Entry>& entries() const { return entries_; }
  std::uint32_t place(std::size_t request, load::PackageId id) const {
    return places_[request][static_cast<std::size_t>(id)];
  }

 private:
  std::uint32_t add(const load::Package& package) {
    entries_.push_back({&package, places_.size() - 1});
    return static_cast<std::uint32_t>(entries_.size() - 1);
  }

  std::vector<Entry> entries_;
  std::vector<std::vector<std::uint32_t>> places_;  // by request and id
};

}  // namespace

std::shared_ptr<const Program> Program::load(std::vector<LoadRequest> requests) {
  std::shared_ptr<Program> program(new Program());
  Parts& parts = *program->parts_;
  std::vector<load::LoadResult> results;
  bool keeps_comments = std::ranges::any_of(requests, [](const LoadRequest& r) { return r.options.comments; });
  parts.threads = threads_of(requests);
  load::SourceFiles module_files(parts.sources, parts.module_trees, {.threads = parts.threads, .comments = keeps_comments});
  for (LoadRequest& request : requests) {
    request.options.module_files = &module_files;
    if (!request.options.is_standard_package) request.options.is_standard_package = standard::is_standard_path;
    results.push_back(load::load(request.arguments, request.options, parts.sources));
  }
  for (load::LoadResult& result : results) parts.loaded.push_back(std::move(result));
  PackageList list(parts.loaded);
  place_standard_packages(parts, list.entries().size());
  stand_on_image(parts, module_files.compiled());
  std::vector<Diagnostics> compile_errors;
  std::set<std::string, std::less<>> standard_imports;
  for (const auto& [package, request] : list.entries()) {
    auto environment = make_environment(parts);
    environment->loaded = package;
    Diagnostics errors = package->errors;
    for (const auto& [path, import] : package->imports) {
      if (import.is_standard && !is_compiled(*package)) standard_imports.insert(path);
      if (!import.package) continue;
      compile::ImportTarget target;
      target.package = list.place(request, *import.package);
      target.path = parts.arena.copy_text(path);
      target.name = parts.arena.copy_text(parts.loaded[request].package(*import.package).name);
      environment->imports.emplace(path, target);
      if (target.package < compile_errors.size()) {
        const Diagnostics& imported = compile_errors[target.package];
        errors.insert(errors.end(), imported.begin(), imported.end());
      }
    }
    std::string_view path = package->identity.empty() ? std::string_view("_") : std::string_view(package->identity);
    Diagnostics compiled;
    if (is_compiled(*package)) {
      add_compiled_package(parts, *module_files.compiled().image, path, std::move(environment), standard_imports);
    } else {
      std::vector<const syntax::File*> files;
      for (const load::PackageFile& file : package->files) files.push_back(file.syntax);
      compiled = add_package(parts, path, package->name, package->language_version, std::move(files),
                             std::move(environment));
    }
    if (errors.empty()) {
      errors = std::move(compiled);
    } else if (std::ranges::all_of(errors, [](const auto& error) { return error.code == "unknown-builtin"; })) {
      // A standard package that is not there is no reason to be silent about the other imports.
      std::ranges::copy_if(compiled, std::back_inserter(errors), [](const diag::Diagnostic& error) {
        return error.code == "unused-import" || error.code == "name-conflict";
      });
    }
    compile_errors.push_back(std::move(errors));
  }
  bool all = std::ranges::any_of(requests, [](const LoadRequest& r) { return r.options.all_standard_packages; });
  add_standard_packages(parts, all ? nullptr : &standard_imports);
  for (std::size_t request = 0; request < parts.loaded.size(); ++request) {
    for (load::PackageId id : parts.loaded[request].instances) {
      const load::Package& package = parts.loaded[request].package(id);
      Instance instance;
      instance.package = list.place(request, id);
      instance.request = request;
      instance.display_path = package.display_path;
      instance.import_path = package.import_path;
      instance.name = package.name;
      instance.directory = package.directory;
      instance.data_files = package.data_files;
      instance.identity = std::string(parts.inputs[instance.package]->path);
      instance.is_command_line = package.is_command_line;
      instance.has_files = !package.files.empty();
      instance.errors = compile_errors[instance.package];
      parts.instances.push_back(std::move(instance));
    }
    const Diagnostics& errors = parts.loaded[request].errors;
    parts.errors.insert(parts.errors.end(), errors.begin(), errors.end());
  }
  return program;
}

bool Program::declares(std::size_t instance, std::string_view field,
                       const std::function<bool(std::string_view file)>& left_out) const {
  for (const compile::StructExpression* literal : parts_->packages.package(parts_->instances[instance].package)->files) {
    for (const compile::Field* declared : literal->fields) {
      if (!declared->label.is_string() || label_text(parts_->names, declared->label) != field) continue;
      if (!left_out(parts_->sources.locate(declared->position).file)) return true;
    }
  }
  return false;
}

}  // namespace opm::cue
