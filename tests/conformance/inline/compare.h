// Does an evaluated value have the shape that an expression shows? The expression is compared as it
// is written, never evaluated (save for scalars and calls), so that a fault of the evaluator can't
// hide itself by being on both sides.
#pragma once

#include <optional>
#include <string>

#include "cue/syntax/ast.h"
#include "errors.h"
#include "subject.h"

namespace opm::inline_test {

using Mismatch = std::optional<std::string>;  // what differs, with the path

class Comparison {
 public:
  // Positions in nested @test(err) are relative to `base_line`.
  Comparison(Engine& engine, int base_line, bool check_positions)
      : engine_(engine), base_line_(base_line), check_positions_(check_positions) {}

  Mismatch compare(const std::string& path, const cue::syntax::Expression& expected, const Subject& actual);

 private:
  using Expression = cue::syntax::Expression;
  Mismatch shape(const std::string& path, const Expression& expected, const Subject& actual);
  Mismatch structure(const std::string& path, const cue::syntax::StructLiteral& expected, const Subject& actual);
  Mismatch pattern_constraints(const std::string& path, std::span<const cue::syntax::Field* const> expected,
                               const Subject& actual);
  Mismatch embedding(const std::string& path, const Expression& expected, const Subject& actual);
  Mismatch list(const std::string& path, const cue::syntax::ListLiteral& expected, const Subject& actual);
  Mismatch disjunction(const std::string& path, const Expression& expected, const Subject& actual);
  Mismatch conjunction(const std::string& path, const Expression& expected, const Subject& actual);
  Mismatch bound(const std::string& path, const cue::syntax::Unary& expected, const Subject& actual);
  Mismatch same_value(const std::string& path, const Expression& expected, const Subject& actual);
  Mismatch no_hidden_fields(const std::string& path, const Subject& actual);
  Mismatch field_attributes(const std::string& path, std::span<const std::string_view> expected, const Subject& actual);

  Engine& engine_;
  int base_line_;
  bool check_positions_;
};

}  // namespace opm::inline_test
