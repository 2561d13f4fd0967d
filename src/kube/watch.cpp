#include "kube/watch.h"

#include <fmt/core.h>

#include <map>

#include "data/build.h"
#include "data/json.h"

namespace opm::kube {
namespace {

// An object larger than etcd holds is none.
constexpr std::size_t kMaxEventBytes = std::size_t{32} << 20;
constexpr std::chrono::milliseconds kFirstPause{100};
constexpr std::chrono::milliseconds kLongestPause{5'000};

std::string key_of(const data::Value& object) { return namespace_of(object) + "/" + name_of(object); }

// The metadata of an object that went while nobody looked.
data::Value remembered(const Resource& resource, const std::string& key, const std::string& uid) {
  std::size_t slash = key.find('/');
  auto text = [](std::string value) { return data::Value{.variant = std::move(value), .position = {}}; };
  data::Map metadata;
  metadata.push_back({"name", text(key.substr(slash + 1)), {}});
  if (slash > 0) metadata.push_back({"namespace", text(key.substr(0, slash)), {}});
  metadata.push_back({"uid", text(uid), {}});
  data::Map object;
  object.push_back({"apiVersion", text(resource.group_version.text()), {}});
  object.push_back({"kind", text(resource.kind), {}});
  object.push_back({"metadata", {.variant = std::move(metadata), .position = {}}, {}});
  return {.variant = std::move(object), .position = {}};
}

class Watch {
 public:
  Watch(Client& client, const Resource& resource, std::string_view name_space, const WatchOptions& options,
        const std::function<bool(Event)>& on_event, const std::stop_token& stop)
      : client_(client), resource_(resource), name_space_(name_space), options_(options), on_event_(on_event), stop_(stop) {}

  Result<void> run() {
    auto pause = kFirstPause;
    for (;;) {
      if (stop_.stop_requested()) return fail(FailureKind::stopped, "stopped");
      if (version_.empty()) {
        auto listed = list();
        if (!listed) {
          if (!passes(listed.error())) return std::unexpected(std::move(listed.error()));
          if (!rest(pause)) return fail(FailureKind::stopped, "stopped");
          continue;
        }
        if (enough_) return {};
      }
      std::string before = version_;
      auto session = follow();
      if (enough_) return {};
      if (refused_) session = std::unexpected(std::move(*std::exchange(refused_, std::nullopt)));
      if (!session) {
        if (session.error().kind == FailureKind::stopped) return std::unexpected(std::move(session.error()));
        // The server has forgotten that version: everything is asked for again.
        if (session.error().kind == FailureKind::gone) version_.clear();
        else if (!passes(session.error())) return std::unexpected(std::move(session.error()));
      }
      // A server that ends every watch at once must not be asked without a break.
      if (version_ != before && !version_.empty()) pause = kFirstPause;
      else if (!rest(pause)) return fail(FailureKind::stopped, "stopped");
    }
  }

 private:
  // Whether it may be better the next time. The client has tried several times by then; a watch has more patience.
  bool passes(const Failure& failure) {
    switch (failure.kind) {
      case FailureKind::unreachable:
      case FailureKind::timed_out:
      case FailureKind::server:
      case FailureKind::too_many:
      case FailureKind::gone: return ++failures_ < 10;
      default: return false;
    }
  }

  bool rest(std::chrono::milliseconds& pause) {
    for (auto left = pause; left.count() > 0; left -= std::chrono::milliseconds(50)) {
      if (stop_.stop_requested()) return false;
      client_.clock().sleep(std::chrono::milliseconds(50));
    }
    pause = std::min(pause * 2, kLongestPause);
    return !stop_.stop_requested();
  }

  bool tell(EventKind kind, data::Value object) {
    if (!on_event_({kind, std::move(object)})) enough_ = true;
    return !enough_;
  }

  Result<void> list() {
    ListOptions options;
    options.label_selector = options_.label_selector;
    options.field_selector = options_.field_selector;
    options.metadata_only = options_.metadata_only;
    auto all = client_.list(resource_, name_space_, options, stop_);
    if (!all) return std::unexpected(std::move(all.error()));
    std::map<std::string, std::string> now;
    for (const data::Value& object : all->items) now[key_of(object)] = uid_of(object);
    // What went while nobody looked, also where something else has its name by now.
    for (const auto& [key, uid] : known_) {
      auto found = now.find(key);
      if (found != now.end() && found->second == uid) continue;
      if (!tell(EventKind::deleted, remembered(resource_, key, uid))) return {};
    }
    failures_ = 0;
    known_ = std::move(now);
    version_ = all->resource_version;
    for (data::Value& object : all->items)
      if (!tell(EventKind::present, std::move(object))) return {};
    if (!synced_) {
      synced_ = true;
      tell(EventKind::synced, {});
    }
    return {};
  }

  Result<void> follow() {
    ListOptions list_options;
    list_options.label_selector = options_.label_selector;
    list_options.field_selector = options_.field_selector;
    list_options.limit = 0;
    Operation operation = list_objects(resource_, name_space_, list_options);
    operation.query.emplace_back("watch", "true");
    operation.query.emplace_back("resourceVersion", version_);
    operation.query.emplace_back("allowWatchBookmarks", "true");
    operation.query.emplace_back("timeoutSeconds", std::to_string(options_.session.count()));
    operation.what = fmt::format("watch {}", resource_.name());
    if (options_.metadata_only)
      operation.accept = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
    // The client would begin again where this began, and not where it is by then.
    operation.repeatable = false;
    operation.timeout = options_.session + std::chrono::seconds(30);
    std::string line;
    return client_.stream(
        operation,
        [&](std::string_view piece) {
          while (!piece.empty()) {
            std::size_t end = piece.find('\n');
            line += piece.substr(0, end);
            if (line.size() > kMaxEventBytes) {
              refused_ = Failure{.kind = FailureKind::server, .message = "the server sends an event without an end"};
              return false;
            }
            if (end == std::string_view::npos) return true;
            piece.remove_prefix(end + 1);
            if (!take(std::exchange(line, {}))) return false;
          }
          return true;
        },
        stop_);
  }

  // One event; false: that is all for this connection.
  bool take(std::string line) {
    if (line.empty()) return true;
    auto event = data::read_json({"event", std::move(line), {}});
    if (!event || !event->is_map()) {
      refused_ = Failure{.kind = FailureKind::server,
                         .message = fmt::format("cannot watch {}: an event is no JSON object", resource_.name())};
      return false;
    }
    std::string type = kube::text_at(*event, {"type"});
    data::Value object;
    for (data::Member& member : event->as_map())
      if (member.key == "object") object = std::move(member.value);
    if (options_.metadata_only && type != "ERROR") {
      data::set(object, "apiVersion", data::text(resource_.group_version.text()));
      data::set(object, "kind", data::text(resource_.kind));
    }
    if (type == "ERROR") {
      http::Answer answer;
      answer.status = static_cast<int>(number_at(object, {"code"}).value_or(500));
      answer.body = data::write_json(object);
      refused_ = failure_of(answer, fmt::format("watch {}", resource_.name()));
      return false;
    }
    failures_ = 0;
    if (std::string version = resource_version_of(object); !version.empty()) version_ = std::move(version);
    if (type == "BOOKMARK") return true;
    if (type == "DELETED") {
      known_.erase(key_of(object));
      return tell(EventKind::deleted, std::move(object));
    }
    if (type != "ADDED" && type != "MODIFIED") return true;
    known_[key_of(object)] = uid_of(object);
    return tell(EventKind::present, std::move(object));
  }

  Client& client_;
  const Resource& resource_;
  std::string name_space_;
  const WatchOptions& options_;
  const std::function<bool(Event)>& on_event_;
  const std::stop_token& stop_;
  std::string version_;                       // to go on from; empty: from a new list
  std::map<std::string, std::string> known_;  // what was told to be there: namespace/name to uid
  bool synced_ = false;
  bool enough_ = false;
  unsigned failures_ = 0;
  std::optional<Failure> refused_;  // what the server said within the stream
};

}  // namespace

Result<void> watch(Client& client, const Resource& resource, std::string_view name_space, const WatchOptions& options,
                   const std::function<bool(Event event)>& on_event, std::stop_token stop) {
  return Watch(client, resource, name_space, options, on_event, stop).run();
}

WatchSet::~WatchSet() {
  for (std::jthread& thread : threads_) thread.request_stop();
}

std::size_t WatchSet::add(const Resource& resource, std::string_view name_space, const WatchOptions& options) {
  std::size_t number = threads_.size();
  threads_.emplace_back([this, number, resource, name_space = std::string(name_space), options](std::stop_token stop) {
    auto put = [&](Result<Event> event) {
      std::lock_guard lock(mutex_);
      items_.push_back({number, std::move(event)});
      arrived_.notify_one();
    };
    auto ended = watch(
        client_, resource, name_space, options,
        [&](Event event) {
          put(std::move(event));
          return true;
        },
        stop);
    if (!ended && ended.error().kind != FailureKind::stopped) put(std::unexpected(std::move(ended.error())));
  });
  return number;
}

std::optional<WatchSet::Item> WatchSet::next(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  if (!arrived_.wait_for(lock, time, [&] { return !items_.empty(); })) return std::nullopt;
  Item item = std::move(items_.front());
  items_.pop_front();
  return item;
}

}  // namespace opm::kube
