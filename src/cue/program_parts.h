// What a Program is made of. For the engine's own files; others use value.h.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/arena.h"
#include "base/names.h"
#include "cue/compile/compile.h"
#include "cue/compile/package_list.h"
#include "cue/eval/regular_expression.h"
#include "cue/load/load.h"
#include "cue/value.h"

namespace opm::cue {

// What the imports of one package lead to.
class PackageEnvironment : public compile::Environment {
 public:
  const compile::ImportTarget* import(std::string_view import_path) const override;
  const compile::BuiltinSignature* builtin(std::string_view package, std::string_view name) const override;
  const data::Value* embedded(const syntax::Attribute& attribute) const override;
  std::vector<compile::ImportTarget> imports;
  const load::Package* loaded = nullptr;  // knows what is embedded; null: nothing is
};

struct Program::Parts {
  mutable diag::SourceMap sources;
  mutable eval::RegularExpressionCache regular_expressions;
  base::Arena arena;
  base::NameTable names;
  std::vector<std::unique_ptr<compile::PartMemory>> part_memory;
  std::vector<std::unique_ptr<base::Arena>> module_trees;  // of files that several requests import
  std::deque<load::LoadResult> loaded;                     // by request
  compile::PackageList packages;
  std::vector<std::unique_ptr<PackageEnvironment>> environments;        // by package; null where nothing of the program is,
  std::vector<std::unique_ptr<compile::PackageInput>> inputs;           // as are these
  std::vector<std::unique_ptr<std::vector<const syntax::File*>>> files;  // and these
  std::unique_ptr<PackageEnvironment> standard_environment;
  unsigned threads = 1;  // that compile large files
  std::vector<Instance> instances;
  Diagnostics errors;
};

}  // namespace opm::cue
