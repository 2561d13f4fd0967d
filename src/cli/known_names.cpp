#include "cli/known_names.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <set>
#include <stop_token>
#include <thread>

#include "base/environment.h"
#include "base/path.h"
#include "cli/cluster_flags.h"
#include "cli/help_topics.h"
#include "cli/release_flags.h"
#include "cue/module/cache.h"
#include "data/build.h"
#include "kube/kubeconfig.h"
#include "opm/builtin/catalog.h"
#include "opm/render/environments.h"
#include "opm/render/render.h"
#include "opm/render/resource_query.h"

namespace opm::cli {

namespace {

constexpr std::chrono::milliseconds kPatience{1000};

std::string given_value(const GivenWords& given, std::string_view name, std::string otherwise = {}) {
  auto found = given.find(name);
  return found == given.end() ? otherwise : found->second;
}

// Everything that a command would print goes nowhere.
struct Silence {
  Output out = Output::to_text();
  Output err = Output::to_text();
  Session session{out, err};
};

RenderFlags flags_of(const GivenWords& given) {
  RenderFlags flags;
  flags.directory = given_value(given, "--directory", given_value(given, "DIR", "."));
  if (given.contains("--config")) flags.config.values.config = given_value(given, "--config");
  if (given.contains("--kubeconfig")) flags.config.values.kubeconfig = given_value(given, "--kubeconfig");
  if (given.contains("--context")) flags.config.values.context = given_value(given, "--context");
  // What is neither built in nor downloaded is done without.
  flags.config.values.registry = "none";
  return flags;
}

// What `look` finds with the options of a render of the package; nothing, where there is none.
using Look = std::function<void(const render::RenderOptions& options, std::vector<Candidate>& found)>;
std::vector<Candidate> found_in_package(const GivenWords& given, const Look& look) {
  Silence silence;
  std::vector<Candidate> found;
  if (auto setup = set_up_release_render(silence.session, flags_of(given))) look(setup->options, found);
  return found;
}

// An argument of some commands and a flag of others.
std::string given_release(const GivenWords& given) { return given_value(given, "RELEASE", given_value(given, "--release")); }

std::vector<Candidate> releases(const GivenWords& given) {
  return found_in_package(given, [](const render::RenderOptions& options, std::vector<Candidate>& found) {
    for (const model::ReleaseDeclaration& release : render::list_releases(options).releases)
      found.push_back({release.field, release.name == release.field ? std::string() : release.name});
  });
}

std::vector<Candidate> environments(const GivenWords& given) {
  return found_in_package(given, [&](const render::RenderOptions& options, std::vector<Candidate>& found) {
    std::string only = given_release(given);
    std::set<std::string> known;
    for (const model::ReleaseDeclaration& release : render::list_releases(options).releases) {
      if (!only.empty() && release.field != only) continue;
      for (const model::Environment& environment : release.environments) {
        if (known.insert(environment.key).second) found.push_back({environment.key, environment.platform.name});
      }
    }
  });
}

std::vector<Candidate> platforms(const GivenWords& given) {
  return found_in_package(given, [](const render::RenderOptions& options, std::vector<Candidate>& found) {
    for (const model::Platform& platform : render::list_platforms(options).platforms)
      found.push_back({platform.name, platform.kube_context});
  });
}

std::vector<Candidate> providers(const GivenWords& given) {
  Silence silence;
  auto configured = configure(silence.session, flags_of(given).config);
  std::vector<Candidate> result;
  if (!configured) return result;
  for (const config::Provider& provider : configured->configuration.providers) result.push_back({provider.name, {}});
  return result;
}

kube::Kubeconfig kubeconfig(const Configured& configured) {
  kube::Kubeconfig all;
  diag::SourceMap sources;
  std::string files = configured.configuration.kubeconfig.value;
  for (std::size_t at = 0; at <= files.size();) {
    std::size_t end = std::min(files.find(':', at), files.size());
    std::string path = files.substr(at, end - at);
    at = end + 1;
    if (path.empty()) continue;
    auto text = base::real_file_system().read_file(absolute_path(configured.working_directory, path), 16u << 20);
    if (!text) continue;
    const diag::Source* source = sources.add(path, std::move(*text));
    if (source != nullptr) static_cast<void>(kube::add_kubeconfig(all, *source));
  }
  return all;
}

std::vector<Candidate> contexts(const GivenWords& given) {
  Silence silence;
  auto configured = configure(silence.session, flags_of(given).config);
  std::vector<Candidate> result;
  if (!configured) return result;
  kube::Kubeconfig known = kubeconfig(*configured);
  for (const auto& [name, entry] : known.contexts) {
    std::string cluster(data::text_at(entry.value, {"cluster"}));
    result.push_back({name, name == known.current_context ? "current, cluster " + cluster : "cluster " + cluster});
  }
  return result;
}

// Those of the cluster, if it answers soon. A program that would have to be run to get in is not run for this.
std::vector<std::string> namespaces_of_cluster(Session& session, const Configured& configured) {
  auto client = connect(session, configured, {});
  std::vector<std::string> names;
  if (!client || (*client)->connection().identity.exec) return names;
  std::stop_source stop;
  std::jthread timer([&](std::stop_token done) {
    auto end = std::chrono::steady_clock::now() + kPatience;
    while (!done.stop_requested() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    stop.request_stop();
  });
  kube::Operation list;
  list.path = "/api/v1/namespaces";
  list.query = {{"limit", "500"}};
  list.what = "list namespaces";
  list.timeout = kPatience;
  auto answer = (*client)->run(list, stop.get_token());
  timer.request_stop();
  const data::Value* items = answer ? answer->find("items") : nullptr;
  if (items == nullptr || !items->is_list()) return names;
  for (const data::Value& item : items->as_list()) names.emplace_back(data::text_at(item, {"metadata", "name"}));
  return names;
}

std::vector<Candidate> namespaces(const GivenWords& given) {
  Silence silence;
  auto configured = configure(silence.session, flags_of(given).config);
  std::vector<Candidate> result;
  if (!configured) return result;
  std::set<std::string> names;
  for (const auto& [name, entry] : kubeconfig(*configured).contexts) names.emplace(data::text_at(entry.value, {"namespace"}));
  for (std::string& name : namespaces_of_cluster(silence.session, *configured)) names.insert(std::move(name));
  for (const std::string& name : names) {
    if (!name.empty()) result.push_back({name, {}});
  }
  return result;
}

// Built in, or downloaded before: which others there are, only a registry could say.
std::vector<Candidate> module_paths() {
  std::vector<Candidate> result;
  std::set<std::string> names;
  for (const builtin::CatalogModule& known : builtin::catalog_modules()) {
    names.emplace(known.path);
    result.push_back({std::string(known.path), "built in"});
  }
  auto folder = cue::module::cache_folder(base::real_environment());
  if (!folder) return result;
  std::string root = base::join_path(*folder, "mod/extract");
  constexpr std::size_t kMost = 10'000;  // entries that are looked at
  std::size_t seen = 0;
  std::error_code error;
  std::filesystem::recursive_directory_iterator at(root, error), end;
  for (; !error && at != end && seen < kMost; at.increment(error), ++seen) {
    std::string path = at->path().string().substr(root.size() + 1);
    std::size_t sign = path.find('@');
    if (sign == std::string::npos) {
      if (at.depth() > 8) at.disable_recursion_pending();
      continue;
    }
    at.disable_recursion_pending();
    if (names.insert(path).second) result.push_back({path, "downloaded"});
  }
  return result;
}

void add_resources(const render::RenderResult& result, std::vector<Candidate>& found) {
  for (const render::Resource& resource : result.resources)
    found.push_back({render::resource_text(resource), "component " + resource.component});
}

std::vector<Candidate> resources(const GivenWords& given) {
  std::string release = given_release(given);
  if (!release.empty()) {
    return found_in_package(given, [&](const render::RenderOptions& options, std::vector<Candidate>& found) {
      std::optional<std::string> environment;
      if (given.contains("--environment")) environment = given_value(given, "--environment");
      add_resources(render::render_environment(options, release, environment).result, found);
    });
  }
  Silence silence;
  std::vector<Candidate> found;
  if (auto setup = set_up_render(silence.session, flags_of(given))) add_resources(render::render(setup->options), found);
  return found;
}

std::vector<Candidate> topics() {
  std::vector<Candidate> result;
  for (const HelpTopic& topic : help_topics()) result.push_back({topic.name, topic.title});
  return result;
}

}  // namespace

std::vector<Candidate> known_names(NameKind kind, const GivenWords& given) {
  switch (kind) {
    case NameKind::release: return releases(given);
    case NameKind::environment: return environments(given);
    case NameKind::platform: return platforms(given);
    case NameKind::provider: return providers(given);
    case NameKind::context: return contexts(given);
    case NameKind::namespace_name: return namespaces(given);
    case NameKind::module_path: return module_paths();
    case NameKind::resource: return resources(given);
    case NameKind::topic: return topics();
  }
  return {};
}

}  // namespace opm::cli
