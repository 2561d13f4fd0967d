#include "opm/render/resource_query.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/suggestion.h"
#include "cue/syntax/literal.h"
#include "opm/render/problems.h"
#include "opm/render/resource_order.h"

namespace opm::render {

namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

// As kubectl knows them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kShortKinds = {{
    {"cj", "cronjob"},
    {"cm", "configmap"},
    {"crd", "customresourcedefinition"},
    {"deploy", "deployment"},
    {"ds", "daemonset"},
    {"es", "externalsecret"},
    {"hpa", "horizontalpodautoscaler"},
    {"ing", "ingress"},
    {"netpol", "networkpolicy"},
    {"ns", "namespace"},
    {"pdb", "poddisruptionbudget"},
    {"po", "pod"},
    {"pvc", "persistentvolumeclaim"},
    {"sa", "serviceaccount"},
    {"sts", "statefulset"},
    {"svc", "service"},
}};

bool is_kind(std::string_view asked, std::string_view kind) {
  for (const auto& [brief, full] : kShortKinds) {
    if (asked == brief) return full == kind;
  }
  if (asked == kind || asked == std::string(kind) + "s" || asked == std::string(kind) + "es") return true;
  return kind.ends_with('y') && asked == std::string(kind.substr(0, kind.size() - 1)) + "ies";
}

Problem unknown(std::string message, std::string advice) {
  return make_problem(ProblemKind::not_found, "not-rendered", std::move(message), std::move(advice));
}

std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kShown) text += fmt::format(" and {} more", names.size() - kShown);
  return text;
}

// One element at the beginning of a path, and what is left of the path behind it.
class PartReader {
 public:
  PartReader(const data::Value& object, std::string_view path) : at_(&object), rest_(path) {}

  std::vector<std::string> found;

  // What is wrong, if anything is.
  std::optional<Problem> read() {
    if (rest_.starts_with('.')) rest_.remove_prefix(1);
    while (!rest_.empty()) {
      if (at_->is_map() ? !step_map() : at_->is_list() ? !step_list() : !stop_at_leaf()) return problem_;
      if (rest_.starts_with('.')) rest_.remove_prefix(1);
    }
    return std::nullopt;
  }

 private:
  bool stop(std::string why, std::string advice = {}) {
    problem_ = unknown(std::move(why), std::move(advice));
    return false;
  }

  void take(std::string key, const data::Value& value, std::size_t length) {
    found.push_back(std::move(key));
    at_ = &value;
    rest_.remove_prefix(length);
  }

  static bool ends(std::string_view rest) { return rest.empty() || rest.front() == '.' || rest.front() == '['; }

  bool step_map() {
    if (auto [key, length] = quoted(); length > 0) {
      if (const data::Value* value = at_->find(key)) return take(key, *value, length), true;
      return stop_at_key(key);
    }
    const data::Member* best = nullptr;
    for (const data::Member& member : at_->as_map()) {
      if (!rest_.starts_with(member.key) || !ends(rest_.substr(member.key.size()))) continue;
      if (best == nullptr || member.key.size() > best->key.size()) best = &member;
    }
    if (best == nullptr) return stop_at_key(std::string(rest_.substr(0, std::min(rest_.find('.'), rest_.find('[')))));
    take(best->key, best->value, best->key.size());
    return true;
  }

  // "key" or ["key"]
  std::pair<std::string, std::size_t> quoted() const {
    bool in_brackets = rest_.starts_with("[\"");
    if (!in_brackets && !rest_.starts_with('"')) return {};
    std::size_t begin = in_brackets ? 2 : 1;
    std::size_t end = rest_.find('"', begin);
    if (end == std::string_view::npos) return {};
    std::string key(rest_.substr(begin, end - begin));
    return {std::move(key), end + (in_brackets && rest_.substr(end).starts_with("\"]") ? 2 : 1)};
  }

  bool stop_at_leaf() {
    return stop(fmt::format("\"{}\" is a single value, so there is no \"{}\" below it", part_text_here(), rest_));
  }

  bool stop_at_key(const std::string& key) {
    base::Suggestion near(key);
    std::vector<std::string> names;
    for (const data::Member& member : at_->as_map()) {
      near.consider(member.key);
      names.push_back(member.key);
    }
    std::string where = found.empty() ? "the object" : "\"" + part_text_here() + "\"";
    std::string advice = !near.best().empty() ? fmt::format("did you mean \"{}\"?", near.best())
                         : names.empty()      ? "it is empty"
                                              : fmt::format("it has {}", list_of(names));
    return stop(fmt::format("there is no field \"{}\" in {}", key, where), std::move(advice));
  }

