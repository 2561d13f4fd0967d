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

namespace {

// The standard packages are the first ones of each program, imported or not: an expression that is evaluated later may name any
// without an import.
struct StandardPackages {
  std::vector<compile::ImportTarget> targets;
  std::vector<compile::Package> without_values;  // there are only functions in them, unless somebody wants more

  StandardPackages() {
    for (std::string_view path : standard::standard_paths()) {
      compile::ImportTarget& target = targets.emplace_back();
      target.package = static_cast<std::uint32_t>(targets.size() - 1);
      target.is_standard = true;
      target.path = path;
      target.name = standard::name_of_path(path);
      compile::Package& package = without_values.emplace_back();
      package.path = target.path;
      package.name = target.name;
    }
  }
};

// The same for all programs.
const StandardPackages& standard_packages() {
  static const StandardPackages packages;
  return packages;
}

}  // namespace

const compile::ImportTarget* PackageEnvironment::import(std::string_view import_path) const {
  auto found = std::ranges::find(imports, import_path, &compile::ImportTarget::path);
  if (found != imports.end()) return &*found;
  const std::vector<compile::ImportTarget>& targets = standard_packages().targets;
  auto known = std::ranges::find(targets, import_path, &compile::ImportTarget::path);
  return known == targets.end() ? nullptr : &*known;
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

// Numbers for so many more packages.
void grow(Program::Parts& parts, std::size_t count) {
  parts.environments.resize(parts.environments.size() + count);
  parts.inputs.resize(parts.environments.size());
  parts.files.resize(parts.environments.size());
}

// What the program knows of a package besides what it compiles to.
const compile::PackageInput& describe_package(Program::Parts& parts, std::uint32_t number, std::string_view path,
                                              std::string_view name, std::string_view version,
                                              std::unique_ptr<PackageEnvironment> environment,
                                              std::vector<const syntax::File*> files) {
  parts.files[number] = std::make_unique<std::vector<const syntax::File*>>(std::move(files));
  auto input = std::make_unique<compile::PackageInput>();
  input->path = parts.arena.copy_text(path);
  input->name = parts.arena.copy_text(name);
  input->language_version = parts.arena.copy_text(version);
  input->files = *parts.files[number];
  input->threads = parts.threads;
  input->part_memory = &parts.part_memory;
  parts.environments[number] = std::move(environment);
  parts.inputs[number] = std::move(input);
  return *parts.inputs[number];
}

// Has the packages of an image, which are behind the standard ones, at hand for the program.
void stand_on_image(Program::Parts& parts, const compile::PackageImage* image) {
  if (image == nullptr) return;
  parts.names = base::NameTable(&image->names());
  parts.packages.stand_on(*image, *parts.standard_environment);
  grow(parts, image->package_count());
}

// A package of the image is part of the program, as are those that it imports. Adds the standard packages whose values it uses.
void use_compiled_package(Program::Parts& parts, std::uint32_t number, std::string_view path,
                          std::unique_ptr<PackageEnvironment> environment,
                          std::set<std::string, std::less<>>& standard_imports) {
  const load::Package& package = *environment->loaded;
  const compile::PackageImage& image = *package.compiled->image;
  for (std::size_t i = 0; i < image.import_count(package.compiled->package); ++i) {
    compile::PackageImage::Import import = image.import(package.compiled->package, i);
    if (import.is_standard) {
      if (import.is_used) standard_imports.emplace(import.path);
      continue;
    }
    environment->imports.push_back({.package = image.first_package() + import.package,
                                    .is_standard = false,
                                    .path = import.path,
                                    .name = image.name(import.package)});
  }
  describe_package(parts, number, path, package.name, package.language_version, std::move(environment), {});
}

// Compiles one package of parsed files as that of the number.
Diagnostics compile_package(Program::Parts& parts, std::uint32_t number, std::string_view path, std::string_view name,
                            std::string_view version, std::vector<const syntax::File*> files,
                            std::unique_ptr<PackageEnvironment> environment) {
  const compile::PackageInput& input =
      describe_package(parts, number, path, name, version, std::move(environment), std::move(files));
  const PackageEnvironment& known = *parts.environments[number];
  compile::CompileResult compiled;
  if (!input.files.empty()) compiled = compile::compile_package(parts.arena, parts.names, known, input);
  const compile::Package* package = compiled.package;
  if (package == nullptr) {
    auto* empty = parts.arena.make<compile::Package>();
    empty->path = input.path;
    empty->name = input.name;
    package = empty;
  } else if (known.loaded != nullptr && !known.loaded->joined_data.empty()) {
    package = with_data(parts, *package, known.loaded->joined_data);
  }
  parts.packages.replace(number, package);
  return std::move(compiled.errors);
}

// The first number of one or more packages that follow those that there are. Nothing is in them yet.
std::uint32_t add_packages(Program::Parts& parts, std::size_t count) {
  auto first = static_cast<std::uint32_t>(parts.packages.size());
  for (std::size_t i = 0; i < count; ++i) parts.packages.add(nullptr);
  grow(parts, count);
  return first;
}

void place_standard_packages(Program::Parts& parts) {
  for (const compile::Package& package : standard_packages().without_values) parts.packages.add(&package);
  grow(parts, parts.packages.size());
  parts.standard_environment = std::make_unique<PackageEnvironment>();
}

// Gives those that are wanted the values that they have besides their functions; not given: all.
void compile_standard_packages(Program::Parts& parts, const std::set<std::string, std::less<>>* wanted = nullptr) {
  if (wanted != nullptr && wanted->empty()) return;
  for (const compile::ImportTarget& target : standard_packages().targets) {
    if (wanted != nullptr && !wanted->contains(target.path)) continue;
    std::string_view text = standard::find_standard_package(target.path)->source;
    if (text.empty()) continue;
    const diag::Source* source = parts.sources.add(std::string(target.path), std::string(text));
    compile_package(parts, target.package, target.path, target.name, "", {syntax::parse_file(parts.arena, *source).file},
                    std::make_unique<PackageEnvironment>());
  }
}

}  // namespace

