#include "opm/release/platform_answers.h"

#include <fmt/core.h>

#include <algorithm>
#include <expected>
#include <map>

#include "base/joined.h"
#include "data/build.h"
#include "data/json.h"
#include "opm/model/object_path.h"

namespace opm::release {

namespace {

constexpr std::size_t kLargestAnswer = 64u << 10;  // of one field, as JSON
constexpr std::size_t kShownNames = 5;

using model::PlatformQuery;

struct Found {
  std::string name;  // of the object
  data::Value value;
};

std::string name_of(const data::Value& object) {
  std::string where = kube::namespace_of(object);
  return where.empty() ? kube::name_of(object) : where + "/" + kube::name_of(object);
}

std::string names_of(const std::vector<Found>& found) {
  std::vector<std::string> names;
  for (const Found& one : found) names.push_back(one.name);
  std::ranges::sort(names);
  std::size_t left = names.size() > kShownNames ? names.size() - kShownNames : 0;
  names.resize(names.size() - left);
  return fmt::format("{}{}", base::joined(names, ", "), left == 0 ? "" : fmt::format(" and {} more", left));
}

bool is_absent(const kube::Failure& failure) {
  return failure.kind == kube::FailureKind::not_found || failure.kind == kube::FailureKind::unknown_kind;
}

class Asking {
 public:
  Asking(kube::Client& client, const model::Platform& platform) : client_(client), platform_(platform) {}

  AnsweredPlatform take() {
    result_.answers.context = data::Value{data::Map{}};
    result_.answers.queried = data::Value{data::Map{}};
    for (const PlatformQuery& query : platform_.queries) {
      answer(query);
      data::set(result_.answers.queried, query.field, data::text(query_text(platform_, query.field)));
    }
    return std::move(result_);
  }

 private:
  void fail(const PlatformQuery& query, render::ProblemKind kind, std::string message, std::string advice = {}) {
    result_.problems.push_back({kind, fmt::format("platform \"{}\": {}: {}", platform_.name, query.field, message), std::move(advice)});
  }

  // Several queries ask for one kind: it is asked for once.
  kube::Result<const std::vector<data::Value>*> objects(const PlatformQuery& query) {
    std::string key = fmt::format("{}:{}:{}:{}", query.api_version, query.kind, query.namespace_name, query.name);
    if (auto known = known_.find(key); known != known_.end()) return &known->second;
    auto resource = client_.resource(kube::parse_group_version(query.api_version), query.kind);
    if (!resource) return std::unexpected(resource.error());
    // By name as a list too: it may be in any namespace, and of a Secret only the metadata is to come.
    kube::ListOptions options;
    if (!query.name.empty()) options.field_selector = "metadata.name=" + query.name;
    options.metadata_only = query.kind == "Secret";
    auto list = client_.list(*resource, resource->namespaced ? query.namespace_name : std::string(), options);
    if (!list) return std::unexpected(list.error());
    return &(known_[key] = std::move(list->items));
  }

  void answer(const PlatformQuery& query) {
    auto listed = objects(query);
    std::vector<Found> matching, found;
    if (listed) {
      for (const data::Value& object : **listed) {
        if (!model::matches(query, object)) continue;
        const data::Value* part = query.value.is_null() ? model::part_of(object, query.extract) : &query.value;
        matching.push_back({name_of(object), {}});
        if (part != nullptr && !part->is_null()) found.push_back({name_of(object), *part});
      }
    } else if (!is_absent(listed.error()) || !query.optional) {
      Problem problem = make_problem(listed.error());
      return fail(query, problem.kind, std::move(problem.message), std::move(problem.advice));
    }
    if (found.empty()) {
      if (query.optional) return;
      if (!matching.empty())
        return fail(query, render::ProblemKind::not_found, fmt::format("{} {} does not have what is to be extracted", query.kind, names_of(matching)));
      return fail(query, render::ProblemKind::not_found, fmt::format("the cluster has nothing for {}", query.text),
                  "optional: true lets the field stay unset");
    }
    if (query.all) return add_all(query, std::move(found));
    bool is_one = std::ranges::all_of(found, [&](const Found& one) { return data::equal(one.value, found.front().value); });
    if (!is_one)
      return fail(query, render::ProblemKind::invalid, fmt::format("{} objects have something to say: {}", found.size(), names_of(found)),
                  "filter leaves only one, all: true takes all");
    set(query, std::move(found.front().value));
  }

  void add_all(const PlatformQuery& query, std::vector<Found> found) {
    std::vector<std::string> order;
    std::map<std::string, data::Value> distinct;  // by what they look like, so that the order is always the same
    if (const data::Value* known = at(query); known != nullptr && known->is_list()) {
      for (const data::Value& value : known->as_list()) distinct[data::write_json(value)] = value;
    }
    for (Found& one : found) distinct[data::write_json(one.value)] = std::move(one.value);
    data::List items;
    for (auto& [text, value] : distinct) items.push_back(std::move(value));
    put(query, data::list(std::move(items)));
  }

  void set(const PlatformQuery& query, data::Value value) {
    if (const data::Value* known = at(query); known != nullptr && !data::equal(*known, value))
      return fail(query, render::ProblemKind::invalid, "two queries for it have different answers", "all: true makes a list of both");
    put(query, std::move(value));
  }

  const data::Value* at(const PlatformQuery& query) const {
    const data::Value* place = &result_.answers.context;
    for (const std::string& key : place_of(query)) {
      place = place->find(key);
      if (place == nullptr) return nullptr;
    }
    return place;
  }

  void put(const PlatformQuery& query, data::Value value) {
    if (data::write_json(value).size() > kLargestAnswer)
      return fail(query, render::ProblemKind::invalid, fmt::format("the answer is larger than {} bytes", kLargestAnswer));
    std::vector<std::string> place = place_of(query);
    put(result_.answers.context, place, std::move(value));
  }

  static void put(data::Value& map, std::span<const std::string> place, data::Value value) {
    if (place.size() == 1) return data::set(map, place.front(), std::move(value));
    const data::Value* below = map.find(place.front());
    data::Value inner = below == nullptr ? data::map() : *below;
    put(inner, place.subspan(1), std::move(value));
    data::set(map, place.front(), std::move(inner));
  }

  // Below the context.
  static std::vector<std::string> place_of(const PlatformQuery& query) {
    std::vector<std::string> place = model::parse_object_path(query.field).value_or(std::vector<std::string>{"context", query.field});
    place.erase(place.begin());
    return place;
  }

  kube::Client& client_;
  const model::Platform& platform_;
  AnsweredPlatform result_;
  std::map<std::string, std::vector<data::Value>> known_;
};

}  // namespace

AnsweredPlatform ask_platform(kube::Client& client, const model::Platform& platform) { return Asking(client, platform).take(); }

}  // namespace opm::release
