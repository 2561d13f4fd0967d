#include "kube/client.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "base/digest.h"
#include "base/path.h"
#include "data/json.h"

namespace opm::kube {
namespace {

constexpr std::size_t kMaxAnswerBytes = std::size_t{256} << 20;
constexpr std::size_t kMaxListed = 1'000'000;
constexpr std::size_t kMaxPages = 20'000;
constexpr std::size_t kMaxWarnings = 1000;
constexpr auto kDiscoveryAge = std::chrono::minutes(10);
// Asking for what is new makes no sense more often than that.
constexpr auto kDiscoveryPause = std::chrono::milliseconds(200);
constexpr std::string_view kAggregated =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
    "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

// The texts of a Warning header: 299 - "a text", 299 - "another one"
std::vector<std::string> warning_texts(std::string_view header) {
  std::vector<std::string> texts;
  while (texts.size() < kMaxWarnings) {
    std::size_t open = header.find('"');
    if (open == std::string_view::npos) break;
    std::string_view before = header.substr(0, open);
    std::string text;
    std::size_t at = open + 1;
    for (; at < header.size() && header[at] != '"'; ++at) {
      if (header[at] == '\\' && at + 1 < header.size()) ++at;
      text += static_cast<unsigned char>(header[at]) < 0x20 ? ' ' : header[at];
    }
    if (before.find("299 ") != std::string_view::npos && !text.empty()) texts.push_back(std::move(text));
    header.remove_prefix(std::min(at + 1, header.size()));
  }
  return texts;
}

Operation question(std::string path, std::string_view accept, std::string what) {
  Operation operation;
  operation.path = std::move(path);
  operation.accept = accept;
  operation.what = std::move(what);
  return operation;
}

}  // namespace

Client::Client(Connection connection, ClientServices services, ClientOptions options)
    : connection_(std::move(connection)),
      services_(std::move(services)),
      options_(std::move(options)),
      credentials_(connection_, services_.environment, services_.files, services_.clock),
      slots_(static_cast<std::ptrdiff_t>(std::clamp(options_.in_flight, 1U, 64U))) {}

Client::~Client() = default;

http::Request Client::request_of(const Operation& operation, const Authorization& authorization) const {
  http::Request request;
  request.method = operation.method;
  request.url = connection_.server;
  request.url.target += operation.path;
  char separator = '?';
  for (const auto& [name, value] : operation.query) {
    request.url.target += separator + name + "=" + http::encode_query(value);
    separator = '&';
  }
  request.headers = authorization.headers;
  request.headers.emplace_back("Accept", operation.accept);
  if (!operation.content_type.empty()) request.headers.emplace_back("Content-Type", operation.content_type);
  request.body = operation.body;
  request.max_answer_bytes = kMaxAnswerBytes;
  request.accept_compressed = true;
  request.timeout = operation.timeout.count() > 0 ? operation.timeout : options_.request_timeout;
  // A webhook that thinks sends no bytes; the timeout is what counts.
  request.stall_timeout = std::chrono::seconds(0);
  return request;
}

Result<http::Client*> Client::transport(const Authorization& authorization) {
  std::lock_guard lock(transport_mutex_);
  if (!transports_.empty() && transport_certificate_ == authorization.certificate) return transports_.back().get();
  http::ClientOptions options;
  options.user_agent = options_.user_agent;
  options.environment = &services_.environment;
  options.tls = connection_.tls;
  options.proxy = connection_.proxy;
  options.share_connection = true;
  if (options_.request_timeout.count() > 0)
    options.connect_timeout = std::min(options.connect_timeout, options_.request_timeout);
  if (!authorization.certificate.empty()) {
    options.tls.certificate = authorization.certificate;
    options.tls.key = authorization.key;
  }
  transport_certificate_ = authorization.certificate;
  transports_.push_back(services_.make_transport ? services_.make_transport(std::move(options))
                                                 : http::make_client(std::move(options)));
  return transports_.back().get();
}

bool Client::wait(std::chrono::milliseconds time, const std::stop_token& stop) const {
  constexpr std::chrono::milliseconds kSlice{50};
  while (time.count() > 0) {
    if (stop.stop_requested()) return false;
    auto slice = std::min(time, kSlice);
    services_.clock.sleep(slice);
    time -= slice;
  }
  return !stop.stop_requested();
}

Result<http::Answer> Client::ask(const Operation& operation, std::stop_token stop,
                                 const std::function<bool(std::string_view)>* on_piece) {
  bool renewed = false;
  auto backoff = options_.retry.first_wait;
  for (unsigned attempt = 1;; ++attempt) {
    auto authorization = credentials_.authorization();
    if (!authorization) return std::unexpected(std::move(authorization.error()));
    auto client = transport(*authorization);
    if (!client) return std::unexpected(std::move(client.error()));
    http::Request request = request_of(operation, *authorization);
    request.stop = stop;
    if (on_piece != nullptr) {
      request.on_piece = *on_piece;
      request.accept_compressed = false;
      // Servers send a bookmark every minute, so that silence means that nobody is there any more.
      request.stall_timeout = std::chrono::seconds(100);
      request.timeout = operation.timeout;
    }
    ++requests_sent_;
    // A watch stays for minutes and would take the place of many.
    if (on_piece == nullptr) slots_.acquire();
    auto answer = (*client)->send(request);
    if (on_piece == nullptr) slots_.release();

    Failure failure;
    bool again = false;
    if (answer) {
      has_answered_ = true;
      collect_warnings(*answer, operation);
      if (answer->status >= 200 && answer->status < 300) return std::move(*answer);
      failure = failure_of(*answer, operation.what);
      failure.message = without_secrets(std::move(failure.message), operation);
      for (Cause& cause : failure.causes) cause.message = without_secrets(std::move(cause.message), operation);
      if (answer->status == 401 && !renewed && credentials_.renew(*authorization)) {
        renewed = true;
        continue;
      }
      bool refused = answer->status == 429 || answer->status == 503;  // it has not begun
      bool broken = answer->status >= 500 && answer->status != 501 && answer->status != 505 &&
                    failure.kind != FailureKind::invalid;
      again = refused || (broken && operation.repeatable);
    } else {
      failure = failure_of(answer.error(), connection_.server.text());
      // Nobody there from the start means a wrong address; nobody there any more means a server that comes back.
      again = (answer.error().kind == http::FailureKind::interrupted && operation.repeatable) ||
              (answer.error().kind == http::FailureKind::no_connection && has_answered_);
    }
    if (!again || attempt >= options_.retry.attempts) return std::unexpected(std::move(failure));
    auto time = backoff;
    // Those who failed together should not come back together.
    time += time * static_cast<int>((requests_sent_ * 2654435761U >> 8) % 32) / 128;
    if (failure.retry_after) time = std::max(time, *failure.retry_after);
    if (time > options_.retry.longest_wait) {
      if (failure.retry_after && *failure.retry_after > options_.retry.longest_wait)
        return std::unexpected(std::move(failure));
      time = options_.retry.longest_wait;
    }
    if (!wait(time, stop)) return fail(FailureKind::stopped, "stopped");
    backoff = std::min(backoff * 2, options_.retry.longest_wait);
  }
}

void Client::collect_warnings(const http::Answer& answer, const Operation& operation) {
  std::string_view header = answer.header("warning");
  if (header.empty()) return;
  for (std::string& text : warning_texts(header)) {
    text = without_secrets(std::move(text), operation);
    std::lock_guard lock(warnings_mutex_);
    if (warned_.size() < kMaxWarnings && warned_.insert(text).second) warnings_.push_back(std::move(text));
  }
}

std::vector<std::string> Client::take_warnings() {
  std::lock_guard lock(warnings_mutex_);
  return std::exchange(warnings_, {});
}

Result<data::Value> Client::read_answer(http::Answer answer, const Operation& operation) const {
  if (answer.body.empty()) return data::Value{};
  auto value = data::read_json({"answer", std::move(answer.body), {}});
  if (!value || !value->is_map())
    return fail(FailureKind::server, fmt::format("cannot {}: the answer of {} is no JSON object", operation.what,
                                                 connection_.server.text()));
  return std::move(*value);
}

Result<data::Value> Client::run(const Operation& operation, std::stop_token stop) {
  auto answer = ask(operation, std::move(stop), nullptr);
  if (!answer) return std::unexpected(std::move(answer.error()));
  return read_answer(std::move(*answer), operation);
}

std::vector<Result<data::Value>> Client::run_all(
    std::span<const Operation> operations,
    const std::function<void(std::size_t index, const Result<data::Value>& result)>& done, std::stop_token stop) {
  std::vector<Result<data::Value>> results(operations.size());
  std::mutex one_at_a_time;
  auto run_one = [&](std::size_t index) {
    results[index] = run(operations[index], stop);
    if (!done) return;
    std::lock_guard lock(one_at_a_time);
    done(index, results[index]);
  };
  if (operations.size() == 1) {
    run_one(0);
    return results;
  }
  base::ThreadPool* pool = nullptr;
  {
    std::lock_guard lock(pool_mutex_);
    if (!pool_) pool_ = std::make_unique<base::ThreadPool>(std::clamp(options_.in_flight, 1U, 64U));
    pool = pool_.get();
  }
  if (auto all = pool->parallel_for(operations.size(), run_one); !all)
    results[all.error().index] = fail(FailureKind::server, all.error().message);
  return results;
}

Result<ObjectList> Client::list(const Resource& resource, std::string_view name_space, const ListOptions& options,
                                std::stop_token stop) {
  ObjectList all;
  std::string next;
  unsigned restarts = 0;
  for (std::size_t pages = 0;; ++pages) {
    // A server that always has one more page, with nothing on it, must not keep us for ever.
    if (pages > kMaxPages) return fail(FailureKind::server, fmt::format("the list of {} has no end", resource.name()));
    auto page = run(list_objects(resource, name_space, options, next), stop);
    if (!page) {
      // The place where the next page begins is only remembered for some minutes.
      if (page.error().kind == FailureKind::gone && !next.empty() && ++restarts < 3) {
        all = {};
        next.clear();
        continue;
      }
      return std::unexpected(std::move(page.error()));
    }
    next = text_at(*page, {"metadata", "continue"});
    all.resource_version = resource_version_of(*page);
    std::string api_version = resource.group_version.text();
    for (data::Member& member : page->as_map()) {
      if (member.key != "items" || !member.value.is_list()) continue;
      for (data::Value& item : member.value.as_list()) {
        if (!item.is_map()) continue;
        // The items of a list of built-in objects do not say what they are.
        if (item.find("kind") == nullptr || options.metadata_only) {
          std::erase_if(item.as_map(), [](const data::Member& m) { return m.key == "kind" || m.key == "apiVersion"; });
          item.as_map().push_back({"apiVersion", {.variant = api_version, .position = {}}, {}});
          item.as_map().push_back({"kind", {.variant = resource.kind, .position = {}}, {}});
        }
        all.items.push_back(std::move(item));
      }
    }
    if (all.items.size() > kMaxListed)
      return fail(FailureKind::server, fmt::format("there are more than {} {}", kMaxListed, resource.name()));
    if (next.empty()) return all;
  }
}

Result<void> Client::stream(const Operation& operation, const std::function<bool(std::string_view piece)>& on_piece,
                            std::stop_token stop) {
  auto answer = ask(operation, std::move(stop), &on_piece);
  if (!answer) return std::unexpected(std::move(answer.error()));
  return {};
}

Result<Client::Version> Client::server_version() {
  auto answer = run(question("/version", "application/json", "ask for the version"));
  if (!answer) return std::unexpected(std::move(answer.error()));
  Version version;
  version.git_version = text_at(*answer, {"gitVersion"});
  // Some servers say "35+".
  auto number = [](const std::string& text) {
    int value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  };
  version.major = number(text_at(*answer, {"major"}));
  version.minor = number(text_at(*answer, {"minor"}));
  return version;
}

std::string Client::cache_file() const {
  if (options_.cache_folder.empty()) return {};
  // One server may be reached under one address by different names.
  std::string key = connection_.server.text() + "\n" + connection_.tls.server_name;
  return base::join_path(options_.cache_folder, "discovery-" + base::sha256_hex(key).substr(0, 32) + ".json");
}

std::shared_ptr<const Resources> Client::kept_resources() {
  std::string path = cache_file();
  if (path.empty()) return {};
  auto text = services_.files.read_file(path, std::size_t{64} << 20);
  if (!text) return {};
  // A file that makes no sense is as good as none: it is written anew.
  auto value = data::read_json({path, std::move(*text), {}}, {.max_depth = 20});
  if (!value || text_at(*value, {"server"}) != connection_.server.text()) return {};
  auto fetched = base::parse_time(text_at(*value, {"fetched"}));
  auto now = services_.clock.now();
  if (!fetched || *fetched > now + std::chrono::minutes(1) || now - *fetched > kDiscoveryAge) return {};
  auto resources = std::make_shared<Resources>(resources_from_data(*value));
  if (resources->all().empty()) return {};
  return resources;
}

Result<std::shared_ptr<const Resources>> Client::resources() {
  std::lock_guard lock(discovery_mutex_);
  if (resources_) return resources_;
  resources_ = kept_resources();
  if (resources_) return resources_;
  return fetch_resources();
}

Result<std::shared_ptr<const Resources>> Client::refresh_resources() {
  std::lock_guard lock(discovery_mutex_);
  return fetch_resources();
}

Result<std::shared_ptr<const Resources>> Client::fetch_resources() {
  const Operation questions[] = {question("/api", kAggregated, "ask which kinds of objects there are"),
                                 question("/apis", kAggregated, "ask which kinds of objects there are")};
  auto answers = run_all(questions);
  auto resources = std::make_shared<Resources>();
  std::vector<Operation> more;  // of a server that does not tell everything at once
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (!answers[i]) return std::unexpected(std::move(answers[i].error()));
    const data::Value& answer = *answers[i];
    if (is_aggregated(answer)) {
      add_aggregated(*resources, answer);
      continue;
    }
    for (const std::string& group_version : group_versions_of(answer))
      more.push_back(question((i == 0 ? "/api/" : "/apis/") + group_version, "application/json",
                              fmt::format("ask which kinds of objects {} has", group_version)));
  }
  auto lists = run_all(more);
  for (std::size_t i = 0; i < lists.size(); ++i) {
    if (lists[i]) add_resource_list(*resources, *lists[i]);
    // A group whose own server is down must not stop us from using the others.
    else if (lists[i].error().kind == FailureKind::server || lists[i].error().kind == FailureKind::not_found)
      resources->add_stale(more[i].path.substr(more[i].path.find('/', 1) + 1));
    else return std::unexpected(std::move(lists[i].error()));
  }
  resources_ = resources;
  fetched_ = services_.clock.elapsed();
  keep_resources(*resources);
  return resources_;
}

