#include "kube/credentials.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/path.h"
#include "data/base64.h"
#include "data/json.h"
#include "kube/object.h"

namespace opm::kube {
namespace {

constexpr std::size_t kMaxTokenBytes = std::size_t{1} << 20;
constexpr std::string_view kGroup = "client.authentication.k8s.io/";

std::string trimmed(std::string text) {
  auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && is_space(text.back())) text.pop_back();
  std::size_t start = 0;
  while (start < text.size() && is_space(text[start])) ++start;
  return text.substr(start);
}

// What would end a header, or begin another, is in no token.
bool fits_header(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

data::Value text(std::string value) { return {.variant = std::move(value), .position = {}}; }

// What a plugin is told in $KUBERNETES_EXEC_INFO.
std::string exec_info(const Connection& connection, const ExecPlugin& plugin, bool interactive) {
  data::Map spec;
  spec.push_back({"interactive", {.variant = interactive, .position = {}}, {}});
  if (plugin.provide_cluster_info) {
    data::Map cluster;
    http::Url server = connection.server;
    cluster.push_back({"server", text(server.text()), {}});
    if (!connection.tls.server_name.empty())
      cluster.push_back({"tls-server-name", text(connection.tls.server_name), {}});
    if (connection.tls.insecure)
      cluster.push_back({"insecure-skip-tls-verify", {.variant = true, .position = {}}, {}});
    if (!connection.tls.authorities.empty()) {
      std::string encoded;
      data::append_base64(encoded, connection.tls.authorities);
      cluster.push_back({"certificate-authority-data", text(std::move(encoded)), {}});
    }
    if (connection.proxy) cluster.push_back({"proxy-url", text(*connection.proxy), {}});
    if (!plugin.cluster_config.empty()) {
      auto config = data::read_json({"config", plugin.cluster_config, {}});
      if (config) cluster.push_back({"config", std::move(*config), {}});
    }
    spec.push_back({"cluster", {.variant = std::move(cluster), .position = {}}, {}});
  }
  data::Map top;
  top.push_back({"kind", text("ExecCredential"), {}});
  top.push_back({"apiVersion", text(plugin.api_version), {}});
  top.push_back({"spec", {.variant = std::move(spec), .position = {}}, {}});
  return data::write_json({.variant = std::move(top), .position = {}});
}

}  // namespace

std::expected<ExecCredential, std::string> parse_exec_credential(const std::string& printed,
                                                                 std::string_view api_version) {
  // What it printed may be a secret, so nothing of it is shown.
  auto value = data::read_json({"credential", printed, {}}, {.max_depth = 100});
  if (!value || !value->is_map()) return std::unexpected("what it printed is not a JSON object");
  if (kind_of(*value) != "ExecCredential") return std::unexpected("what it printed is no ExecCredential");
  std::string version = api_version_of(*value);
  if (version != api_version) {
    if (!version.starts_with(kGroup) || !fits_header(version)) version = "another version";
    return std::unexpected(fmt::format("it answered in {}, but the kubeconfig says {}", version, api_version));
  }
  const data::Value* status = value->find("status");
  if (status == nullptr || !status->is_map()) return std::unexpected("its answer has no status");
  ExecCredential found;
  found.token = text_at(*status, {"token"});
  found.certificate = text_at(*status, {"clientCertificateData"});
  found.key = text_at(*status, {"clientKeyData"});
  if (found.token.empty() && found.certificate.empty())
    return std::unexpected("its answer has neither a token nor a certificate");
  if (found.certificate.empty() != found.key.empty())
    return std::unexpected("its answer has a certificate without a key, or a key without a certificate");
  if (!fits_header(found.token)) return std::unexpected("its token has characters that no token has");
  if (std::string expiry = text_at(*status, {"expirationTimestamp"}); !expiry.empty()) {
    found.expiry = base::parse_time(expiry);
    if (!found.expiry) return std::unexpected("its expirationTimestamp is no time of RFC 3339");
  }
  return found;
}

CredentialSource::CredentialSource(const Connection& connection, const base::Environment& environment,
                                   const base::FileSystem& files, base::Clock& clock)
    : connection_(connection), environment_(environment), files_(files), clock_(clock) {}

Result<CredentialSource::Answer> CredentialSource::run_plugin() const {
  const ExecPlugin& plugin = *connection_.identity.exec;
  auto failed = [&](const std::string& why) {
    Failure failure{.kind = FailureKind::configuration,
                    .message = fmt::format("cannot get credentials from \"{}\": {}", plugin.command, why)};
    failure.advice = plugin.install_hint;
    return std::unexpected(std::move(failure));
  };
  bool terminal = plugin.interaction != ExecPlugin::Interaction::never && base::input_is_terminal();
  if (plugin.interaction == ExecPlugin::Interaction::always && !terminal)
    return failed("it wants to ask a person, but standard input is no terminal");
  // With a slash it is relative to the kubeconfig, without one it is looked for along $PATH.
  std::string command = plugin.command;
  if (command.find('/') != std::string::npos && !base::is_absolute_path(command))
    command = base::join_path(plugin.folder, command);
  std::vector<std::string> words{command};
  words.insert(words.end(), plugin.arguments.begin(), plugin.arguments.end());
  base::ProcessOptions options;
  options.variables = plugin.environment;
  options.variables.emplace_back("KUBERNETES_EXEC_INFO", exec_info(connection_, plugin, terminal));
  options.at_terminal = terminal;
  options.timeout = terminal ? std::chrono::minutes(10) : std::chrono::minutes(1);
  options.max_output = kMaxTokenBytes;
  auto result = base::run_process(words, options);
  if (!result) {
    if (result.error().kind == base::FileErrorKind::not_found) return failed("there is no such program");
    return failed(result.error().message);
  }
  if (result->exit_code != 0) {
    // The last line that it said; plugins put their reason there, and no secrets.
    std::string said = trimmed(result->err);
    if (std::size_t line = said.rfind('\n'); line != std::string::npos) said = said.substr(line + 1);
    if (said.size() > 500) said.resize(500);
    for (char& c : said)
      if (static_cast<unsigned char>(c) < 0x20) c = ' ';
    return failed(fmt::format("it ended with exit code {}{}{}", result->exit_code, said.empty() ? "" : ": ", said));
  }
  auto credential = parse_exec_credential(result->out, plugin.api_version);
  if (!credential) return failed(credential.error());
  return Answer{std::move(credential->token), std::move(credential->certificate), std::move(credential->key),
                credential->expiry, 0};
}

Result<std::string> CredentialSource::token_of_file() {
  const Identity& identity = connection_.identity;
  // Tokens in files are renewed long before they run out, so a minute is often enough.
  if (file_read_ && clock_.elapsed() - *file_read_ < std::chrono::minutes(1)) return file_token_;
  auto read = files_.read_file(identity.token_file, kMaxTokenBytes);
  std::string token = read ? trimmed(std::move(*read)) : std::string();
  if (token.empty()) {
    if (!file_token_.empty()) return file_token_;
    if (!identity.token.empty()) return identity.token;
    return fail(FailureKind::configuration, fmt::format("cannot read the token in {}: {}", identity.token_file,
                                                        read ? "the file is empty" : read.error().message));
  }
  file_token_ = std::move(token);
  file_read_ = clock_.elapsed();
  return file_token_;
}

Result<Authorization> CredentialSource::authorization() {
  const Identity& identity = connection_.identity;
  Authorization result;
  std::string token = identity.token;
  {
    std::lock_guard lock(mutex_);
    if (!identity.token_file.empty()) {
      auto read = token_of_file();
      if (!read) return std::unexpected(std::move(read.error()));
      token = std::move(*read);
    }
    if (identity.exec && token.empty() && identity.username.empty()) {
      // One that is about to run out would run out on the way.
      bool good = answer_ && (!answer_->expiry || *answer_->expiry > clock_.now() + std::chrono::seconds(5));
      if (!good) {
        auto answer = run_plugin();
        if (!answer) return std::unexpected(std::move(answer.error()));
        answer->generation = ++generation_;
        answer_ = std::move(*answer);
      }
      token = answer_->token;
      result.certificate = answer_->certificate;
      result.key = answer_->key;
      result.generation = answer_->generation;
    }
  }
  if (!token.empty()) {
    if (!fits_header(token))
      return fail(FailureKind::configuration, "the token has characters that no token has, such as line breaks");
    result.headers.emplace_back("Authorization", "Bearer " + token);
  } else if (!identity.username.empty()) {
    std::string packed;
    data::append_base64(packed, identity.username + ":" + identity.password);
    result.headers.emplace_back("Authorization", "Basic " + packed);
  }
  if (!identity.as.empty()) result.headers.emplace_back("Impersonate-User", identity.as);
  if (!identity.as_uid.empty()) result.headers.emplace_back("Impersonate-Uid", identity.as_uid);
  for (const std::string& group : identity.as_groups) result.headers.emplace_back("Impersonate-Group", group);
  for (const auto& [key, value] : identity.as_extra)
    result.headers.emplace_back("Impersonate-Extra-" + http::encode_query(key), value);
  for (const auto& [name, value] : result.headers)
    if (!fits_header(value))
      return fail(FailureKind::configuration, fmt::format("what is to be sent as {} has control characters", name));
  return result;
}

bool CredentialSource::renew(const Authorization& refused) {
  std::lock_guard lock(mutex_);
  if (!connection_.identity.token_file.empty() && file_read_) {
    file_read_.reset();
    return true;
  }
  if (refused.generation == 0) return false;
  if (answer_ && answer_->generation == refused.generation) answer_.reset();
  return true;
}

}  // namespace opm::kube
