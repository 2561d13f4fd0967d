#include "base/embedded_files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/path.h"

namespace opm::base {
namespace {

std::uint32_t number_at(const unsigned char* bytes) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

// As the archive spells it: clean and below the root.
std::string inner_path(const std::string& path) {
  std::string clean = clean_path(path);
  return clean.starts_with('/') ? clean.substr(1) : clean;
}

}  // namespace

std::size_t EmbeddedFiles::size() const { return number_at(archive_); }

EmbeddedFiles::File EmbeddedFiles::file(std::size_t index) const {
  const unsigned char* entry = archive_ + 4 + 16 * index;
  auto text = [&](const unsigned char* at) {
    return std::string_view(reinterpret_cast<const char*>(archive_) + number_at(at), number_at(at + 4));
  };
  return {text(entry), text(entry + 8)};
}

std::size_t EmbeddedFiles::first_not_before(std::string_view path) const {
  std::size_t begin = 0;
  std::size_t end = size();
  while (begin < end) {
    std::size_t middle = begin + (end - begin) / 2;
    if (file(middle).path < path) begin = middle + 1;
    else end = middle;
  }
  return begin;
}

bool EmbeddedFiles::has_folder(std::string_view path) const {
  if (path.empty()) return true;
  std::string prefix = std::string(path) + "/";
  std::size_t at = first_not_before(prefix);
  return at < size() && file(at).path.starts_with(prefix);
}

std::expected<std::string, FileError> EmbeddedFiles::read_file(const std::string& path, std::size_t max_bytes) const {
  std::string inner = inner_path(path);
  std::size_t at = first_not_before(inner);
  if (at < size() && file(at).path == inner) {
    std::string_view content = file(at).content;
    if (content.size() > max_bytes)
      return std::unexpected(FileError{FileErrorKind::too_large, "larger than " + std::to_string(max_bytes) + " bytes"});
    return std::string(content);
  }
  return std::unexpected(system_error(has_folder(inner) ? EISDIR : ENOENT));
}

std::expected<std::vector<DirectoryEntry>, FileError> EmbeddedFiles::list_directory(const std::string& path,
                                                                                    std::size_t max_entries) const {
  std::string prefix = inner_path(path);
  if (!has_folder(prefix)) {
    auto found = status(path);
    return std::unexpected(system_error(found ? ENOTDIR : ENOENT));
  }
  if (!prefix.empty()) prefix += '/';
  std::vector<DirectoryEntry> entries;
  for (std::size_t at = first_not_before(prefix); at < size(); ++at) {
    std::string_view rest = file(at).path;
    if (!rest.starts_with(prefix)) break;
    rest.remove_prefix(prefix.size());
    std::size_t slash = rest.find('/');
    std::string_view name = rest.substr(0, slash);
    if (!entries.empty() && entries.back().name == name) continue;
    if (entries.size() == max_entries)
      return std::unexpected(FileError{FileErrorKind::too_large, "too many entries in folder"});
    entries.push_back({std::string(name), slash == std::string_view::npos ? FileKind::regular : FileKind::directory});
  }
  // In whole paths "a-b" comes before "a/", as a name after "a".
  std::ranges::sort(entries, {}, &DirectoryEntry::name);
  return entries;
}

std::expected<FileStatus, FileError> EmbeddedFiles::status(const std::string& path) const {
  std::string inner = inner_path(path);
  std::size_t at = first_not_before(inner);
  if (at < size() && file(at).path == inner) return FileStatus{FileKind::regular, file(at).content.size()};
  if (has_folder(inner)) return FileStatus{FileKind::directory, 0};
  return std::unexpected(system_error(ENOENT));
}

std::expected<std::string, FileError> EmbeddedFiles::real_path(const std::string& path) const {
  if (auto found = status(path); !found) return std::unexpected(found.error());
  return "/" + inner_path(path);
}

}  // namespace opm::base
