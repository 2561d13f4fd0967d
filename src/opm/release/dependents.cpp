#include "opm/release/dependents.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>

#include "base/joined.h"
#include "data/build.h"

namespace opm::release {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kLookTime{20};
constexpr std::size_t kMaxNames = 3;
constexpr int kMaxDepth = 8;

struct Kind {
  std::string_view group;
  std::string_view kind;
};

// What comes of a workload, at any remove.
std::vector<Kind> kinds_below(const ObjectId& object) {
  if (object.group == "apps") {
    if (object.kind == "Deployment") return {{"apps", "ReplicaSet"}, {"", "Pod"}};
    if (object.kind == "StatefulSet" || object.kind == "DaemonSet" || object.kind == "ReplicaSet") return {{"", "Pod"}};
  }
  if (object.group == "batch") {
    if (object.kind == "CronJob") return {{"batch", "Job"}, {"", "Pod"}};
    if (object.kind == "Job") return {{"", "Pod"}};
  }
  return {};
}

std::vector<std::string> texts_of(const data::Value* list, std::string_view key) {
  std::vector<std::string> texts;
  if (list == nullptr || !list->is_list()) return texts;
  for (const data::Value& item : list->as_list()) {
    const data::Value* text = key.empty() ? &item : item.find(key);
    if (text != nullptr && text->is_string()) texts.push_back(text->as_string());
  }
  return texts;
}

}  // namespace

bool is_workload(const ObjectId& object) { return !kinds_below(object).empty(); }

void Belongings::present(const data::Value& object) {
  std::vector<std::string> owners = texts_of(object.find_path({"metadata", "ownerReferences"}), "uid");
  if (owners.empty()) return;
  known_[kube::uid_of(object)] = {fmt::format("{} {}", kube::kind_of(object), kube::name_of(object)), std::move(owners),
                                  texts_of(object.find_path({"metadata", "finalizers"}), {}), true};
}

void Belongings::deleted(const data::Value& object) {
  auto found = known_.find(kube::uid_of(object));
  if (found != known_.end()) found->second.is_there = false;
}

const std::string* Belongings::owner_of(const Known& known, int depth) const {
  for (const std::string& uid : known.owners) {
    if (auto owner = owners_.find(uid); owner != owners_.end()) return &owner->first;
    auto between = known_.find(uid);
    if (between == known_.end() || depth >= kMaxDepth) continue;
    if (const std::string* owner = owner_of(between->second, depth + 1)) return owner;
  }
  return nullptr;
}

std::map<std::string, Belongings::Left> Belongings::left() const {
  std::map<std::string, Left> left;
  for (const auto& [uid, known] : known_) {
    if (!known.is_there) continue;
    const std::string* owner = owner_of(known, 0);
    if (owner == nullptr) continue;
    left[*owner].names.push_back(known.name);
    left[*owner].finalizers.insert(known.finalizers.begin(), known.finalizers.end());
  }
  return left;
}

void Dependents::take(const kube::Event& event) {
  if (event.kind == kube::EventKind::present) belongings_.present(event.object);
  if (event.kind == kube::EventKind::deleted) belongings_.deleted(event.object);
}

bool Dependents::look(Clock::time_point deadline) {
  std::set<std::tuple<std::string, std::string, std::string>> places;
  for (const auto& [uid, entry] : belongings_.owners()) {
    for (const Kind& kind : kinds_below(entry.object))
      places.emplace(kind.group, kind.kind, entry.object.namespace_name);
  }
  std::set<std::size_t> coming;
  for (const auto& [group, kind, where] : places) {
    auto resource = client_.resource({group, "v1"}, kind);
    if (!resource) return false;
    coming.insert(watches_.add(*resource, where, {.metadata_only = true}));
  }
  deadline = std::min(deadline, Clock::now() + kLookTime);
  while (!coming.empty()) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return false;
    auto item = watches_.next(left);
    if (!item) continue;
    if (!item->event) return false;
    if (item->event->kind == kube::EventKind::synced) coming.erase(item->watch);
    take(*item->event);
  }
  return true;
}

std::vector<Problem> Dependents::wait_until_gone(Clock::time_point deadline,
                                                 const std::function<void(const Entry&)>& gone) {
  std::vector<Problem> problems;
  std::map<std::string, Entry> waiting = belongings_.owners();
  while (true) {
    auto left = belongings_.left();
    std::erase_if(waiting, [&](const auto& owner) {
      if (left.contains(owner.first)) return false;
      gone(owner.second);
      return true;
    });
    if (waiting.empty()) return problems;
    auto time = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    auto item = time.count() <= 0 ? std::nullopt : watches_.next(std::min(time, std::chrono::milliseconds(60'000)));
    // Everything that has come meanwhile, so that it is looked through once.
    for (; item; item = watches_.next(std::chrono::milliseconds(0))) {
      if (!item->event) {
        problems.push_back(make_problem(item->event.error()));
        return problems;
      }
      take(*item->event);
    }
    if (time.count() > 0) continue;
    for (auto& [uid, entry] : waiting) {
      Belongings::Left& rest = left[uid];
      std::size_t count = rest.names.size();
      rest.names.resize(std::min(count, kMaxNames));
      Problem problem;
      problem.message = fmt::format("{} is gone, but not what belongs to it: {}{}", display_name(entry.object),
                                    base::joined(rest.names, ", "),
                                    count > kMaxNames ? fmt::format(" and {} more", count - kMaxNames) : "");
      if (!rest.finalizers.empty())
        problem.advice = fmt::format("it waits for its finalizers {}", base::joined(rest.finalizers, ", "));
      problems.push_back(std::move(problem));
    }
    return problems;
  }
}

}  // namespace opm::release
