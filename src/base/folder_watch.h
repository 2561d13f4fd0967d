// Folders and all below them, watched for files that are written, renamed, added or removed. Folders are watched rather
// than files: most editors save by writing a new file and renaming it over the old one.
#pragma once

#include <chrono>
#include <cstddef>
#include <expected>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace opm::base {

class FolderWatch {
 public:
  // The error says why nothing can be watched.
  static std::expected<FolderWatch, std::string> open();
  ~FolderWatch();
  FolderWatch(FolderWatch&& other) noexcept;
  FolderWatch& operator=(FolderWatch&&) = delete;

  // A folder with all that is below it, folders made later too, but not those that nobody writes configuration to
  // (.git, node_modules). One that is not there is watched for where it would be. Again and again is fine.
  void add_tree(const std::string& folder);
  // A folder alone.
  void add_folder(const std::string& folder);

  // Waits for a change, then until there was none for `quiet`: programs write several files at a time. The changed paths,
  // each once; nothing when `timeout` is over before the first.
  std::vector<std::string> wait(std::chrono::milliseconds quiet, std::optional<std::chrono::milliseconds> timeout = {});

  // How many folders are watched, and whether some are not because there are too many.
  std::size_t size() const { return folders_.size(); }
  bool is_incomplete() const { return is_incomplete_; }

 private:
  struct Watched {
    std::string path;
    bool with_below = false;
  };

  explicit FolderWatch(int descriptor) : descriptor_(descriptor) {}
  void add(const std::string& folder, bool with_below, int depth);
  void read_events(std::set<std::string>& changed);

  int descriptor_;
  std::map<int, Watched> folders_;  // by the number of the watch
  bool is_incomplete_ = false;
};

// Names of files that editors leave beside what they edit.
bool is_editor_file(std::string_view name);

}  // namespace opm::base
