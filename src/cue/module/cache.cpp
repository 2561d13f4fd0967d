#include "cue/module/cache.h"

#include <unistd.h>

#include <atomic>

#include "base/file_writer.h"
#include "base/path.h"

namespace opm::cue::module {
namespace {

// Upper case would be lost on disks that have none.
std::string escaped(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (c >= 'A' && c <= 'Z') {
      result += '!';
      c = static_cast<char>(c - 'A' + 'a');
    }
    result += c;
  }
  return result;
}

// Unlike that of any other thread or process.
std::string unique_suffix() {
  static std::atomic<unsigned> counter = 0;
  return std::to_string(::getpid()) + std::to_string(counter++) + ".tmp";
}

std::unexpected<ModuleError> fail(const ModuleVersion& module, const std::string& why) {
  return std::unexpected(ModuleError{ModuleErrorKind::invalid, "module " + module.text() + ": " + why});
}

std::unexpected<ModuleError> fail(const ModuleVersion& module, const std::string& path, const base::FileError& error) {
  return fail(module, path + ": " + error.message);
}

}  // namespace

std::expected<std::string, std::string> cache_folder(const base::Environment& environment) {
  auto variable = [&](const char* name) { return environment.get(name).value_or(""); };
  if (std::string folder = variable("CUE_CACHE_DIR"); !folder.empty()) return folder;
  if (std::string caches = variable("XDG_CACHE_HOME"); !caches.empty()) {
    if (!base::is_absolute_path(caches)) return std::unexpected("path in $XDG_CACHE_HOME is relative");
    return base::join_path(caches, "cue");
  }
  if (std::string home = variable("HOME"); !home.empty()) return base::join_path(home, ".cache/cue");
  return std::unexpected("no folder for downloaded modules: neither $CUE_CACHE_DIR, $XDG_CACHE_HOME nor $HOME is set");
}

ModuleCache::ModuleCache(std::string folder, ArchiveLimits limits)
    : folder_(base::join_path(folder, "mod")), limits_(limits) {}

std::string ModuleCache::download_path(const ModuleVersion& module, std::string_view suffix) const {
  return folder_ + "/download/" + escaped(module.base_path()) + "/@v/" + escaped(module.version) + "." +
         std::string(suffix);
}

std::string ModuleCache::extract_path(const ModuleVersion& module) const {
  return folder_ + "/extract/" + escaped(module.base_path()) + "@" + escaped(module.version);
}

bool ModuleCache::is_partial(const ModuleVersion& module) const {
  return base::real_file_system().status(download_path(module, "partial")).has_value();
}

std::optional<std::string> ModuleCache::extracted(const ModuleVersion& module) const {
  std::string path = extract_path(module);
  auto status = base::real_file_system().status(path);
  if (!status || status->kind != base::FileKind::directory || is_partial(module)) return std::nullopt;
  return path;
}

std::optional<std::string> ModuleCache::module_file(const ModuleVersion& module) const {
  auto text = base::real_file_system().read_file(download_path(module, "mod"), kMaxModuleFileBytes);
  if (!text) return std::nullopt;
  return std::move(*text);
}

bool ModuleCache::has_archive(const ModuleVersion& module) const {
  return base::real_file_system().status(download_path(module, "zip")).has_value();
}

std::expected<base::FileLock, ModuleError> ModuleCache::lock(const ModuleVersion& module) const {
  std::string path = download_path(module, "lock");
  if (auto made = base::real_file_writer().make_directories(base::parent_path(path)); !made)
    return fail(module, base::parent_path(path), made.error());
  auto lock = base::FileLock::acquire(path);
  if (!lock) return fail(module, path, lock.error());
  return std::move(*lock);
}

std::expected<void, ModuleError> ModuleCache::store(const ModuleVersion& module, std::string_view suffix,
                                                    std::string_view content) const {
  std::string path = download_path(module, suffix);
  // Whoever left something unfinished behind is not active any more: we have the lock.
  std::string folder = base::parent_path(path);
  std::string prefix(base::base_name(path));
  if (auto entries = base::real_file_system().list_directory(folder)) {
    for (const base::DirectoryEntry& entry : *entries)
      if (entry.name.starts_with(prefix) && entry.name.ends_with(".tmp"))
        static_cast<void>(base::remove_tree(base::join_path(folder, entry.name)));
  }
  std::string temporary = path + unique_suffix();
  auto written = base::create_file(temporary, content, false);
  if (!written) return fail(module, temporary, written.error());
  auto renamed = base::rename_file(temporary, path);
  if (!renamed) {
    static_cast<void>(base::remove_tree(temporary));
    return fail(module, path, renamed.error());
  }
  return {};
}