std::shared_ptr<const Program> Program::from_text(std::string name, std::string text) {
  std::shared_ptr<Program> program(new Program());
  Parts& parts = *program->parts_;
  place_standard_packages(parts);
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
  instance.package = add_packages(parts, 1);
  Diagnostics errors =
      compile_package(parts, instance.package, "_", instance.name, "", std::move(files), std::make_unique<PackageEnvironment>());
  if (instance.errors.empty()) instance.errors = std::move(errors);
  instance.identity = "_";
  compile_standard_packages(parts);
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

// Loaded packages of all requests as those of the program: each has a number.
class NumberedPackages {
 public:
  // Those that are compiled have theirs; the others follow from `first` on.
  NumberedPackages(const std::deque<load::LoadResult>& results, std::uint32_t first) : next_(first) {
    std::set<std::uint32_t> compiled;
    std::map<std::tuple<const base::FileSystem*, std::string, std::string, std::string>, std::uint32_t> known;
    for (const load::LoadResult& result : results) {
      std::vector<std::uint32_t>& numbers = numbers_.emplace_back();
      for (const load::Package& package : result.packages) {
        if (package.compiled) {
          numbers.push_back(package.compiled->image->first_package() + package.compiled->package);
          if (compiled.insert(numbers.back()).second) add(package, numbers.back());
          continue;
        }
        // The main module's own files are its own whatever they say; a published version is the same for all.
        if (package.module.version.empty()) {
          numbers.push_back(next_);
          add(package, next_++);
          continue;
        }
        auto [at, is_new] = known.try_emplace(
            {package.file_system, package.directory, package.identity, package.module.version}, next_);
        if (is_new) add(package, next_++);
        numbers.push_back(at->second);
      }
    }
  }

  struct Entry {
    const load::Package* package;
    std::size_t request;
    std::uint32_t number;
  };
  // What a package imports stands before it.
  const std::vector<Entry>& entries() const { return entries_; }
  std::uint32_t end() const { return next_; }
  std::uint32_t number(std::size_t request, load::PackageId id) const {
    return numbers_[request][static_cast<std::size_t>(id)];
  }

 private:
  void add(const load::Package& package, std::uint32_t number) { entries_.push_back({&package, numbers_.size() - 1, number}); }

  std::vector<Entry> entries_;
  std::vector<std::vector<std::uint32_t>> numbers_;  // by request and id
  std::uint32_t next_;
};

}  // namespace

