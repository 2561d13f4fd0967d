// A client of one Kubernetes API server: operations run alone or many at a time, are asked again
// when the server has too much to do or the answer got lost, and fail with kinds that callers decide by.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/environment.h"
#include "base/file_writer.h"
#include "base/thread_pool.h"
#include "data/tree.h"
#include "kube/connection.h"
#include "kube/credentials.h"
#include "kube/discovery.h"
#include "kube/failure.h"
#include "kube/operation.h"

namespace opm::kube {

struct RetryPolicy {
  unsigned attempts = 6;
  std::chrono::milliseconds first_wait{200};       // doubled each time
  std::chrono::milliseconds longest_wait{10'000};  // Retry-After included
};

struct ClientOptions {
  std::string user_agent = "opm";
  std::chrono::milliseconds request_timeout{60'000};
  RetryPolicy retry{};
  unsigned in_flight = 16;
  std::string cache_folder{};  // for discovery; empty: nothing is kept
};

struct ClientServices {
  const base::Environment& environment;
  const base::FileSystem& files;
  base::FileWriter& writer;
  base::Clock& clock;
  // How bytes are moved; empty: over the network.
  std::function<std::unique_ptr<http::Client>(http::ClientOptions)> make_transport{};
};

// A list of objects and the state of the server that it is from, which a watch can go on from.
struct ObjectList {
  std::vector<data::Value> items;
  std::string resource_version;
};

// Any number of threads may use it. The positions in what it returns mean nothing.
class Client {
 public:
  Client(Connection connection, ClientServices services, ClientOptions options = {});
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  const Connection& connection() const { return connection_; }

  // One operation until it has an answer that is worth having. Null if the answer has no body.
  Result<data::Value> run(const Operation& operation, std::stop_token stop = {});
  // All of them, at most `in_flight` at a time, in any order; the results in theirs. `done` is called with each
  // as it comes, one at a time, on some thread.
  std::vector<Result<data::Value>> run_all(
      std::span<const Operation> operations,
      const std::function<void(std::size_t index, const Result<data::Value>& result)>& done = {},
      std::stop_token stop = {});

  // What the server calls objects of that kind. A kind that is not in what we know is asked for once more, as it may
  // be new; `unknown_kind`: there is none.
  Result<Resource> resource(const GroupVersion& group_version, std::string_view kind);
  Result<Resource> resource_of(const data::Value& object);
  // All kinds; from disk if that is not older than ten minutes.
  Result<std::shared_ptr<const Resources>> resources();
  // From the server now, whatever is kept.
  Result<std::shared_ptr<const Resources>> refresh_resources();

  // Every page of it. `name_space` empty: all of them.
  Result<ObjectList> list(const Resource& resource, std::string_view name_space, const ListOptions& options = {},
                          std::stop_token stop = {});

  // A watch's bytes as they come, on another thread; returns when the server ends it. For watch.h.
  Result<void> stream(const Operation& operation, const std::function<bool(std::string_view piece)>& on_piece,
                      std::stop_token stop = {});

  struct Version {
    std::string git_version;  // "v1.35.4"
    int major = 0, minor = 0;
  };
  Result<Version> server_version();

  // What the server warned of since the last time, each once in the life of the client.
  std::vector<std::string> take_warnings();

  // Questions sent so far, those asked again included.
  std::uint64_t requests_sent() const { return requests_sent_; }

  base::Clock& clock() const { return services_.clock; }

 private:
  http::Request request_of(const Operation& operation, const Authorization& authorization) const;
  Result<http::Answer> ask(const Operation& operation, std::stop_token stop,
                           const std::function<bool(std::string_view)>* on_piece);
  bool wait(std::chrono::milliseconds time, const std::stop_token& stop) const;
  void collect_warnings(const http::Answer& answer, const Operation& operation);
  Result<data::Value> read_answer(http::Answer answer, const Operation& operation) const;
  Result<http::Client*> transport(const Authorization& authorization);
  std::string cache_file() const;
  std::shared_ptr<const Resources> kept_resources();
  void keep_resources(const Resources& resources);
  Result<std::shared_ptr<const Resources>> fetch_resources();  // the mutex is held

  Connection connection_;
  ClientServices services_;
  ClientOptions options_;
  CredentialSource credentials_;
  std::counting_semaphore<64> slots_;
  std::atomic<std::uint64_t> requests_sent_{0};
  std::atomic<bool> has_answered_{false};

  std::mutex transport_mutex_;
  std::vector<std::unique_ptr<http::Client>> transports_;  // the last is in use; plugins may change the certificate
  std::string transport_certificate_;

  std::mutex pool_mutex_;
  std::unique_ptr<base::ThreadPool> pool_;

  std::mutex discovery_mutex_;
  std::shared_ptr<const Resources> resources_;
  std::optional<base::Clock::Duration> fetched_;  // from the server, in this run

  std::mutex warnings_mutex_;
  std::set<std::string> warned_;
  std::vector<std::string> warnings_;
};

}  // namespace opm::kube
