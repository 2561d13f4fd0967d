// The graph of nodes that evaluation builds. A node is a field (or element, or inline
// value): the set of its conjuncts, and what unifying them has given so far. A reference
// adds the target's conjuncts to the node that refers, so nothing is ever copied but
// conjuncts, and a node that only refers to another shares it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "cue/compile/program.h"
#include "cue/eval/arena_vector.h"
#include "cue/eval/error.h"
#include "cue/eval/place_index.h"
#include "cue/eval/value.h"

namespace opm::cue::eval {

struct State;
struct Shape;
class TaskIndex;

// One scope that a reference can go up to. Which members count depends on what pushed it.
struct Scope {
  Scope* up = nullptr;
  Node* node = nullptr;          // struct literal, alias, label scope: the node it stands for
  Label label;                   // label scope
  std::int32_t deepest = 0;      // how deep the deepest node is that this scope or one further up stands for
  Value key;                     // for clause
  Node* value = nullptr;         // for clause
  const compile::StructExpression* literal = nullptr;
  const Expression* clause_let = nullptr;  // let clause: its value, evaluated in `up`
  Node** lets = nullptr;         // by slot, made on demand
};

// A node's conjuncts remember through which references they came, to notice when
// structure begins to repeat itself.
struct ReferenceStep {
  const Expression* reference;
  Node* target;
  Node* node;  // the node whose conjunct the reference was
  const ReferenceStep* next;
  const ReferenceStep* next_rooted;  // the next whose target is not within an inline value
  const ReferenceStep* further;      // one that is further on, so that any is found in as many steps as their number has digits
  std::int32_t depth;
  std::uint32_t number;  // in the order in which they were made, so that those further on have smaller ones
  std::uint32_t length;  // how many there are, this one counted
};
// Between which numbers steps lie; none if the last is 0.
struct StepRange {
  std::uint32_t first = ~std::uint32_t{0};
  std::uint32_t last = 0;

