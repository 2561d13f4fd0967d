#include "cue/module/source.h"

#include <algorithm>

#include "base/path.h"
#include "base/thread_pool.h"
#include "cue/module/import_path.h"
#include "cue/module/version.h"

namespace opm::cue::module {
namespace {

// Registries are far away: waiting for several at once costs no processor.
constexpr std::size_t kDownloadsAtOnce = 8;

}  // namespace

std::string_view ModuleError::code() const {
  switch (kind) {
    case ModuleErrorKind::invalid:
      return "module-invalid";
    case ModuleErrorKind::not_found:
      return "module-not-found";
    case ModuleErrorKind::unreachable:
      return "registry-unreachable";
    case ModuleErrorKind::denied:
      return "registry-denied";
  }
  return "module-invalid";
}

ModuleError ModuleSources::not_found(const ModuleVersion& module) const {
  return {ModuleErrorKind::not_found, "module " + module.text() + ": module not found"};
}

std::string ModuleSources::names() const {
  std::string text;
  for (const auto& source : sources_) text += (text.empty() ? "" : ", ") + source->name();
  return text;
}

std::expected<ModuleFile, ModuleError> ModuleSources::read_file(const ModuleVersion& module, std::string text) {
  auto fail = [&](const std::string& why) {
    return std::unexpected(
        ModuleError{ModuleErrorKind::invalid, "cannot parse module file from " + module.text() + ": " + why});
  };
  const diag::Source* source = texts_.add(module.text() + "/cue.mod/module.cue", std::move(text));
  if (source == nullptr) return fail("too much source text");
  auto file = read_module_file(*source, Strictness::strict);
  if (!file) return fail(file.error().front().message);
  if (file->path != module.path) return fail("it is the file of module " + file->path);
  return std::move(*file);
}

ModuleSources::Asked<ModuleFile> ModuleSources::ask_for_file(const ModuleVersion& module, Reach reach) {
  for (const auto& source : sources_) {
    if (reach == Reach::local && source->is_remote()) break;
    auto text = source->module_file(module);
    if (!text) return std::unexpected(std::move(text.error()));
    if (!*text) continue;
    auto file = read_file(module, std::move(**text));
    if (!file) return std::unexpected(std::move(file.error()));
    return std::make_unique<const ModuleFile>(std::move(*file));
  }
  return nullptr;
}

ModuleSources::Asked<ModuleContent> ModuleSources::ask_for_content(const ModuleVersion& module, Reach reach) {
  for (const auto& source : sources_) {
    if (reach == Reach::local && source->is_remote()) break;
    auto tree = source->content(module);
    if (!tree) return std::unexpected(std::move(tree.error()));
    if (!*tree) continue;
    ModuleContent content{(*tree)->files, (*tree)->root, (*tree)->display_root, {}};
    if ((*tree)->file != nullptr) {
      content.file = *(*tree)->file;
      return std::make_unique<const ModuleContent>(std::move(content));
    }
    auto text = content.files->read_file(base::join_path(content.root, "cue.mod/module.cue"), kMaxModuleFileBytes);
    if (!text)
      return std::unexpected(ModuleError{ModuleErrorKind::invalid, "module " + module.text() + " has no readable " +
                                                                       "cue.mod/module.cue: " + text.error().message});
    auto file = read_file(module, std::move(*text));
    if (!file) return std::unexpected(std::move(file.error()));
    content.file = std::move(*file);
    return std::make_unique<const ModuleContent>(std::move(content));
  }
  return nullptr;
}

template <typename Answer, typename Ask>
std::expected<const Answer*, ModuleError> ModuleSources::answer(Known<Answer>& known, const ModuleVersion& module,
                                                                const Ask& ask) {
  auto tell = [](const Asked<Answer>& asked) -> std::expected<const Answer*, ModuleError> {
    if (!asked) return std::unexpected(asked.error());
    return asked->get();
  };
  {
    std::lock_guard lock(mutex_);
    if (auto found = known.find(module); found != known.end()) return tell(found->second);
  }
  Asked<Answer> asked = ask(module, Reach::all);
  if (asked && !*asked) asked = std::unexpected(not_found(module));
  std::lock_guard lock(mutex_);
  return tell(known.try_emplace(module, std::move(asked)).first->second);
}

// What is near is asked for one by one; only what is far, and is still missing, at the same time.
template <typename Answer, typename Ask>
void ModuleSources::prepare(Known<Answer>& known, std::span<const ModuleVersion> modules, const Ask& ask) {
  std::vector<ModuleVersion> far;
  for (const ModuleVersion& module : modules) {
    {
      std::lock_guard lock(mutex_);
      if (known.contains(module)) continue;
    }
    Asked<Answer> asked = ask(module, Reach::local);
    if (asked && !*asked) {
      far.push_back(module);
      continue;
    }
    std::lock_guard lock(mutex_);
    known.try_emplace(module, std::move(asked));
  }
  if (far.size() < 2) return;  // whoever needs it will ask
  base::ThreadPool pool(std::min(far.size(), kDownloadsAtOnce));
  static_cast<void>(
      pool.parallel_for(far.size(), [&](std::size_t i) { static_cast<void>(answer(known, far[i], ask)); }));
}

std::expected<const ModuleFile*, ModuleError> ModuleSources::module_file(const ModuleVersion& module) {
  return answer(files_, module, [this](const ModuleVersion& wanted, Reach reach) { return ask_for_file(wanted, reach); });
}

std::expected<const ModuleContent*, ModuleError> ModuleSources::content(const ModuleVersion& module) {
  return answer(contents_, module,
                [this](const ModuleVersion& wanted, Reach reach) { return ask_for_content(wanted, reach); });
}

std::expected<std::vector<std::string>, ModuleError> ModuleSources::versions(std::string_view module_path) {
  std::vector<std::string> all;
  for (const auto& source : sources_) {
    auto some = source->versions(module_path);
    if (!some) return some;
    all.insert(all.end(), std::make_move_iterator(some->begin()), std::make_move_iterator(some->end()));
  }
  std::ranges::sort(all, [](const std::string& a, const std::string& b) {
    auto order = compare_versions(a, b);
    return order != 0 ? order < 0 : a < b;
  });
  auto [first, last] = std::ranges::unique(all);
  all.erase(first, last);
  return all;
}

// Those that are worth threads: not known yet, and not at hand.
template <typename Answer>
std::vector<ModuleVersion> ModuleSources::far_away(std::span<const ModuleVersion> modules, const Known<Answer>& known) {
  std::vector<ModuleVersion> far;
  std::lock_guard lock(mutex_);
  for (const ModuleVersion& module : modules) {
    auto has_it = [&](const auto& source) { return source->has_at_hand(module); };
    if (!known.contains(module) && std::ranges::none_of(sources_, has_it)) far.push_back(module);
  }
  return far;
}

void ModuleSources::prepare_files(std::span<const ModuleVersion> modules) {
  prepare(files_, modules, [this](const ModuleVersion& wanted, Reach reach) { return ask_for_file(wanted, reach); });
}

void ModuleSources::prepare_contents(std::span<const ModuleVersion> modules) {
  prepare(contents_, modules,
          [this](const ModuleVersion& wanted, Reach reach) { return ask_for_content(wanted, reach); });
}

}  // namespace opm::cue::module
