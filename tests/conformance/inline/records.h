// Where the @test attributes of a file stand, and what each is about.
#pragma once

#include <string>
#include <vector>

#include "cue/syntax/ast.h"
#include "diag/source.h"
#include "directive.h"

namespace opm::inline_test {

struct Record {
  StepPath path;
  Directive directive;
  std::string problem;          // why the attribute can't be understood
  bool file_level = false;      // about the whole file
  bool is_declaration = false;  // stands in the struct rather than behind the field
  int base_line = 0;            // that positions are relative to
  std::string file;
};

// All records of a file, in the order in which they stand.
std::vector<Record> extract_records(const cue::syntax::File& file, const diag::SourceMap& sources, const std::string& name);

bool starts_with(const StepPath& path, const StepPath& prefix);
bool same_path(const StepPath& a, const StepPath& b);

}  // namespace opm::inline_test
