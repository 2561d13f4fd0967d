#include "kube/connection.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/path.h"
#include "data/base64.h"
#include "data/json.h"
#include "kube/kubeconfig.h"

namespace opm::kube {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{16} << 20;
constexpr std::string_view kAccountFolder = "/var/run/secrets/kubernetes.io/serviceaccount";

diag::Diagnostic problem(std::string message, diag::Position position = {}, std::string advice = {}) {
  diag::Diagnostic diagnostic;
  diagnostic.code = "kubeconfig";
  diagnostic.message = std::move(message);
  if (position.valid()) diagnostic.positions = {position};
  diagnostic.advice = std::move(advice);
  return diagnostic;
}

// Reads the fields of an entry, and remembers the first thing that is wrong with one.
class Fields {
 public:
  Fields(const ConfigEntry& entry, std::string of, const base::FileSystem& files)
      : entry_(entry), of_(std::move(of)), files_(files) {}

  const data::Value* value(std::string_view key) const {
    const data::Value* found = entry_.value.find(key);
    return found != nullptr && found->is_null() ? nullptr : found;
  }
  diag::Position position(std::string_view key) const {
    const data::Value* found = value(key);
    return found != nullptr ? found->position : entry_.position;
  }

  std::string text(std::string_view key) {
    const data::Value* found = value(key);
    if (found == nullptr) return {};
    if (found->is_string()) return found->as_string();
    wrong(found->position, fmt::format("\"{}\" of {} is not a string", key, of_));
    return {};
  }

  bool flag(std::string_view key) {
    const data::Value* found = value(key);
    if (found == nullptr) return false;
    if (found->is_bool()) return found->as_bool();
    wrong(found->position, fmt::format("\"{}\" of {} is neither true nor false", key, of_));
    return false;
  }

  std::vector<std::string> texts(std::string_view key) {
    std::vector<std::string> result;
    const data::Value* found = value(key);
    if (found == nullptr) return result;
    if (!found->is_list()) {
      wrong(found->position, fmt::format("\"{}\" of {} is not a list", key, of_));
      return result;
    }
    for (const data::Value& element : found->as_list()) {
      if (element.is_string()) result.push_back(element.as_string());
      else wrong(element.position, fmt::format("\"{}\" of {} holds something that is not a string", key, of_));
    }
    return result;
  }

  std::string path(std::string_view key) {
    std::string found = text(key);
    if (found.empty() || base::is_absolute_path(found)) return found;
    return base::join_path(entry_.folder, found);
  }

  // What `key`-data holds, or the file that `key` names.
  std::string pem(std::string_view key) {
    std::string data_key = std::string(key) + "-data";
    std::string content;
    diag::Position place;
    if (std::string encoded = text(data_key); !encoded.empty()) {
      place = position(data_key);
      auto decoded = data::decode_base64(encoded);
      if (!decoded) {
        wrong(place, fmt::format("\"{}\" of {} is not base64", data_key, of_));
        return {};
      }
      content = std::move(*decoded);
    } else if (std::string file = path(key); !file.empty()) {
      place = position(key);
      auto read = files_.read_file(file, kMaxFileBytes);
      if (!read) {
        wrong(place, fmt::format("cannot read \"{}\" of {}, the file {}: {}", key, of_, file, read.error().message));
        return {};
      }
      content = std::move(*read);
    } else {
      return {};
    }
    if (content.find("-----BEGIN ") == std::string::npos) {
      wrong(place, fmt::format("\"{}\" of {} holds nothing in PEM form (-----BEGIN …)", key, of_));
      return {};
    }
    return content;
  }

  void wrong(diag::Position position, std::string message, std::string advice = {}) {
    if (!problem_) problem_ = problem(std::move(message), position, std::move(advice));
  }
  const std::optional<diag::Diagnostic>& problem_found() const { return problem_; }
  const std::string& folder() const { return entry_.folder; }

