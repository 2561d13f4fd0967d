// The compiled program: what the parser saw, with every name resolved and nothing
// evaluated. It is immutable, so that any number of evaluations may share it.
//
// Scopes. A reference says how many scopes to go up, then what to take there. These
// push one scope each, and nothing else does:
//   - a struct literal (also a file, and the body of a comprehension),
//   - a `for` or `let` clause and `try x = e` of a comprehension,
//   - the value of a pattern constraint or dynamic field whose label has an alias
//     (label_scope below; `X=(e): v` needs none, since X is a DynamicReference),
//   - a value with an alias, `a: X=v`, and a list that mentions itself as `self`
//     (AliasExpression).
// The files of a package are struct literals that are unified in the package's root
// node; a reference to a top-level field of another file goes up to the own file's
// scope and finds the field in the root node all the same.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/number.h"
#include "cue/compile/label.h"
#include "diag/source.h"

namespace opm::cue::compile {

using diag::Position;

// Sets of kinds of values. An int is also a number; bottom is the empty set.
using KindSet = std::uint16_t;
namespace kinds {
inline constexpr KindSet bottom = 0, null = 1, boolean = 2, integer = 4, floating = 8, string = 16, bytes = 32,
                         function = 64, structure = 128, list = 256;
inline constexpr KindSet number = integer | floating;
inline constexpr KindSet composite = structure | list;
inline constexpr KindSet top = 511;
inline constexpr KindSet scalar = top & ~composite;
}  // namespace kinds

// What the language version and the @experiment attributes of a file switch on.
struct Features {
  bool struct_comparison : 1 = false;  // language v0.15: == is defined on all values
  bool explicit_open : 1 = false;      // x...
  bool alias_v2 : 1 = false;           // label~X, self
  bool try_clause : 1 = false;         // try, else, x?
  bool short_circuit : 1 = false;      // && and ||
  bool testing : 1 = false;            // nothing but __test_experiment
};

enum class ExpressionKind : std::uint8_t {
  null, boolean, number, string, bytes, basic_type, top, bottom,
  structure, list,
  field_reference, value_reference, label_reference, dynamic_reference, clause_reference, let_reference,
  import_reference, builtin,
  selector, index, slice, interpolation, bound, unary, binary, unify, disjunction, call, open, alias,
  comprehension, ellipsis,
  // declarations, so that a conjunct can say which declaration it came from
  field, pattern, dynamic_field,
};

enum class Operator : std::uint8_t {
  none, add, subtract, multiply, divide, quo, rem, div, mod,
  logical_and, logical_or, equal, not_equal, less, less_equal, greater, greater_equal, match, not_match, logical_not,
};
std::string_view operator_text(Operator op);

struct Expression {
  ExpressionKind kind;
  // A reference whose path has a definition label: what it brings in is closed.
  bool refers_to_definition = false;
  // Marked `x?` (only inside try).
  bool optional_reference = false;
  Features features;
  Position position;      // of the first token
  Position end_position;  // just behind the last token: the source text is what messages quote
};

struct NullExpression : Expression {};
struct BooleanExpression : Expression { bool value; };
struct NumberExpression : Expression { base::Number value; };
struct StringExpression : Expression { std::string_view value; };  // also bytes
struct BasicTypeExpression : Expression { KindSet kinds; };        // int, string, number...; top is its own kind
struct TopExpression : Expression {};
struct BottomExpression : Expression {};

// up = 0 is the innermost scope around the reference.
struct FieldReference : Expression { std::uint32_t up; Label label; };
struct ValueReference : Expression { std::uint32_t up; std::string_view name; };  // the node that the scope stands for
struct LabelReference : Expression { std::uint32_t up; std::string_view name; };  // the label of a label_scope, as a string
// X=(e): v and X="\(e)": v, referred to as X: the field of the scope's node whose label is e.
struct DynamicReference : Expression { std::uint32_t up; const Expression* label; std::string_view name; };
enum class ClauseVariable : std::uint8_t { key, value };
struct ClauseReference : Expression { std::uint32_t up; ClauseVariable variable; std::string_view name; };
// A `let` of a struct (slot: its index there) or of a clause (slot 0).
struct LetReference : Expression { std::uint32_t up; std::uint32_t slot; std::string_view name; };
// A package by its index in the list of packages (~0: a standard package that has only functions).
struct ImportReference : Expression { std::uint32_t package; std::string_view name; std::string_view path; };

// A function of the language or of a standard package. The evaluator's table of
// functions derives from this; the compiler needs only the name.
struct BuiltinSignature {
  std::string_view package;  // "" for len, close, and...
  std::string_view name;
};
// In a package of an image the function is known by its place there (PackageList::builtin), since it may be anywhere.
struct BuiltinExpression : Expression {
  std::uint32_t of_image = 0;  // which one, from 1: `builtin` is no more than its name then
  const BuiltinSignature* builtin;
};

struct Selector : Expression { const Expression* operand; Label label; Position label_position; };
struct Index : Expression { const Expression* operand; const Expression* index; };
struct Slice : Expression { const Expression* operand; const Expression* low; const Expression* high; };  // low, high may be null
struct Interpolation : Expression { bool is_bytes; std::span<const Expression* const> parts; };  // string constants and expressions
struct Bound : Expression { Operator op; const Expression* operand; };                            // <3, !="x", =~"y"
struct Unary : Expression { Operator op; const Expression* operand; };                            // - + !
struct Binary : Expression { Operator op; const Expression* left; const Expression* right; Position operator_position; };
struct Unify : Expression { const Expression* left; const Expression* right; };                   // a & b
struct Disjunct { const Expression* value; bool is_default; };
struct Disjunction : Expression { std::span<const Disjunct> disjuncts; bool has_defaults; };      // a | *b | c, flattened
struct Call : Expression { const Expression* function; std::span<const Expression* const> arguments; };
struct Open : Expression { const Expression* operand; };                                           // x...
struct AliasExpression : Expression { const Expression* value; };  // a scope around `value` whose node is the value's node

struct ListExpression : Expression { std::span<const Expression* const> elements; };  // may hold comprehensions and, last, an ellipsis
struct EllipsisExpression : Expression { const Expression* type; };  // null: anything

struct StructExpression;

enum class ClauseKind : std::uint8_t { for_, if_, let, try_ };
struct Clause {
  ClauseKind kind;
  bool pushes_scope;             // for, let, and try with a name
  const Expression* expression;  // source, condition or value; null for `try { ... }`
  bool has_key = false, has_value = false;  // for: which variables someone refers to
  Position position;
};
struct Comprehension : Expression {
  std::span<const Clause> clauses;
  const StructExpression* body;
  const StructExpression* fallback;  // else, fallback; may be null
};

enum class FieldKind : std::uint8_t { member, required, optional };

struct Attribute {
  std::string_view text;  // with @ and parentheses
  Position position;
};

struct Field : Expression {  // position: of the label
  Label label;
  FieldKind field_kind;
  const Expression* value;
  std::uint32_t next_same;  // index of the next field of the struct with this label, or 0 (the first field is never a "next")
  std::span<const Attribute> attributes;
  std::span<const std::string_view> documentation;  // the lines of its doc comment with their slashes
};
struct Pattern : Expression {  // [pattern]: value
  const Expression* pattern;
  const Expression* value;
  bool label_scope;  // the value's outermost scope holds the label and the matched node
  std::span<const Attribute> attributes;
};
struct DynamicField : Expression {  // (label): value
  const Expression* label;
  FieldKind field_kind;
  const Expression* value;
  bool label_scope;
  std::span<const Attribute> attributes;
};

enum class DeclarationKind : std::uint8_t { field, let, pattern, dynamic, embedding, comprehension, ellipsis };
struct Declaration {
  DeclarationKind kind;
  const Expression* expression;  // Field, Pattern, DynamicField, Comprehension, EllipsisExpression, the embedded expression or the let's value
};

struct StructExpression : Expression {
  std::span<const Declaration> declarations;        // in source order
  std::span<const Field* const> fields;             // all fields, in source order
  std::span<const Expression* const> lets;          // by slot
  std::span<const std::string_view> let_names;
  std::span<const Attribute> attributes;            // declaration attributes
  std::span<const std::uint32_t> table;             // label hash table: index+1 of the first field with it; empty for few fields
  const EllipsisExpression* ellipsis = nullptr;
  bool is_file = false;
  bool has_embedding = false;      // embeddings or comprehensions
  bool has_dynamic = false;        // dynamic fields
  bool has_pattern = false;
  bool has_required_or_optional = false;  // some field is not a plain member
  bool only_fields = false;        // nothing but static fields and lets: may be looked up without being unified first

  // The first field with that label, or null; more of them hang on next_same.
  const Field* find(Label label) const;
};

struct Package {
  std::string_view path;  // import path; "_" where there is none
  std::string_view name;
  std::span<const StructExpression* const> files;
  std::string_view language_version;
  bool is_standard = false;
};

}  // namespace opm::cue::compile
