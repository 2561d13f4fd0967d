// The folder of downloaded modules that `cue` and opm share: CUE's own layout and locks.
// Nothing in it is ever changed; what was killed half way is recognised and done again.
//
//   mod/download/host/name/@v/v1.2.3.mod      the module file
//   mod/download/host/name/@v/v1.2.3.zip      the archive
//   mod/download/host/name/@v/v1.2.3.lock     locked while the others are made
//   mod/download/host/name/@v/v1.2.3.partial  there while the archive is unpacked
//   mod/extract/host/name@v1.2.3/             the unpacked archive, read-only
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/environment.h"
#include "base/file_tree.h"
#include "cue/module/archive.h"
#include "cue/module/module_file.h"
#include "cue/module/source.h"

namespace opm::cue::module {

// $CUE_CACHE_DIR, or "cue" in the user's folder for caches; the error says that there is neither.
std::expected<std::string, std::string> cache_folder(const base::Environment& environment);

class ModuleCache {
 public:
  explicit ModuleCache(std::string folder, ArchiveLimits limits = {});

  // The folder of a module that is there complete.
  std::optional<std::string> extracted(const ModuleVersion& module) const;
  std::optional<std::string> module_file(const ModuleVersion& module) const;
  bool has_archive(const ModuleVersion& module) const;

  // For everything below. Others wait; so what was looked for before has to be looked for again.
  std::expected<base::FileLock, ModuleError> lock(const ModuleVersion& module) const;
  std::expected<void, ModuleError> store_module_file(const ModuleVersion& module, std::string_view text) const;
  // An archive that can't be unpacked is not stored.
  std::expected<void, ModuleError> store_archive(const ModuleVersion& module, std::string_view archive) const;
  // Unpacks the stored archive. One that can't be unpacked is removed, as nobody could ever use it.
  std::expected<std::string, ModuleError> extract(const ModuleVersion& module) const;

 private:
  std::string download_path(const ModuleVersion& module, std::string_view suffix) const;
  std::string extract_path(const ModuleVersion& module) const;
  bool is_partial(const ModuleVersion& module) const;
  std::expected<void, ModuleError> store(const ModuleVersion& module, std::string_view suffix,
                                         std::string_view content) const;
  std::expected<void, ModuleError> unpack(const ModuleVersion& module, const ArchiveReader& archive) const;

  std::string folder_;
  ArchiveLimits limits_;
};

// What is in the cache already. Touches no network, and knows of no versions: which there are, only a registry can say.
class CacheSource : public ModuleSource {
 public:
  explicit CacheSource(const ModuleCache& cache) : cache_(cache) {}

  std::string name() const override { return "the cache"; }
  bool has_at_hand(const ModuleVersion& module) const override { return cache_.extracted(module).has_value(); }
  std::expected<std::optional<std::string>, ModuleError> module_file(const ModuleVersion& module) override;
  std::expected<std::optional<ModuleTree>, ModuleError> content(const ModuleVersion& module) override;
  std::expected<std::vector<std::string>, ModuleError> versions(std::string_view module_path) override;

 private:
  const ModuleCache& cache_;
};

}  // namespace opm::cue::module
