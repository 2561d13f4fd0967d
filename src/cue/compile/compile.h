// Syntax trees to program: resolves every identifier, checks what can be checked
// without evaluating (unresolved references, unused imports and lets, misplaced
// ellipses, bad literals, label conflicts), and lays out the tables that evaluation
// looks things up in.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/names.h"
#include "cue/compile/program.h"
#include "cue/syntax/ast.h"
#include "data/tree.h"
#include "diag/diagnostic.h"

namespace opm::cue::compile {

struct ImportTarget {
  static constexpr std::uint32_t kNone = ~0u;
  std::uint32_t package = kNone;  // index into the list of packages; kNone: only functions (a standard package without values)
  bool is_standard = false;
  std::string_view path;          // as builtins are looked up
  std::string_view name;          // the package's own name, which the import binds unless the import renames it
};

// What lies outside a package: imports and builtin functions.
class Environment {
 public:
  virtual ~Environment() = default;
  // The target of an import of the package that is being compiled, or null if it can't be resolved.
  virtual const ImportTarget* import(std::string_view import_path) const = 0;
  // A function: package "" for the predeclared ones (len, close, and, or, div, mod, quo, rem, error, matchN, matchIf...).
  virtual const BuiltinSignature* builtin(std::string_view package, std::string_view name) const = 0;
  // What an @embed attribute brings in; null for all other attributes.
  virtual const data::Value* embedded(const syntax::Attribute& attribute) const {
    static_cast<void>(attribute);
    return nullptr;
  }
};

// What a thread makes of a part of a large file.
struct PartMemory {
  explicit PartMemory(const base::NameTable& parent) : names(&parent) {}
  base::Arena arena;
  base::NameTable names;  // of texts; the ids are those of the whole
};

struct PackageInput {
  std::string_view path;  // import path; "_" where there is none
  std::string_view name;
  std::string_view language_version;  // "v0.15.0"; empty: the newest
  std::span<const syntax::File* const> files;
  unsigned threads = 1;  // that a large file is compiled by
  // Where what they make is kept, for as long as the program is.
  std::vector<std::unique_ptr<PartMemory>>* part_memory = nullptr;
};

struct CompileResult {
  const Package* package = nullptr;  // null when there were errors
  std::vector<diag::Diagnostic> errors;
};

CompileResult compile_package(base::Arena& arena, base::NameTable& names, const Environment& environment,
                              const PackageInput& input);

struct CompiledExpression {
  const Expression* expression = nullptr;
  std::vector<diag::Diagnostic> errors;
};
// An expression that sees the top-level fields of `package` and the imports of its first
// file (package may be null): evaluate it in one scope whose node is the package's root.
CompiledExpression compile_expression(base::Arena& arena, base::NameTable& names, const Environment& environment,
                                      const PackageInput* package, const syntax::Expression& expression);

// The same for an expression that sees the given fields, which an evaluated value has: evaluate
// it in one scope whose node is that value.
struct ValueScope {
  std::string_view package_path = "_";  // that hidden names belong to
  std::string_view language_version;
  std::span<const Label> fields;
};
CompiledExpression compile_expression(base::Arena& arena, base::NameTable& names, const Environment& environment,
                                      const ValueScope& scope, const syntax::Expression& expression);

}  // namespace opm::cue::compile
