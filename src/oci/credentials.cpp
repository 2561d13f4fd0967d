#include "oci/credentials.h"

#include "base/file_tree.h"
#include "base/file_writer.h"
#include "base/path.h"
#include "base/process.h"
#include "data/base64.h"
#include "data/json.h"

namespace opm::oci {
namespace {

constexpr std::size_t kMaxConfigBytes = std::size_t{16} << 20;

std::string text_of(const data::Value* value) {
  return value != nullptr && value->is_string() ? value->as_string() : std::string();
}

// What a JSON file holds; null: there is no such file.
std::expected<data::Value, std::string> read_json_text(const std::string& path, std::string text) {
  diag::SourceMap sources;
  const diag::Source* source = sources.add(path, std::move(text));
  if (source == nullptr) return std::unexpected(path + ": too large");
  auto value = data::read_json(*source);
  // The text around the mistake may be a secret: only the place is told.
  if (!value) {
    diag::Location place;
    if (!value.error().front().positions.empty()) place = sources.locate(value.error().front().positions.front());
    return std::unexpected("invalid JSON in " + path + " at line " + std::to_string(place.line));
  }
  if (!value->is_map()) return std::unexpected(path + " does not hold a JSON object");
  return std::move(*value);
}

std::expected<data::Value, std::string> read_json_file(const base::FileSystem& files, const std::string& path) {
  auto text = files.read_file(path, kMaxConfigBytes);
  if (!text) {
    if (text.error().kind == base::FileErrorKind::not_found || text.error().kind == base::FileErrorKind::not_a_directory)
      return data::Value{};
    return std::unexpected("cannot read " + path + ": " + text.error().message);
  }
  return read_json_text(path, std::move(*text));
}

// The host of an entry that is written as an address ("https://index.docker.io/v1/").
std::string_view host_of(std::string_view address) {
  for (std::string_view scheme : {"http://", "https://"})
    if (address.starts_with(scheme)) address.remove_prefix(scheme.size());
  return address.substr(0, address.find('/'));
}

std::expected<Credentials, std::string> from_entry(const data::Value& entry, const std::string& host) {
  Credentials found;
  found.username = text_of(entry.find("username"));
  found.password = text_of(entry.find("password"));
  found.identity_token = text_of(entry.find("identitytoken"));
  found.access_token = text_of(entry.find("registrytoken"));
  if (std::string packed = text_of(entry.find("auth")); !packed.empty()) {
    auto plain = data::decode_base64(packed);
    std::size_t colon = plain ? plain->find(':') : std::string::npos;
    if (!plain || colon == std::string::npos || colon == 0)
      return std::unexpected("cannot decode the field auth for " + host);
    found.username = plain->substr(0, colon);
    found.password = plain->substr(colon + 1);
    while (!found.password.empty() && found.password.back() == '\0') found.password.pop_back();
  }
  if (!found.identity_token.empty() && !found.username.empty()) {
    // The user name that comes with an identity token says nothing.
    if (found.password.empty()) found.username.clear();
    else return std::unexpected("ambiguous auth credentials for " + host);
  }
  return found;
}

std::expected<Credentials, std::string> from_helper(const std::string& printed, const std::string& helper) {
  auto answer = read_json_text("the answer of docker-credential-" + helper, printed);
  if (!answer) return std::unexpected(answer.error());
  Credentials found;
  std::string username = text_of(answer->find("Username"));
  std::string secret = text_of(answer->find("Secret"));
  if (username == "<token>") {
    found.identity_token = secret;
  } else {
    found.username = username;
    found.password = secret;
  }
  return found;
}

}  // namespace

HelperRunner real_helper_runner() {
  return [](const std::string& helper,
            const std::string& host) -> std::expected<std::optional<std::string>, std::string> {
    if (helper.find('/') != std::string::npos) return std::unexpected("bad name of a credential helper: " + helper);
    auto result = base::run_process({"docker-credential-" + helper, "get"}, {.input = host, .max_output = 1 << 20});
    if (!result) {
      if (result.error().kind == base::FileErrorKind::not_found) return std::nullopt;
      return std::unexpected("cannot run docker-credential-" + helper + ": " + result.error().message);
    }
    if (result->exit_code == 0) return std::move(result->out);
    // Helpers say on either of them that they know nothing, which is no error.
    if ((result->out + result->err).find("credentials not found") != std::string::npos) return "{}";
    return std::unexpected("docker-credential-" + helper + " ended with exit code " +
                           std::to_string(result->exit_code));
  };
}

CredentialStore::CredentialStore(const base::Environment& environment, const base::FileSystem& files,
                                 HelperRunner runner)
    : environment_(environment), files_(files), runner_(std::move(runner)) {}

std::optional<std::string> CredentialStore::logins_path() const {
  auto variable = [&](const char* name) { return environment_.get(name).value_or(""); };
  if (std::string folder = variable("CUE_CONFIG_DIR"); !folder.empty()) return base::join_path(folder, "logins.json");
  if (std::string folder = variable("XDG_CONFIG_HOME"); !folder.empty())
    return base::join_path(folder, "cue/logins.json");
  if (std::string home = variable("HOME"); !home.empty()) return base::join_path(home, ".config/cue/logins.json");
  return std::nullopt;
}

// Where Docker and Podman keep what they know, as far as it is there.
std::vector<std::string> CredentialStore::docker_config_paths() const {
  auto variable = [&](const char* name) { return environment_.get(name).value_or(""); };
  std::string places[] = {variable("DOCKER_CONFIG"), variable("HOME"), variable("XDG_RUNTIME_DIR")};
  const char* names[] = {"config.json", ".docker/config.json", "containers/auth.json"};
  std::vector<std::string> found;
  for (std::size_t i = 0; i < 3; ++i) {
    if (places[i].empty()) continue;
    std::string path = base::join_path(places[i], names[i]);
    if (files_.status(path)) found.push_back(std::move(path));
  }
  return found;
}

std::expected<std::optional<Login>, std::string> CredentialStore::login(const std::string& host) {
  auto path = logins_path();
  if (!path) return std::nullopt;
  auto file = read_json_file(files_, *path);
  if (!file) return std::unexpected("cannot load CUE registry logins: " + file.error());
  const data::Value* registries = file->find("registries");
  const data::Value* entry = registries != nullptr ? registries->find(host) : nullptr;
  if (entry == nullptr) return std::nullopt;
  Login login{text_of(entry->find("access_token")), text_of(entry->find("refresh_token")), std::nullopt};
  if (login.access_token.empty())
    return std::unexpected("invalid " + *path + ": missing access_token for registry " + host);
  if (std::string expiry = text_of(entry->find("expiry")); !expiry.empty()) login.expiry = base::parse_time(expiry);
  return login;
}

std::expected<void, std::string> CredentialStore::store_login(const std::string& host, const Login& login) {
  auto path = logins_path();
  if (!path) return std::unexpected("there is no folder for logins");
  auto lock = base::FileLock::acquire(*path + ".lock");
  if (!lock) return std::unexpected(*path + ".lock: " + lock.error().message);
  auto file = read_json_file(files_, *path);
  if (!file) return std::unexpected(file.error());
  auto set = [](data::Value& map, const std::string& key) -> data::Value& {
    if (!map.is_map()) map.variant = data::Map{};
    for (data::Member& member : map.as_map())
      if (member.key == key) return member.value;
    map.as_map().push_back({key, {}, {}});
    return map.as_map().back().value;
  };
  data::Value& entry = set(set(*file, "registries"), host);
  set(entry, "access_token").variant = login.access_token;
  if (!login.refresh_token.empty()) set(entry, "refresh_token").variant = login.refresh_token;
  if (login.expiry) set(entry, "expiry").variant = base::format_time(*login.expiry);
  auto written = base::real_file_writer().write_file(*path, data::write_json(*file, {.indent = 4, .final_newline = true}),
                                                     base::FileAccess::owner_only);
  if (!written) return std::unexpected(*path + ": " + written.error().message);
  return {};
}

// The first that knows something of the host.
std::expected<Credentials, std::string> CredentialStore::look_up(const std::string& host) const {
  auto unreadable = [](const std::string& why) {
    return std::unexpected("cannot load OCI auth configuration: " + why);
  };
  if (std::string text = environment_.get("DOCKER_AUTH_CONFIG").value_or(""); !text.empty()) {
    auto given = read_json_text("$DOCKER_AUTH_CONFIG", std::move(text));
    if (!given) return unreadable(given.error());
    auto known = look_up(host, *given, "$DOCKER_AUTH_CONFIG");
    if (!known || !known->empty()) return known;
  }
  for (const std::string& path : docker_config_paths()) {
    auto file = read_json_file(files_, path);
    if (!file) return unreadable(file.error());
    auto known = look_up(host, *file, path);
    if (!known || !known->empty()) return known;
  }
  return Credentials{};
}

std::expected<Credentials, std::string> CredentialStore::look_up(const std::string& host, const data::Value& config,
                                                                 const std::string& path) const {
  const data::Value* helpers = config.find("credHelpers");
  std::string helper = text_of(helpers != nullptr ? helpers->find(host) : nullptr);
  bool is_for_host = !helper.empty();
  if (!is_for_host) helper = text_of(config.find("credsStore"));
  if (!helper.empty()) {
    auto printed = runner_(helper, host);
    if (!printed) return std::unexpected(printed.error());
    if (*printed) return from_helper(**printed, helper);
    // One that was only set up as the default, and never installed, is common.
    if (is_for_host) return std::unexpected("docker-credential-" + helper + ", which is set for " + host + ", is not installed");
  }
  const data::Value* entries = config.find("auths");
  if (entries == nullptr || !entries->is_map()) return Credentials{};
  if (const data::Value* entry = entries->find(host)) return from_entry(*entry, host);
  const data::Value* derived = nullptr;
  for (const data::Member& member : entries->as_map()) {
    if (member.key.find("//") == std::string::npos || host_of(member.key) != host) continue;
    if (derived != nullptr) return std::unexpected("more than one auths entry for " + host + " in " + path);
    derived = &member.value;
  }
  return derived != nullptr ? from_entry(*derived, host) : Credentials{};
}

std::expected<Credentials, std::string> CredentialStore::credentials(const std::string& host) {
  // Held while a helper runs: the same question is not asked twice, and a person is not prompted twice.
  std::lock_guard lock(mutex_);
  auto known = known_.find(host);
  if (known == known_.end()) known = known_.emplace(host, look_up(host)).first;
  return known->second;
}

}  // namespace opm::oci
