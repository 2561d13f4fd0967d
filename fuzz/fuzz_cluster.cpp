// What comes from outside about clusters: kubeconfigs, what plugins print, and answers of servers. Any bytes are used or
// refused with a reason, and health is judged of whatever is an object.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "data/json.h"
#include "kube/connection.h"
#include "kube/credentials.h"
#include "kube/discovery.h"
#include "kube/health.h"

using namespace opm;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::string input(bytes, bytes + size);
  base::MemoryFileSystem files{{"/home/.kube/config", input}};
  base::MemoryEnvironment environment({{"HOME", "/home"}});
  diag::SourceMap sources;
  auto connection = kube::find_connection({}, "/", environment, files, sources);
  if (!connection && connection.error().empty()) std::abort();

  auto credential = kube::parse_exec_credential(input, "client.authentication.k8s.io/v1");
  if (!credential && credential.error().empty()) std::abort();

  kube::Failure failure = kube::failure_of(http::Answer{500, {}, input}, "get it");
  if (failure.message.empty()) std::abort();

  auto value = data::read_json({"answer", input, {}});
  if (!value) return 0;
  kube::Resources resources;
  kube::add_aggregated(resources, *value);
  kube::add_resource_list(resources, *value);
  for (const std::string& name : kube::group_versions_of(*value))
    if (name.find("..") == 0) std::abort();
  kube::Resources again = kube::resources_from_data(kube::to_data(resources));
  if (again.all().size() != resources.all().size()) std::abort();
  (void)kube::health_of(*value);
  return 0;
}
