// Takes objects out of the cluster, what depends on others first, and waits until they are gone. Objects that meanwhile
// belong to another release are left alone.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kube/client.h"
#include "opm/release/entry.h"
#include "opm/release/problem.h"

namespace opm::release {

enum class RemovalOutcome : std::uint8_t {
  removed,
  absent,     // it was not there
  requested,  // it will go, but nobody waited
  foreign,    // another release has it now
  failed,     // see the problems
  held,       // it is still there; see the problems
  not_tried,  // because something that has to go before it is still there
};

struct RemovedObject {
  Entry entry;
  RemovalOutcome outcome = RemovalOutcome::not_tried;
};

struct RemovalOptions {
  std::string release_id;  // empty: whose it is does not matter
  bool dry_run = false;
  bool wait = true;
  bool force = false;  // objects of kinds that the server does not have count as gone
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::function<void(const RemovedObject&)> report;  // called as it goes
};

struct RemovalResult {
  std::vector<RemovedObject> objects;  // in the order in which they were to go
  std::vector<Problem> problems;
};

RemovalResult remove_objects(kube::Client& client, const std::vector<Entry>& entries, const RemovalOptions& options);

// Waits until the objects with these uids are gone; those that are not when the time is up come back as problems that
// name what holds them.
struct Leaving {
  Entry entry;
  kube::Resource resource;
  std::string uid;
};
std::vector<Problem> wait_until_gone(kube::Client& client, const std::vector<Leaving>& objects,
                                     std::chrono::steady_clock::time_point deadline,
                                     const std::function<void(const Entry&)>& gone = {});

}  // namespace opm::release
