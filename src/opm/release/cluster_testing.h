// A Kubernetes server that is small enough for unit tests: it stores objects, counts versions, and fails where a test
// wants it to. What real servers do is tested in tests/cluster; here it is about what we make of it.
#pragma once

#include <fmt/core.h>

#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "base/file_writer.h"
#include "data/build.h"
#include "data/json.h"
#include "kube/client.h"
#include "opm/release/apply.h"
#include "opm/release/inventory.h"

namespace opm::release::testing {

// All of it is behind one mutex: clients ask from many threads.
class Server {
 public:
  std::vector<std::string> writes;  // "PATCH configmaps/one", in their order, without dry runs
  // Statuses for the next questions of that kind, "PATCH configmaps/one" or "DRY configmaps/one".
  std::map<std::string, std::deque<int>> faults;
  std::map<std::string, std::string> owners;            // of a field that we apply, by "configmaps/one"
  std::function<void(const std::string& what)> before;  // is told everything that is asked

  http::Answer answer(const http::Request& request) {
    std::lock_guard lock(mutex_);
    std::string_view target = request.url.target;
    std::size_t mark = target.find('?');
    std::string query = mark == std::string_view::npos ? "" : std::string(target.substr(mark + 1));
    Place place = read_path(target.substr(0, mark));
    if (place.plural.empty()) return discovery(target.substr(0, mark));
    bool is_dry =
        query.find("dryRun=All") != std::string::npos || request.body.find("dryRun") != std::string_view::npos;
    std::string what = (is_dry ? "DRY" : request.method) + " " + place.plural + "/" + place.name;
    if (before) before(what);
    if (auto fault = faults.find(what); fault != faults.end() && !fault->second.empty()) {
      int status = fault->second.front();
      fault->second.pop_front();
      return failure(status, "made up");
    }
    if (request.method != "GET" && !is_dry) writes.push_back(what);
    if (request.method == "GET") return place.name.empty() ? list(place, query) : get(place);
    if (request.method == "DELETE") return remove(place, is_dry);
    data::Value body = *data::read_json({"body", std::string(request.body), {}});
    if (request.method == "PATCH") return apply(place, std::move(body), query, is_dry);
    if (request.method == "POST") place.name = kube::name_of(body);
    bool is_there = objects_.contains(place.key());
    if (request.method == "POST" && is_there) return failure(409, "AlreadyExists");
    if (request.method == "PUT" && !is_there) return failure(404, "NotFound");
    if (request.method == "PUT" &&
        kube::resource_version_of(body) != kube::resource_version_of(objects_.at(place.key())))
      return failure(409, "Conflict");
    store(place, body);
    return {200, {}, data::write_json(objects_.at(place.key()))};
  }

  // Null: there is none.
  const data::Value* find(const std::string& plural, const std::string& name) const {
    for (const auto& [key, object] : objects_) {
      if (key.ends_with("/" + plural + "/" + name)) return &object;
    }
    return nullptr;
  }
  std::vector<std::string> names(const std::string& plural) const {
    std::vector<std::string> names;
    for (const auto& [key, object] : objects_) {
      if (key.find("/" + plural + "/") != std::string::npos) names.push_back(kube::name_of(object));
    }
    return names;
  }
  void put(const std::string& plural, data::Value object, const std::string& where = "shop") {
    store({plural == "deployments" ? "apps/v1" : "v1", plural == "namespaces" ? "" : where, plural,
           kube::name_of(object)},
          object);
  }
  void remove(const std::string& plural, const std::string& name) {
    std::erase_if(objects_, [&](const auto& entry) { return entry.first.ends_with("/" + plural + "/" + name); });
  }
  // As a controller does: another version of the object, whose spec is what it was.
  void touch_status(const std::string& plural, const std::string& name) {
    for (auto& [key, object] : objects_) {
      if (!key.ends_with("/" + plural + "/" + name)) continue;
      ++version_;
      data::set(object, "status", data::map({{"seen", data::integer(version_)}}));
      set_metadata(object, "resourceVersion", data::text(std::to_string(version_)));
    }
  }

 private:
  struct Place {
    std::string group_version, where, plural, name;
    std::string key() const { return group_version + "/" + where + "/" + plural + "/" + name; }
  };

  static std::map<std::string, std::string> kinds() {
    return {
        {"namespaces", "Namespace"},   {"configmaps", "ConfigMap"},   {"secrets", "Secret"}, {"services", "Service"},
        {"deployments", "Deployment"}, {"replicasets", "ReplicaSet"}, {"pods", "Pod"}};
  }

