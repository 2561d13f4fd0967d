#include "opm/render/package_folder.h"

#include <algorithm>

#include "base/path.h"
#include "opm/render/release_overlay.h"

namespace opm::render {

std::vector<Problem> one(Problem problem) {
  std::vector<Problem> problems;
  problems.push_back(std::move(problem));
  return problems;
}

ProblemKind kind_of(const base::FileError& error) {
  switch (error.kind) {
    case base::FileErrorKind::not_found:
    case base::FileErrorKind::not_a_directory: return ProblemKind::not_found;
    case base::FileErrorKind::permission: return ProblemKind::denied;
    default: return ProblemKind::general;
  }
}

std::string module_root(const base::FileSystem& files, const std::string& folder) {
  for (std::string at = folder;; at = base::parent_path(at)) {
    if (files.status(base::join_path(at, "cue.mod"))) return at;
    if (at == base::parent_path(at)) return {};
  }
}

std::expected<std::string, base::FileError> package_name(const base::FileSystem& files, const std::string& folder,
                                                         const std::vector<std::string>& others, std::string_view likely) {
  auto name_in = [&](std::string_view file) -> std::expected<std::string, base::FileError> {
    std::string path = base::join_path(folder, file);
    if (std::ranges::find(others, path) != others.end()) return std::string();
    auto text = files.read_file(path);
    if (!text) return std::unexpected(text.error());
    std::string_view name = package_clause(*text);
    return name == "_" ? std::string() : std::string(name);
  };
  if (!likely.empty()) {
    if (auto name = name_in(likely); name && !name->empty()) return name;
  }
  auto entries = files.list_directory(folder);
  if (!entries) return std::unexpected(entries.error());
  for (const base::DirectoryEntry& entry : *entries) {
    if (entry.kind == base::FileKind::directory || !entry.name.ends_with(".cue")) continue;
    if (entry.name.starts_with('_') || entry.name.starts_with('.')) continue;
    auto name = name_in(entry.name);
    if (!name || !name->empty()) return name;
  }
  return std::string();
}

cue::LoadRequest request_for(const RenderOptions& options, const std::string& folder, const std::string& root) {
  cue::LoadRequest request;
  request.options.directory = options.working_directory;
  request.options.module_root = root;
  request.options.files = options.files;
  request.options.resolver = options.resolver;
  request.options.comments = false;
  request.arguments.push_back(folder);
  return request;
}

}  // namespace opm::render
