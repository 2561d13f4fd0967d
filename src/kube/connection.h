// Where a cluster is and how to get in: from kubeconfig files merged as kubectl merges them,
// or from what a pod finds around it. Nothing here asks a server anything.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/environment.h"
#include "base/file_system.h"
#include "diag/diagnostic.h"
#include "diag/source.h"
#include "http/client.h"
#include "kube/failure.h"

namespace opm::kube {

// A program that says who we are (client.authentication.k8s.io).
struct ExecPlugin {
  enum class Interaction : std::uint8_t { never, if_available, always };

  std::string api_version;
  std::string command;
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> environment;
  std::string install_hint;
  bool provide_cluster_info = false;
  Interaction interaction = Interaction::if_available;
  std::string cluster_config;      // JSON, for provide_cluster_info
  std::string folder;              // of the kubeconfig: what relative commands are relative to
};

// How we show who we are. Several may be set; a certificate of ours is in Connection::tls.
struct Identity {
  std::string token;
  std::string token_file;  // read again now and then, as its content is renewed
  std::string username, password;
  std::optional<ExecPlugin> exec;
  // Whom to act as.
  std::string as;
  std::string as_uid;
  std::vector<std::string> as_groups;
  std::vector<std::pair<std::string, std::string>> as_extra;
};

struct Connection {
  http::Url server;  // its target has no '/' at the end
  http::Tls tls;
  std::optional<std::string> proxy;
  Identity identity;
  std::string name_space;  // of the context; empty: it does not say
  std::string context;     // its name; empty: in a cluster
  std::string origin;      // for messages: the files that it comes from
};

// What flags, environment and configuration say about the cluster to use.
struct ConnectionRequest {
  std::vector<std::string> kubeconfig_flag;  // --kubeconfig; a list is allowed, as in $KUBECONFIG
  std::string kubeconfig_of_platform;        // of a file of the repository: less trusted than the user's own
  std::string kubeconfig_of_configuration;   // kubernetes.kubeconfig
  std::string context;                       // --context, or that of the platform; empty: the current one
  std::string as;                            // --as
  std::vector<std::string> as_groups;        // --as-group
  std::string as_uid;                        // --as-uid
  bool allow_exec = false;                   // --allow-exec: run plugins that the platform's file names
};

// The first of these that says something: --kubeconfig, the platform's, $OPM_KUBECONFIG, $KUBECONFIG, the
// configuration's, ~/.kube/config, and what a pod finds. `directory`: what relative paths of flags are relative to.
// Mistakes in files have positions; the sources are added to `sources`.
std::expected<Connection, std::vector<diag::Diagnostic>> find_connection(const ConnectionRequest& request,
                                                                         const std::string& directory,
                                                                         const base::Environment& environment,
                                                                         const base::FileSystem& files,
                                                                         diag::SourceMap& sources);

}  // namespace opm::kube