  static Place read_path(std::string_view path) {
    std::vector<std::string> parts;
    while (!path.empty()) {
      path.remove_prefix(1);
      std::size_t end = std::min(path.find('/'), path.size());
      parts.emplace_back(path.substr(0, end));
      path.remove_prefix(end);
    }
    std::size_t at = parts[0] == "api" ? 2 : 3;
    if (parts.size() <= at) return {};
    Place place;
    place.group_version = at == 2 ? parts[1] : parts[1] + "/" + parts[2];
    if (parts[at] == "namespaces" && parts.size() > at + 2) {
      place.where = parts[at + 1];
      at += 2;
    }
    place.plural = parts[at];
    if (parts.size() > at + 1) place.name = parts[at + 1];
    return place;
  }

  static http::Answer discovery(std::string_view path) {
    auto item = [](const std::string& plural, const std::string& kind) {
      return fmt::format(
          R"({{"resource":"{}","responseKind":{{"kind":"{}"}},"scope":"{}","verbs":["get","list","watch","patch","delete"]}})",
          plural, kind, kind == "Namespace" ? "Cluster" : "Namespaced");
    };
    std::string core, apps;
    for (const auto& [plural, kind] : kinds()) {
      std::string& group = plural == "deployments" || plural == "replicasets" ? apps : core;
      group += (group.empty() ? "" : ",") + item(plural, kind);
    }
    bool is_core = path == "/api";
    return {200,
            {},
            fmt::format(R"({{"kind":"APIGroupDiscoveryList","items":[{{"metadata":{{"name":"{}"}},"versions":[
      {{"version":"v1","resources":[{}]}}]}}]}})",
                        is_core ? "" : "apps", is_core ? core : apps)};
  }

  static http::Answer failure(int status, const std::string& reason, const std::string& manager = {}) {
    std::string details =
        manager.empty()
            ? "{}"
            : fmt::format(
                  R"({{"causes":[{{"reason":"FieldManagerConflict","message":"conflict with \"{}\"","field":".data.a"}}]}})",
                  manager);
    return {
        status,
        {},
        fmt::format(
            R"({{"kind":"Status","apiVersion":"v1","status":"Failure","code":{},"reason":"{}","message":"{}","details":{}}})",
            status, reason, reason, details)};
  }

  static void set_metadata(data::Value& object, std::string_view key, data::Value value) {
    for (data::Member& member : object.as_map()) {
      if (member.key == "metadata") data::set(member.value, key, std::move(value));
    }
  }

  void store(const Place& place, data::Value object) {
    ++version_;
    auto known = objects_.find(place.key());
    set_metadata(object, "uid",
                 data::text(known == objects_.end() ? fmt::format("uid-{}", version_) : kube::uid_of(known->second)));
    if (!place.where.empty()) set_metadata(object, "namespace", data::text(place.where));
    set_metadata(object, "resourceVersion", data::text(std::to_string(version_)));
    data::set(object, "kind", data::text(kinds()[place.plural]));
    if (place.plural == "namespaces") data::set(object, "status", data::map({{"phase", data::text("Active")}}));
    objects_[place.key()] = std::move(object);
  }

  http::Answer get(const Place& place) const {
    auto found = objects_.find(place.key());
    if (found == objects_.end()) return failure(404, "NotFound");
    return {200, {}, data::write_json(found->second)};
  }

  http::Answer list(const Place& place, const std::string& query) const {
    if (query.find("watch=true") != std::string::npos) return {200, {}, ""};
    std::string selector;
    if (std::size_t at = query.find("labelSelector="); at != std::string::npos)
      selector = query.substr(at + 14, query.find('&', at) - at - 14);
    data::List items;
    for (const auto& [key, object] : objects_) {
      if (key.find("/" + place.plural + "/") == std::string::npos) continue;
      if (!place.where.empty() && kube::namespace_of(object) != place.where) continue;
      bool is_chosen = true;
      const data::Value* labels = object.find_path({"metadata", "labels"});
      for (std::size_t at = 0; at < selector.size();) {
        std::size_t end = std::min(selector.find("%2C", at), selector.size());
        std::string part = selector.substr(at, end - at);
        std::size_t equals = part.find("%3D");
        std::string name = part.substr(0, equals);
        for (std::size_t slash; (slash = name.find("%2F")) != std::string::npos;) name.replace(slash, 3, "/");
        const data::Value* value = labels == nullptr ? nullptr : labels->find(name);
        is_chosen = is_chosen && value != nullptr && value->as_string() == part.substr(equals + 3);
        at = end + 3;
      }
      if (is_chosen) items.push_back(object);
    }
    return {200,
            {},
            data::write_json(
                data::map({{"kind", data::text("List")},
                           {"metadata", data::map({{"resourceVersion", data::text(std::to_string(version_))}})},
                           {"items", data::list(std::move(items))}}))};
  }

  http::Answer apply(const Place& place, data::Value body, const std::string& query, bool is_dry) {
    auto owner = owners.find(place.plural + "/" + place.name);
    if (owner != owners.end() && query.find("force=true") == std::string::npos)
      return failure(409, "Conflict", owner->second);
    std::string fields = data::write_json(body, {.sort_keys = true});
    data::set(body, "kind", data::text(kinds()[place.plural]));
    if (!place.where.empty()) set_metadata(body, "namespace", data::text(place.where));
    set_metadata(body, "managedFields",
                 data::list({data::map({{"manager", data::text("opm")},
                                        {"operation", data::text("Apply")},
                                        {"fieldsV1", data::map({{fields, data::map()}})}})}));
    auto known = objects_.find(place.key());
    if (known != objects_.end() && owner == owners.end() &&
        applied_fields(known->second, "opm") == applied_fields(body, "opm"))
      return {200, {}, data::write_json(known->second)};
    if (!is_dry) {
      owners.erase(place.plural + "/" + place.name);
      store(place, std::move(body));
      return {200, {}, data::write_json(objects_.at(place.key()))};
    }
    if (known != objects_.end())
      set_metadata(body, "resourceVersion", data::text(kube::resource_version_of(known->second)));
    return {200, {}, data::write_json(body)};
  }

  http::Answer remove(const Place& place, bool is_dry) {
    if (!objects_.contains(place.key())) return failure(404, "NotFound");
    if (!is_dry) objects_.erase(place.key());
    return {200, {}, R"({"kind":"Status","apiVersion":"v1","status":"Success"})"};
  }

  std::mutex mutex_;
  std::map<std::string, data::Value> objects_;
  std::int64_t version_ = 0;
};

