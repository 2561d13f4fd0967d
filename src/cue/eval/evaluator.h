// One evaluation of a compiled program: it owns the graph of nodes and everything made
// on the way, and drops it whole. The program is shared and never written to, so
// evaluations in several threads need no lock.
//
// Evaluation is driven by demand. A node's conjuncts become fields at once and tasks
// for later (references to resolve, expressions, comprehensions). `settle` runs what
// can be run of a node's tasks without touching its fields' values, `conclude` makes
// the node's own value of the result, `finalize` does both for the node and all below
// it and turns what is left undone into errors. A task that needs what is not known
// yet stays blocked, and is tried again when anything has changed since.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/arena.h"
#include "base/names.h"
#include "cue/compile/package_list.h"
#include "cue/compile/program.h"
#include "cue/eval/builtin.h"
#include "cue/eval/error.h"
#include "cue/eval/node.h"
#include "cue/eval/value.h"
#include "diag/source.h"

namespace opm::cue::eval {

class RegularExpressionCache;
class TextMatcher;
class Worlds;

struct Limits {
  std::uint64_t steps = 100'000'000;  // conjuncts scheduled, expressions evaluated, values written
  std::uint32_t depth = 20'000;       // nested evaluations
  std::uint64_t bytes = 2ull << 30;   // of memory; a single string may take an eighth
};

// Everything that evaluations share.
struct ProgramView {
  const compile::PackageList* packages = nullptr;
  const base::NameTable* names = nullptr;
  diag::SourceMap* sources = nullptr;  // grows by texts that functions decode
  RegularExpressionCache* regular_expressions = nullptr;  // null: there is none
};

// What a reference leads to.
struct KnownPlace {
  Node* holder = nullptr;  // null: it is not evaluated yet, or may be more by and by
  bool is_absent = false;  // on the way there a field is missing of something that is evaluated
};

class Evaluator {
 public:
  explicit Evaluator(const ProgramView& program, const Limits& limits = {}, base::BlockPool* memory = nullptr);
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  base::Arena& arena() { return arena_; }
  base::NameTable& names() { return names_; }
  const ProgramView& program() const { return program_; }

  // --- roots and inline values -------------------------------------------------
  Node* package_root(std::uint32_t package);
  // Of which package a node is the root, if of any.
  std::optional<std::uint32_t> package_of(const Node* root) const;
  // A new root with these conjuncts.
  Node* make_root();
  Node* make_inline(Node* parent, const Expression* expression, Scope* scope, const Provenance& provenance);
  Scope* make_scope(Scope* up, Node* node);
  static void stand_for(Scope* scope, Node* node);
  void add_conjunct(Node* node, const Conjunct& conjunct, ArcKind arc = ArcKind::member);
  Node* get_arc(Node* node, Label label, ArcKind arc, bool* is_new = nullptr);

  // --- evaluating ----------------------------------------------------------------
  void finalize(Node* node) {
    if (node->status != Status::finalized) finalize_now(node);
  }
  void settle(Node* node) {
    if (node->status != Status::finalized && !node->is_shared) settle_now(node);
  }
  // The node that holds the value, if that is a struct all of whose fields are known, though not their values; or null.
  Node* settled_struct(Node* node);
  // Looks after a field that was finalized before it was known what it may hold.
  void check_deferred(Node* arc);
  void initialize(Node* node) {
    if (node->status != Status::finalized && (node->state == nullptr || !node->state->initialized)) initialize_now(node);
  }
  Value evaluate(const Expression* expression, Scope* scope);
  // Evaluated, default taken, scalars unwrapped.
  Value evaluate_value(const Expression* expression, Scope* scope);
  // The value of a node so far: a scalar or constraint, the node itself, or an error.
  Value node_value(Node* node);
  Value take_default(const Value& value);
  Value unwrap(const Value& value);
  Node* lookup(Node* node, Label label, Position position, const Error** error);
  Node* find_arc(Node* node, Label label) const;
  // What a reference leads to, or null.
  Node* referred_node(const Expression* reference, Scope* scope) {
    const Error* error = nullptr;
    Node* found = resolve(reference, scope, &error);
    return error == nullptr ? found : nullptr;
  }
  // Makes arcs of the optional fields too, for those who want to see them.
  void materialize_optionals(Node* node);
  // Whether a field with that label may be added to the (finalized) node.
  bool accepts(Node* node, Label label);
  bool is_closed_struct(Node* node);

