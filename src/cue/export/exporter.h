// The exporter's inside. Its parts: export_values.cpp (what nodes and values are),
// export_expressions.cpp (expressions as they were written), export_merge.cpp (the
// conjuncts of a value as one struct), export_comments.cpp (comments and attributes).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "cue/eval/evaluator.h"
#include "cue/export/builder.h"
#include "cue/export/export.h"
#include "cue/export/pivot.h"
#include "cue/export/source_text.h"
#include "cue/export/source_trees.h"
#include "cue/export/unshadow.h"
#include "cue/export/used_names.h"

namespace opm::cue::exporting {

using compile::ExpressionKind;
using compile::Operator;
using compile::StructExpression;
using eval::ArcKind;
using eval::BaseKind;
using eval::Conjunct;
using eval::Node;
using eval::Value;
using eval::ValueKind;
using syntax::Token;

// The scopes around an expression: those that evaluation made, and inside them those of
// literals that are printed as they stand.
struct Environment {
  const Environment* outer = nullptr;
  const StructExpression* literal = nullptr;  // null: a clause, an alias, the label of a pattern
  Node* node = nullptr;                       // what the literal is a part of, where that is known
  std::string_view alias;                     // of the value, where it has got another name
  eval::Scope* scope = nullptr;               // the evaluated scopes; then there is no `outer`
};

class Exporter {
 public:
  Exporter(eval::Evaluator& evaluator, base::Arena& arena, const ExportOptions& options)
      : evaluator_(evaluator), make_(arena), options_(options), text_(*evaluator.program().sources),
        trees_(*evaluator.program().sources, arena) {}

  const syntax::File* run(Node* node);

 private:
  using Tree = syntax::Expression*;

  // A struct that is being put together.
  struct Frame {
    Node* node = nullptr;                           // that the struct is made of, where that is known
    std::vector<const StructExpression*> literals;  // whose lets belong here
    // Those that were referred to, by literal and slot; null while the value is being exported.
    std::map<std::pair<std::size_t, std::uint32_t>, syntax::LetClause*> lets;
    std::unordered_map<const compile::Expression*, std::string> let_names;

    std::vector<syntax::Declaration*> let_clauses() const {
      std::vector<syntax::Declaration*> clauses;
      for (const auto& [place, clause] : lets) {
        if (clause != nullptr) clauses.push_back(clause);
      }
      return clauses;
    }
  };
  class FrameScope;

  // export_values.cpp
  Tree whole_definition(Node* node);
  void add_imports(syntax::File& file, std::span<const Import> imports);
  Tree vertex(Node* node);
  Tree struct_composite(Node* node, const Node* owner, std::span<syntax::Attribute* const> attributes);
  Tree list_composite(Node* node);
  Node* rest_of_list(const Node& list);
  Tree node_value(Node* node, std::span<const Conjunct> conjuncts);
  Tree value(const Value& value, std::span<const Conjunct> conjuncts = {});
  Tree argument(const eval::Validator& validator, std::size_t index);
  Tree conjunction(const Value& value);
  Tree disjunction(Node* node);
  Tree bottom(const eval::Error& error);
  Tree scalar(const Value& value, std::span<const Conjunct> conjuncts);
  // A function of a package, which the source calls by that name; empty: by its own.
  Tree builtin(const compile::BuiltinSignature& builtin, std::string_view package_name = {});
  Tree fallback(Node* node);
  bool shows_arcs(const Node& node) const;
  bool is_shown(Label label) const;
  std::vector<syntax::Attribute*> declaration_attributes(const Node& node);
  std::vector<syntax::Attribute*> field_attributes(std::span<const Conjunct> conjuncts);
  syntax::Node* label(Label label);
  std::string string_text(std::string_view text, bool is_bytes);
  Tree imported(std::string_view path, std::string_view name);

  // export_comments.cpp
  struct FileComments {
    std::vector<syntax::CommentGroup*> of_package;
    std::vector<syntax::CommentGroup*> of_file;
  };
  FileComments file_comments(const Node& node);
  std::vector<syntax::CommentGroup*> united_documentation(const std::vector<syntax::CommentGroup*>& groups);
  std::vector<syntax::CommentGroup*> documentation_of(const compile::Field& field);
  void add_documentation(syntax::Node& node, std::span<const Conjunct> conjuncts);
  void add_documentation_of(syntax::Node& node, const syntax::Node* source);
  syntax::Attribute* attribute(const compile::Attribute& written);
  // Those that are not there yet.
  void add_attributes(std::vector<syntax::Attribute*>& attributes, std::span<const compile::Attribute> written);

