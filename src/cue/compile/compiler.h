// The compiler's inside: one object per package (or expression) that walks the syntax
// trees once, with a chain of lexical scopes, and builds the program. Its parts:
// compile.cpp (packages, files, imports), compile_scopes.cpp (what names are declared),
// compile_references.cpp (what an identifier means), compile_expressions.cpp,
// compile_structs.cpp, compile_comprehensions.cpp, and compile_parts.cpp (large structs,
// by several threads).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/names.h"
#include "cue/compile/compile.h"
#include "cue/compile/program.h"
#include "cue/syntax/ast.h"
#include "diag/diagnostic.h"

namespace opm::cue::compile {

enum class BindingKind : std::uint8_t {
  field,          // a: v
  import,
  let,            // let x = v in a struct
  field_alias,    // X=a: v, X="a": v, a~X: v
  dynamic_alias,  // X=(e): v, X="\(e)": v, (e)~X: v
  label_text,     // K of a~(K,V): v
  dynamic_label,  // K of (e)~(K,V): v, outside its field
  scope_label,    // X of [X=e]: v, K of [e]~(K,V): v and (e)~(K,V): v
  scope_node,     // X of X=[e]: v, V of [e]~(K,V): v
  value_alias,    // a: X=v
  for_key,
  for_value,
  clause_let,     // let and try of a comprehension
};

struct Scope;

// A name that a scope declares.
struct Binding {
  base::Name name;
  BindingKind kind;
  bool must_be_used = false;
  bool used = false;
  Label label;                         // field, field_alias, label_text
  std::uint32_t slot = 0;              // let: of the struct; dynamic_alias: of the scope; import: of the file
  Position position;                   // where it is said to be unused
  const Scope* scope = nullptr;        // that declares it
  std::uint32_t covered = ~0u;         // the binding of the same name that was made before it, if that is still there

  // Aliases and lets may not share a name with a field, not even one further out.
  bool is_alias() const {
    switch (kind) {
      case BindingKind::field:
      case BindingKind::import:
      case BindingKind::for_key:
      case BindingKind::for_value:
      case BindingKind::clause_let: return false;
      default: return true;
    }
  }
  bool is_unique() const { return is_alias() || kind == BindingKind::import; }
};

enum class ScopeKind : std::uint8_t {
  structure, clause, label, alias,
  // Not a scope of the program: the value of a let, in which its own name is not visible.
  let_value,
};

enum class Progress : std::uint8_t { pending, running, done };

struct LetEntry {
  const syntax::LetClause* clause;
  const Expression* value = nullptr;
  Progress progress = Progress::pending;
};

struct Scope {
  ScopeKind kind;
  Scope* outer = nullptr;
  std::uint32_t first_binding = 0;
  std::uint32_t binding_count = 0;
  base::Name hidden = base::kNoName;          // let_value: the name that the scope around does not show
  bool is_list = false;                       // alias: stands for a list literal that mentions `self`
  bool in_value = false;                      // the value of one of its fields is being compiled
  const syntax::Node* step = nullptr;         // the field or clause that leads further in, for the path of messages
  std::span<LetEntry> lets;
  unsigned depth = 0;                         // how many scopes there are around it
  std::uint32_t level = 0;                    // how many scopes of the program it is within, itself included
  unsigned try_depth = 0;                     // how many `try`s it stands in
  std::uint32_t dynamic_aliases = 0;           // how many of its fields have an alias and a label that is computed
  std::span<const Expression*> dynamic_labels;  // theirs; null until compiled
};

// The binding that was made last of each name, so that it is found whatever the number of scopes.
class BindingIndex {
 public:
  static constexpr std::uint32_t kNone = ~0u;