  // --- values --------------------------------------------------------------------
  Value make_string(std::string_view text, Position position = {});
  Value make_bytes(std::string_view bytes, Position position = {});
  Value make_number(const base::Number& number, Position position = {});
  Value make_int(std::int64_t value, Position position = {});
  Node* make_list(std::span<const Value> values);
  Node* make_struct_node();
  void add_data_field(Node* structure, Label label, const Value& value);
  Value label_value(Label label);
  Label value_label(const Expression* source, const Value& value, const Error** error);
  bool equal_values(const Value& a, const Value& b);
  bool equal_nodes(Node* a, Node* b, bool structural);
  Value unify_values(const Value& a, const Value& b);
  // What is written there with a value that it is to fit, in the place of the node that asks; finalized.
  Node* unify_written(const Expression* written, const Value& value);
  // An error of what was united in the place of the node that asks, with the references that led to this.
  const Error* with_own_references(const Error* error);
  // The value as it is, without the validators and alternatives that it came from.
  Value as_data(const Value& value);
  Value unify_fields(const Value& structure, std::span<const std::pair<std::string_view, Value>> fields,
                     std::string_view result_field);
  Value binary(const Expression* source, Operator op, const Value& left, const Value& right);
  const TextMatcher* regular_expression(const Value& pattern, const Error** error);
  bool is_concrete(const Value& value);

  // --- errors ----------------------------------------------------------------------
  [[gnu::cold]] const Error* make_error(ErrorCode code, Position position, const char* format,
                          std::initializer_list<Argument> arguments = {});
  [[gnu::cold]] Value error_value(ErrorCode code, Position position, const char* format,
                    std::initializer_list<Argument> arguments = {});
  [[gnu::cold]] const Error* combine(const Error* a, const Error* b);
  [[gnu::cold]] Error* copy_error(const Error& error);
  // The same error with further places that had a part in it.
  [[gnu::cold]] const Error* with_positions(const Error* error, std::span<const Position> positions);
  // Where the value was written; for a node, all its conjuncts.
  void append_value_positions(std::vector<Position>& positions, const Value& value);
  // "%s: cause" with the cause's code.
  [[gnu::cold]] const Error* wrap(const Error* cause, Position position, const char* format, std::initializer_list<Argument> arguments = {});
  std::string_view copy_text(std::string_view text) { return arena_.copy_text(text); }

  // Checks a value against a bound or validator.
  const Error* validate_check(const Value& check, const Value& value);
  Value call_builtin(const Builtin& builtin, std::span<const Value> arguments, const compile::Call* source, Scope* scope,
                     bool is_validator);
  // For the close() builtin and its kin.
  Node* close_node(const Value& value);
  bool concrete_all_the_way(Node* node, const Error** error);

  std::uint64_t steps() const { return steps_; }
  std::uint64_t node_count() const { return node_count_; }
  // The budget. Whoever walks values counts what it sees: shared values are cheap to make and
  // may still be endless to write. False when the budget is used up.
  bool spend(std::uint64_t steps = 1) {
    steps_ += steps;
    if (steps_ >= next_check_) check_budget();
    return !exhausted_;
  }
  bool exhausted() const { return exhausted_; }
  [[gnu::cold]] const Error* exhausted_error();
  // Fields that are not allowed are reported beside other errors, which CUE does not do.
  void report_all_errors() { reports_all_errors_ = true; }
  // Declarations of fields that say what the node is, or nothing (null), rather than what is written.
  using Redeclared = std::unordered_map<const Expression*, Node*>;
  Redeclared& redeclared() { return redeclared_; }
  // From now on values may be made that are something else in each world.
  Worlds& open_worlds(std::vector<bool> held, std::size_t witness);
  Worlds* worlds() const { return worlds_; }
  // A text or number of that kind, given by its payload in each world.
  Value make_varying(const Value& like, std::span<const void* const> payloads);
  // Frozen data, as this evaluation's worlds see it: what varies is copied.
  Node* in_own_worlds(Node* frozen);
  // The stack that evaluation runs on, so that it ends before the stack does.
  void set_stack(const void* lowest, std::size_t size);
  Node* current_node() const { return current_; }
  // Where the expression stands that is being evaluated.
  Position here() const { return source_; }
  Provenance& provenance() { return provenance_; }
  // A text that a function decodes, as a source of that name; the same one each time. Null: there is no room for it.
  const diag::Source* decoded_source(std::string_view name, std::string_view text);
  // How many checks of decoded texts are under way, one within the other.
  int& nested_checks() { return nested_checks_; }
  bool matches_pattern(const Value& pattern, Label label);