class Transport : public http::Client {
 public:
  explicit Transport(Server& server) : server_(server) {}
  std::expected<http::Answer, http::Failure> send(const http::Request& request) override {
    return server_.answer(request);
  }

 private:
  Server& server_;
};

// A server with the namespace "shop", and a client of it.
class ClusterFixture {
 public:
  ClusterFixture() {
    server.put("namespaces", data::map({{"metadata", data::map({{"name", data::text("shop")}})}}));
    kube::Connection connection;
    connection.server = *http::parse_url("https://small.example");
    connection.server.target = "";
    client = std::make_unique<kube::Client>(
        connection, kube::ClientServices{environment_, files_, writer_, clock_,
                                         [this](http::ClientOptions) { return std::make_unique<Transport>(server); }});
  }

  static render::Resource resource(const std::string& kind, const std::string& name, const std::string& value = "1") {
    render::Resource made;
    made.kind = kind;
    made.api_version = kind == "Deployment" ? "apps/v1" : "v1";
    made.name = name;
    made.component = "main";
    made.object = data::map(
        {{"apiVersion", data::text(made.api_version)},
         {"kind", data::text(kind)},
         {"metadata",
          data::map({{"name", data::text(name)},
                     {"labels", data::map({{std::string(kReleaseIdLabel), data::text("id-1")},
                                           {std::string(kManagedByLabel), data::text(std::string(kManagedByOpm))}})}})},
         {"data", data::map({{"a", data::text(value)}})}});
    return made;
  }

  static DesiredRelease release(std::vector<render::Resource> resources) {
    return {"live", "shop", "id-1", {"example.com/thing@v0", "1.0.0", "thing"}, "note: 1", std::move(resources)};
  }

  // Declared first: the client speaks to it until the end.
  Server server;
  std::unique_ptr<kube::Client> client;

 private:
  base::MemoryEnvironment environment_;
  base::MemoryFileSystem files_;
  base::MemoryFileWriter writer_{files_};
  base::ManualClock clock_{base::Clock::Time(std::chrono::seconds(1'000'000))};
};

}  // namespace opm::release::testing
