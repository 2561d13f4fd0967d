// An error as a value. Most errors die with a failed disjunct and are never shown, so
// an error keeps what its message would be made of; text.h makes the text on demand.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "cue/compile/label.h"
#include "cue/eval/value.h"

namespace opm::cue::eval {

// Only the code steers evaluation; a smaller one is worse and wins.
enum class ErrorCode : std::uint8_t {
  evaluation,        // permanent
  user,              // error("...") and _|_
  structural_cycle,  // permanent, but not passed up to parents
  incomplete,        // more information may make it go away
  cycle,             // a reference cycle; counts as incomplete
};
std::string_view error_code_text(ErrorCode code);

struct Argument {
  enum class Kind : std::uint8_t { none, value, expression, label, quoted_label, text, integer, kinds, error, op } kind = Kind::none;
  Value value;
  const Expression* expression = nullptr;
  Label label;
  std::string_view text;
  std::int64_t integer = 0;
  const Error* error = nullptr;
  bool is_silent = false;

  Argument() = default;
  Argument(const Value& v) : kind(Kind::value), value(v) {}                       // NOLINT
  Argument(const Expression* e) : kind(Kind::expression), expression(e) {}        // NOLINT
  Argument(Label l) : kind(Kind::label), label(l) {}                              // NOLINT
  Argument(std::string_view t) : kind(Kind::text), text(t) {}                     // NOLINT
  Argument(const char* t) : kind(Kind::text), text(t) {}                          // NOLINT
  Argument(std::int64_t i) : kind(Kind::integer), integer(i) {}                   // NOLINT
  Argument(const Error* e) : kind(Kind::error), error(e) {}                       // NOLINT
  Argument(Operator o) : kind(Kind::op), integer(static_cast<int>(o)) {}          // NOLINT
  static Argument of_kinds(KindSet k) {
    Argument a;
    a.kind = Kind::kinds;
    a.integer = k;
    return a;
  }
  // Shown, but not where it stands.
  static Argument silent(const Value& v) {
    Argument a(v);
    a.is_silent = true;
    return a;
  }
  // A field that was looked for in that node, so that the one that was meant can be found.
  static Argument looked_up(Label l, Node* in) {
    Argument a(l);
    a.value = Value::of_node(in);
    return a;
  }
  static Argument quoted(Label l) {
    Argument a(l);
    a.kind = Kind::quoted_label;
    return a;
  }
};

struct Error {
  ErrorCode code = ErrorCode::evaluation;
  bool is_child_error = false;   // it is an error of a descendant
  bool from_close_check = false;
  bool is_in_progress = false;   // stands for "being evaluated", not a real error
  bool is_disjunction = false;   // parts are the errors of the failed branches
  Node* node = nullptr;          // where it happened; gives the path
  const char* format = "";       // "{}" marks an argument
  std::span<const Argument> arguments;
  Position position;                     // the main one, may be nowhere
  std::span<const Position> positions;   // further ones
  const Error* cause = nullptr;          // message: cause's message
  std::span<const Error* const> parts;   // several errors of one node, or of the branches of a disjunction

  bool is_incomplete() const { return code == ErrorCode::incomplete || code == ErrorCode::cycle; }
};

}  // namespace opm::cue::eval