 private:
  const ConfigEntry& entry_;
  std::string of_;
  const base::FileSystem& files_;
  std::optional<diag::Diagnostic> problem_;
};

std::string listed(const std::map<std::string, ConfigEntry>& entries) {
  std::string names;
  std::size_t count = 0;
  for (const auto& [name, entry] : entries) {
    if (++count > 20) return names + ", …";
    if (!names.empty()) names += ", ";
    names += "\"" + name + "\"";
  }
  return names;
}

std::optional<diag::Diagnostic> read_cluster(Fields& fields, Connection& connection) {
  std::string server = fields.text("server");
  connection.tls.authorities = fields.pem("certificate-authority");
  connection.tls.server_name = fields.text("tls-server-name");
  connection.tls.insecure = fields.flag("insecure-skip-tls-verify");
  if (std::string proxy = fields.text("proxy-url"); !proxy.empty()) {
    bool known = proxy.starts_with("http://") || proxy.starts_with("https://") || proxy.starts_with("socks5://");
    if (!known)
      fields.wrong(fields.position("proxy-url"), "\"proxy-url\" begins with none of http://, https:// and socks5://");
    connection.proxy = std::move(proxy);
  }
  if (connection.tls.insecure && !connection.tls.authorities.empty())
    fields.wrong(fields.position("insecure-skip-tls-verify"),
                 "\"insecure-skip-tls-verify\" and \"certificate-authority\" contradict each other",
                 "remove one of them");
  auto is_name_character = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
           c == '_' || c == ':';
  };
  if (!std::ranges::all_of(connection.tls.server_name, is_name_character))
    fields.wrong(fields.position("tls-server-name"), "\"tls-server-name\" is no name of a server");
  if (fields.problem_found()) return fields.problem_found();
  if (server.empty()) return problem("the cluster has no \"server\"", fields.position("server"));
  if (server.find("://") == std::string::npos) {
    bool secure = !connection.tls.authorities.empty() || connection.tls.insecure || !connection.tls.server_name.empty();
    server = (secure ? "https://" : "http://") + server;
  }
  auto url = http::parse_url(server);
  if (!url || url->target.find_first_of("?#") != std::string::npos)
    return problem("\"server\" is no address such as https://host:6443", fields.position("server"));
  while (url->target.ends_with('/')) url->target.pop_back();
  connection.server = std::move(*url);
  return std::nullopt;
}

std::optional<diag::Diagnostic> read_exec(const data::Value& value, const ConfigEntry& user, const std::string& of,
                                          const base::FileSystem& files, ExecPlugin& plugin) {
  ConfigEntry entry{value, user.folder, value.position};
  Fields fields(entry, "\"exec\" of " + of, files);
  plugin.folder = user.folder;
  plugin.command = fields.text("command");
  plugin.arguments = fields.texts("args");
  plugin.api_version = fields.text("apiVersion");
  plugin.install_hint = fields.text("installHint");
  plugin.provide_cluster_info = fields.flag("provideClusterInfo");
  std::string mode = fields.text("interactiveMode");
  if (mode == "Never") plugin.interaction = ExecPlugin::Interaction::never;
  else if (mode == "Always") plugin.interaction = ExecPlugin::Interaction::always;
  else if (mode.empty() || mode == "IfAvailable") plugin.interaction = ExecPlugin::Interaction::if_available;
  else fields.wrong(fields.position("interactiveMode"), "\"interactiveMode\" is none of Never, IfAvailable and Always");
  if (const data::Value* variables = fields.value("env")) {
    if (!variables->is_list()) fields.wrong(variables->position, "\"env\" is not a list");
    else
      for (const data::Value& variable : variables->as_list()) {
        const data::Value* name = variable.find("name");
        const data::Value* content = variable.find("value");
        bool good = name != nullptr && name->is_string() && !name->as_string().empty() &&
                    name->as_string().find_first_of(std::string_view("=\0", 2)) == std::string::npos &&
                    (content == nullptr || content->is_string());
        if (!good) fields.wrong(variable.position, "an entry of \"env\" is no name and value");
        else plugin.environment.emplace_back(name->as_string(), content != nullptr ? content->as_string() : "");
      }
  }
  if (plugin.command.empty()) fields.wrong(value.position, "\"exec\" has no \"command\"");
  if (plugin.api_version != "client.authentication.k8s.io/v1" &&
      plugin.api_version != "client.authentication.k8s.io/v1beta1")
    fields.wrong(fields.position("apiVersion"),
                 "\"apiVersion\" of \"exec\" is neither client.authentication.k8s.io/v1 nor v1beta1",
                 "renew the kubeconfig with the tool that wrote it");
  return fields.problem_found();
}

