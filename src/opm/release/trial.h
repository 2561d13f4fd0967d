// Rendered resources as the cluster takes them: of which kind and scope they are there, and what it says when it is
// asked to apply them without storing anything.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kube/client.h"
#include "opm/release/entry.h"
#include "opm/release/problem.h"

namespace opm::release {

struct PlacedObject {
  render::Resource resource;
  Entry entry;                         // with the namespace that the server will put it in
  std::optional<kube::Resource> kind;  // nothing: a definition among the resources brings it
};

struct Placement {
  std::vector<PlacedObject> objects;
  std::vector<Problem> problems;
};

// Objects that have a namespace and do not say which are in that of the release.
Placement place_objects(kube::Client& client, std::vector<render::Resource> resources,
                        const std::string& namespace_name);

// What the server made of one object.
struct Trial {
  bool deferred = false;  // it can only be tried when the kind or the namespace that it needs is there
  bool exists = false;
  bool terminating = false;
  bool force = false;  // others own fields that are to be taken
  std::string resource_version;
};

struct TrialOptions {
  std::set<std::string> coming_namespaces;  // that are not there yet
  bool force_conflicts = true;
  // Objects with the label of this release are had all at once; empty: there are none.
  std::string release_id;
  // What new objects would be is of no interest: of those only metadata need come.
  bool only_changes = false;
  // With the object as it is (null: it is not there) and as it would be, one at a time, in any order. Nobody has
  // changed it between these two, unless somebody changes it all the time.
  std::function<void(std::size_t index, const data::Value* before, const data::Value& after)> result;
};

struct TrialResult {
  std::vector<Trial> trials;  // by object
  std::vector<std::string> warnings;
  std::vector<Problem> problems;
};

TrialResult try_objects(kube::Client& client, const std::vector<PlacedObject>& objects, const TrialOptions& options);

// "…: fields are taken over from …", one for each owner.
std::vector<std::string> conflict_warnings(const ObjectId& object, const kube::Failure& failure);
Problem conflict_problem(const ObjectId& object, const kube::Failure& failure);

// Runs many operations without holding all of their questions and answers at once.
void run_in_batches(kube::Client& client, std::size_t count,
                    const std::function<kube::Operation(std::size_t)>& operation,
                    const std::function<void(std::size_t, kube::Result<data::Value>&)>& take);

}  // namespace opm::release