 private:
  friend class FieldFunction;
  // --- worlds.cpp
  // What is computed of scalars alone, in each world; there have to be some.
  Value in_all_worlds(const std::function<Value()>& compute);
  friend class InstanceCheck;

  Node* unify_in_place(std::initializer_list<Conjunct> conjuncts);
  // --- unify.cpp, insertions.cpp, state.cpp, node_values.cpp
  State& bare_state(Node* node) { return node->state != nullptr ? *node->state : new_state(node); }
  State& new_state(Node* node);
  // Once it is known that there is something to do.
  void finalize_now(Node* node);
  void settle_now(Node* node);
  void initialize_now(Node* node);
  void settle_ancestors_now(Node* node);
  void unshare_now(State& state);
  static void take_place(Node* node);
  State* make_state();
  void release_states(Node* node);
  void release_state(Node* node);
  void schedule(State& state, const Conjunct& conjunct, Provenance provenance);
  void schedule_struct(State& state, const compile::StructExpression* literal, Scope* scope, Provenance provenance,
                       bool is_new_scope = false);
  void schedule_target(State& state, const Conjunct& reference, Node* target, Provenance provenance);
  void insert_value(State& state, const Value& value, Scope* scope, Provenance provenance);
  void insert_bound(State& state, const Value& value, Scope* scope, const Provenance& provenance);
  Node* insert_arc(State& state, Label label, ArcKind arc, const Conjunct& conjunct);
  void apply_constraints(Node* node, Node* arc);
  void apply_optionals(State& state, const Insertion& insertion);
  void push_insertion(State& state, Insertion insertion);
  const Insertion* find_insertion(State& state, const compile::StructExpression* literal, const Scope* scope);
  const Conjunct* find_conjunct(Node* node, const Conjunct& conjunct);
  void insert_pattern(State& state, const PatternConstraint& pattern);
  void add_pattern_conjunct(Node* arc, const PatternConstraint& pattern);
  bool narrow_kinds(State& state, KindSet kinds, Argument source, const Provenance& provenance);
  void add_task(State& state, TaskKind kind, const Expression* expression, Scope* scope, const Provenance& provenance);
  void push_task(State& state, const Task& task);
  [[gnu::cold]] void add_error(State& state, const Error* error);
  void report_conflict(State& state, Argument a, Argument b, KindSet ka, KindSet kb, ClosingId ida, ClosingId idb);
  void append_closing_positions(std::vector<Position>& positions, ClosingId id) const;
  static Position written_position(const Conjunct& conjunct);  // of its value
  void list_length_error(State& state, std::uint32_t a, std::uint32_t b);
  Provenance sub_field(Provenance provenance) const;
  bool update_list(State& state, std::uint32_t length, bool is_closed, bool has_comprehension, bool from_node);

