// Takes a release out of the cluster: all objects that its inventory names or, where there is none, that carry its
// labels. The inventory stays until they are gone, so that a delete that was killed can be run again.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "kube/client.h"
#include "opm/release/inventory_store.h"
#include "opm/release/removal.h"

namespace opm::release {

struct DeleteOptions {
  bool dry_run = false;
  bool keep_namespace = true;
  bool force = false;  // objects of kinds that the server does not have count as gone
  bool wait = true;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::function<void(const RemovedObject&)> report;
};

struct DeleteResult {
  bool by_labels = false;  // there was no inventory
  std::vector<RemovedObject> objects;
  std::vector<Entry> kept;  // namespaces
  std::vector<Problem> problems;
};

DeleteResult delete_release(kube::Client& client, const ReleaseKey& release, const DeleteOptions& options);

// What a release without an inventory is found by.
std::string release_selector(const ReleaseKey& release);

}  // namespace opm::release