// Whether that works is nobody's concern: without it the next run asks again.
void Client::keep_resources(const Resources& resources) {
  std::string path = cache_file();
  if (path.empty()) return;
  data::Value value = to_data(resources);
  value.as_map().push_back(
      {"fetched", {.variant = base::format_time(services_.clock.now()), .position = {}}, {}});
  value.as_map().push_back({"server", {.variant = connection_.server.text(), .position = {}}, {}});
  if (!services_.writer.make_directories(options_.cache_folder, base::FileAccess::owner_only)) return;
  (void)services_.writer.write_file(path, data::write_json(value), base::FileAccess::owner_only);
}

Result<Resource> Client::resource(const GroupVersion& group_version, std::string_view kind) {
  auto known = resources();
  if (!known) return std::unexpected(std::move(known.error()));
  const Resource* found = (*known)->find(group_version, kind);
  if (found == nullptr) {
    std::lock_guard lock(discovery_mutex_);
    // Somebody else may have asked meanwhile.
    if (!fetched_ || services_.clock.elapsed() - *fetched_ > kDiscoveryPause) known = fetch_resources();
    else known = resources_;
    if (!known) return std::unexpected(std::move(known.error()));
    found = (*known)->find(group_version, kind);
  }
  if (found != nullptr) return *found;
  Failure failure{.kind = FailureKind::unknown_kind};
  failure.message = fmt::format("the cluster has no kind \"{}\" in {}", kind, group_version.text());
  if (const Resource* other = (*known)->find_preferred(group_version.group, kind))
    failure.advice = fmt::format("it has that kind in {}", other->group_version.text());
  else if (std::ranges::find((*known)->stale_groups(), group_version.text()) != (*known)->stale_groups().end())
    failure.advice = "the server behind that API does not answer; see `kubectl get apiservices`";
  else failure.advice = "install the CustomResourceDefinition first";
  return std::unexpected(std::move(failure));
}

Result<Resource> Client::resource_of(const data::Value& object) {
  return resource(parse_group_version(api_version_of(object)), kind_of(object));
}

}  // namespace opm::kube
