#include "cue/module/registry_map.h"

#include <arpa/inet.h>

#include <algorithm>
#include <set>

#include "base/digest.h"
#include "cue/module/import_path.h"
#include "cue/module/plain_data.h"
#include "cue/syntax/literal.h"
#include "cue/syntax/parser.h"

namespace opm::cue::module {
namespace {

std::unexpected<std::string> fail(std::string message) { return std::unexpected(std::move(message)); }

bool is_alphanumeric(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

// "host", "host:port", "[ipv6]", "[ipv6]:port" -> host without brackets, and port.
std::pair<std::string_view, std::string_view> split_port(std::string_view host) {
  if (host.starts_with('[')) {
    std::size_t end = host.find(']');
    if (end == std::string_view::npos) return {host, {}};
    std::string_view port = host.substr(end + 1);
    if (port.starts_with(':')) port.remove_prefix(1);
    return {host.substr(1, end - 1), port};
  }
  std::size_t colon = host.rfind(':');
  if (colon == std::string_view::npos) return {host, {}};
  return {host.substr(0, colon), host.substr(colon + 1)};
}

bool is_valid_host(std::string_view text) {
  auto [host, port] = split_port(text);
  if (text.ends_with(':') || port.size() > 5 || port.find_first_not_of("0123456789") != std::string_view::npos)
    return false;
  if (text.starts_with('[')) {
    in6_addr address;
    return ::inet_pton(AF_INET6, std::string(host).c_str(), &address) == 1;
  }
  // Names joined by dots, each starting and ending with a letter or digit.
  for (std::size_t at = 0; at <= host.size();) {
    std::size_t dot = std::min(host.find('.', at), host.size());
    std::string_view part = host.substr(at, dot - at);
    if (part.empty() || !is_alphanumeric(part.front()) || !is_alphanumeric(part.back())) return false;
    if (!std::ranges::all_of(part, [](char c) { return is_alphanumeric(c) || c == '-'; })) return false;
    at = dot + 1;
  }
  return true;
}

bool is_valid_tag(std::string_view text) {
  return !text.empty() && text.size() <= 128 && (is_alphanumeric(text.front()) || text.front() == '_') &&
         std::ranges::all_of(text, [](char c) { return is_alphanumeric(c) || c == '_' || c == '.' || c == '-'; });
}

// A prefix is a module path without a version, if only its beginning.
std::optional<std::string> check_prefix(std::string_view prefix) {
  if (!split_version(prefix).second.empty())
    return "invalid module path " + syntax::quote(prefix) + ": module path inappropriately contains version";
  auto problem = check_module_path(prefix);
  if (!problem) return std::nullopt;
  return "invalid module path " + syntax::quote(prefix) + ": " + problem->substr(problem->find("\": ") + 3);
}

std::string join_repository(std::string_view a, std::string_view b) {
  if (a.empty()) return std::string(b);
  if (b.empty()) return std::string(a);
  return std::string(a) + "/" + std::string(b);
}

}  // namespace

bool is_loopback_host(std::string_view text) {
  std::string host(split_port(text).first);
  if (host == "localhost") return true;
  in_addr v4;
  if (::inet_pton(AF_INET, host.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == 127;
  in6_addr v6;
  return ::inet_pton(AF_INET6, host.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

std::expected<RegistryMap::Registry, std::string> RegistryMap::parse_registry(std::string_view text) {
  Registry registry;
  if (text == "none") {
    registry.none = true;
    return registry;
  }
  std::string_view suffix;
  std::string_view reference = text;
  if (std::size_t plus = text.rfind('+'); plus != std::string_view::npos && plus > 0) {
    suffix = text.substr(plus);
    reference = text.substr(0, plus);
  }
  std::size_t slash = reference.find('/');
  std::string_view host = reference.substr(0, slash);
  if (!is_valid_host(host)) return fail("invalid host name " + syntax::quote(host) + " in registry");
  if (slash != std::string_view::npos) {
    std::string_view repository = reference.substr(slash + 1);
    if (repository.find_first_of(":@") != std::string_view::npos)
      return fail("cannot have an associated tag or digest");
    if (!is_repository_name(repository)) return fail("invalid OCI reference: " + syntax::quote(reference));
    registry.repository = repository;
  }
  registry.host.name = host;
  if (suffix.empty()) {
    registry.host.insecure = is_loopback_host(host);
  } else if (suffix == "+insecure") {
    registry.host.insecure = true;
  } else if (suffix != "+secure") {
    return fail("unknown suffix (" + syntax::quote(suffix) + "), need +insecure, +secure or no suffix)");
  }
  return registry;
}

std::expected<RegistryMap, std::string> RegistryMap::parse_list(std::string_view text, std::string_view catch_all) {
  RegistryMap map;
  bool has_catch_all = false;
  if (text.empty()) text = catch_all;
  for (std::size_t at = 0; at <= text.size();) {
    std::size_t comma = std::min(text.find(',', at), text.size());
    std::string_view part = text.substr(at, comma - at);
    at = comma + 1;
    std::size_t equals = part.find('=');
    std::string_view prefix = part.substr(0, equals == std::string_view::npos ? 0 : equals);
    std::string_view value = equals == std::string_view::npos ? part : part.substr(equals + 1);
    if (equals == std::string_view::npos) {
      if (part.empty()) return fail("empty registry part");
      if (has_catch_all) return fail("duplicate catch-all registry");
      has_catch_all = true;
    } else {
      if (prefix.empty()) return fail("empty module prefix");
      if (value.empty()) return fail("empty registry reference");
      if (auto problem = check_prefix(prefix)) return fail(*problem);
      if (map.by_prefix_.contains(prefix)) return fail("duplicate module prefix " + syntax::quote(prefix));
    }
    auto registry = parse_registry(value);
    if (!registry) return fail("invalid registry " + syntax::quote(value) + ": " + registry.error());
    if (prefix.empty()) map.rest_ = std::move(*registry);
    else map.by_prefix_.emplace(prefix, std::move(*registry));
  }
  if (!has_catch_all) {
    auto registry = parse_registry(catch_all);
    if (!registry) return fail("invalid catch-all registry " + syntax::quote(catch_all) + ": " + registry.error());
    map.rest_ = std::move(*registry);
  }
  return map;
}

// The form with more to say: moduleRegistries by prefix, and a defaultRegistry.
class RegistryMap::ConfigReader {
 public:
  static std::expected<Registry, std::string> registry(const data::Value& value, const std::string& path) {
    auto bad = [&](const std::string& why) { return fail("invalid registry configuration in " + path + ": " + why); };
    if (!value.is_map()) return bad("it is not a struct");
    const data::Value* reference = value.find("registry");
    if (reference == nullptr || !reference->is_string()) return bad("field registry is missing or not a string");
    auto parsed = parse_registry(reference->as_string());
    if (!parsed) return bad(parsed.error());
    for (const data::Member& member : value.as_map()) {
      if (member.key == "registry") continue;
      if (member.key == "stripPrefix" && member.value.is_bool()) {
        parsed->strip_prefix = member.value.as_bool();
      } else if (member.key == "prefixForTags" && member.value.is_string()) {
        parsed->tag_prefix = member.value.as_string();
        if (!parsed->tag_prefix.empty() && !is_valid_tag(parsed->tag_prefix))
          return bad("invalid tag prefix " + syntax::quote(parsed->tag_prefix));
      } else if (member.key == "pathEncoding" && member.value.is_string()) {
        const std::string& encoding = member.value.as_string();
        if (encoding == "path") parsed->encoding = PathEncoding::path;
        else if (encoding == "hashAsRepo") parsed->encoding = PathEncoding::hash_as_repository;
        else if (encoding == "hashAsTag") parsed->encoding = PathEncoding::hash_as_tag;
        else return bad("unknown pathEncoding " + syntax::quote(encoding) + "; there are path, hashAsRepo and hashAsTag");
      } else {
        return bad("field " + member.key + " is not allowed or has a wrong value");
      }
    }
    if (parsed->strip_prefix && parsed->encoding != PathEncoding::path)
      return bad("cannot strip prefix unless using path encoding");
    if (parsed->strip_prefix && parsed->repository.empty())
      return bad("use of stripPrefix requires a non-empty repository within the registry");
    return parsed;
  }

  static std::expected<RegistryMap, std::string> read(const data::Value& root, std::string_view catch_all) {
    RegistryMap map;
    const data::Value* rest = nullptr;
    for (const data::Member& member : root.as_map()) {
      if (member.key == "defaultRegistry") {
        rest = &member.value;
      } else if (member.key == "moduleRegistries" && member.value.is_map()) {
        for (const data::Member& entry : member.value.as_map()) {
          if (auto problem = check_prefix(entry.key)) return fail(*problem);
          auto parsed = registry(entry.value, syntax::quote(entry.key));
          if (!parsed) return fail(parsed.error());
          map.by_prefix_.emplace(entry.key, std::move(*parsed));
        }
      } else {
        return fail("invalid configuration file: field " + member.key + " is not allowed or has a wrong value");
      }
    }
    auto parsed = rest != nullptr ? registry(*rest, "defaultRegistry") : parse_registry(catch_all);
    if (!parsed) return fail(parsed.error());
    map.rest_ = std::move(*parsed);
    return map;
  }
};

std::expected<RegistryMap, std::string> RegistryMap::parse_config(std::string text, std::string name,
                                                                  std::string_view catch_all) {
  diag::SourceMap sources;
  const diag::Source* source = sources.add(std::move(name), std::move(text));
  if (source == nullptr) return fail("too much text");
  auto problem = [&](const diag::Diagnostic& error) {
    std::string message = "invalid registry configuration file: " + error.message;
    if (!error.positions.empty()) {
      diag::Location place = sources.locate(error.positions.front());
      message += " (" + std::string(place.file) + ":" + std::to_string(place.line) + ":" +
                 std::to_string(place.column) + ")";
    }
    return fail(message);
  };
  base::Arena arena;
  syntax::ParsedFile parsed = syntax::parse_file(arena, *source, {.comments = false});
  if (!parsed.errors.empty()) return problem(parsed.errors.front());
  auto root = read_plain_data(arena, *parsed.file);
  if (!root) return problem(root.error().front());
  return ConfigReader::read(*root, catch_all);
}

std::optional<std::string> RegistryMap::check_hosts() const {
  std::map<std::string, bool> known;
  auto check = [&](const Registry& registry) {
    return registry.none || known.try_emplace(registry.host.name, registry.host.insecure).first->second ==
                                registry.host.insecure
               ? std::nullopt
               : std::optional("registry host " + syntax::quote(registry.host.name) +
                               " is specified both as secure and insecure");
  };
  for (const auto& [prefix, registry] : by_prefix_)
    if (auto problem = check(registry)) return problem;
  return check(rest_);
}

std::expected<RegistryMap, std::string> RegistryMap::parse(std::string_view text, std::string_view catch_all,
                                                           const base::FileSystem& files) {
  auto map = [&]() -> std::expected<RegistryMap, std::string> {
    if (text.starts_with("file:")) {
      std::string path(text.substr(5));
      auto content = files.read_file(path, std::size_t{16} << 20);
      if (!content) return fail("open " + path + ": " + content.error().message);
      return parse_config(std::move(*content), path, catch_all);
    }
    if (text.starts_with("inline:")) return parse_config(std::string(text.substr(7)), "inline", catch_all);
    if (text.starts_with("simple:")) return parse_list(text.substr(7), catch_all);
    return parse_list(text, catch_all);
  }();
  if (map) {
    if (auto problem = map->check_hosts()) map = fail(*problem);
  }
  if (!map) return fail(std::string(kBadValue) + ": " + map.error());
  return map;
}

std::optional<RegistryLocation> RegistryMap::locate(std::string_view path, std::string_view version) const {
  if (path.empty()) return std::nullopt;
  const Registry* registry = &rest_;
  std::string_view prefix = path;
  for (;;) {
    if (auto found = by_prefix_.find(prefix); found != by_prefix_.end()) {
      registry = &found->second;
      break;
    }
    std::size_t slash = prefix.rfind('/');
    if (slash == std::string_view::npos) {
      prefix = {};
      break;
    }
    prefix = prefix.substr(0, slash);
  }
  if (registry->none) return std::nullopt;
  RegistryLocation location;
  location.host = registry->host;
  location.tag = registry->tag_prefix + std::string(version);
  switch (registry->encoding) {
    case PathEncoding::path:
      if (registry->strip_prefix) {
        path.remove_prefix(prefix.size());
        if (path.starts_with('/')) path.remove_prefix(1);
      }
      location.repository = join_repository(registry->repository, path);
      break;
    case PathEncoding::hash_as_repository:
      location.repository = registry->repository + "/" + base::sha256_hex(path);
      break;
    case PathEncoding::hash_as_tag:
      location.repository = registry->repository;
      location.tag = registry->tag_prefix + base::sha256_hex(path) + "-" + std::string(version);
      break;
  }
  return location;
}

std::vector<RegistryHost> RegistryMap::hosts() const {
  std::set<RegistryHost> all;
  for (const auto& [prefix, registry] : by_prefix_)
    if (!registry.none) all.insert(registry.host);
  if (!rest_.none) all.insert(rest_.host);
  return {all.begin(), all.end()};
}

}  // namespace opm::cue::module