  std::uint32_t find(base::Name name) const { return slots_.empty() ? kNone : slots_[place(name)].binding; }
  // Where it is kept, to be changed at once: the next name may move it.
  std::uint32_t& at(base::Name name) {
    if (2 * (names_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[place(name)];
    names_ += slot.name == base::kNoName;
    slot.name = name;
    return slot.binding;
  }

 private:
  struct Slot {
    base::Name name = base::kNoName;
    std::uint32_t binding = kNone;
  };
  std::size_t place(base::Name name) const {
    std::uint32_t hash = static_cast<std::uint32_t>(name) * 0x9E3779B1u;
    std::size_t mask = slots_.size() - 1;
    std::size_t at = (hash ^ (hash >> 15)) & mask;
    while (slots_[at].name != base::kNoName && slots_[at].name != name) at = (at + 1) & mask;
    return at;
  }
  void grow();

  std::vector<Slot> slots_;
  std::size_t names_ = 0;
};

struct ImportEntry {
  const syntax::ImportSpec* spec;
  const ImportTarget* target;
  std::string_view path;
  bool used = false;
};

class Compiler {
 public:
  Compiler(base::Arena& arena, base::NameTable& names, const Environment& environment, std::string_view package_path,
           std::string_view language_version);
  Compiler(base::Arena& arena, base::NameTable& names, const Environment& environment, const PackageInput& input);

  const Package* compile_package(const PackageInput& input);
  const Expression* compile_root_expression(const PackageInput* package, const syntax::Expression& expression);
  const Expression* compile_root_expression(const ValueScope& scope, const syntax::Expression& expression);
  std::vector<diag::Diagnostic> take_errors();

 private:
  // Errors of an earlier stage make those of later ones echoes.
  enum class Stage : std::uint8_t { declaration, use };

  // compile.cpp
  const StructExpression* compile_file(const syntax::File& file);
  void collect_package_names(const PackageInput& input);
  void read_imports(const syntax::File& file);
  void declare_imports();
  void check_imports(const syntax::File& file);
  diag::Diagnostic& error(Position position, std::string_view code, std::string message, Stage stage = Stage::use);
  const Expression* fail(const syntax::Node& node, std::string_view code, std::string message);
  std::string path() const;

  // compile_scopes.cpp
  Scope* push_scope(ScopeKind kind);
  void pop_scope(Scope* scope);
  void stand_in(Scope* scope);
  bool declare(Scope* scope, std::string_view name, Binding binding, Position position);
  std::uint32_t find_binding(const Scope& scope, base::Name name) const;  // kNoBinding: none
  std::uint32_t find_visible(base::Name name) const { return first_visible(newest_.find(name), name); }  // likewise
  std::uint32_t first_visible(std::uint32_t newest, base::Name name) const;
  std::span<const Label> declare_struct_names(Scope* scope, std::span<syntax::Declaration* const> declarations);
  Label declare_field_names(Scope* scope, const syntax::Field& field);
  void declare_aliases(Scope* scope, const syntax::Field& field, Label label);
  void check_aliases(const syntax::Field& field);
  void check_reserved(const syntax::Identifier& name);
  Label static_label(const syntax::Node& label);
  static const syntax::Node& bare_label(const syntax::Field& field);
  static bool has_dynamic_alias(const syntax::Field& field);

  // compile_references.cpp
  const Expression* compile_identifier(const syntax::Identifier& identifier);
  const Expression* refer(const syntax::Identifier& identifier, Scope* scope, std::uint32_t up, std::uint32_t binding);
  const Expression* refer_let(const syntax::Identifier& identifier, Scope* scope, std::uint32_t up,
                              const Binding& binding);
  const Expression* field_reference(const syntax::Identifier& identifier, std::uint32_t up, Label label);
  const Expression* import_reference(const syntax::Identifier& identifier, ImportEntry& entry);
  const Expression* inferred_import(const syntax::Identifier& identifier);
  const Expression* predeclared(const syntax::Identifier& identifier);
  const Expression* sized_number(const syntax::Identifier& identifier, std::string_view name);
  const Expression* number_bound(Operator op, std::string_view number);
  const Expression* self_reference(const syntax::Identifier& identifier);
  const Expression* not_found(const syntax::Identifier& identifier);
  std::string closest_name(std::string_view name) const;
  void check_pattern_reference(const syntax::Identifier& identifier, base::Name name);

  // compile_expressions.cpp
  const Expression* compile(const syntax::Node& node);
  const Expression* compile_leaf(const syntax::Node& node);
  const Expression* too_deep(const syntax::Node& node);
  const Expression* apply(const syntax::Node& node, const Expression* operand);
  const Expression* compile_selector(const syntax::Selector& node, const Expression* operand);
  const Expression* compile_postfix(const syntax::Postfix& node, const Expression* operand);
  const Expression* compile_binary(const syntax::Binary& node, const Expression* left);
  const Expression* compile_unary(const syntax::Unary& node);
  const Expression* compile_literal(const syntax::BasicLiteral& node);
  const Expression* compile_interpolation(const syntax::Interpolation& node);
  const Expression* compile_disjunction(const syntax::Binary& node);
  const Expression* compile_list(const syntax::ListLiteral& node);
  const Expression* compile_element(const syntax::Node& node);
  const Expression* compile_list_elements(const syntax::ListLiteral& node);
  const EllipsisExpression* compile_ellipsis(const syntax::Ellipsis& node);
  void require_possibly_concrete(const syntax::Node& node, Operator op, const Expression* expression);
  std::string source_text(const syntax::Node& node) const;

  // compile_parts.cpp
  struct Part;
  struct StructParts;
  Compiler(base::Arena& arena, base::NameTable& names, const Compiler& leader);
  bool compile_in_parts(StructParts& parts, std::span<syntax::Declaration* const> declarations);
  std::vector<std::size_t> part_ends(std::span<syntax::Declaration* const> declarations) const;
  void take_over(StructParts& parts, Part& part);
  bool is_young(Label label) const { return !label.is_integer() && label.index() >= first_young_; }
  void set_label(Label& place, Label label) {
    place = label;
    if (is_young(label)) young_labels_.push_back(&place);
  }

  // compile_structs.cpp
  const StructExpression* compile_struct(const syntax::Node& node, std::span<syntax::Declaration* const> declarations,
                                         bool is_file);
  void compile_declaration(StructParts& parts, const syntax::Declaration& declaration);
  void compile_field(StructParts& parts, const syntax::Field& field);
  void compile_static_field(StructParts& parts, const syntax::Field& field, Label label);
  const Expression* compile_data(const syntax::Node& node, const data::Value& data);
  std::span<const std::uint32_t> link(StructExpression* structure, std::span<Field* const> fields);
  const Expression* with_embedded(const syntax::Node& node, std::span<syntax::Attribute* const> attributes,
                                  const Expression* value);
  void compile_pattern(StructParts& parts, const syntax::Field& field);
  void compile_dynamic_field(StructParts& parts, const syntax::Field& field);
  const Expression* compile_field_value(const syntax::Field& field);
  void compile_let_declaration(StructParts& parts, const syntax::LetClause& clause);
  const Expression* compile_let_value(Scope* scope, LetEntry& entry);
  const StructExpression* finish_struct(StructExpression* structure, StructParts& parts);
  std::span<const Attribute> attributes_of(std::span<syntax::Attribute* const> attributes);
  std::span<const std::string_view> documentation_of(const syntax::Node& node);

  // compile_comprehensions.cpp
  const Expression* compile_comprehension(const syntax::Comprehension& node);
  bool compile_clause(const syntax::Clause& node, std::vector<Clause>& clauses, std::vector<Scope*>& scopes);
  bool check_clauses(const syntax::Comprehension& node);

  // An expression of that kind which stands where `node` stands.
  template <typename T>
  T* make(ExpressionKind kind, const syntax::Node& node) {
    T* expression = arena_.make<T>();
    expression->kind = kind;
    expression->features = features_;
    expression->position = node.begin;
    expression->end_position = node.end;
    return expression;
  }
  std::string_view kept_text(std::string_view text) { return names_.text(names_.intern(text)); }

  static constexpr std::uint32_t kNoBinding = BindingIndex::kNone;
  // The parser bounds nesting well below this; lets that lead to lets and trees built
  // otherwise are not bounded. Also for scopes.
  static constexpr unsigned kMaxDepth = 2'500;
  static constexpr unsigned kMostLetCycles = 50;

  base::Arena& arena_;
  base::NameTable& names_;
  const Environment& environment_;
  std::string_view package_path_;
  std::string_view language_version_;
  Features features_;
  const diag::Source* source_ = nullptr;

  base::Arena scratch_;  // scopes and their tables
  Scope* scope_ = nullptr;
  std::vector<Scope*> path_;  // the scopes around scope_ by their depth, and itself
  std::vector<Binding> bindings_;
  BindingIndex newest_;       // of each name
  std::vector<ImportEntry> imports_;  // of the file that is being compiled
  // Top-level fields that all files of the package see.
  std::shared_ptr<std::unordered_map<base::Name, Label>> package_names_ = std::make_shared<std::unordered_map<base::Name, Label>>();
  bool is_root_expression_ = false;
  bool root_is_dynamic_ = false;  // the package may have top-level fields that only evaluation finds

  std::vector<const syntax::Node*> chain_;  // the operators that wait for their operand, of all levels
  const Scope* pattern_scope_ = nullptr;  // while the pattern of a field is compiled: where it is declared
  unsigned depth_ = 0;
  unsigned try_depth_ = 0;
  unsigned let_cycles_ = 0;

  struct StagedError {
    Stage stage;
    diag::Diagnostic diagnostic;
  };
  std::vector<StagedError> errors_;

  unsigned threads_ = 1;
  std::vector<std::unique_ptr<PartMemory>>* part_memory_ = nullptr;
  // Of a part: names from this on are known to its own table only, and what is made of them has to be corrected later.
  std::uint32_t first_young_ = ~std::uint32_t{0};
  std::vector<Label*> young_labels_;
  std::vector<std::pair<StructExpression*, std::vector<Field*>>> young_tables_;
  bool is_unfit_ = false;  // there is something that a part cannot do
};

// A struct in the making.
struct Compiler::StructParts {
  // Room for as many as there can be, filled from its front.
  template <typename T>
  struct Filled {
    std::span<T> room;
    std::size_t count = 0;

    void push_back(const T& item) { room[count++] = item; }
    std::span<T> all() const { return room.first(count); }
  };

  // A declaration in the source is one here at most. What is made stays in the arena, as part of the struct.
  StructParts(base::Arena& arena, std::size_t most)
      : declarations{arena.make_array<Declaration>(most)}, fields{arena.make_array<Field*>(most)} {}

  Scope* scope = nullptr;
  Filled<Declaration> declarations;
  Filled<Field*> fields;
  std::vector<Attribute> attributes;
  StructExpression* structure = nullptr;
  std::span<const Label> labels;  // of its fields, as they were declared; a part has none
  std::uint32_t next_label = 0;
  std::uint32_t next_let = 0;
  std::uint32_t next_dynamic = 0;
};

}  // namespace opm::cue::compile