  // --- tasks.cpp, task_fields.cpp, task_index.cpp
  void settle_ancestors(Node* node) {
    if (node->status != Status::finalized && (node->state == nullptr || !node->state->ancestors_done)) settle_ancestors_now(node);
  }
  bool may_contribute(const Task& task, std::span<const Label> path) const;
  bool body_may_contribute(const compile::StructExpression& body, std::span<const Label> path) const;
  std::uint32_t next_candidate(State& state, Label label, std::uint32_t from);
  void run_tasks(State& state, bool final);
  void run_task(State& state, std::uint32_t index);
  const Error* run_resolve(State& state, std::uint32_t index);
  Node* closed_literal(const State& state, const Task& task);
  const Error* run_evaluate(State& state, std::uint32_t index);
  const Error* run_dynamic_field(State& state, std::uint32_t index);
  const Error* run_pattern(State& state, std::uint32_t index);
  const Error* run_comprehension(State& state, std::uint32_t index);
  const Error* run_list(State& state, std::uint32_t index);
  const Error* run_list_node(State& state, std::uint32_t index);
  bool tasks_done(const State& state) const;
  bool settled(Node* node);
  void conclude(State& state);
  Value constraint_value(State& state);
  void finalize_arcs(State& state);
  void finalize_forward(Node* node);
  [[gnu::cold]] void set_base_error(Node* node, const Error* error);
  void run_checks(State& state);
  void run_post_checks(State& state);
  void add_child_error(State& state, const Error* error);

  // --- sharing, in unify.cpp
  bool is_made_of(const Node* target, const Node* part, int depth);
  bool holds_reference_to(const Expression* expression, Scope* scope, const Node* part, int depth);
  bool absorb(State& state, const Conjunct& reference, Node* target, const Provenance& provenance);
  bool share_if_possible(State& state, const Conjunct& conjunct, Node* target, const Provenance& provenance);
  void unshare(State& state) {
    state.no_sharing = true;
    if (state.node->is_shared) unshare_now(state);
  }

  // --- resolve.cpp
  Node* resolve(const Expression* reference, Scope* scope, const Error** error);
  Node* written_element(const compile::Index& index, Scope* scope);
  Node* node_of(const Expression* whole, const Expression* operand, Scope* scope, bool scalar, const Error** error);
  Value unify_node(const Expression* expression, Scope* scope);
  Node* let_node(Scope* scope, std::uint32_t slot);
  const Error* undefined_field(Node* node, Label label, Position position);
  Value evaluate_reference(const Expression* reference, Scope* scope, bool scalar_suffices);
  Value scalar_so_far(const State& state);
  const Error* awaited_around(Node* target);
  bool may_still_yield(Node* node, Label label);
  const compile::Field* find_optional(Node* node, Label label);
  Node* lazy_lookup(Node* node, Label label);
  void mark_skip_try();

  // --- known_place.cpp
  KnownPlace known_place(const Expression* reference, Scope* scope) const;
  // The scalar or the data that the conjunct refers to; null: it does not, or that is not known.
  Node* known_target(const Conjunct& conjunct) const;
  Value plain_value(const Node& arc, bool& is_closed);
  bool evaluate_plainly(Node* arc);
  // Nothing: it takes an evaluation to find out.
  std::optional<bool> is_known_to_be_there(const Expression* reference, Scope* scope) const;

  // --- expression.cpp
  Value evaluate_raw(const Expression* expression, Scope* scope);
  const Builtin& builtin_of(const Expression* function) const {
    return *static_cast<const Builtin*>(program_.packages->builtin(*static_cast<const compile::BuiltinExpression*>(function)));
  }
  std::string_view qualified_name(const Builtin& builtin);  // "strings.MinRunes"
  std::vector<Position> operand_positions(const Expression* operand, Scope* scope);
  Value evaluate_concrete(const Expression* expression, Scope* scope, Argument context);
  Value evaluate_binary(const compile::Binary& binary, Scope* scope);
  Value evaluate_unary(const compile::Unary& unary, Scope* scope);
  Value evaluate_bound(const compile::Bound& bound, Scope* scope);
  Value evaluate_interpolation(const compile::Interpolation& interpolation, Scope* scope);
  Value joined(const compile::Interpolation& interpolation, std::span<const Value> parts);
  Value evaluate_slice(const compile::Slice& slice, Scope* scope);
  Value list_of_conjuncts(const Expression* list, Scope* scope);
  Value evaluate_call(const compile::Call& call, Scope* scope);
  Value evaluate_beside_any_struct(const Expression* operand, Scope* scope);
  Value compare_with_bottom(const compile::Binary& binary, const Expression* operand, Scope* scope);
  Value constant(const Expression* expression);
  bool concrete_is_possible(const Expression* expression) const;
  Value operation(const Expression* source, Operator op, const Value& left, const Value& right);
  Value number_result(const std::optional<base::Number>& number, Position position);

