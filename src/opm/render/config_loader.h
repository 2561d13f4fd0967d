// Phase 0: the user's configuration and, because it is all one immutable program that the later phases and every
// transformer's own context share, everything else a render evaluates: the module with its release file (or the package
// that has the release, and that of its platforms), the provider and the Kubernetes types. Each file is read, parsed and compiled once. The context made here is the one that phases 1 to
// 4 work in.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cue/value.h"
#include "opm/render/options.h"
#include "opm/render/result.h"

namespace opm::render {

// Where something stands in the program: a path within an instance. Valid in every context.
struct Place {
  std::size_t instance = 0;
  cue::Path path;

  cue::Value in(cue::Context& context) const;
};

struct SchemaPackage {
  std::string group;  // the first word: "apps", "networking", "core"
  std::string version;
  std::uint32_t package = 0;
};

// A field at the top of a file that is something else than what is written there.
struct Redeclaration {
  std::string file;  // as messages name it
  std::string field;
  data::Value value;
};

// Where the provider of the catalog stands in its package.
inline constexpr std::string_view kBuiltinProvider = "#Provider";

struct Loaded {
  std::shared_ptr<const cue::Program> program;
  std::unique_ptr<cue::Context> context;
  std::size_t module_instance = 0;  // what is rendered; further sources follow it
  std::size_t config_instance = 1;
  bool has_builtin_provider = false;  // and nothing else as its configuration
  std::vector<SchemaPackage> schemas;
  std::optional<Redeclaration> redeclared;  // of the module: the values, where somebody overrides them

  // The module in any context, with what is redeclared.
  cue::Value module_in(cue::Context& any) const;
};

struct LoadFailure {
  std::vector<Problem> problems;
  std::shared_ptr<const cue::Program> program;  // has their sources; may be null
};

// `sources`: what is rendered and what that needs besides the catalog; each is one instance, in that order.
std::expected<Loaded, LoadFailure> load_configuration(const RenderOptions& options, std::vector<cue::LoadRequest> sources);

}  // namespace opm::render