std::optional<diag::Diagnostic> read_user(Fields& fields, const ConfigEntry& entry, const std::string& of,
                                          const base::FileSystem& files, Connection& connection) {
  Identity& identity = connection.identity;
  connection.tls.certificate = fields.pem("client-certificate");
  connection.tls.key = fields.pem("client-key");
  identity.token = fields.text("token");
  identity.token_file = fields.path("tokenFile");
  identity.username = fields.text("username");
  identity.password = fields.text("password");
  identity.as = fields.text("as");
  identity.as_uid = fields.text("as-uid");
  identity.as_groups = fields.texts("as-groups");
  if (const data::Value* extra = fields.value("as-user-extra"); extra != nullptr && extra->is_map())
    for (const data::Member& member : extra->as_map())
      if (member.value.is_list())
        for (const data::Value& value : member.value.as_list())
          if (value.is_string()) identity.as_extra.emplace_back(member.key, value.as_string());
  // Keys may stand in one file with their certificate.
  if (connection.tls.certificate.empty() != connection.tls.key.empty())
    fields.wrong(entry.position, fmt::format("{} has a client-certificate without a client-key, or the other way", of));
  if (!identity.username.empty() && (!identity.token.empty() || !identity.token_file.empty()))
    fields.wrong(entry.position, fmt::format("{} has a user name and a token, and only one can be sent", of));
  if (const data::Value* legacy = fields.value("auth-provider"); legacy != nullptr)
    fields.wrong(legacy->position, "\"auth-provider\" is gone from Kubernetes since 1.26",
                 "renew the kubeconfig with the tool that wrote it; it should have \"exec\" now");
  if (const data::Value* exec = fields.value("exec")) {
    if (!exec->is_map()) {
      fields.wrong(exec->position, "\"exec\" is not a map");
    } else {
      ExecPlugin plugin;
      if (auto wrong = read_exec(*exec, entry, of, files, plugin)) return fields.problem_found() ? fields.problem_found() : wrong;
      identity.exec = std::move(plugin);
    }
  }
  return fields.problem_found();
}

// A file of the repository may have been written by anyone: it must not run programs here, nor send the content of
// files that are not beside it to the server that it names.
std::optional<diag::Diagnostic> check_trust(const Fields& fields, const Connection& connection,
                                            const base::FileSystem& files) {
  if (connection.identity.exec)
    return problem(fmt::format("this kubeconfig belongs to the repository and wants to run \"{}\"",
                               connection.identity.exec->command),
                   fields.position("exec"), "pass --allow-exec if you trust it");
  if (const std::string& path = connection.identity.token_file; !path.empty()) {
    auto real = files.real_path(path);
    auto folder = files.real_path(fields.folder());
    if (!real || !folder || !base::is_within(*real, *folder))
      return problem("this kubeconfig belongs to the repository and wants to send a file from elsewhere as its token",
                     fields.position("tokenFile"), "pass --allow-exec if you trust it");
  }
  return std::nullopt;
}

