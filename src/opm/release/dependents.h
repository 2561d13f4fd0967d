// What belongs to workloads that are taken out of a cluster: their ReplicaSets, Jobs and Pods, which the server's
// garbage collector removes after them. It is looked at from before the workloads go, so that nothing that they made
// is missed.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "kube/client.h"
#include "kube/watch.h"
#include "opm/release/entry.h"
#include "opm/release/problem.h"

namespace opm::release {

// Whether other objects belong to objects of that kind as a matter of course.
bool is_workload(const ObjectId& object);

// Who belongs to whom, from what is told about objects one by one and in any order.
class Belongings {
 public:
  void add_owner(std::string uid, Entry entry) { owners_.emplace(std::move(uid), std::move(entry)); }
  void present(const data::Value& object);
  void deleted(const data::Value& object);

  struct Left {
    std::vector<std::string> names;  // "Pod web-5f6c8d-x2x9k"
    std::set<std::string> finalizers;
  };
  // Of the owners those that something is left of, by uid.
  std::map<std::string, Left> left() const;
  const std::map<std::string, Entry>& owners() const { return owners_; }

 private:
  struct Known {
    std::string name;
    std::vector<std::string> owners;  // their uids
    std::vector<std::string> finalizers;
    bool is_there = true;
  };
  const std::string* owner_of(const Known& known, int depth) const;

  std::map<std::string, Entry> owners_;
  std::map<std::string, Known> known_;  // by uid; what has gone still says whose its own were
};

class Dependents {
 public:
  explicit Dependents(kube::Client& client) : watches_(client), client_(client) {}

  void add(const Entry& owner, std::string uid) { belongings_.add_owner(std::move(uid), owner); }
  // Looks at what there is. False: that is not allowed, or takes too long.
  bool look(std::chrono::steady_clock::time_point deadline);
  // When the owners have been deleted: waits until what belongs to them is gone, too. `gone` is called with each owner
  // that nothing is left of.
  std::vector<Problem> wait_until_gone(std::chrono::steady_clock::time_point deadline,
                                       const std::function<void(const Entry&)>& gone);

 private:
  void take(const kube::Event& event);

  kube::WatchSet watches_;
  kube::Client& client_;
  Belongings belongings_;
};

}  // namespace opm::release
