// Functions of the language and of the standard packages. A function is a table entry
// and a C++ function that gets its evaluated arguments through a Call: it touches
// neither network, environment, clock nor files.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cue/eval/error.h"
#include "cue/eval/value.h"
#include "data/tree.h"

namespace opm::cue::eval {

class Evaluator;

// What a builtin is called with. Before the call: the number of arguments was checked
// against the parameters, missing ones were filled with defaults, each argument is
// concrete (unless the builtin takes non-concrete ones) and of a kind that its
// parameter allows.
class Call {
 public:
  Call(Evaluator& evaluator, const Builtin& builtin, std::span<const Value> arguments, const compile::Call* source,
       Scope* scope, bool is_validator);

  Evaluator& evaluator() const { return evaluator_; }
  const Builtin& builtin() const { return builtin_; }
  Scope* scope() const { return scope_; }
  const compile::Call* source() const { return source_; }
  bool is_validator() const { return is_validator_; }
  Position position() const;
  std::size_t count() const { return arguments_.size(); }
  const Value& value(std::size_t index) const { return arguments_[index]; }

  // Arguments as C++ values. An argument that does not fit records an error (see
  // failure()) in CUE's wording and gives an empty value, so a function may read all
  // its arguments and then check once: `if (call.failed()) return call.failure();`.
  std::string_view string(std::size_t index);           // a string
  std::string_view bytes(std::size_t index);            // bytes or a string
  bool boolean(std::size_t index);
  std::int64_t int64(std::size_t index);                // an int that fits; else "... out of range"-like error
  std::uint64_t uint64(std::size_t index);
  base::Number number(std::size_t index);
  double real(std::size_t index);
  std::vector<Value> list(std::size_t index);           // the elements, each finalized, defaults taken
  std::vector<std::string_view> strings(std::size_t index);  // a list of strings
  bool failed() const { return failure_.is_error(); }
  Value failure() const { return failure_; }

  // A struct's regular fields in order; for list and struct values from anywhere in a call.
  std::vector<std::pair<std::string_view, Value>> fields(const Value& structure);
  std::vector<Value> elements(const Value& list);
  // Evaluated all the way down and concrete: as data. Errors (incomplete ones as such)
  // come back as an error value in `failure`.
  bool to_data(const Value& value, data::Value& out);

  // Results.
  Value make_string(std::string text);
  Value make_bytes(std::string bytes);
  Value make_bool(bool value);
  Value make_int(std::int64_t value);
  Value make_number(const base::Number& number);
  Value make_float(double value);
  Value make_list(std::span<const Value> values);
  Value make_strings(std::span<const std::string> values);
  Value make_struct(std::span<const std::pair<std::string, Value>> fields);
  Value from_data(const data::Value& data);
  // An error: "{}" in the format stands for an argument, as in `call.error("index {} out of range", 3)`.
  Value error(const char* format, std::initializer_list<Argument> arguments = {});
  Value incomplete(const char* format, std::initializer_list<Argument> arguments = {});
  Value error_text(std::string message);  // a message made elsewhere
  base::Arena& arena();

 private:
  void fail(const Value& error);
  Value unfit(const Value& value, std::string_view wanted, std::size_t index);
  Evaluator& evaluator_;
  const Builtin& builtin_;
  std::span<const Value> arguments_;
  const compile::Call* source_;
  Scope* scope_;
  bool is_validator_;
  Value failure_;
};

struct Parameter {
  KindSet kinds = kinds::top;
  bool has_default = false;
  Value default_value;
  // The strings that it may be, if not any, and how a message writes that: "a" | "b"
  std::span<const std::string_view> choices;
  std::string_view constraint;
};

using BuiltinFunction = Value (*)(Call&);
// Gets the unevaluated call.
using RawFunction = Value (*)(Evaluator&, const compile::Call&, Scope*);

struct Builtin : compile::BuiltinSignature {
  std::vector<Parameter> parameters;
  KindSet result = kinds::top;
  bool non_concrete = false;  // takes arguments that are not concrete
  bool takes_conjuncts = false;  // the elements of its list become conjuncts or alternatives
  bool closes_argument = false;  // what it gives is its argument, closed
  BuiltinFunction function = nullptr;
  RawFunction raw = nullptr;

  // Called without its first parameter it is a validator of that one: list.MaxItems(3).
  bool is_validator_with(std::size_t argument_count) const {
    return (result & ~kinds::boolean) == 0 && argument_count + 1 == parameters.size() &&
           !parameters[argument_count].has_default;
  }
};

// A standard package: its functions, and CUE source for what are values (math.Pi,
// list.Ascending), empty if there are none.
struct StandardPackage {
  std::string_view path;
  std::string_view name;
  std::vector<Builtin> functions;
  std::string_view source;
};

}  // namespace opm::cue::eval