std::expected<Connection, Diagnostics> connect_with(const Kubeconfig& config, const ConnectionRequest& request,
                                                    const std::string& origin, bool trusted,
                                                    const base::FileSystem& files) {
  auto failed = [](diag::Diagnostic diagnostic) { return std::unexpected(Diagnostics{std::move(diagnostic)}); };
  std::string name = request.context.empty() ? config.current_context : request.context;
  if (name.empty())
    return failed(problem(fmt::format("{} has no current context", origin), {},
                          config.contexts.empty() ? std::string()
                                                  : "pass --context with one of " + listed(config.contexts)));
  auto context = config.contexts.find(name);
  if (context == config.contexts.end())
    return failed(problem(fmt::format("{} has no context \"{}\"", origin, name),
                          request.context.empty() ? config.current_position : diag::Position{},
                          config.contexts.empty() ? std::string() : "there are " + listed(config.contexts)));
  Connection connection;
  connection.context = name;
  connection.origin = origin;
  Fields context_fields(context->second, fmt::format("the context \"{}\"", name), files);
  std::string cluster_name = context_fields.text("cluster");
  std::string user_name = context_fields.text("user");
  connection.name_space = context_fields.text("namespace");
  if (context_fields.problem_found()) return failed(*context_fields.problem_found());
  auto cluster = config.clusters.find(cluster_name);
  if (cluster == config.clusters.end())
    return failed(problem(fmt::format("the context \"{}\" is for the cluster \"{}\", which {} does not have", name,
                                      cluster_name, origin),
                          context_fields.position("cluster")));
  Fields cluster_fields(cluster->second, fmt::format("the cluster \"{}\"", cluster_name), files);
  if (auto wrong = read_cluster(cluster_fields, connection)) return failed(std::move(*wrong));

  // As kubectl has it, who we are is only told where nobody can listen.
  if (!user_name.empty() && connection.server.scheme == "https") {
    auto user = config.users.find(user_name);
    if (user == config.users.end())
      return failed(problem(fmt::format("the context \"{}\" is for the user \"{}\", which {} does not have", name,
                                        user_name, origin),
                            context_fields.position("user")));
    std::string of = fmt::format("the user \"{}\"", user_name);
    Fields user_fields(user->second, of, files);
    if (auto wrong = read_user(user_fields, user->second, of, files, connection)) return failed(std::move(*wrong));
    if (connection.identity.exec) {
      if (const data::Value* extensions = cluster_fields.value("extensions"); extensions != nullptr && extensions->is_list())
        for (const data::Value& extension : extensions->as_list()) {
          const data::Value* extension_name = extension.find("name");
          const data::Value* content = extension.find("extension");
          if (extension_name != nullptr && extension_name->is_string() && content != nullptr &&
              extension_name->as_string() == "client.authentication.k8s.io/exec")
            connection.identity.exec->cluster_config = data::write_json(*content);
        }
    }
    if (!trusted && !request.allow_exec)
      if (auto wrong = check_trust(user_fields, connection, files)) return failed(std::move(*wrong));
  }
  return connection;
}

std::expected<Connection, Diagnostics> connect_in_cluster(const std::string& host, const std::string& port,
                                                          const base::FileSystem& files) {
  Connection connection;
  connection.origin = "the pod";
  std::string bracketed = host.find(':') != std::string::npos && !host.starts_with('[') ? "[" + host + "]" : host;
  auto url = http::parse_url("https://" + bracketed + ":" + port);
  if (!url)
    return std::unexpected(Diagnostics{problem("$KUBERNETES_SERVICE_HOST and $KUBERNETES_SERVICE_PORT are no address")});
  url->target.clear();
  connection.server = std::move(*url);
  std::string folder(kAccountFolder);
  auto authorities = files.read_file(folder + "/ca.crt", kMaxFileBytes);
  if (!authorities)
    return std::unexpected(
        Diagnostics{problem(fmt::format("cannot read {}/ca.crt: {}", folder, authorities.error().message))});
  connection.tls.authorities = std::move(*authorities);
  connection.identity.token_file = folder + "/token";
  if (auto name_space = files.read_file(folder + "/namespace", 1024)) {
    connection.name_space = *name_space;
    while (!connection.name_space.empty() && connection.name_space.back() == '\n') connection.name_space.pop_back();
  }
  return connection;
}

std::string joined(const std::vector<std::string>& paths) {
  std::string text;
  for (const std::string& path : paths) text += (text.empty() ? "" : " and ") + path;
  return text;
}

}  // namespace

