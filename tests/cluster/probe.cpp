// Does with src/kube what its arguments say and prints what came of it, a JSON object a line, so
// that tests can ask a real server. No part of the product.
//
//   cluster_probe [--kubeconfig=FILE] [--context=C] [--as=USER] [--allow-exec] [--untrusted] [--attempts=N]
//                 [--timeout=MS] [--cache=DIR] COMMAND ARGUMENT...
//
//   connection        what the kubeconfig says; no server is asked
//   version
//   resource API_VERSION KIND
//   get API_VERSION KIND NAMESPACE NAME        health likewise
//   list API_VERSION KIND NAMESPACE [LIMIT]
//   apply FILE [force] [dry-run] [manager=M]   every object of a YAML stream, at the same time
//   create FILE
//   delete API_VERSION KIND NAMESPACE NAME [foreground] [uid=U]
//   watch API_VERSION KIND NAMESPACE MILLISECONDS [until=NAME]
//   repeat COUNT API_VERSION KIND NAMESPACE NAME    gets at the same time
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/digest.h"
#include "data/json.h"
#include "data/yaml.h"
#include "kube/client.h"
#include "kube/health.h"
#include "kube/watch.h"

namespace {

using namespace opm;

data::Value text(std::string value) { return {.variant = std::move(value), .position = {}}; }
data::Value number(std::uint64_t value) {
  return {.variant = data::NumberText{std::to_string(value)}, .position = {}};
}

void print(data::Map map) {
  std::string line = data::write_json({.variant = std::move(map), .position = {}}) + "\n";
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fflush(stdout);
}

std::string_view name_of(kube::FailureKind kind) {
  using enum kube::FailureKind;
  switch (kind) {
    case configuration: return "configuration";
    case unreachable: return "unreachable";
    case unauthorized: return "unauthorized";
    case forbidden: return "forbidden";
    case not_found: return "not_found";
    case unknown_kind: return "unknown_kind";
    case already_exists: return "already_exists";
    case conflict: return "conflict";
    case gone: return "gone";
    case invalid: return "invalid";
    case too_many: return "too_many";
    case timed_out: return "timed_out";
    case server: return "server";
    case stopped: return "stopped";
  }
  return "";
}

bool print_failure(const kube::Failure& failure) {
  data::List causes;
  for (const kube::Cause& cause : failure.causes)
    causes.push_back({.variant = data::Map{{"reason", text(cause.reason), {}},
                                           {"message", text(cause.message), {}},
                                           {"field", text(cause.field), {}}},
                      .position = {}});
  data::List conflicts;
  for (const kube::FieldConflict& conflict : kube::field_conflicts(failure))
    conflicts.push_back({.variant = data::Map{{"manager", text(conflict.manager), {}},
                                              {"field", text(conflict.field), {}}},
                         .position = {}});
  print({{"failure", text(std::string(name_of(failure.kind))), {}},
         {"status", number(static_cast<std::uint64_t>(failure.status)), {}},
         {"message", text(failure.message), {}},
         {"advice", text(failure.advice), {}},
         {"causes", {.variant = std::move(causes), .position = {}}, {}},
         {"conflicts", {.variant = std::move(conflicts), .position = {}}, {}}});
  return false;
}

bool print_result(kube::Result<data::Value> result) {
  if (!result) return print_failure(result.error());
  print({{"object", std::move(*result), {}}});
  return true;
}

std::vector<data::Value> read_objects(const std::string& path) {
  auto content = base::real_file_system().read_file(path);
  if (!content) std::exit(2);
  static diag::SourceMap sources;
  auto documents = data::read_yaml(*sources.add(path, std::move(*content)));
  if (!documents) std::exit(2);
  return std::move(*documents);
}

bool has(const std::vector<std::string>& words, std::string_view word) {
  for (const std::string& each : words)
    if (each == word) return true;
  return false;
}

std::string after(const std::vector<std::string>& words, std::string_view prefix) {
  for (const std::string& each : words)
    if (each.starts_with(prefix)) return each.substr(prefix.size());
  return {};
}

bool write_all(kube::Client& client, const std::vector<std::string>& words, bool create) {
  std::vector<kube::Operation> operations;
  for (const data::Value& object : read_objects(words.at(1))) {
    auto resource = client.resource_of(object);
    if (!resource) return print_failure(resource.error());
    if (create) {
      operations.push_back(kube::create_object(*resource, kube::namespace_of(object), object));
      continue;
    }
    kube::ApplyOptions options{.force = has(words, "force"), .dry_run = has(words, "dry-run")};
    if (std::string manager = after(words, "manager="); !manager.empty()) options.field_manager = manager;
    operations.push_back(kube::apply_object(*resource, kube::namespace_of(object), object, options));
  }
  bool good = true;
  for (auto& result : client.run_all(operations)) good = print_result(std::move(result)) && good;
  return good;
}

bool watch(kube::Client& client, const kube::Resource& resource, const std::string& name_space, int milliseconds,
           const std::string& last) {
  kube::WatchSet watches(client);
  watches.add(resource, name_space, {.session = std::chrono::seconds(5)});
  auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  for (;;) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return true;
    auto item = watches.next(left);
    if (!item) return true;
    if (!item->event) return print_failure(item->event.error());
    kube::Event& event = *item->event;
    const char* kind = event.kind == kube::EventKind::present   ? "present"
                       : event.kind == kube::EventKind::deleted ? "deleted"
                                                                : "synced";
    print({{"event", text(kind), {}},
           {"name", text(kube::name_of(event.object)), {}},
           {"uid", text(kube::uid_of(event.object)), {}},
           {"version", text(kube::resource_version_of(event.object)), {}}});
    if (!last.empty() && kube::name_of(event.object) == last) return true;
  }
}