  // [0], .0, or the name of an element that has one
  bool step_list() {
    bool in_brackets = rest_.starts_with('[');
    std::size_t begin = in_brackets ? 1 : 0;
    std::size_t end = in_brackets ? rest_.find(']') : std::min(rest_.find('.'), rest_.find('['));
    if (in_brackets && end == std::string_view::npos) return stop("\"]\" is missing in the path");
    std::string_view key = rest_.substr(begin, end == std::string_view::npos ? end : end - begin);
    std::size_t length = end == std::string_view::npos ? rest_.size() : end + begin;
    if (key.size() >= 2 && key.front() == '"' && key.back() == '"') key = key.substr(1, key.size() - 2);
    const data::List& list = at_->as_list();
    std::size_t index = 0;
    auto [stopped, error] = std::from_chars(key.data(), key.data() + key.size(), index);
    bool is_index = error == std::errc() && stopped == key.data() + key.size();
    if (is_index && index < list.size()) return take(std::to_string(index), list[index], length), true;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const data::Value* name = list[i].find("name");
      if (name == nullptr || !name->is_string()) continue;
      if (!is_index && name->as_string() == key) return take(std::to_string(i), list[i], length), true;
      names.push_back(name->as_string());
    }
    std::string advice = list.size() == 1 ? "it has one, [0]" : fmt::format("it has {}, from [0]", list.size());
    if (!names.empty()) advice += ": " + list_of(names);
    return stop(fmt::format("there is no element {} in \"{}\"", key, part_text_here()), std::move(advice));
  }

  std::string part_text_here() const {
    std::string text;
    for (const std::string& key : found) text += (text.empty() ? "" : ".") + key;
    return text;
  }

  const data::Value* at_;
  std::string_view rest_;
  Problem problem_;
};

}  // namespace

std::string resource_text(const Resource& resource) { return lower(resource.kind) + "/" + resource.name; }

bool asks_for_kind(std::string_view query, std::string_view kind) {
  std::size_t slash = query.find('/');
  if (slash == std::string_view::npos) return false;
  std::string asked = lower(query.substr(0, slash));
  return is_kind(std::string_view(asked).substr(0, asked.find('.')), lower(kind));
}

std::expected<std::size_t, Problem> find_resource(std::span<const Resource> resources, std::string_view query) {
  std::size_t slash = query.find('/');
  std::string kind = slash == std::string_view::npos ? std::string() : lower(query.substr(0, slash));
  std::string_view name = slash == std::string_view::npos ? query : query.substr(slash + 1);
  std::string group;
  if (std::size_t dot = kind.find('.'); dot != std::string::npos) {
    group = kind.substr(dot + 1);
    kind.resize(dot);
  }
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < resources.size(); ++i) {
    const Resource& resource = resources[i];
    if (resource.name != name || !(kind.empty() || is_kind(kind, lower(resource.kind)))) continue;
    if (!group.empty() && !split_api_version(resource.api_version).first.starts_with(group)) continue;
    found.push_back(i);
  }
  if (found.size() == 1) return found.front();
  std::vector<std::string> names;
  if (!found.empty()) {
    for (std::size_t i : found) names.push_back(resource_text(resources[i]));
    return std::unexpected(unknown(fmt::format("\"{}\" may be any of {} resources", query, found.size()),
                                   fmt::format("say which: {}", list_of(names))));
  }
  std::string asked = kind.empty() ? std::string(name) : kind + "/" + std::string(name);
  base::Suggestion near(asked);
  for (const Resource& resource : resources) names.push_back(resource_text(resource));
  for (std::size_t i = 0; i < resources.size(); ++i) near.consider(kind.empty() ? resources[i].name : names[i]);
  // Nobody is that wrong about the name of a kind: a name alone may be right.
  std::string same_name;
  for (std::size_t i = 0; i < resources.size() && near.best().empty(); ++i) {
    if (resources[i].name == name) same_name = names[i];
  }
  std::string_view meant = near.best().empty() ? std::string_view(same_name) : near.best();
  std::string advice = !meant.empty()  ? fmt::format("did you mean \"{}\"?", meant)
                       : names.empty() ? "nothing is rendered"
                                       : fmt::format("there {} {}", names.size() == 1 ? "is" : "are", list_of(names));
  return std::unexpected(unknown(fmt::format("no resource \"{}\" is rendered", query), std::move(advice)));
}

std::expected<std::vector<std::string>, Problem> find_part(const Resource& resource, std::string_view path) {
  PartReader reader(resource.object, path);
  if (auto problem = reader.read()) {
    problem->diagnostic.message = resource_text(resource) + ": " + problem->diagnostic.message;
    return std::unexpected(std::move(*problem));
  }
  return std::move(reader.found);
}

std::string part_text(std::span<const std::string> path, const data::Value& object) {
  std::string text;
  const data::Value* at = &object;
  for (const std::string& key : path) {
    if (at != nullptr && at->is_list()) {
      text += "[" + key + "]";
      std::size_t index = std::stoul(key);
      at = index < at->as_list().size() ? &at->as_list()[index] : nullptr;
      continue;
    }
    bool is_plain = !key.empty() && std::ranges::all_of(key, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '$';
    });
    if (!text.empty()) text += ".";
    text += is_plain ? key : cue::syntax::quote(key);
    if (at != nullptr) at = at->find(key);
  }
  return text;
}

}  // namespace opm::render
