#include "cue/module/local_module.h"

#include <algorithm>

#include "base/path.h"
#include "cue/module/import_path.h"
#include "cue/module/version.h"
#include "cue/syntax/format.h"
#include "cue/syntax/literal.h"
#include "cue/syntax/parser.h"

namespace opm::cue::module {
namespace {

// The words of a module file that could hold the dependencies, so that both files are read alike.
std::string as_module_file(std::string_view text, const ModuleFile& published) {
  return std::string(text) + "\nmodule: " + syntax::quote(published.path) + "\nlanguage: version: " +
         syntax::quote(published.language_version) + "\n";
}

bool is_folder(std::string_view text) {
  return is_relative_import(text) || base::is_absolute_path(text);
}

}  // namespace

const Dependency* find_dependency(const std::vector<Dependency>& dependencies, std::string_view module_path) {
  auto found = std::ranges::find_if(dependencies, [&](const Dependency& d) { return d.module.path == module_path; });
  return found == dependencies.end() ? nullptr : &*found;
}

std::expected<std::vector<Dependency>, std::vector<diag::Diagnostic>> read_local_module_file(
    const diag::Source& source, const ModuleFile& published) {
  // At the same place, so that positions point into the file.
  diag::Source whole;
  whole.path = source.path;
  whole.begin = source.begin;
  whole.text = as_module_file(source.text, published);
  auto file = read_replacing_module_file(whole);
  if (!file) return std::unexpected(std::move(file.error()));
  for (Dependency& dependency : file->dependencies) {
    const Dependency* known = find_dependency(published.dependencies, dependency.module.path);
    if (known == nullptr) continue;
    if (dependency.module.version.empty()) dependency.module.version = known->module.version;
    dependency.is_default = dependency.is_default || known->is_default;
  }
  return std::move(file->dependencies);
}

std::string write_local_module_file(const std::vector<Dependency>& dependencies, const ModuleFile& published) {
  std::string text = "deps: {\n";
  for (const Dependency& dependency : dependencies) {
    const Dependency* known = find_dependency(published.dependencies, dependency.module.path);
    std::string fields;
    bool has_version = known == nullptr || known->module.version != dependency.module.version;
    if (has_version && !dependency.module.version.empty())
      fields += "v: " + syntax::quote(dependency.module.version) + "\n";
    if (dependency.is_default && (known == nullptr || !known->is_default)) fields += "default: true\n";
    if (!dependency.replace_with.empty()) fields += "replaceWith: " + syntax::quote(dependency.replace_with) + "\n";
    text += syntax::quote(dependency.module.path) + ": {" + (fields.empty() ? "" : "\n" + fields) + "}\n";
  }
  diag::SourceMap sources;
  base::Arena arena;
  const diag::Source* source = sources.add("local-module.cue", text + "}\n");
  return syntax::format(*syntax::parse_file(arena, *source).file);
}

std::expected<Replacement, std::string> parse_replacement(std::string_view text,
                                                          const std::vector<Dependency>& dependencies) {
  Replacement replacement;
  if (is_folder(text)) {
    replacement.folder = text;
    return replacement;
  }
  auto [base, version] = split_version(text);
  if (check_module_path(base)) return std::unexpected("invalid replacement " + syntax::quote(text));
  std::string major(major_version(version));
  if (version.empty()) {
    for (const Dependency& dependency : dependencies)
      if (dependency.is_default && dependency.module.base_path() == base)
        major = split_version(dependency.module.path).second;
    if (major.empty())
      return std::unexpected("replacement " + syntax::quote(text) + " names no major version, and none is the default");
  }
  replacement.module.path = std::string(base) + "@" + major;
  if (version != major) replacement.module.version = version;
  const Dependency* listed = find_dependency(dependencies, replacement.module.path);
  bool is_newer = listed != nullptr && (replacement.module.version.empty() ||
                                        compare_versions(listed->module.version, replacement.module.version) > 0);
  if (is_newer) replacement.module.version = listed->module.version;
  return replacement;
}

}  // namespace opm::cue::module