  // --- comprehension.cpp
  const Error* run_clauses(const compile::Comprehension& comprehension, std::size_t clause, Scope* scope,
                           std::vector<Scope*>& out);
  Node* for_source(const Expression* source, Scope* scope, const Error** error);

  // --- disjunction.cpp
  void process_disjunctions(State& state);
  bool choose_scalars(State& state);  // scalar_alternatives.cpp
  Node* clone_for_disjunct(State& state);
  Scope* remap_scope(Scope* scope, std::vector<std::pair<Scope*, Scope*>>& table, Node* from, Node* to);
  KindSet static_kinds(const Expression* expression, Scope* scope, int depth);
  KindSet static_kinds_of_node(Node* node, int depth);
  const Error* attempt(Node* node);
  const Error* error_all(Node* node);
  bool equal_partial(Node* a, Node* b);
  void merge_evidence(Node* kept, Node* dropped);
  [[gnu::cold]] const Error* kind_mismatch(const Argument& known, const Argument& other, KindSet known_kinds, KindSet other_kinds,
                             ClosingId known_id, ClosingId other_id);
  [[gnu::cold]] void tell_ruled_out(State& state);
  [[gnu::cold]] const Error* disjunction_error(Error& empty, std::span<const Error* const> users, std::span<const Error* const> all);

  // --- discriminator.cpp
  struct GlanceConflict {
    Node* arc;
    Value known;
    const Expression* other;
  };
  std::optional<GlanceConflict> conflict_at_a_glance(State& state, const Expression* expression, Scope* scope, int depth);
  Node* target_at_a_glance(const Expression* expression, Scope* scope);
  Value scalar_at_a_glance(Node* arc);
  bool excludes(const Expression* expression, const Value& value);
  bool certainly_differ(const Value& a, const Value& b);
  [[gnu::cold]] const Error* glance_error(const GlanceConflict& conflict);
  static bool is_within_disjunct(const Node* node);

  // --- closedness.cpp
  ClosingId next_closing_id(Position position);
  void update_evidence(State& state, const Provenance& provenance, std::uint8_t flags);
  Provenance add_reference_requirement(State& state, Position position, Node* target, Provenance provenance, bool force_ignore);
  Provenance new_requirement(State& state, Position position, Provenance provenance, RequirementKind kind);
  Provenance inject_embedding(State& state, const Expression* expression, Provenance provenance);
  Provenance split_struct(State& state, const compile::StructExpression* literal, Provenance provenance);
  void add_link(State& state, ClosingId from, ClosingId to);
  void add_evidence(State& state, const Evidence& evidence);
  static PlainEvidence plain_evidence(const Node& arc);
  void check_closedness(State& state);
  const Error* refused_fields(State& state, bool marks_them);
  bool refuses_so_far(Node* node);
  Closing closing(State& state);
  Closing closing_within(State& state, Closing outer);
  ArenaVector<RequirementSet>& requirement_sets(State& state);
  State& links_owner(State& state);
  bool contains_id(State& state, ClosingId node, ClosingId child);
  bool contains_id_linked(State& owner, ClosingId node, ClosingId child);
  const std::vector<ClosingId>& all_origins(State& owner, ClosingId child);
  class SetOrigins;
  ClosingId parent_ellipsis(State& state, const RequirementSet& set, std::span<const Evidence> found);
  void filter_top(State& state, ArenaVector<RequirementSet>& sets, std::span<const Evidence> parent_evidence);
  [[gnu::cold]] const Error* not_allowed_error(Node* arc);

  // --- cycle.cpp
  bool detect_cycle(State& state, Node* target, Scope* scope, const Expression* reference, Provenance& provenance);
  static StepRange possible_repeats(const State& state, Node* target);
  static void forward_to(Node* node, Node* target);
  bool mark_cyclic(State& state, Node* target, Scope* scope, const Expression* reference, Provenance& provenance, bool path_only);
  bool has_ancestor(State& state, Node* node) const;
  bool has_depth_cycle(Node* node) const;
  void mark_non_cyclic(State& state, const Provenance& provenance) {
    if (provenance.cycle <= CycleKind::optional) state.has_non_cyclic = true;
  }
  void update_cyclic_status(State& state, const Provenance& provenance);
  void note_non_cycle(State& state);
  bool only_cyclic_conjuncts(const State& state) const;
  [[gnu::cold]] void report_cycle(State& state);

