// A package of the workspace, evaluated, to be asked about fields and references. Text that is broken, as it is while
// somebody types, is mended first: what cannot be understood is left out of the copy that is evaluated.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cue/load/overlay.h"
#include "cue/value.h"
#include "lsp/cursor.h"
#include "lsp/workspace.h"

namespace opm::lsp {

// What a name means where it stands.
struct Declared {
  enum class Kind { nothing, field, let, variable, import };
  Kind kind = Kind::nothing;
  const cue::syntax::Node* name = nullptr;         // where it is declared in the document; nullptr: in another file
  const cue::syntax::Expression* value = nullptr;  // of a let; of a variable: what it runs over
  std::optional<cue::Path> path;                   // of a field
  const cue::syntax::ImportSpec* import = nullptr;
  std::size_t scope = 0;  // how many scopes its own expression sees
};

class Analysis {
 public:
  // `texts`: instead of what the workspace has at these paths. nullptr: the package cannot be mended.
  static std::unique_ptr<Analysis> make(const Workspace& workspace, const PackageKey& package,
                                        std::map<std::string, std::string> texts = {});

  const cue::Program& program() const { return *program_; }
  cue::Context& context() { return *context_; }
  cue::Value root() { return context_->instance(0); }

  // What the package says of a field. Values of a module, and of the environments of a release, also are what #config
  // allows.
  std::vector<cue::Value> find(const cue::Path& path);

  Declared resolve(std::string_view name, std::span<const Scope> scopes);
  // The value that an expression has where it stands; invalid if that cannot be told without evaluating what is around
  // it.
  cue::Value value_of(const cue::syntax::Expression& expression, std::span<const Scope> scopes, int depth = 0);
  cue::Value value_of(const Declared& declared, std::span<const Scope> scopes, int depth = 0);
  // The package that an import means; nothing for standard ones.
  std::optional<std::uint32_t> package_of(const cue::syntax::ImportSpec& spec) const;

  // Whether a field is, or is part of, a secret.
  bool is_secret(const cue::Path& path);

 private:
  Analysis() = default;
  // Where else is said what values may be.
  std::optional<cue::Path> schema_path(const cue::Path& path);

  std::unique_ptr<cue::load::OverlayFileSystem> files_;
  std::shared_ptr<const cue::Program> program_;
  std::unique_ptr<cue::Context> context_;
};

// "opmodel.dev/core@v0" of an import, and the name that it has in its file.
std::string import_path(const cue::syntax::ImportSpec& spec);
std::string import_name(const cue::syntax::ImportSpec& spec);

// A copy of the text without what an error at that place is about; nothing: that is not known. The length may change.
std::optional<std::string> mended(std::string_view text, std::size_t offset, std::string_view code);

}  // namespace opm::lsp
