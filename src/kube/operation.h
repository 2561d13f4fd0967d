// One question to a Kubernetes server as a value: what to do to which object. A client runs
// it (client.h), alone or many at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/tree.h"
#include "kube/discovery.h"

namespace opm::kube {

struct Operation {
  std::string method = "GET";
  std::string path;  // without the server's own part
  std::vector<std::pair<std::string, std::string>> query;
  std::string content_type;  // of the body
  std::string body;
  std::string accept = "application/json";
  // Asking twice does what asking once does, so that it may be asked again when the answer got lost.
  bool repeatable = true;
  std::string what;  // for messages: `get deployments.apps "shop/web"`
  std::chrono::milliseconds timeout{0};  // 0: that of the client
  // Parts of the body that no message may show, the longest first, and what is shown for them.
  std::vector<std::pair<std::string, std::string>> secrets;
};

// Servers say what is wrong with an object by showing it. What may not be shown becomes `<redacted sha256:…>`.
std::string without_secrets(std::string message, const Operation& operation);

struct WriteOptions {
  bool dry_run = false;  // the server does everything but store it
  std::string field_manager = "opm";
  std::string field_validation;  // "Strict", "Warn" (what servers do by themselves), "Ignore"
};

struct ApplyOptions {
  bool force = false;  // take fields that others own
  bool dry_run = false;
  std::string field_manager = "opm";
  std::string field_validation;
  bool metadata_only = false;  // the answer has no more than that
};

enum class Propagation : std::uint8_t { background, foreground, orphan };

struct DeleteOptions {
  Propagation propagation = Propagation::background;
  std::string uid;               // only that very object; empty: whatever has the name
  std::string resource_version;  // only in that very state
  std::optional<std::int64_t> grace_period_seconds;
  bool dry_run = false;
};

struct ListOptions {
  std::string label_selector;
  std::string field_selector;
  unsigned limit = 500;  // objects an answer; the client asks for the rest
  std::string resource_version;
  bool metadata_only = false;  // only apiVersion, kind and metadata of each
};

// `name_space` is ignored where the kind has none; empty: for lists all, else it is missing and the server will say so.
std::string path_of(const Resource& resource, std::string_view name_space, std::string_view name = {},
                    std::string_view subresource = {});

Operation get_object(const Resource& resource, std::string_view name_space, std::string_view name);
// One page; Client::list asks for all.
Operation list_objects(const Resource& resource, std::string_view name_space, const ListOptions& options,
                       std::string_view continue_token = {});
Operation create_object(const Resource& resource, std::string_view name_space, const data::Value& object,
                        const WriteOptions& options = {});
// Fails with `conflict` when the object's resourceVersion is no longer that of the server.
Operation replace_object(const Resource& resource, std::string_view name_space, const data::Value& object,
                         const WriteOptions& options = {});
Operation apply_object(const Resource& resource, std::string_view name_space, const data::Value& object,
                       const ApplyOptions& options = {});

enum class PatchKind : std::uint8_t { merge, strategic, json };
Operation patch_object(const Resource& resource, std::string_view name_space, std::string_view name, PatchKind kind,
                       const data::Value& patch, const WriteOptions& options = {}, std::string_view subresource = {});
Operation delete_object(const Resource& resource, std::string_view name_space, std::string_view name,
                        const DeleteOptions& options = {});

}  // namespace opm::kube