  void check_budget();
  bool text_fits(std::size_t size);  // whether a string of that size is within the budget
  bool nested_too_deep() const;
  [[gnu::cold]] const Error* too_deep();

  ProgramView program_;
  Limits limits_;
  base::Arena arena_;
  base::NameTable names_;
  std::vector<Node*> roots_;
  struct ClosingOrigin {
    ClosingId parent;
    Position position;
  };
  std::vector<ClosingOrigin> closing_;
  std::vector<ClosingId> origins_;  // of contains_id_linked, kept for its memory
  std::unordered_map<const std::string_view*, std::shared_ptr<const TextMatcher>> expressions_;
  std::vector<std::vector<std::pair<Scope*, Scope*>>> scope_tables_;  // of the copies being made, innermost last
  std::uint32_t links_epoch_ = 1;
  struct Origins {
    const State* owner = nullptr;
    std::uint32_t epoch = 0;
    ClosingId child = 0;
    std::vector<ClosingId> ids;
  };
  std::array<Origins, 32> known_origins_{};
  // Of SetOrigins, by id: which set has it, where the links to it begin, which walk has met it, and what contains it if known.
  struct IdMark {
    std::uint32_t stamp = 0;
    std::uint32_t place = 0;
    std::uint32_t links = 0;
    std::uint32_t first_link = 0;
    std::uint32_t walk = 0;
    std::uint32_t known = 0;
    std::uint32_t row = 0;
  };
  std::vector<IdMark> id_marks_;
  // Of SetOrigins, kept for their memory: its rows, and by place what else is within the embedding or has the same outer set.
  std::vector<std::uint64_t> set_words_;
  struct SetLinks {
    std::uint32_t first_within, next_within, group, next_in_group;
  };
  std::vector<SetLinks> set_links_;
  struct SetGroup {
    std::uint32_t outer, first;
  };
  std::vector<SetGroup> set_groups_;
  std::uint32_t marked_known_ = 0;
  std::uint32_t marked_sets_ = 0;
  std::uint32_t marked_links_ = 0;
  const State* marked_links_owner_ = nullptr;
  std::uint32_t marked_links_epoch_ = 0;
  std::uint32_t marking_walk_ = 0;
  std::vector<State*> spare_states_;   // of nodes that are done with theirs
  bool reports_all_errors_ = false;
  Redeclared redeclared_;
  Worlds* worlds_ = nullptr;
  std::vector<std::unique_ptr<Worlds>> all_worlds_;  // values of earlier ones are still about
  std::uint32_t finalize_frames_ = 0;  // how many of the nested evaluations are in finalize()
  Node* current_ = nullptr;
  Provenance provenance_;  // of what is being evaluated: carries cycle information into inline values
  Position source_;
  Position call_;  // whose arguments are being evaluated
  std::uint32_t reference_steps_ = 0;  // how many were made
  std::int32_t depth_ = 1;       // how deep in arcs
  std::uint32_t nesting_ = 0;    // how deep in calls
  int telling_all_ = 0;  // within alternatives of which everything that is wrong is to be told
  int in_validator_ = 0;
  bool scalar_suffices_ = false;  // the expression is asked for its value only, not for its alternatives
  int in_detached_ = 0;
  int validator_depth_ = 0;
  int validator_calls_ = 0;
  int nested_checks_ = 0;
  std::unordered_map<std::string_view, const diag::Source*> decoded_;  // by their texts
  std::uint64_t progress_ = 1;
  std::uint64_t steps_ = 0;
  std::uint64_t next_check_ = 0;
  std::uint64_t node_count_ = 0;
  bool exhausted_ = false;
  bool out_of_memory_ = false;
  std::uintptr_t stack_lowest_ = 0;
  std::uintptr_t stack_end_ = 0;  // evaluation goes no deeper
};

}  // namespace opm::cue::eval
