#include "base/folder_watch.h"

#include <dirent.h>
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "base/path.h"

namespace opm::base {

namespace {

constexpr std::size_t kMostFolders = 4096;
constexpr int kDeepest = 32;
constexpr std::uint32_t kEvents = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_DELETE_SELF |
                                  IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK;

bool is_left_out(std::string_view folder) { return folder == "." || folder == ".." || folder == ".git" || folder == "node_modules"; }

std::vector<std::string> folders_in(const std::string& path) {
  std::vector<std::string> names;
  std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(path.c_str()), ::closedir);
  if (folder == nullptr) return names;
  while (const dirent* entry = ::readdir(folder.get())) {
    // A link is not followed: it may lead anywhere, and round.
    if (entry->d_type == DT_DIR && !is_left_out(entry->d_name)) names.emplace_back(entry->d_name);
  }
  return names;
}


}  // namespace

bool is_editor_file(std::string_view name) {
  // vim asks with 4913 whether it may write to a folder.
  return name.empty() || name.ends_with('~') || name.starts_with(".#") || name.ends_with(".swp") || name.ends_with(".swx") ||
         name.ends_with(".swo") || name.ends_with(".tmp") || name == "4913" || (name.starts_with('#') && name.ends_with('#'));
}

std::expected<FolderWatch, std::string> FolderWatch::open() {
  int descriptor = ::inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (descriptor < 0) return std::unexpected(std::string(std::strerror(errno)));
  return FolderWatch(descriptor);
}

FolderWatch::FolderWatch(FolderWatch&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), folders_(std::move(other.folders_)), is_incomplete_(other.is_incomplete_) {}

FolderWatch::~FolderWatch() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void FolderWatch::add_tree(const std::string& folder) { add(folder, true, 0); }

void FolderWatch::add_folder(const std::string& folder) { add(folder, false, 0); }

void FolderWatch::add(const std::string& folder, bool with_below, int depth) {
  if (depth > kDeepest) return;
  if (folders_.size() >= kMostFolders) {
    is_incomplete_ = true;
    return;
  }
  int number = ::inotify_add_watch(descriptor_, folder.c_str(), kEvents);
  if (number < 0) {
    if (errno == ENOSPC) is_incomplete_ = true;
    // When it is made, the folder that it is made in says so.
    if (errno == ENOENT && folder != "/" && depth == 0) add(parent_path(folder), false, depth);
    return;
  }
  Watched& watched = folders_[number];
  watched.path = folder;
  watched.with_below = watched.with_below || with_below;
  if (!with_below) return;
  for (const std::string& name : folders_in(folder)) add(join_path(folder, name), true, depth + 1);
}

void FolderWatch::read_events(std::set<std::string>& changed) {
  alignas(inotify_event) char buffer[64 * 1024];
  for (;;) {
    ssize_t size = ::read(descriptor_, buffer, sizeof buffer);
    if (size <= 0) return;
    for (char* at = buffer; at < buffer + size;) {
      inotify_event event;
      std::memcpy(&event, at, sizeof event);
      std::string name = event.len > 0 ? std::string(at + sizeof event) : std::string();
      at += sizeof event + event.len;
      if ((event.mask & IN_Q_OVERFLOW) != 0) {
        // Which changes were lost is not known; some were.
        if (!folders_.empty()) changed.insert(folders_.begin()->second.path);
        continue;
      }
      auto found = folders_.find(event.wd);
      if (found == folders_.end()) continue;
      Watched watched = found->second;
      if ((event.mask & IN_IGNORED) != 0) {
        folders_.erase(found);
        continue;
      }
      if ((event.mask & (IN_DELETE_SELF | IN_MOVE_SELF)) != 0) {
        // It may come back: an editor or a version control system replaces whole folders.
        changed.insert(watched.path);
        if ((event.mask & IN_MOVE_SELF) != 0) ::inotify_rm_watch(descriptor_, event.wd);
        add(parent_path(watched.path), false, 0);
        continue;
      }
      std::string path = join_path(watched.path, name);
      if ((event.mask & IN_ISDIR) != 0) {
        bool is_new = (event.mask & (IN_CREATE | IN_MOVED_TO)) != 0;
        if (is_left_out(name)) continue;
        if (is_new && watched.with_below) add(path, true, 0);
        changed.insert(path);
      } else if ((event.mask & IN_CREATE) == 0 && !is_editor_file(name)) {
        // A file that was only created has nothing in it yet; what it gets is told when it is closed.
        changed.insert(path);
      }
    }
  }
}

std::vector<std::string> FolderWatch::wait(std::chrono::milliseconds quiet, std::optional<std::chrono::milliseconds> timeout) {
  std::set<std::string> changed;
  pollfd waiting{descriptor_, POLLIN, 0};
  using Clock = std::chrono::steady_clock;
  Clock::time_point end = Clock::now() + timeout.value_or(std::chrono::milliseconds{0});
  // A program that writes without end must not keep the changes from being seen.
  constexpr int kMostRounds = 50;
  for (int round = 0; round < kMostRounds;) {
    int limit = -1;
    if (!changed.empty()) {
      limit = static_cast<int>(quiet.count());
    } else if (timeout) {
      auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
      limit = static_cast<int>(std::max<std::int64_t>(left, 0));
    }
    int ready = ::poll(&waiting, 1, limit);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) break;
    read_events(changed);
    if (!changed.empty()) ++round;
  }
  return {changed.begin(), changed.end()};
}

}  // namespace opm::base
