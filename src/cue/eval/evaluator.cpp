#include "cue/eval/evaluator.h"

#include <re2/re2.h>

#include <algorithm>

#include "cue/eval/predeclared_range.h"
#include "cue/eval/worlds.h"

namespace opm::cue::eval {

Evaluator::Evaluator(const ProgramView& program, const Limits& limits, base::BlockPool* memory)
    : program_(program), limits_(limits), arena_(memory), names_(program.names, memory) {
  closing_.push_back({0, {}});
}

Evaluator::~Evaluator() = default;

Node* Evaluator::make_root() {
  Node* node = arena_.make<Node>();
  ++node_count_;
  return node;
}

void Evaluator::stand_for(Scope* scope, Node* node) {
  bool has_place = node->depth != 0 || node->parent == nullptr;
  scope->node = node;
  scope->deepest = std::max(scope->deepest, has_place ? node->depth : node->parent->depth + 1);
}

Scope* Evaluator::make_scope(Scope* up, Node* node) {
  Scope* scope = arena_.make<Scope>();
  scope->up = up;
  if (up != nullptr) scope->deepest = up->deepest;
  if (node != nullptr) stand_for(scope, node);
  return scope;
}

Node* Evaluator::make_inline(Node* parent, const Expression* expression, Scope* scope, const Provenance& provenance) {
  Node* node = arena_.make<Node>();
  ++node_count_;
  node->parent = parent;
  if (parent != nullptr) node->first_own_id = parent->first_own_id;
  node->is_dynamic = true;
  node->not_rooted = true;
  if (expression != nullptr) {
    Conjunct conjunct;
    conjunct.expression = expression;
    conjunct.scope = scope;
    conjunct.provenance = provenance;
    node->conjuncts.push(arena_, conjunct);
  }
  State& state = bare_state(node);
  state.ancestors_done = true;
  state.drop_parent_requirements = true;
  node->closed_recursively = false;
  return node;
}

// --- values -------------------------------------------------------------------------------

Value Evaluator::make_string(std::string_view text, Position position) {
  return Value::of_string(arena_.make<std::string_view>(arena_.copy_text(text)), position);
}
Value Evaluator::make_bytes(std::string_view bytes, Position position) {
  return Value::of_bytes(arena_.make<std::string_view>(arena_.copy_text(bytes)), position);
}
Value Evaluator::make_number(const base::Number& number, Position position) {
  return Value::of_number(arena_.make<base::Number>(number), position);
}
Value Evaluator::make_int(std::int64_t value, Position position) { return make_number(base::Number::from_int(value), position); }

Value Evaluator::label_value(Label label) {
  if (label.is_integer()) return make_int(label.index());
  return make_string(label_text(names_, label));
}

Label Evaluator::value_label(const Expression* source, const Value& value, const Error** error) {
  if (value.kind == ValueKind::string) return string_label(names_, value.string());
  if (value.kind == ValueKind::number) {
    auto number = value.number->is_int() ? value.number->to_int64() : std::nullopt;
    if (!number) {
      *error = make_error(ErrorCode::evaluation, here(), "invalid index {} (type {})",
                          {source, Argument::of_kinds(kinds_of(value))});
      return {};
    }
    if (*number < 0) {
      bool is_constant = source == nullptr || source->kind == compile::ExpressionKind::number ||
                         source->kind == compile::ExpressionKind::unary;
      *error = is_constant
                   ? make_error(ErrorCode::evaluation, here(), "invalid index {} (index must be non-negative)", {value})
                   : make_error(ErrorCode::evaluation, here(), "index {} out of range [{}]", {source, value});
      return {};
    }
    if (*number > Label::kMaxIndex) {
      *error = make_error(ErrorCode::evaluation, here(), "index {} is too large", {value});
      return {};
    }
    return Label::integer(static_cast<std::uint32_t>(*number));
  }
  if (value.is_error()) {
    *error = value.error;
    return {};
  }
  KindSet kind_set = kinds_of(value);
  bool may_be_label = kind_set == kinds::string || kind_set == kinds::integer || kind_set == kinds::number;
  if (!value.exists() || (!is_concrete(value) && may_be_label)) {
    *error = make_error(ErrorCode::incomplete, value.position, "invalid non-ground value {} (must be concrete {})",
                        {value, Argument::of_kinds(kind_set & (kinds::integer | kinds::string))});
  } else {
    *error = make_error(ErrorCode::evaluation, here(), "invalid index {} (invalid type {})",
                        {source, Argument::of_kinds(kind_set)});
  }
  return {};
}

Node* Evaluator::make_struct_node() {
  Node* node = arena_.make<Node>();
  ++node_count_;
  node->is_data = true;
  node->is_dynamic = true;
  node->not_rooted = true;
  node->base = BaseKind::structure;
  node->status = Status::finalized;
  return node;
}

void Evaluator::add_data_field(Node* structure, Label label, const Value& value) {
  Node* arc = get_arc(structure, label, ArcKind::member);
  arc->is_data = true;
  arc->status = Status::finalized;
  if (value.is_node()) {
    arc->base = BaseKind::forward;
    arc->forward = value.node;
    if (!value.node->is_data) {
      // What is evaluated already keeps its conjuncts, so that it can be unified further.
      arc->is_data = false;
      Conjunct conjunct;
      conjunct.node = value.node;
      arc->conjuncts.push(arena_, conjunct);
    } else {
      Node* target = value_node(value.node);
      arc->base = target->base;
      arc->value = target->value;
      arc->arcs = target->arcs;
      arc->arc_table = target->arc_table;
      arc->arc_table_size = target->arc_table_size;
      arc->list_is_open = target->list_is_open;
      arc->error = target->error;
      arc->forward = nullptr;
    }
  } else if (value.is_error()) {
    set_base_error(arc, value.error);
  } else {
    arc->base = BaseKind::value;
    arc->value = value;
  }
}

Node* Evaluator::make_list(std::span<const Value> values) {
  Node* node = make_struct_node();
  node->base = BaseKind::list;
  node->list_is_open = false;
  std::uint32_t index = 0;
  for (const Value& value : values) add_data_field(node, Label::integer(index++), value);
  return node;
}

Value Evaluator::as_data(const Value& value) {
  if (value.kind == ValueKind::validator) return Value::type(kinds_of(value));
  if (value.kind == ValueKind::conjunction) {
    std::vector<Value> kept;
    for (const Value& part : value.list->values) {
      if (part.kind != ValueKind::validator) kept.push_back(part);
    }
    if (kept.empty()) return Value::type(kinds_of(value));
    Value result = value;
    result.list = arena_.make<ValueList>(std::span<const Value>(arena_.copy(kept)));
    return result;
  }
  if (!value.is_node()) return value;
  finalize(value.node);
  Node* node = value_node(value.node);
  while (node->base == BaseKind::disjunction && node->default_count == 1) node = value_node(node->disjuncts[0]);
  if (node->base == BaseKind::value) return as_data(node->value);
  if (node->base == BaseKind::error) return Value::of_error(node->error);
  if (node->base != BaseKind::structure && node->base != BaseKind::list) return Value::of_node(node);
  Node* copy = make_struct_node();
  copy->base = node->base;
  copy->list_is_open = node->list_is_open;
  for (Node* arc : node->arcs) {
    if (arc->arc == ArcKind::member) add_data_field(copy, arc->label, as_data(Value::of_node(arc)));
  }
  return Value::of_node(copy);
}

// In the place of the node that asks, so that errors tell where they are and schemas that lead back to it are noticed.
Node* Evaluator::unify_in_place(std::initializer_list<Conjunct> conjuncts) {
  Node* node = make_inline(current_ != nullptr ? current_->parent : nullptr, nullptr, nullptr, {});
  if (current_ != nullptr) {
    node->label = current_->label;
    node->state->has_non_cyclic = current_->state != nullptr && current_->state->has_non_cyclic;
  }
  for (Conjunct conjunct : conjuncts) {
    conjunct.provenance.steps = provenance_.steps;
    node->conjuncts.push(arena_, conjunct);
  }
  finalize(node);
  return node;
}

namespace {
Conjunct conjunct_of(const Value& value) {
  Conjunct conjunct;
  if (value.is_node()) conjunct.node = value.node;
  else conjunct.value = value;
  return conjunct;
}
}  // namespace

Node* Evaluator::unify_written(const Expression* written, const Value& value) {
  Conjunct conjunct;
  conjunct.expression = written;
  return unify_in_place({conjunct, conjunct_of(value)});
}

Value Evaluator::unify_values(const Value& a, const Value& b) {
  Node* node = unify_in_place({conjunct_of(a), conjunct_of(b)});
  Node* result = value_node(node);
  return result->base == BaseKind::error ? Value::of_error(with_own_references(result->error)) : Value::of_node(node);
}

const Error* Evaluator::with_own_references(const Error* error) {
  // Both sides of a conflict are where they are through them.
  std::vector<Position> positions;
  append_closing_positions(positions, provenance_.id);
  auto located = [&](const Error* part) {
    bool is_conflict = std::string_view(part->format).starts_with("conflicting values");
    return is_conflict ? with_positions(part, positions) : part;
  };
  if (error->parts.empty()) return located(error);
  std::vector<const Error*> parts;
  for (const Error* part : error->parts) parts.push_back(located(part));
  Error* all = copy_error(*error);
  all->parts = arena_.copy(parts);
  return all;
}

const diag::Source* Evaluator::decoded_source(std::string_view name, std::string_view text) {
  auto known = decoded_.find(text);
  if (known != decoded_.end() && known->second->path == name) return known->second;
  const diag::Source* source = program_.sources->add(std::string(name), std::string(text));
  if (source != nullptr) decoded_.emplace(source->text, source);
  return source;
}

Value Evaluator::unify_fields(const Value& structure, std::span<const std::pair<std::string_view, Value>> fields,
                              std::string_view result_field) {
  Node* filled = make_struct_node();
  for (const auto& [name, value] : fields) add_data_field(filled, string_label(names_, name), value);
  Node* node = make_inline(nullptr, nullptr, nullptr, {});
  Conjunct conjunct;
  conjunct.node = structure.is_node() ? structure.node : nullptr;
  if (conjunct.node == nullptr) conjunct.value = structure;
  conjunct.provenance.steps = provenance_.steps;
  node->conjuncts.push(arena_, conjunct);
  Conjunct values;
  values.node = filled;
  values.provenance.steps = provenance_.steps;
  node->conjuncts.push(arena_, values);
  settle(node);
  const Error* error = nullptr;
  Node* result = lookup(node, string_label(names_, result_field), {}, &error);
  if (error != nullptr) return Value::of_error(error);
  finalize(result);
  return unwrap(take_default(node_value(result)));
}

// --- errors ----------------------------------------------------------------------------------

const Error* Evaluator::make_error(ErrorCode code, Position position, const char* format,
                                   std::initializer_list<Argument> arguments) {
  Error* error = arena_.make<Error>();
  error->code = code;
  error->node = current_;
  error->format = format;
  std::span<Argument> kept = arena_.copy(std::span<const Argument>(arguments.begin(), arguments.size()));
  for (Argument& argument : kept) {
    // The node may be about to become this very error: the message shows what it was before.
    if (argument.kind == Argument::Kind::value && argument.value.is_node()) {
      argument.value = Value::of_node(arena_.make<Node>(*argument.value.node));
    }
  }
  error->arguments = kept;
  error->position = position;
  std::vector<Position> positions;
  for (const Argument& argument : arguments) {
    if (argument.kind == Argument::Kind::value && !argument.is_silent) append_value_positions(positions, argument.value);
    if (argument.kind == Argument::Kind::expression && argument.expression->position.valid() &&
        !is_predeclared_range(*argument.expression)) {
      positions.push_back(argument.expression->position);
    }
  }
  error->positions = arena_.copy(positions);
  return error;
}

Value Evaluator::error_value(ErrorCode code, Position position, const char* format, std::initializer_list<Argument> arguments) {
  return Value::of_error(make_error(code, position, format, arguments));
}

Error* Evaluator::copy_error(const Error& error) { return arena_.make<Error>(error); }

const Error* Evaluator::with_positions(const Error* error, std::span<const Position> positions) {
  std::vector<Position> all(error->positions.begin(), error->positions.end());
  for (Position position : positions) {
    if (position.valid() && std::find(all.begin(), all.end(), position) == all.end()) all.push_back(position);
  }
  if (all.size() == error->positions.size()) return error;
  Error* located = copy_error(*error);
  located->positions = arena_.copy(all);
  return located;
}

const Error* Evaluator::wrap(const Error* cause, Position position, const char* format, std::initializer_list<Argument> arguments) {
  Error* error = copy_error(*make_error(cause->code, position, format, arguments));
  error->cause = cause;
  return error;
}

// Two errors of one node. The worse code wins; an incomplete one says nothing beside a
// permanent one.
const Error* Evaluator::combine(const Error* a, const Error* b) {
  if (a == nullptr) return b;
  if (b == nullptr || a == b) return a;
  if (a->code != b->code) {
    if (a->code > b->code) std::swap(a, b);
    if (b->code >= ErrorCode::incomplete) return a;
  }
  auto parts_of = [](const Error*& error) {
    return error->parts.empty() || error->is_disjunction ? std::span<const Error* const>(&error, 1) : error->parts;
  };
  // Each field tells its own errors; a node with very many below it need not repeat them all.
  constexpr std::size_t kMostParts = 256;
  std::span<const Error* const> known = parts_of(a);
  if (known.size() >= kMostParts) return a;
  std::vector<const Error*> parts(known.begin(), known.end());
  for (const Error* part : parts_of(b)) {
    if (std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(part);
  }
  if (parts.size() == 1) return parts.front();
  Error* both = arena_.make<Error>();
  both->code = a->code;
  both->node = a->node;
  both->from_close_check = a->from_close_check || b->from_close_check;
  both->is_child_error = a->is_child_error && b->is_child_error;
  both->parts = arena_.copy(parts);
  return both;
}

std::string_view error_code_text(ErrorCode code) {
  switch (code) {
    case ErrorCode::evaluation: return "eval";
    case ErrorCode::user: return "user";
    case ErrorCode::structural_cycle: return "structural cycle";
    case ErrorCode::incomplete: return "incomplete";
    case ErrorCode::cycle: return "cycle";
  }
  return "eval";
}

}  // namespace opm::cue::eval