std::expected<Connection, Diagnostics> find_connection(const ConnectionRequest& request, const std::string& directory,
                                                       const base::Environment& environment,
                                                       const base::FileSystem& files, diag::SourceMap& sources) {
  std::string home = environment.get("HOME").value_or("");
  auto whole = [&](std::string path) {
    if (path == "~" || path.starts_with("~/")) path = base::join_path(home, path.substr(1));
    return base::is_absolute_path(path) ? base::clean_path(path) : base::join_path(directory, path);
  };
  std::vector<std::string> paths;
  bool required = true;  // one that is missing is an error
  bool trusted = true;
  auto add_list = [&](std::string_view list) {
    while (!list.empty()) {
      std::size_t end = std::min(list.find(':'), list.size());
      if (end > 0) paths.push_back(whole(std::string(list.substr(0, end))));
      list.remove_prefix(std::min(end + 1, list.size()));
    }
  };
  std::string what;
  if (!request.kubeconfig_flag.empty()) {
    for (const std::string& path : request.kubeconfig_flag) paths.push_back(whole(path));
  } else if (!request.kubeconfig_of_platform.empty()) {
    paths.push_back(whole(request.kubeconfig_of_platform));
    trusted = false;
  } else if (auto own = environment.get("OPM_KUBECONFIG"); own && !own->empty()) {
    add_list(*own);
    required = false;
    what = "$OPM_KUBECONFIG";
  } else if (auto usual = environment.get("KUBECONFIG"); usual && !usual->empty()) {
    add_list(*usual);
    required = false;
    what = "$KUBECONFIG";
  } else if (!request.kubeconfig_of_configuration.empty()) {
    paths.push_back(whole(request.kubeconfig_of_configuration));
    // `opm config init` writes the usual place there, which need not exist in a pod.
    required = paths.front() != base::join_path(home, ".kube/config");
  } else if (!home.empty()) {
    paths.push_back(base::join_path(home, ".kube/config"));
    required = false;
  }

  Kubeconfig config;
  std::vector<std::string> read;
  for (const std::string& path : paths) {
    auto text = files.read_file(path, kMaxFileBytes);
    if (!text) {
      bool missing = text.error().kind == base::FileErrorKind::not_found ||
                     text.error().kind == base::FileErrorKind::not_a_directory;
      if (missing && !required) continue;
      return std::unexpected(
          Diagnostics{problem(fmt::format("cannot read the kubeconfig {}: {}", path, text.error().message), {},
                              "--kubeconfig and $KUBECONFIG name the file to use")});
    }
    const diag::Source* source = sources.add(path, std::move(*text));
    if (source == nullptr) return std::unexpected(Diagnostics{problem(path + " is too large")});
    if (auto added = add_kubeconfig(config, *source); !added) return std::unexpected(std::move(added.error()));
    read.push_back(path);
  }
  std::expected<Connection, Diagnostics> connection;
  if (!read.empty()) {
    connection = connect_with(config, request, joined(read), trusted, files);
  } else {
    auto host = environment.get("KUBERNETES_SERVICE_HOST");
    auto port = environment.get("KUBERNETES_SERVICE_PORT");
    bool in_cluster = what.empty() && host && port && !host->empty() && !port->empty() && request.context.empty();
    if (!in_cluster) {
      std::string looked = paths.empty() ? std::string() : fmt::format(" (looked for {})", joined(paths));
      return std::unexpected(Diagnostics{
          problem("there is no kubeconfig" + (what.empty() ? std::string() : " where " + what + " says") + looked, {},
                  "pass --kubeconfig, or set $KUBECONFIG")});
    }
    connection = connect_in_cluster(*host, *port, files);
  }
  if (!connection) return connection;
  Identity& identity = connection->identity;
  if (!request.as.empty()) {
    identity.as = request.as;
    identity.as_groups.clear();
    identity.as_uid.clear();
    identity.as_extra.clear();
  }
  if (!request.as_uid.empty()) identity.as_uid = request.as_uid;
  if (!request.as_groups.empty()) identity.as_groups = request.as_groups;
  if (identity.as.empty() && (!identity.as_groups.empty() || !identity.as_uid.empty()))
    return std::unexpected(Diagnostics{problem("--as-group and --as-uid need --as: a group acts only through a user")});
  return connection;
}

}  // namespace opm::kube