  void include(const StepRange& other) {
    first = std::min(first, other.first);
    last = std::max(last, other.last);
  }
};
enum class CycleKind : std::uint8_t { none, optional, maybe, cyclic };

using ClosingId = std::uint32_t;

// What closedness and cycle detection need to know of where a conjunct came from.
struct Provenance {
  ClosingId id = 0;              // the innermost reference, embedding or struct that brought it in
  ClosingId embedding = 0;       // the embedding that it is within
  ClosingId outer = 0;           // the struct literal that closes after its embeddings
  bool from_embedding : 1 = false;
  bool from_definition : 1 = false;
  bool top_definition : 1 = false;
  bool opened : 1 = false;            // x...
  bool conjunction_opened : 1 = false;  // (x & y)...
  CycleKind cycle = CycleKind::none;
  const ReferenceStep* steps = nullptr;
};

struct Conjunct {
  const Expression* expression = nullptr;  // or a declaration; null: `node` is the conjunct
  Scope* scope = nullptr;
  Node* node = nullptr;
  Value value;  // when neither expression nor node: a plain value
  Provenance provenance;
};

enum class ArcKind : std::uint8_t { member, required, optional, absent };

enum class Status : std::uint8_t { fresh, active, finalized };

enum class BaseKind : std::uint8_t {
  unknown,      // not evaluated, or being evaluated
  structure,
  list,
  value,        // a scalar or constraint
  error,
  forward,      // the value is that of `forward`: a shared node, or the one disjunct that is left
  disjunction,
};

struct Node {
  Label label;
  ArcKind arc = ArcKind::member;
  Status status = Status::fresh;
  BaseKind base = BaseKind::unknown;
  bool closed_recursively : 1 = false;
  bool closed_once : 1 = false;
  bool has_ellipsis : 1 = false;
  bool list_is_open : 1 = false;
  bool is_dynamic : 1 = false;      // not reached by a path from a root
  bool not_rooted : 1 = false;      // below a dynamic node
  bool is_disjunct : 1 = false;
  bool is_alternative : 1 = false;  // a disjunct beside others: what makes it is not in its conjuncts
  bool is_shared : 1 = false;       // base is forward, because its only conjunct is a reference
  bool is_let : 1 = false;
  bool has_optionals : 1 = false;   // one of its literals has optional fields
  bool is_data : 1 = false;         // evaluated from outside: conjuncts don't matter, arcs and value do
  bool is_frozen : 1 = false;       // data that other evaluations use too: nobody writes to it
  bool opened_shared : 1 = false;
  bool lazy_root : 1 = false;       // a package whose fields are made when they are looked up
  bool is_checked : 1 = false;      // what is wrong with it is told elsewhere: who shares it does not evaluate all of it
  bool is_plain : 1 = false;        // evaluated without a state: its conjuncts are all that it has evidence of
  bool is_step_root : 1 = false;    // what stands for it is the target of a step, and within an inline value
  Node* parent = nullptr;
  ArenaVector<Conjunct> conjuncts;
  PlaceIndex* conjunct_index = nullptr;  // by expression and scope, when there are many
  ArenaVector<Node*> arcs;
  std::uint32_t* arc_table = nullptr;  // hash of the arcs' labels, when there are many
  std::uint32_t arc_table_size = 0;
  Value value;               // base == value
  const Error* error = nullptr;       // base == error
  const Error* child_errors = nullptr;
  Node* forward = nullptr;   // base == forward
  ArenaVector<Node*> disjuncts;  // base == disjunction; the defaults come first
  std::int32_t depth = 0;  // below its root
  StepRange steps_to;    // where each ReferenceStep to it lies, and to any node that stands for it
  StepRange steps_from;  // likewise, of those that start from it
  std::uint32_t default_count = 0;
  bool has_defaults = false;
  ClosingId first_own_id = 0;  // from this one on, ids are unknown to the alternatives beside it, or beside what it is part of
  State* state = nullptr;
  const Shape* shape = nullptr;  // what is left of the state of a node that is done with it
};

enum class TaskKind : std::uint8_t { resolve, evaluate, dynamic_field, pattern, comprehension, list, list_node };
enum class TaskState : std::uint8_t { ready, running, blocked, done };

struct Task {
  TaskKind kind;
  TaskState state = TaskState::ready;
  const Expression* expression = nullptr;
  Scope* scope = nullptr;
  Node* node = nullptr;  // list_node
  Provenance provenance;
  const Error* error = nullptr;  // why it is blocked
  std::uint64_t attempt = 0;     // the evaluation's progress counter when it was last tried; of a running comprehension, as which one it was begun
};

struct PendingDisjunction {
  const compile::Disjunction* expression = nullptr;  // or
  Node* node = nullptr;                              // an evaluated disjunction, or
  std::span<const Value> values;                     // values, e.g. of or([...])
  std::uint32_t value_defaults = 0;
  Scope* scope = nullptr;
  Provenance provenance;
};

// A disjunction of which only one alternative was possible: the others are told if that one fails too.
struct DecidedDisjunction {
  const compile::Disjunction* expression;
  const compile::Disjunct* only;
  Scope* scope;
  ClosingId id;
  KindSet kind_set;  // of the node, when it was decided, and why
  Value kind_source;
  const Expression* kind_expression;
  ClosingId kind_id;
};

// What made arcs of a node: replayed to make the same arcs in a disjunct's node.
struct Insertion {
  enum class Kind : std::uint8_t { structure, field, list, list_node, data } kind;
  Label label;
  ArcKind arc = ArcKind::member;
  std::uint32_t next_with_optionals = 0;  // structure, or the first: the next whose literal has optional fields, or 0
  const Expression* expression = nullptr;
  Scope* scope = nullptr;   // outer scope
  Scope* inner = nullptr;   // structure: the scope pushed
  Node* node = nullptr;
  Provenance provenance;    // structure: of its fields
};

struct PatternConstraint {
  Value pattern;
  const compile::Pattern* declaration;  // null for the rest of a list
  const Expression* value;              // null: anything
  Scope* scope;
  Provenance provenance;
};

struct Check {
  Value value;  // bound or validator
  Scope* scope;
  Provenance provenance;
};

// Closedness: see closedness.h.
enum class RequirementKind : std::uint8_t { none, embedding, reference, structure };
struct Requirement {
  Node* target;
  ClosingId id;
  ClosingId parent;
  ClosingId embedding;
  bool ignored;
  RequirementKind kind;
  bool recursive;
  bool conjunction_opened;
};
namespace evidence {
inline constexpr std::uint8_t ellipsis = 1, top = 2, structure = 4, open_validator = 8;
}
struct Evidence {
  ClosingId id;
  ClosingId embedding;
  std::uint8_t flags;
};
struct ClosingLink {
  ClosingId from, to;
};
struct RequirementSet {
  ClosingId id;
  ClosingId parent;
  ClosingId embedding;
  RequirementKind kind;
  bool once;
  bool ignored;
  bool removed;
  bool conjunction_opened;
};

// What closes a node: nothing, one requirement that all others contain, or whatever its sets say.
enum class Closing : std::uint8_t { unknown, nothing, narrowest, sets };

enum class DefaultMode : std::uint8_t { maybe, not_default, is_default };

struct Subscriber {
  Node* node;
  Provenance provenance;
};
struct CyclicConjunct {
  Conjunct conjunct;
  Node* target;
};
// A reference to something that the value which a node shares is made of.
struct AbsorbedReference {
  Conjunct conjunct;
  Node* target;
  Provenance provenance;
};
struct PostCheck {
  const Expression* expression;
  Scope* scope;
  bool expect_error;
};

// What a struct or list was made of: of interest as long as the node is.
struct Shape {
  ArenaVector<Insertion> insertions;
  ArenaVector<PatternConstraint> patterns;
};

// Where in the lists of a state something is.
struct StateIndexes {
  PlaceIndex insertions;    // by literal and scope
  PlaceIndex patterns;      // by declaration and scope
  PlaceIndex targets;       // the targets that were inserted
  PlaceIndex requirements;  // by target
  PlaceIndex subscribers;   // by node
};

// What is needed while a node is being evaluated, and until its parent is final.
struct State {
  Node* node = nullptr;
  bool initialized : 1 = false;
  bool ancestors_done : 1 = false;
  bool has_top : 1 = false;
  bool has_struct : 1 = false;
  bool is_struct : 1 = false;         // a struct for sure, not an embedded scalar
  bool is_definition : 1 = false;
  bool has_field_value : 1 = false;
  bool has_non_cycle : 1 = false;
  bool has_non_cyclic : 1 = false;
  bool has_cyclic_conjunct : 1 = false;
  bool has_ancestor_cycle : 1 = false;
  bool no_sharing : 1 = false;
  bool fields_frozen : 1 = false;
  bool disjunctions_running : 1 = false;
  bool has_disjunction : 1 = false;
  bool drop_parent_requirements : 1 = false;
  bool requirements_computed : 1 = false;
  bool concluded : 1 = false;
  bool list_is_closed : 1 = false;
  bool finalizing : 1 = false;
  bool closing_deferred : 1 = false;  // closedness is checked when the parent is finalized
  bool embeds_closed : 1 = false;              // through x..., a value closed at its own level
  bool embeds_recursively_closed : 1 = false;  // likewise, a definition
  bool merged_evidence : 1 = false;   // a disjunct that stands for others, too, which were the same
  bool may_give_up : 1 = false;       // a disjunct that is only tried: when a field is wrong nobody asks for the others
  bool gave_up : 1 = false;           // so it was
  Closing closing = Closing::unknown;
  std::uint32_t open_tasks = 0;       // those that are not done
  std::uint32_t first_open_task = 0;  // all before it are done
  std::uint16_t running_tasks = 0;
  std::uint16_t running_comprehensions = 0;
  std::int32_t active_depth = 0;      // the evaluation's depth when it was entered, or 0
  KindSet kind_set = kinds::top;
  Value kind_source;                  // what last narrowed the kinds
  const Expression* kind_expression = nullptr;
  ClosingId kind_id = 0;
  Value scalar;
  ClosingId scalar_id = 0;
  const BoundValue* lower = nullptr;
  const BoundValue* upper = nullptr;
  ArenaVector<Check> checks;
  ArenaVector<Task> tasks;
  TaskIndex* task_index = nullptr;    // where there are many
  ArenaVector<PendingDisjunction> disjunctions;
  ArenaVector<DecidedDisjunction> decided;
  ArenaVector<Insertion> insertions;
  std::uint32_t last_with_optionals = 0;     // the last of the insertions whose literal has optional fields, or 0
  ArenaVector<PatternConstraint> patterns;
  ArenaVector<Node*> inserted_targets;
  StateIndexes* indexes = nullptr;    // of what there is very much of
  ArenaVector<Requirement> requirements;
  ArenaVector<Evidence> evidence;
  ClosingId newest_evidence = 0;
  ClosingId narrowest_requirement = 0;
  ArenaVector<ClosingLink> links;
  ArenaVector<ClosingLink> flat_links;  // own and ancestors', by `to` descending; where there are own
  State* links_owner = nullptr;         // see Evaluator::links_owner
  std::uint32_t links_owner_epoch = 0;
  ArenaVector<RequirementSet> requirement_sets;
  ArenaVector<Subscriber> subscribers;
  ArenaVector<CyclicConjunct> cyclic_conjuncts;
  ArenaVector<PostCheck> post_checks;
  Conjunct shared_conjunct;
  ArenaVector<Provenance> shared_provenances;
  ArenaVector<AbsorbedReference> absorbed;
  CycleKind shared_cycle = CycleKind::none;
  std::uint32_t list_length = 0;
  const Error* errors = nullptr;
  DefaultMode default_mode = DefaultMode::maybe;
  DefaultMode original_default_mode = DefaultMode::maybe;
  bool* try_skipped = nullptr;
};

inline std::span<const Insertion> insertions_of(const Node& node) {
  if (node.state != nullptr) return node.state->insertions.span();
  return node.shape != nullptr ? node.shape->insertions.span() : std::span<const Insertion>{};
}
inline std::span<const PatternConstraint> patterns_of(const Node& node) {
  if (node.state != nullptr) return node.state->patterns.span();
  return node.shape != nullptr ? node.shape->patterns.span() : std::span<const PatternConstraint>{};
}

// Calls `visit` with what was inserted of each literal that has optional fields, and the literal.
template <typename Visit>
void each_with_optionals(const Node& node, const Visit& visit) {
  if (!node.has_optionals) return;
  std::span<const Insertion> insertions = insertions_of(node);
  for (std::uint32_t i = 0; i < insertions.size();) {
    const Insertion& insertion = insertions[i];
    std::uint32_t next = insertion.next_with_optionals;
    if (insertion.kind == Insertion::Kind::structure) {
      const auto* literal = static_cast<const compile::StructExpression*>(insertion.expression);
      if (literal->has_required_or_optional) visit(insertion, literal);
    }
    if (next == 0) return;
    i = next;
  }
}

// A scalar or a kind of scalars, as it is written.
inline bool is_plain_scalar(const Expression& expression) {
  using compile::ExpressionKind;
  static_assert(ExpressionKind::null < ExpressionKind::bytes && ExpressionKind::boolean < ExpressionKind::bytes &&
                ExpressionKind::number < ExpressionKind::bytes && ExpressionKind::string < ExpressionKind::bytes &&
                ExpressionKind::bytes < ExpressionKind::basic_type);
  if (expression.kind != ExpressionKind::basic_type) return expression.kind <= ExpressionKind::bytes;
  return (static_cast<const compile::BasicTypeExpression&>(expression).kinds & compile::kinds::composite) == 0;
}
// What a conjunct says of its field or element if that is a scalar or a kind of them, as it is written; or null.
inline const Expression* written_scalar(const Conjunct& conjunct) {
  const Expression* written = conjunct.expression;
  if (written == nullptr) return nullptr;
  if (written->kind == compile::ExpressionKind::field) written = static_cast<const compile::Field*>(written)->value;
  else if (written->kind == compile::ExpressionKind::pattern) written = static_cast<const compile::Pattern*>(written)->value;
  return is_plain_scalar(*written) ? written : nullptr;
}
// A scalar that was evaluated elsewhere.
inline const Node* given_scalar(const Conjunct& conjunct) {
  const Node* given = conjunct.expression == nullptr ? conjunct.node : nullptr;
  return given != nullptr && given->is_frozen && given->base == BaseKind::value ? given : nullptr;
}
inline constexpr std::uint32_t kMostPlainConjuncts = 4;  // of one field, for it to be evaluated without a state
// What such a field has evidence of.
struct PlainEvidence {
  std::array<Evidence, kMostPlainConjuncts> found;
  std::uint32_t count = 0;

  std::span<const Evidence> span() const { return {found.data(), count}; }
};

// Its conjuncts say nothing of it, or not all.
inline bool has_only_value(const Node* node) {
  return node->is_data || (node->is_alternative && node->status == Status::finalized);
}

// Makes the table of a node with many arcs, so that they are found by their labels.
void index_arcs(base::Arena& arena, Node* node);

// Follows forwards to the node that holds the value.
inline Node* value_node(Node* node) {
  while (node->base == BaseKind::forward) node = node->forward;
  return node;
}
// Follows forwards to disjuncts only.
Node* disjunct_node(Node* node);
// Follows shared nodes, not disjuncts.
Node* shared_node(Node* node);

}  // namespace opm::cue::eval
