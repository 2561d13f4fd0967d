// Something that holds modules: a registry, the cache of what was downloaded, what is built
// into the program. Several of them make a chain, in which the first that holds an exact
// version answers for it.
#pragma once

#include <expected>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "cue/module/module_file.h"
#include "cue/module/resolver.h"
#include "diag/source.h"

namespace opm::cue::module {

// Where the files of a module are.
struct ModuleTree {
  const base::FileSystem* files = nullptr;  // lives as long as the source
  std::string root;                         // the folder in `files` that has cue.mod
  std::string display_root;                 // what messages say instead of root; empty: root itself
  const ModuleFile* file = nullptr;         // what its module.cue says, if that is known; lives as long as the source
};

// Any number of threads may ask at the same time.
class ModuleSource {
 public:
  virtual ~ModuleSource() = default;

  // How messages call it: "the built-in modules", "registry ghcr.io/acme".
  virtual std::string name() const = 0;
  // Whether it takes long to ask, so that several questions are better asked at once.
  virtual bool is_remote() const { return false; }
  // Whether it answers for that version without waiting for anybody, so that asking for several at the same time gains
  // nothing.
  virtual bool has_at_hand(const ModuleVersion& module) const { return static_cast<void>(module), false; }
  // The text of cue.mod/module.cue; nothing: that version is not here.
  virtual std::expected<std::optional<std::string>, ModuleError> module_file(const ModuleVersion& module) = 0;
  // Nothing: that version is not here.
  virtual std::expected<std::optional<ModuleTree>, ModuleError> content(const ModuleVersion& module) = 0;
  // All versions that are here, in no order; `module_path` is "host/name" or, for one major version, "host/name@vN".
  virtual std::expected<std::vector<std::string>, ModuleError> versions(std::string_view module_path) = 0;
};

// Asks sources one after the other and remembers what they said. Any number of threads may use it.
class ModuleSources {
 public:
  explicit ModuleSources(std::vector<std::shared_ptr<ModuleSource>> sources) : sources_(std::move(sources)) {}

  // The same object for the same module, valid as long as this.
  std::expected<const ModuleFile*, ModuleError> module_file(const ModuleVersion& module);
  std::expected<const ModuleContent*, ModuleError> content(const ModuleVersion& module);
  // Of all sources together, oldest first, each once.
  std::expected<std::vector<std::string>, ModuleError> versions(std::string_view module_path);

  // Several at the same time; what went wrong is told again by module_file() and content().
  void prepare_files(std::span<const ModuleVersion> modules);
  void prepare_contents(std::span<const ModuleVersion> modules);

  // How messages list them: "the built-in modules, registry ghcr.io"; empty: there are none.
  std::string names() const;

 private:
  template <typename Answer>
  using Known = std::map<ModuleVersion, std::expected<std::unique_ptr<const Answer>, ModuleError>>;

  template <typename Answer>
  using Asked = std::expected<std::unique_ptr<const Answer>, ModuleError>;
  enum class Reach : std::uint8_t { local, all };

  // Null: none of the sources within reach has it.
  Asked<ModuleFile> ask_for_file(const ModuleVersion& module, Reach reach);
  Asked<ModuleContent> ask_for_content(const ModuleVersion& module, Reach reach);
  template <typename Answer, typename Ask>
  std::expected<const Answer*, ModuleError> answer(Known<Answer>& known, const ModuleVersion& module, const Ask& ask);
  template <typename Answer, typename Ask>
  void prepare(Known<Answer>& known, std::span<const ModuleVersion> modules, const Ask& ask);
  std::expected<ModuleFile, ModuleError> read_file(const ModuleVersion& module, std::string text);
  ModuleError not_found(const ModuleVersion& module) const;
  template <typename Answer>
  std::vector<ModuleVersion> far_away(std::span<const ModuleVersion> modules, const Known<Answer>& known);

  std::vector<std::shared_ptr<ModuleSource>> sources_;
  diag::SourceMap texts_;  // of module files, for the positions in messages about them
  std::mutex mutex_;       // guards what follows, not the asking
  Known<ModuleFile> files_;
  Known<ModuleContent> contents_;
};

}  // namespace opm::cue::module