  // export_expressions.cpp
  Tree expression(const compile::Expression* expression, const Environment* environment);
  Tree plain_expression(const compile::Expression* expression, const Environment* environment);
  Tree bare_expression(const compile::Expression* expression, const Environment* environment);
  Tree raw_struct(const StructExpression& literal, const Environment* environment);
  std::span<syntax::Attribute*> raw_attributes(std::span<const compile::Attribute> attributes);
  syntax::PostfixAlias* postfix_alias(diag::Position label);
  syntax::Declaration* raw_field(const compile::Field& field, const Environment* environment);
  syntax::Declaration* raw_pattern(const compile::Pattern& pattern, const Environment* environment);
  bool is_fixed(const compile::Expression* written, eval::Scope* scope, int depth = 0);
  syntax::Declaration* raw_dynamic_field(const compile::DynamicField& field, const Environment* environment);
  Tree raw_list(const compile::ListExpression& list, const Environment* environment);
  Tree comprehension(const compile::Comprehension& comprehension, const Environment* environment);
  Tree interpolation(const compile::Interpolation& interpolation, const Environment* environment);
  Tree sorted_unification(const compile::Unify& unify, const Environment* environment);
  Tree let_reference(const compile::LetReference& reference, const Environment* environment);
  Tree label_reference(const compile::LabelReference& reference, const Environment* environment);
  Tree field_reference(const compile::FieldReference& reference, const Environment* environment);
  Tree value_reference(const compile::ValueReference& reference, const Environment* environment);
  Tree conjunct(const Conjunct& conjunct);
  const Environment* environment_of(eval::Scope* scope);
  Environment* enter(const Environment* outer, const StructExpression* literal);
  // Scopes to evaluate something in that stands in the environment; what nobody evaluated is not known there.
  eval::Scope* scope_of(const Environment* environment);
  void mark_names(const Node& node);  // as used
  std::string unique_name(std::string_view name);
  // What the names in the environment, or those of the node, are the fields of.
  void set_structure(std::span<const Environment* const> environments, Node* node, const syntax::Node* structure);
  Resolution resolution(const syntax::Node* root) const;

  // The reference as it can be written where only a part of the package is printed; null: as it is.
  Tree pivoted(const compile::Expression* reference);
  Tree inner_expression(const compile::Expression* expression, const Environment* environment);
  Node* pivot_around(Node* node);  // what is printed, if that is a part of a package
  std::vector<syntax::Declaration*> pivoted_lets();

  // export_merge.cpp
  // One conjunct: something written in an environment, or a node, or a plain value.
  struct Part {
    const compile::Expression* expression = nullptr;
    const Environment* environment = nullptr;
    Node* node = nullptr;
    Value value;
  };
  struct MergedField;
  struct Merge;
  Tree merge(Node* source, std::span<const Part> parts);
  Tree merge_conjuncts(Node* node);
  void add_part(Merge& merge, Node* source, const Part& part, bool is_embedded);
  void add_expression(Merge& merge, Node* source, const compile::Expression& expression, const Environment* environment,
                      bool is_embedded);
  void add_struct(Merge& merge, Node* source, const StructExpression& literal, const Environment* environment);
  void add_node(Merge& merge, Node* node);
  bool is_complex(const StructExpression& literal);
  bool may_be_no_struct(const compile::Expression& written, const Environment* environment);
  void mark_lets(Frame& frame, const compile::Expression& expression);

  eval::Evaluator& evaluator_;
  Builder make_;
  const ExportOptions& options_;
  SourceText text_;
  SourceTrees trees_;
  std::vector<Frame*> frames_;
  NameSet used_names_;
  NameNumbers name_numbers_;
  // What names stand for: fields in an environment, or of a node.
  std::unordered_map<const syntax::Identifier*, std::pair<const Environment*, const Node*>> field_names_;
  std::unordered_map<const syntax::Identifier*, Import> import_names_;
  std::unordered_map<const Environment*, const syntax::Node*> structure_of_environment_;
  std::unordered_map<const Node*, const syntax::Node*> structure_of_node_;
  std::unordered_map<const syntax::Node*, const syntax::Node*> moved_;  // structs whose fields stand in another
  std::unordered_map<const Node*, std::string> value_aliases_;
  std::optional<Pivot> pivot_;
  Node* nothing_ = nullptr;  // in which nothing is found
  int in_expression_ = 0;  // operands; there nothing is put in place of a reference that is not a plain value
  int in_definition_ = 0;
};

// Opens a frame for as long as it lives.
class Exporter::FrameScope {
 public:
  explicit FrameScope(Exporter& exporter, Node* node) : exporter_(exporter) {
    frame_.node = node;
    exporter_.frames_.push_back(&frame_);
  }
  ~FrameScope() { exporter_.frames_.pop_back(); }
  FrameScope(const FrameScope&) = delete;
  FrameScope& operator=(const FrameScope&) = delete;
  Frame* operator->() { return &frame_; }

 private:
  Exporter& exporter_;
  Frame frame_;
};

// How conjuncts are sorted where they are printed one beside the other.
int type_order(const compile::Expression& expression);
// `source`: orders positions by file and place.
bool stands_before(const diag::SourceMap& sources, diag::Position a, diag::Position b);

Token operator_token(Operator op);

}  // namespace opm::cue::exporting
