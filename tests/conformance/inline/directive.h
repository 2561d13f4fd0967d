// The @test(...) attributes of CUE's test suite, taken apart.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cue/load/attribute.h"
#include "cue/syntax/ast.h"

namespace opm::inline_test {

// The evaluator whose directives count where some are marked for a version.
inline constexpr std::string_view kEvaluatorVersion = "v3";

// Lines are relative to the directive's field where no file is named.
struct ExpectedPosition {
  std::string file;
  int line = 0;
  int column = 0;
};

struct ErrorExpectation {
  std::vector<std::string> codes;  // any of them; empty: all
  std::string contains;
  bool any = false;                // some descendant has the error
  std::string at;                  // look there instead
  std::string path;                // that the error itself reports
  std::optional<std::vector<ExpectedPosition>> positions;
  std::vector<ErrorExpectation> parts;
  std::vector<std::string> arguments;  // what the message must be made of
};

struct Argument {
  std::string key;    // empty: none
  std::string value;  // unquoted
  std::string raw;    // as written
  std::string text;   // with the key
};

struct Directive {
  std::string name;     // eq, err, kind...; empty for @test()
  std::string version;  // behind the colon
  bool is_todo = false;
  std::vector<Argument> arguments;  // the first is the directive itself
  ErrorExpectation error;           // err
  std::string text;                 // as written

  bool applies() const { return version.empty() || version == kEvaluatorVersion; }
  std::optional<std::string> option(std::string_view key) const;
  // The first argument behind the name that has no key.
  const Argument* positional() const;
};

bool is_test_attribute(const cue::syntax::Attribute& attribute);
std::expected<Directive, std::string> parse_directive(const cue::syntax::Attribute& attribute);

// One step of a path in a test: a name as it stands in the source, or an index.
struct Step {
  enum class Kind { identifier, quoted, index } kind = Kind::identifier;
  std::string name;
  std::string package;  // of a hidden name; "_": none
  std::uint32_t index = 0;
};
using StepPath = std::vector<Step>;

std::string path_text(const StepPath& path);
// `a."b c".0._x$pkg`
std::expected<StepPath, std::string> parse_at_path(std::string_view text);
// The step of a static label; nothing for dynamic ones and patterns. A package of "" means that a
// hidden name says it itself (`_x$pkg`).
std::optional<Step> label_step(const cue::syntax::Node& label, std::string_view hidden_package);

}  // namespace opm::inline_test
