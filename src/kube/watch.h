// What happens to objects, as it happens. A watch survives connections that end, servers that
// forgot the version it goes on from, and times when nothing happens.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "data/tree.h"
#include "kube/client.h"

namespace opm::kube {

enum class EventKind : std::uint8_t {
  present,  // there when the watch began, new or changed: this is how it is now
  deleted,  // gone; the object as it was last known, at least its metadata
  synced,   // everything that was there when the watch began has been told
};

struct Event {
  EventKind kind = EventKind::present;
  data::Value object;
};

struct WatchOptions {
  std::string label_selector;
  std::string field_selector;
  bool metadata_only = false;  // only apiVersion, kind and metadata of each
  std::chrono::seconds session{290};  // how long the server may keep one connection for it
};

// Calls `on_event` until it returns false (then success), `stop` is asked for or it cannot go on. Blocks.
// Objects are told as they are now; states in between may be left out.
Result<void> watch(Client& client, const Resource& resource, std::string_view name_space, const WatchOptions& options,
                   const std::function<bool(Event event)>& on_event, std::stop_token stop = {});

// Several watches at once, for one that waits.
class WatchSet {
 public:
  explicit WatchSet(Client& client) : client_(client) {}
  ~WatchSet();
  WatchSet(const WatchSet&) = delete;
  WatchSet& operator=(const WatchSet&) = delete;

  // Returns the number of the watch.
  std::size_t add(const Resource& resource, std::string_view name_space, const WatchOptions& options = {});

  struct Item {
    std::size_t watch = 0;
    Result<Event> event;  // a failure ends that watch
  };
  // The next thing that happened in any of them; nothing: not within that time.
  std::optional<Item> next(std::chrono::milliseconds time);

 private:
  Client& client_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Item> items_;
  std::vector<std::jthread> threads_;
};

}  // namespace opm::kube