bool run(kube::Client& client, const std::vector<std::string>& words) {
  const std::string& command = words.at(0);
  if (command == "connection") {
    const kube::Connection& connection = client.connection();
    print({{"server", text(connection.server.text()), {}},
           {"context", text(connection.context), {}},
           {"namespace", text(connection.name_space), {}},
           {"token", text(connection.identity.token), {}},
           {"token_file", text(connection.identity.token_file), {}},
           {"user", text(connection.identity.username), {}},
           {"as", text(connection.identity.as), {}},
           {"server_name", text(connection.tls.server_name), {}},
           {"proxy", text(connection.proxy.value_or("")), {}},
           {"insecure", {.variant = connection.tls.insecure, .position = {}}, {}}});
    return true;
  }
  if (command == "version") {
    auto version = client.server_version();
    if (!version) return print_failure(version.error());
    print({{"version", text(version->git_version), {}},
           {"minor", number(static_cast<std::uint64_t>(version->minor)), {}}});
    return true;
  }
  if (command == "apply" || command == "create") return write_all(client, words, command == "create");
  std::size_t at = command == "repeat" ? 2 : 1;
  auto resource = client.resource(kube::parse_group_version(words.at(at)), words.at(at + 1));
  if (!resource) return print_failure(resource.error());
  if (command == "resource") {
    print({{"plural", text(resource->plural), {}},
           {"namespaced", {.variant = resource->namespaced, .position = {}}, {}},
           {"status", {.variant = resource->has_subresource("status"), .position = {}}, {}},
           {"patch", {.variant = resource->can("patch"), .position = {}}, {}}});
    return true;
  }
  const std::string& name_space = words.at(at + 2);
  if (command == "get") return print_result(client.run(kube::get_object(*resource, name_space, words.at(4))));
  if (command == "health") {
    auto object = client.run(kube::get_object(*resource, name_space, words.at(4)));
    if (!object) return print_failure(object.error());
    kube::Health health = kube::health_of(*object);
    print({{"health", text(std::string(kube::name_of(health.status))), {}},
           {"reason", text(health.reason), {}},
           {"message", text(health.message), {}}});
    return true;
  }
  if (command == "list") {
    kube::ListOptions options;
    if (words.size() > 4) options.limit = static_cast<unsigned>(std::stoul(words[4]));
    auto list = client.list(*resource, name_space, options);
    if (!list) return print_failure(list.error());
    for (data::Value& item : list->items) print({{"object", std::move(item), {}}});
    return true;
  }
  if (command == "delete") {
    kube::DeleteOptions options;
    if (has(words, "foreground")) options.propagation = kube::Propagation::foreground;
    options.uid = after(words, "uid=");
    return print_result(client.run(kube::delete_object(*resource, name_space, words.at(4), options)));
  }
  if (command == "watch") return watch(client, *resource, name_space, std::stoi(words.at(4)), after(words, "until="));
  if (command == "repeat") {
    std::vector<kube::Operation> operations(std::stoul(words.at(1)),
                                            kube::get_object(*resource, name_space, words.at(5)));
    std::size_t good = 0;
    for (const auto& result : client.run_all(operations)) good += result.has_value();
    print({{"good", number(good), {}}});
    return good == operations.size();
  }
  std::fprintf(stderr, "no such command: %s\n", command.c_str());
  std::exit(2);
}

}  // namespace

int main(int count, char** arguments) {
  kube::ConnectionRequest request;
  kube::ClientOptions options;
  options.user_agent = "opm-probe";
  std::vector<std::string> words, flags;
  bool untrusted = false;
  for (int i = 1; i < count; ++i) (std::string_view(arguments[i]).starts_with("--") ? flags : words).emplace_back(arguments[i]);
  for (const std::string& flag : flags) {
    std::string value = flag.substr(std::min(flag.find('=') + 1, flag.size()));
    if (flag.starts_with("--kubeconfig=")) request.kubeconfig_flag.push_back(value);
    else if (flag.starts_with("--context=")) request.context = value;
    else if (flag.starts_with("--as=")) request.as = value;
    else if (flag == "--allow-exec") request.allow_exec = true;
    else if (flag == "--untrusted") untrusted = true;
    else if (flag.starts_with("--attempts=")) options.retry.attempts = static_cast<unsigned>(std::stoul(value));
    else if (flag.starts_with("--timeout=")) options.request_timeout = std::chrono::milliseconds(std::stol(value));
    else if (flag.starts_with("--cache=")) options.cache_folder = value;
  }
  if (untrusted) {
    request.kubeconfig_of_platform = request.kubeconfig_flag.at(0);
    request.kubeconfig_flag.clear();
  }
  diag::SourceMap sources;
  auto connection = kube::find_connection(request, std::filesystem::current_path().string(), base::real_environment(),
                                          base::real_file_system(), sources);
  if (!connection) {
    for (const diag::Diagnostic& diagnostic : connection.error()) {
      std::string place;
      if (!diagnostic.positions.empty()) {
        diag::Location at = sources.locate(diagnostic.positions.front());
        place = std::string(at.file) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
      }
      print({{"failure", text("configuration"), {}},
             {"message", text(diagnostic.message), {}},
             {"advice", text(diagnostic.advice), {}},
             {"place", text(place), {}}});
    }
    return 1;
  }
  kube::Client client(std::move(*connection), {base::real_environment(), base::real_file_system(),
                                               base::real_file_writer(), base::real_clock()},
                      options);
  bool good = run(client, words);
  for (std::string& warning : client.take_warnings()) print({{"warning", text(std::move(warning)), {}}});
  print({{"requests", number(client.requests_sent()), {}}});
  return good ? 0 : 1;
}
