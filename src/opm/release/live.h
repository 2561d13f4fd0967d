// The objects of a release as the cluster has them. What is asked grows with the kinds and namespaces, not with the
// objects.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kube/client.h"
#include "opm/release/entry.h"
#include "opm/release/problem.h"

namespace opm::release {

struct LiveObjects {
  std::map<ObjectId, data::Value> objects;
  std::vector<Entry> unknown_kinds;  // entries of kinds that the server does not have
  std::vector<Problem> problems;
};

struct FetchOptions {
  // Of a kind in a namespace those that carry this release's label are asked for first; only where that does not find
  // all, because a catalog sets no such label, all there are.
  std::string release_id;
  bool metadata_only = false;
  bool labelled_only = false;  // without the second question
};

LiveObjects fetch_live(kube::Client& client, const std::vector<Entry>& entries, const FetchOptions& options);

// What the server calls the kind of the entry. A version that it no longer has is as good as the one that it prefers.
kube::Result<kube::Resource> find_resource(kube::Client& client, const Entry& entry);

// The objects that carry the labels, of all kinds that can be deleted: for releases without an inventory. Those that
// belong to another object, and inventories, are left out.
struct Discovered {
  std::vector<Entry> entries;
  std::vector<Problem> problems;
};
Discovered discover_by_labels(kube::Client& client, const std::string& selector);

}  // namespace opm::release
