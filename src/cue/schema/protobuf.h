// Protocol Buffers as CUE: messages and enums become definitions, fields keep their numbers in attributes.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "base/arena.h"
#include "base/file_system.h"
#include "cue/schema/tree_maker.h"
#include "cue/syntax/ast.h"
#include "diag/source.h"

namespace opm::cue::schema {

struct ProtoOptions {
  std::string package_name;                  // empty: what the file says
  bool enums_as_numbers = false;             // rather than names with their numbers
  const base::FileSystem* files = nullptr;   // where imports are read,
  std::vector<std::string> roots;            // below these folders only
};

struct ProtoFile {
  syntax::File* syntax = nullptr;
  std::string import_path;   // of its package, with the name where that is not the last step
  std::string package_path;  // the same without the name
  std::string package_name;
  std::vector<std::string> imports;  // files that it imports, absolute; those of Google's well-known types are built in
};

std::expected<ProtoFile, Errors> read_protobuf(base::Arena& arena, diag::SourceMap& sources, const diag::Source& source,
                                               const ProtoOptions& options);

}  // namespace opm::cue::schema