std::expected<void, ModuleError> ModuleCache::store_module_file(const ModuleVersion& module,
                                                                std::string_view text) const {
  return store(module, "mod", text);
}

std::expected<void, ModuleError> ModuleCache::store_archive(const ModuleVersion& module,
                                                            std::string_view archive) const {
  auto reader = ArchiveReader::open(archive, limits_);
  if (!reader) return fail(module, "invalid module archive: " + reader.error());
  for (const ArchiveReader::Entry& entry : reader->entries())
    if (auto content = reader->read(entry); !content)
      return fail(module, "invalid module archive: " + content.error());
  return store(module, "zip", archive);
}

std::expected<void, ModuleError> ModuleCache::unpack(const ModuleVersion& module, const ArchiveReader& archive) const {
  std::string folder = extract_path(module);
  base::FileWriter& writer = base::real_file_writer();
  if (auto made = writer.make_directories(folder); !made) return fail(module, folder, made.error());
  std::string last_parent = folder;
  for (const ArchiveReader::Entry& entry : archive.entries()) {
    std::string path = folder + "/" + entry.path;
    auto content = archive.read(entry);
    if (!content) return fail(module, "invalid module archive: " + content.error());
    if (std::string parent = base::parent_path(path); parent != last_parent) {
      if (auto made = writer.make_directories(parent); !made) return fail(module, parent, made.error());
      last_parent = std::move(parent);
    }
    if (auto written = base::create_file(path, *content, true); !written) return fail(module, path, written.error());
  }
  return {};
}

std::expected<std::string, ModuleError> ModuleCache::extract(const ModuleVersion& module) const {
  std::string folder = extract_path(module);
  std::string archive_path = download_path(module, "zip");
  std::string partial_path = download_path(module, "partial");
  auto archive = base::real_file_system().read_file(archive_path, limits_.max_archive_bytes);
  if (!archive) return fail(module, archive_path, archive.error());
  auto reader = ArchiveReader::open(*archive, limits_);
  if (!reader) {
    static_cast<void>(base::remove_tree(archive_path));
    return fail(module, "invalid module archive: " + reader.error());
  }
  // What somebody else left half unpacked.
  if (auto removed = base::remove_tree(folder); !removed) return fail(module, folder, removed.error());
  if (!is_partial(module)) {
    if (auto marked = base::create_file(partial_path, {}, false); !marked)
      return fail(module, partial_path, marked.error());
  }
  auto unpacked = unpack(module, *reader);
  if (!unpacked) {
    if (base::remove_tree(folder)) static_cast<void>(base::remove_tree(partial_path));
    static_cast<void>(base::remove_tree(archive_path));
    return std::unexpected(std::move(unpacked.error()));
  }
  if (auto done = base::remove_tree(partial_path); !done) return fail(module, partial_path, done.error());
  base::make_folders_read_only(folder);
  return folder;
}

std::expected<std::optional<std::string>, ModuleError> CacheSource::module_file(const ModuleVersion& module) {
  if (auto text = cache_.module_file(module)) return text;
  // `cue` stores it apart from the archive, which has it too.
  if (auto folder = cache_.extracted(module)) {
    auto text = base::real_file_system().read_file(*folder + "/cue.mod/module.cue", kMaxModuleFileBytes);
    if (text) return std::move(*text);
  }
  return std::nullopt;
}

std::expected<std::optional<ModuleTree>, ModuleError> CacheSource::content(const ModuleVersion& module) {
  if (auto folder = cache_.extracted(module)) return ModuleTree{&base::real_file_system(), std::move(*folder), {}};
  if (!cache_.has_archive(module)) return std::nullopt;
  auto lock = cache_.lock(module);
  if (!lock) return std::unexpected(std::move(lock.error()));
  if (auto folder = cache_.extracted(module)) return ModuleTree{&base::real_file_system(), std::move(*folder), {}};
  auto folder = cache_.extract(module);
  // Whoever comes next in the chain may have a better one.
  if (!folder) return std::nullopt;
  return ModuleTree{&base::real_file_system(), std::move(*folder), {}};
}

std::expected<std::vector<std::string>, ModuleError> CacheSource::versions(std::string_view) {
  return std::vector<std::string>();
}

}  // namespace opm::cue::module