struct ProgramFiles::Parts {
  std::shared_ptr<Program> program{new Program()};
  std::vector<LoadRequest> requests;
  std::optional<load::SourceFiles> module_files;
};

ProgramFiles::ProgramFiles(std::vector<LoadRequest> requests) : parts_(std::make_unique<Parts>()) {
  Program::Parts& parts = *parts_->program->parts_;
  std::vector<load::LoadResult> results;
  bool keeps_comments = std::ranges::any_of(requests, [](const LoadRequest& r) { return r.options.comments; });
  parts.threads = threads_of(requests);
  parts_->module_files.emplace(parts.sources, parts.module_trees,
                               load::SourceFiles::Options{.threads = parts.threads, .comments = keeps_comments});
  for (LoadRequest& request : requests) {
    request.options.module_files = &*parts_->module_files;
    if (!request.options.is_standard_package) request.options.is_standard_package = standard::is_standard_path;
    results.push_back(load::load(request.arguments, request.options, parts.sources));
  }
  for (load::LoadResult& result : results) parts.loaded.push_back(std::move(result));
  parts_->requests = std::move(requests);
}

ProgramFiles::~ProgramFiles() = default;

std::shared_ptr<const Program> Program::load(std::vector<LoadRequest> requests) {
  return ProgramFiles(std::move(requests)).compile();
}

std::shared_ptr<const Program> ProgramFiles::compile() && {
  std::shared_ptr<Program> program = std::move(parts_->program);
  const std::vector<LoadRequest>& requests = parts_->requests;
  Program::Parts& parts = *program->parts_;
  place_standard_packages(parts);
  stand_on_image(parts, parts_->module_files->image());
  auto first = static_cast<std::uint32_t>(parts.packages.size());
  NumberedPackages list(parts.loaded, first);
  add_packages(parts, list.end() - first);
  std::vector<Diagnostics> compile_errors(list.end());
  std::set<std::string, std::less<>> standard_imports;
  for (const auto& [package, request, number] : list.entries()) {
    auto environment = std::make_unique<PackageEnvironment>();
    environment->loaded = package;
    Diagnostics errors = package->errors;
    for (const auto& [path, import] : package->imports) {
      if (import.is_standard) standard_imports.insert(path);
      if (!import.package) continue;
      compile::ImportTarget target;
      target.package = list.number(request, *import.package);
      target.path = parts.arena.copy_text(path);
      target.name = parts.arena.copy_text(parts.loaded[request].package(*import.package).name);
      environment->imports.push_back(target);
      const Diagnostics& imported = compile_errors[target.package];
      errors.insert(errors.end(), imported.begin(), imported.end());
    }
    std::string_view path = package->identity.empty() ? std::string_view("_") : std::string_view(package->identity);
    Diagnostics compiled;
    if (package->compiled) {
      use_compiled_package(parts, number, path, std::move(environment), standard_imports);
    } else {
      std::vector<const syntax::File*> files;
      for (const load::PackageFile& file : package->files) files.push_back(file.syntax);
      compiled = compile_package(parts, number, path, package->name, package->language_version, std::move(files),
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
    compile_errors[number] = std::move(errors);
  }
  bool all = std::ranges::any_of(requests, [](const LoadRequest& r) { return r.options.all_standard_packages; });
  compile_standard_packages(parts, all ? nullptr : &standard_imports);
  for (std::size_t request = 0; request < parts.loaded.size(); ++request) {
    for (load::PackageId id : parts.loaded[request].instances) {
      const load::Package& package = parts.loaded[request].package(id);
      Instance instance;
      instance.package = list.number(request, id);
      instance.request = request;
      instance.display_path = package.display_path;
      instance.import_path = package.import_path;
      instance.name = package.name;
      instance.directory = package.directory;
      instance.data_files = package.data_files;
      instance.identity = std::string(parts.inputs[instance.package]->path);
      instance.is_command_line = package.is_command_line;
      instance.has_files = !package.files.empty() || package.compiled;
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
