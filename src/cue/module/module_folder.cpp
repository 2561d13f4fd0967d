#include "cue/module/module_folder.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/path.h"
#include "cue/module/file_names.h"
#include "cue/module/module_file.h"

namespace opm::cue::module {
namespace {

constexpr std::array<std::string_view, 4> kVersionControl = {".bzr", ".git", ".hg", ".svn"};
constexpr unsigned kMaxDepth = 200;
constexpr std::size_t kMaxFiles = 200'000;

class Lister {
 public:
  Lister(const base::FileSystem& files, const std::string& root) : files_(files), root_(root) {}

  std::expected<std::vector<std::string>, std::string> list() {
    if (auto problem = add(root_, "", 0)) return std::unexpected(std::move(*problem));
    return std::move(found_);
  }

 private:
  std::optional<std::string> add(const std::string& folder, const std::string& prefix, unsigned depth) {
    auto entries = files_.list_directory(folder);
    if (!entries) return folder + ": " + entries.error().message;
    if (depth > kMaxDepth) return folder + ": folders are nested too deeply";
    for (const base::DirectoryEntry& entry : *entries) {
      std::string path = prefix + entry.name;
      if (entry.kind == base::FileKind::regular) found_.push_back(path);
      if (found_.size() > kMaxFiles) return "more than " + std::to_string(kMaxFiles) + " files";
      if (entry.kind != base::FileKind::directory || std::ranges::find(kVersionControl, entry.name) != kVersionControl.end()) continue;
      if (auto problem = add(base::join_path(folder, entry.name), path + "/", depth + 1)) return problem;
    }
    return std::nullopt;
  }

  const base::FileSystem& files_;
  const std::string& root_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> select_module_files(std::vector<std::string> paths) {
  // Folders that have a cue.mod of their own are modules of their own.
  std::set<std::string, std::less<>> nested;
  for (const std::string& path : paths) {
    for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
      std::size_t begin = path.rfind('/', slash - 1);
      begin = begin == std::string::npos || slash == 0 ? 0 : begin + 1;
      if (begin > 0 && fold_case(std::string_view(path).substr(begin, slash - begin)) == kModuleFolder)
        nested.insert(path.substr(0, begin));
    }
  }
  auto is_nested = [&](const std::string& path) {
    for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1))
      if (nested.contains(std::string_view(path).substr(0, slash + 1))) return true;
    return false;
  };
  std::erase_if(paths, [&](const std::string& path) {
    return path.starts_with("cue.mod/vendor/") || path == "cue.mod/local-module.cue" || path == ".hg_archival.txt" ||
           is_nested(path);
  });
  return paths;
}

std::expected<std::vector<std::string>, std::string> list_module_files(const base::FileSystem& files,
                                                                       const std::string& root) {
  auto paths = Lister(files, root).list();
  if (!paths) return paths;
  return select_module_files(std::move(*paths));
}

std::expected<std::vector<ArchiveFile>, std::string> read_module_files(const base::FileSystem& files,
                                                                       const std::string& root,
                                                                       const std::vector<std::string>& paths,
                                                                       const ArchiveLimits& limits) {
  std::vector<ArchiveFile> found;
  std::uint64_t total = 0;
  for (const std::string& path : paths) {
    auto content = files.read_file(base::join_path(root, path), limits.max_content_bytes - total);
    if (!content) return std::unexpected(path + ": " + content.error().message);
    total += content->size();
    found.push_back({path, std::move(*content)});
  }
  if (auto problem = check_files(found, limits)) return std::unexpected(std::move(*problem));
  return found;
}

}  // namespace opm::cue::module
