#include "cue/load/collector.h"

#include <algorithm>
#include <iterator>

#include "base/path.h"
#include "cue/load/build_attribute.h"
#include "cue/load/decode.h"
#include "cue/load/form.h"
#include "cue/load/schema_file.h"
#include "cue/syntax/literal.h"

namespace opm::cue::load {
namespace {

constexpr std::string_view kNoPackage = "_";

// Parents' files come first, then by name.
template <typename File>
void sort_files(std::vector<File>& files) {
  struct Place {
    std::ptrdiff_t depth;
    File* file;
  };
  std::vector<Place> places;
  for (File& file : files) places.push_back({std::ranges::count(file.path, '/'), &file});
  auto comes_before = [](const Place& a, const Place& b) {
    return a.depth != b.depth ? a.depth < b.depth : a.file->path < b.file->path;
  };
  if (std::ranges::is_sorted(places, comes_before)) return;
  std::ranges::stable_sort(places, comes_before);
  std::vector<File> sorted;
  for (const Place& place : places) sorted.push_back(std::move(*place.file));
  files = std::move(sorted);
}

diag::Position begin_of(const SourceFile& file) {
  return file.syntax->declarations.empty() ? file.source->begin : file.syntax->declarations.front()->begin;
}

}  // namespace

Collector::Collector(Workspace& workspace, Tree tree, Package package, bool ignore_others)
    : workspace_(workspace),
      tree_(std::move(tree)),
      default_(packages_.emplace(kNoPackage, std::move(package)).first->second),
      ignore_others_(ignore_others) {
  default_.file_system = tree_.files;
  if (default_.name.empty()) {
    if (workspace_.options.package == "*") {
      all_packages_ = true;
      default_.name = kNoPackage;
    } else if (!default_.is_command_line) {
      default_.name = workspace_.options.package;
    }
  }
  if (!default_.name.empty() && !default_.is_command_line) ignore_others_ = true;
}

void Collector::add_folder(const std::string& folder, const std::string& top, bool with_parents) {
  std::string at = folder;
  bool is_first = true;
  for (;;) {
    const auto& names = workspace_.file_names(*tree_.files, at);
    if (!names) {
      if (names.error().kind != base::FileErrorKind::not_found)
        errors_.push_back(
            load_error("import failed reading dir " + workspace_.display(tree_, at) + ": " + names.error().message));
      return;
    }
    workspace_.read_ahead({{tree_, at}});
    bool added = false;
    for (const std::string& name : *names) {
      // A file that is really called "-" has no extension.
      auto type = name == "-" ? std::unexpected(std::string()) : file_type(name, {});
      if (!type)
        saw_unknown_file_ = true;
      else if (add(base::join_path(at, name), *type, Mode::found))
        added = true;
    }
    if (default_.name.empty() || !with_parents || at == top || (is_first && !added)) return;
    if (workspace_.is_module_root(*tree_.files, at)) return;
    ignore_others_ = true;
    std::string parent = base::parent_path(at);
    if (parent == at || !base::is_within(parent, top)) return;
    at = std::move(parent);
    is_first = false;
  }
}

void Collector::add_file(const std::string& path, const FileType& type) { add(path, type, Mode::named); }

void Collector::add_to_package(const std::string& path) {
  bool is_there = std::ranges::any_of(default_.files, [&](const PackageFile& file) { return file.path == path; });
  if (is_there) return;
  std::erase_if(default_.excluded, [&](const ExcludedFile& file) { return file.path == path; });
  add(path, {}, Mode::joined);
}

void Collector::join(const JoinedFile& file) {
  bool is_there = std::ranges::any_of(default_.files, [&](const PackageFile& known) { return known.path == file.path; });
  if (is_there) return;
  auto type = file_type(std::string(base::base_name(file.path)), {});
  if (!type) {
    errors_.push_back(load_error(workspace_.display(file.path) + ": " + type.error()));
    return;
  }
  if (type->encoding == Encoding::cue) {
    if (file.content) add_text(*file.content, Mode::foreign);
    else add(file.path, *type, Mode::foreign);
    return;
  }
  DataFile data{file.path, *type, tree_.files, nullptr};
  if (file.content) data = {"-", *type, nullptr, workspace_.sources.add("-", *file.content)};
  auto documents = decode(data, file.content ? "-" : workspace_.display(file.path), workspace_.sources);
  if (!documents) {
    std::ranges::move(documents.error(), std::back_inserter(errors_));
    return;
  }
  for (data::Value& document : *documents) {
    if (document.is_null()) continue;
    if (workspace_.options.revise_data) workspace_.options.revise_data(workspace_.sources, document);
    if (!file.data_field.empty() && document.find(file.data_field) == nullptr) {
      data::Value whole;
      whole.position = document.position;
      data::Member member{file.data_field, std::move(document), whole.position};
      whole.variant = data::Map{std::move(member)};
      document = std::move(whole);
    }
    default_.joined_data.push_back(std::move(document));
  }
}

void Collector::add_standard_input(const FileType& type, const std::string& content) {
  if (type.encoding != Encoding::cue) {
    DataFile file{"-", type, nullptr, workspace_.sources.add("-", content)};
    if (!add_schema(file, "-")) default_.data_files.push_back(std::move(file));
    return;
  }
  add_text(content, Mode::named);
}

bool Collector::add_schema(DataFile& file, const std::string& display) {
  auto read = read_schema_file(file, display, workspace_);
  if (!read) {
    std::ranges::move(read.error(), std::back_inserter(errors_));
    return true;
  }
  for (const SourceFile& schema : *read) {
    default_.files.push_back({file.path, schema.source, schema.syntax});
    schemas_.push_back(schema.syntax);
  }
  return !read->empty();
}

void Collector::add_text(const std::string& content, Mode mode) {
  const SourceFile& file = workspace_.source_files.add("-", "-", content);
  if (!file.errors.empty() || file.syntax == nullptr) {
    std::ranges::copy(file.errors, std::back_inserter(errors_));
    return;
  }
  place("-", file, true, mode);
}

bool Collector::add(const std::string& path, const FileType& type, Mode mode) {
  bool same_folder = mode != Mode::found || base::parent_path(path) == default_.directory;
  bool is_schema = mode == Mode::named &&
                   (type.interpretation != Interpretation::none || type.encoding == Encoding::protobuf);
  if (type.encoding != Encoding::cue || is_schema) {
    DataFile file{path, type, tree_.files, nullptr};
    if (is_schema && add_schema(file, workspace_.display(path))) return false;
    if (same_folder) default_.data_files.push_back(std::move(file));
    return false;
  }
  std::string_view name = base::base_name(path);
  if (mode == Mode::found && is_hidden_name(name)) {
    if (same_folder) default_.excluded.push_back({path, std::string("filename starts with a '") + name[0] + "'", {}});
    return false;
  }
  const SourceFile& file = workspace_.parsed(tree_, path);
  if (!file.errors.empty() || file.syntax == nullptr) {
    saw_invalid_file_ = true;
    std::ranges::copy(file.errors, std::back_inserter(errors_));
    return false;
  }
  if (mode == Mode::named) std::ranges::move(check_form(*file.syntax, type.form), std::back_inserter(errors_));
  return place(path, file, same_folder, mode);
}

// The package that a file goes to, or nullptr.
Package* Collector::choose(const std::string& path, std::string_view name, bool same_folder, Mode mode) {
  if (name == default_.name && (same_folder || name != kNoPackage)) return &default_;
  if (mode != Mode::found) return &default_;
  if (all_packages_ && name != kNoPackage) {
    auto known = packages_.find(std::string(name));
    if (known != packages_.end()) return &known->second;
    // A parent's package that the folder itself does not have.
    if (!same_folder) return nullptr;
    Package package;
    package.name = name;
    package.directory = default_.directory;
    package.display_path = default_.display_path;
    package.import_path = default_.import_path;
    package.root = default_.root;
    package.file_system = default_.file_system;
    package.module = default_.module;
    package.language_version = default_.language_version;
    return &packages_.emplace(std::string(name), std::move(package)).first->second;
  }
  if (name != kNoPackage) return &default_;
  if (same_folder) default_.excluded.push_back({path, "no package name", {}});
  return nullptr;
}

bool Collector::is_tag_set(const Package& package, std::string_view tag) {
  // Tags are the user's; other modules don't see them.
  bool is_foreign = !package.module.path.empty() && package.module.path != workspace_.module_path();
  return !is_foreign && workspace_.tags.is_set(tag);
}

bool Collector::place(const std::string& path, const SourceFile& file, bool same_folder, Mode mode) {
  std::string name(file.syntax->package_name());
  if (name.empty()) name = kNoPackage;
  Package* package = choose(path, name, same_folder, mode);
  if (package == nullptr) return false;
  bool is_asked_for = mode == Mode::joined || mode == Mode::foreign;
  if (!is_asked_for && !workspace_.options.ignore_build_attributes) {
    BuildDecision decision =
        decide_build(*file.syntax, [&](std::string_view tag) { return is_tag_set(*package, tag); });
    if (!decision.included) {
      std::ranges::move(decision.errors, std::back_inserter(errors_));
      package->excluded.push_back({path, std::move(decision.reason), decision.position});
      return true;
    }
  }
  std::string_view file_name = base::base_name(path);
  if (name != kNoPackage && mode != Mode::foreign) {
    if (package->name.empty()) {
      package->name = name;
      first_file_ = file_name;
    } else if (name != package->name) {
      if (ignore_others_ && mode == Mode::found) {
        package->excluded.push_back({path, "package is " + name + ", want " + package->name, begin_of(file)});
        return false;
      }
      if (!all_packages_) {
        if (first_file_.empty() && !package->files.empty()) first_file_ = base::base_name(package->files.front().path);
        errors_.push_back(load_error("found packages " + syntax::quote(package->name) + " (" + first_file_ + ") and " +
                                     syntax::quote(name) + " (" + std::string(file_name) + ") in " +
                                     syntax::quote(workspace_.display(tree_, package->directory))));
        saw_invalid_file_ = true;
        return false;
      }
    }
  }
  if (!is_asked_for && file_name.ends_with("_test.cue") && !workspace_.options.tests) {
    package->excluded.push_back({path, "_test.cue files excluded in non-test mode", begin_of(file)});
  } else if (!is_asked_for && file_name.ends_with("_tool.cue") && !workspace_.options.tools) {
    package->excluded.push_back({path, "_tool.cue files excluded in non-cmd mode", begin_of(file)});
  } else {
    package->files.push_back({path, file.source, file.syntax});
  }
  return true;
}

std::string Collector::nothing_found(const Package& package) const {
  // Files that start with '_' are meant not to be seen.
  bool has_excluded = std::ranges::any_of(
      package.excluded, [](const ExcludedFile& file) { return !base::base_name(file.path).starts_with('_'); });
  if (!has_excluded) return "no CUE files in " + package.display_path;
  std::string message = "build constraints exclude all CUE files in " + package.display_path + ":";
  for (const ExcludedFile& file : package.excluded)
    message += "\n    " + workspace_.display(tree_, file.path) + ": " + file.reason;
  return message;
}

void Collector::conclude(Package& package) {
  sort_files(package.files);
  sort_files(package.excluded);
  sort_files(package.data_files);
  if (!errors_.empty()) {
    append_errors(package.errors, errors_);
    return;
  }
  if (&package == &default_ && package.data_files.empty())
    append_errors(package.errors, place_schemas(schemas_, workspace_.schema_settings.path, workspace_));
  bool may_be_empty = workspace_.options.data_files || (package.name == kNoPackage && all_packages_) ||
                      (package.is_command_line && !package.data_files.empty());
  if (!package.files.empty() || may_be_empty) return;
  package.errors.push_back(load_error(nothing_found(package)));
  package.errors.back().code = "no-cue-files";
}

std::vector<Package> Collector::finish() {
  std::vector<Package> found;
  for (auto& [name, package] : packages_) {
    bool is_default = &package == &default_;
    bool has_any = !package.files.empty() || !package.excluded.empty() || !package.data_files.empty() ||
                   (is_default && (saw_unknown_file_ || saw_invalid_file_ || !errors_.empty()));
    if (!has_any && !package.is_command_line) continue;
    conclude(package);
    found.push_back(std::move(package));
  }
  std::ranges::sort(found, {}, &Package::name);
  return found;
}

}  // namespace opm::cue::load
