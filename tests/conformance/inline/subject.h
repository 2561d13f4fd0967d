// The evaluated value that assertions are about, seen as CUE's own test program sees it: a field is
// looked up without taking defaults, optional fields and pattern constraints are there to be seen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cue/eval/evaluator.h"
#include "cue/value.h"
#include "directive.h"

namespace opm::inline_test {

namespace eval = cue::eval;
using cue::Label;

struct Subject {
  eval::Value value;
  bool exists = true;
};

struct FieldView {
  Label label;
  eval::ArcKind arc = eval::ArcKind::member;
  Subject value;
};

struct PatternView {
  Subject pattern;
  Subject value;
};

// One error of a value, as it would be reported.
struct ErrorView {
  std::string path;
  std::string message;
  std::vector<diag::Position> positions;
  bool is_header = false;  // "2 errors in empty disjunction:"
};

class Engine {
 public:
  explicit Engine(cue::Context& context) : context_(context), evaluator_(context.evaluator()) {}
  cue::Context& context() { return context_; }
  eval::Evaluator& evaluator() { return evaluator_; }

  Label label(const Step& step);
  Subject of(eval::Node* node);
  Subject of(const eval::Value& value) { return {value, true}; }
  Subject find(Subject subject, const StepPath& path);
  // `wanted`: optional or required accept any field, member only one that is there.
  Subject field(const Subject& subject, Label label, eval::ArcKind wanted);

  // The node that holds the value, or null for a plain scalar.
  eval::Node* node(const Subject& subject);
  const eval::Error* error(const Subject& subject);
  // The scalar, constraint or disjunction that a value is or that is embedded in a struct.
  std::optional<eval::Value> terminal(const Subject& subject);
  bool is_disjunction(const Subject& subject);
  bool is_concrete(const Subject& subject);
  bool is_closed(const Subject& subject);
  bool allows(const Subject& subject, const std::string& selector);
  eval::KindSet kinds(const Subject& subject);
  Subject with_default(const Subject& subject);
  // All that are there or constrain, list elements included.
  std::vector<FieldView> fields(const Subject& subject);
  std::vector<Subject> elements(const Subject& subject);
  std::vector<PatternView> patterns(const Subject& subject);
  // The value of a let clause of the struct.
  std::optional<Subject> let_value(const Subject& subject, std::string_view name);
  std::vector<std::string> attributes(const Subject& subject);
  std::vector<ErrorView> errors(const Subject& subject);
  std::string message(const Subject& subject);  // of all its errors, in one line
  bool equal(const Subject& a, const Subject& b);
  // An expression on its own; standard packages need no import.
  std::expected<Subject, std::string> compile(const cue::syntax::Expression& expression);
  // On one line, cut where it gets long.
  std::string show(const Subject& subject);
  std::string show_positions(const std::vector<diag::Position>& positions);

 private:
  bool equal_terminal(const eval::Value& a, const eval::Value& b);
  bool equal_validators(const eval::Validator& wanted, const eval::Validator& actual);
  cue::Context& context_;
  eval::Evaluator& evaluator_;
};

}  // namespace opm::inline_test
