// What an expression evaluates to: a scalar, a constraint on scalars, an error, or a
// node (a struct, list or disjunction, which live in the graph of nodes). Sixteen
// bytes, freely copied; what does not fit is in the evaluation's arena.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/number.h"
#include "cue/compile/program.h"
#include "diag/source.h"

namespace opm::cue::eval {

using compile::Expression;
using compile::KindSet;
using compile::Operator;
using diag::Position;
namespace kinds = compile::kinds;

struct Node;
struct Error;
struct Builtin;
struct BoundValue;
struct Validator;
struct ValueList;
struct Scope;

enum class ValueKind : std::uint8_t {
  none,  // nothing is known (yet)
  null, boolean, number, string, bytes,
  basic_type,   // kinds() says which; top is all of them
  bound,        // >=1, =~"x", !=null
  validator,    // strings.MinRunes(3)
  conjunction,  // several values at once: and([...]), or several of the three above
  disjunction,  // any of several values: or([...])
  builtin,      // a function
  node,
  error,
};

struct Variation;
// What a payload that varies is in the world that counts; that somebody looked is noted (see worlds.h).
const void* read_variation(const Variation& variation);
const void* witness_of(const Variation& variation);

// The text or number of a scalar. In an evaluation of several worlds it may be another one in each.
template <typename T>
class Payload {
 public:
  static Payload of(const T* plain) { return Payload{reinterpret_cast<std::uintptr_t>(plain)}; }
  static Payload of(const Variation* variation) { return Payload{reinterpret_cast<std::uintptr_t>(variation) | kVaries}; }

  const Variation* variation() const {
    return (bits & kVaries) != 0 ? reinterpret_cast<const Variation*>(bits & ~kVaries) : nullptr;
  }
  const T* get() const {
    if ((bits & kVaries) != 0) [[unlikely]] return static_cast<const T*>(read_variation(*variation()));
    return reinterpret_cast<const T*>(bits);
  }
  const T& operator*() const { return *get(); }
  const T* operator->() const { return get(); }
  // Without a note: for what is the same in all worlds.
  const T* peek() const {
    if ((bits & kVaries) != 0) [[unlikely]] return static_cast<const T*>(witness_of(*variation()));
    return reinterpret_cast<const T*>(bits);
  }

  static constexpr std::uintptr_t kVaries = 1;
  std::uintptr_t bits;
};

struct Value {
  ValueKind kind = ValueKind::none;
  bool boolean_value = false;
  KindSet type_kinds = 0;  // for basic_type
  Position position;       // where it was written, if anywhere
  union {
    const void* pointer = nullptr;
    Payload<base::Number> number;
    Payload<std::string_view> text;  // string and bytes
    const BoundValue* bound;
    const Validator* validator;
    const ValueList* list;
    const Builtin* builtin;
    Node* node;
    const Error* error;
  };

  bool exists() const { return kind != ValueKind::none; }
  bool is_error() const { return kind == ValueKind::error; }
  bool is_node() const { return kind == ValueKind::node; }
  bool is_string() const { return kind == ValueKind::string; }
  bool is_text() const { return kind == ValueKind::string || kind == ValueKind::bytes; }
  bool is_number() const { return kind == ValueKind::number; }
  bool is_concrete_scalar() const { return kind >= ValueKind::null && kind <= ValueKind::bytes; }
  bool is_top() const { return kind == ValueKind::basic_type && type_kinds == kinds::top; }
  std::string_view string() const { return *text; }
  const Variation* variation() const { return is_number() ? number.variation() : is_text() ? text.variation() : nullptr; }

  static Value null(Position position = {});
  static Value boolean(bool value, Position position = {});
  static Value of_number(const base::Number* number, Position position = {});
  static Value of_string(const std::string_view* text, Position position = {});
  static Value of_bytes(const std::string_view* bytes, Position position = {});
  static Value type(KindSet kinds, Position position = {});
  // Of the same kind as `like`, and at its place.
  static Value of_variation(const Value& like, const Variation* variation);
  static Value of_node(Node* node);
  static Value of_error(const Error* error);
  static Value of_builtin(const Builtin* builtin, Position position = {});
};
static_assert(sizeof(Value) == 16);

struct BoundValue {
  Operator op;
  Value operand;  // concrete
  Position position;
  const Expression* expression;  // its source, or null
};

// A call of a builtin that lacks its first argument: the value to be checked.
struct Validator {
  const Builtin* builtin;
  std::span<const Value> arguments;  // all but the first
  Position position;
  const Expression* call;  // null for a bare `strings.MinRunes`-like name
};

struct ValueList {
  std::span<const Value> values;
};

// The kinds that the value may have; for a node, those of what it evaluated to.
KindSet kinds_of(const Value& value);

std::string kinds_text(KindSet kinds);  // "(int|string)", "number", "_"

}  // namespace opm::cue::eval
