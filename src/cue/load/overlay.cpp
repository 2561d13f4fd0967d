#include "cue/load/overlay.h"

#include <algorithm>

#include "base/path.h"

namespace opm::cue::load {

OverlayFileSystem::OverlayFileSystem(const base::FileSystem& below, const std::map<std::string, std::string>& files)
    : below_(below) {
  for (const auto& [path, content] : files)
    if (base::is_absolute_path(path)) above_.add_file(path, content);
}

std::expected<std::string, base::FileError> OverlayFileSystem::read_file(const std::string& path,
                                                                         std::size_t max_bytes) const {
  auto here = above_.status(path);
  if (here && here->kind == base::FileKind::regular) return above_.read_file(path, max_bytes);
  return below_.read_file(path, max_bytes);
}

std::expected<std::vector<base::DirectoryEntry>, base::FileError> OverlayFileSystem::list_directory(
    const std::string& path, std::size_t max_entries) const {
  auto here = above_.list_directory(path, max_entries);
  auto there = below_.list_directory(path, max_entries);
  if (!here) return there;
  if (!there) {
    if (there.error().kind == base::FileErrorKind::not_found) return here;
    return there;
  }
  std::vector<base::DirectoryEntry> merged;
  std::ranges::set_union(*here, *there, std::back_inserter(merged), {}, &base::DirectoryEntry::name,
                         &base::DirectoryEntry::name);
  return merged;
}

std::expected<base::FileStatus, base::FileError> OverlayFileSystem::status(const std::string& path) const {
  auto here = above_.status(path);
  if (here && here->kind == base::FileKind::regular) return here;
  auto there = below_.status(path);
  if (!there && here) return here;
  return there;
}

std::expected<std::string, base::FileError> OverlayFileSystem::real_path(const std::string& path) const {
  auto here = above_.status(path);
  bool is_below = !here || here->kind == base::FileKind::directory;
  if (auto there = below_.real_path(path); is_below && (there || !here)) return there;
  // What only stands here is where its folder really is.
  std::string parent = base::parent_path(path);
  if (parent == path) return path;
  auto folder = real_path(parent);
  if (!folder) return folder;
  return base::join_path(*folder, base::base_name(path));
}

}  // namespace opm::cue::load
