#include "cue/eval/text.h"

#include <algorithm>

#include "base/suggestion.h"
#include "cue/eval/predeclared_range.h"
#include "cue/syntax/literal.h"

namespace opm::cue::eval {

using compile::ExpressionKind;

namespace {

// Messages quote values; past this much nobody reads on, and values that quote each other
// would fill all memory.
constexpr int kMaxDepth = 40;
constexpr std::size_t kMaxText = 64 * 1024;

class Printer {
 public:
  explicit Printer(Evaluator& evaluator) : evaluator_(evaluator) {}
  std::string text;

  void value(const Value& value) {
    switch (value.kind) {
      case ValueKind::none: text += "_"; break;
      case ValueKind::null: text += "null"; break;
      case ValueKind::boolean: text += value.boolean_value ? "true" : "false"; break;
      case ValueKind::number: text += value.number->text(base::NumberStyle::json); break;
      case ValueKind::string: text += syntax::quote(value.string()); break;
      case ValueKind::bytes: text += syntax::quote_bytes(value.string()); break;
      case ValueKind::basic_type: text += kinds_text(value.type_kinds); break;
      case ValueKind::bound:
        text += compile::operator_text(value.bound->op);
        this->value(value.bound->operand);
        break;
      case ValueKind::validator: {
        const Validator& validator = *value.validator;
        builtin(*validator.builtin);
        if (validator.call == nullptr && validator.arguments.empty()) break;
        text += "(";
        for (std::size_t i = 0; i < validator.arguments.size(); ++i) {
          if (i > 0) text += ", ";
          this->value(validator.arguments[i]);
        }
        text += ")";
        break;
      }
      case ValueKind::conjunction: list(value, " & "); break;
      case ValueKind::disjunction: list(value, " | "); break;
      case ValueKind::builtin: builtin(*value.builtin); break;
      case ValueKind::node: node(value.node); break;
      case ValueKind::error:
        failed(*value.error);
        break;
    }
  }

  void node(Node* original) {
    Node* node = value_node(original);
    if (++depth_ > kMaxDepth || text.size() > kMaxText) {
      text += "...";
      --depth_;
      return;
    }
    switch (node->base) {
      case BaseKind::structure: {
        text += "{";
        bool first = true;
        for (Node* arc : node->arcs) {
          if (arc->arc == ArcKind::absent) continue;
          if (!first) text += ",";
          first = false;
          text += selector_text(evaluator_.names(), arc->label);
          if (arc->arc == ArcKind::optional) text += "?";
          if (arc->arc == ArcKind::required) text += "!";
          text += ":";
          this->node(arc);
        }
        text += "}";
        break;
      }
      case BaseKind::list: {
        text += "[";
        bool first = true;
        for (Node* arc : node->arcs) {
          if (!arc->label.is_integer()) continue;
          if (!first) text += ",";
          first = false;
          this->node(arc);
        }
        text += "]";
        break;
      }
      case BaseKind::value: value(node->value); break;
      case BaseKind::error: failed(*node->error); break;
      case BaseKind::disjunction:
        for (std::uint32_t i = 0; i < node->disjuncts.size(); ++i) {
          if (i > 0) text += " | ";
          if (i < node->default_count) text += "*";
          this->node(node->disjuncts[i]);
        }
        break;
      default: {
        bool first = true;
        for (const Conjunct& conjunct : node->conjuncts) {
          if (!first) text += " & ";
          first = false;
          if (conjunct.expression != nullptr) {
            const Expression* shown = conjunct.expression;
            if (shown->kind == ExpressionKind::field) shown = static_cast<const compile::Field*>(shown)->value;
            if (shown->kind == ExpressionKind::pattern) shown = static_cast<const compile::Pattern*>(shown)->value;
            if (shown->kind == ExpressionKind::dynamic_field) shown = static_cast<const compile::DynamicField*>(shown)->value;
            expression(shown);
          } else if (conjunct.node != nullptr) {
            this->node(conjunct.node);
          } else {
            value(conjunct.value);
          }
        }
      }
    }
    --depth_;
  }

  void expression(const Expression* e) {
    if (++depth_ > kMaxDepth || text.size() > kMaxText) {
      text += "...";
      --depth_;
      return;
    }
    switch (e->kind) {
      case ExpressionKind::null: text += "null"; break;
      case ExpressionKind::boolean: text += static_cast<const compile::BooleanExpression*>(e)->value ? "true" : "false"; break;
      case ExpressionKind::number: text += static_cast<const compile::NumberExpression*>(e)->value.text(); break;
      case ExpressionKind::string: text += syntax::quote(static_cast<const compile::StringExpression*>(e)->value); break;
      case ExpressionKind::bytes: text += syntax::quote_bytes(static_cast<const compile::StringExpression*>(e)->value); break;
      case ExpressionKind::basic_type: text += kinds_text(static_cast<const compile::BasicTypeExpression*>(e)->kinds); break;
      case ExpressionKind::top: text += "_"; break;
      case ExpressionKind::bottom: text += "_|_"; break;
      case ExpressionKind::structure: {
        text += "{";
        bool first = true;
        for (const compile::Declaration& declaration : static_cast<const compile::StructExpression*>(e)->declarations) {
          if (!first) text += ",";
          first = false;
          expression(declaration.expression);
        }
        text += "}";
        break;
      }
      case ExpressionKind::list: {
        text += "[";
        bool first = true;
        for (const Expression* element : static_cast<const compile::ListExpression*>(e)->elements) {
          if (!first) text += ",";
          first = false;
          expression(element);
        }
        text += "]";
        break;
      }
      case ExpressionKind::ellipsis:
        text += "...";
        if (auto* type = static_cast<const compile::EllipsisExpression*>(e)->type) expression(type);
        break;
      case ExpressionKind::field: {
        const auto* field = static_cast<const compile::Field*>(e);
        text += selector_text(evaluator_.names(), field->label);
        if (field->field_kind == compile::FieldKind::optional) text += "?";
        if (field->field_kind == compile::FieldKind::required) text += "!";
        text += ":";
        expression(field->value);
        break;
      }
      case ExpressionKind::pattern:
        text += "[";
        expression(static_cast<const compile::Pattern*>(e)->pattern);
        text += "]:";
        expression(static_cast<const compile::Pattern*>(e)->value);
        break;
      case ExpressionKind::dynamic_field:
        expression(static_cast<const compile::DynamicField*>(e)->label);
        text += ":";
        expression(static_cast<const compile::DynamicField*>(e)->value);
        break;
      case ExpressionKind::field_reference:
        text += selector_text(evaluator_.names(), static_cast<const compile::FieldReference*>(e)->label);
        if (e->optional_reference) text += "?";
        break;
      case ExpressionKind::value_reference: text += static_cast<const compile::ValueReference*>(e)->name; break;
      case ExpressionKind::label_reference: text += static_cast<const compile::LabelReference*>(e)->name; break;
      case ExpressionKind::dynamic_reference: expression(static_cast<const compile::DynamicReference*>(e)->label); break;
      case ExpressionKind::clause_reference: text += static_cast<const compile::ClauseReference*>(e)->name; break;
      case ExpressionKind::let_reference: text += static_cast<const compile::LetReference*>(e)->name; break;
      case ExpressionKind::import_reference: text += static_cast<const compile::ImportReference*>(e)->name; break;
      case ExpressionKind::builtin: builtin(*static_cast<const compile::BuiltinExpression*>(e)->builtin); break;
      case ExpressionKind::selector:
        expression(static_cast<const compile::Selector*>(e)->operand);
        text += ".";
        text += selector_text(evaluator_.names(), static_cast<const compile::Selector*>(e)->label);
        if (e->optional_reference) text += "?";
        break;
      case ExpressionKind::index:
        expression(static_cast<const compile::Index*>(e)->operand);
        text += "[";
        expression(static_cast<const compile::Index*>(e)->index);
        text += "]";
        break;
      case ExpressionKind::slice: {
        const auto* slice = static_cast<const compile::Slice*>(e);
        expression(slice->operand);
        text += "[";
        if (slice->low != nullptr) expression(slice->low);
        text += ":";
        if (slice->high != nullptr) expression(slice->high);
        text += "]";
        break;
      }
      case ExpressionKind::interpolation: {
        const auto* interpolation = static_cast<const compile::Interpolation*>(e);
        text += interpolation->is_bytes ? "'" : "\"";
        for (const Expression* part : interpolation->parts) {
          if (part->kind == ExpressionKind::string || part->kind == ExpressionKind::bytes) {
            std::string quoted = part->kind == ExpressionKind::string
                                     ? syntax::quote(static_cast<const compile::StringExpression*>(part)->value)
                                     : syntax::quote_bytes(static_cast<const compile::StringExpression*>(part)->value);
            text += quoted.substr(1, quoted.size() - 2);
          } else {
            text += "\\(";
            expression(part);
            text += ")";
          }
        }
        text += interpolation->is_bytes ? "'" : "\"";
        break;
      }
      case ExpressionKind::bound:
        text += compile::operator_text(static_cast<const compile::Bound*>(e)->op);
        expression(static_cast<const compile::Bound*>(e)->operand);
        break;
      case ExpressionKind::unary:
        text += compile::operator_text(static_cast<const compile::Unary*>(e)->op);
        expression(static_cast<const compile::Unary*>(e)->operand);
        break;
      case ExpressionKind::binary: {
        const auto* binary = static_cast<const compile::Binary*>(e);
        text += "(";
        expression(binary->left);
        text += " ";
        text += compile::operator_text(binary->op);
        text += " ";
        expression(binary->right);
        text += ")";
        break;
      }
      case ExpressionKind::unify:
        if (std::string_view name = range_name(*e); !name.empty()) {
          text += name;
          break;
        }
        text += "(";
        expression(static_cast<const compile::Unify*>(e)->left);
        text += " & ";
        expression(static_cast<const compile::Unify*>(e)->right);
        text += ")";
        break;
      case ExpressionKind::disjunction: {
        text += "(";
        bool first = true;
        for (const compile::Disjunct& disjunct : static_cast<const compile::Disjunction*>(e)->disjuncts) {
          if (!first) text += "|";
          first = false;
          if (disjunct.is_default) text += "*";
          expression(disjunct.value);
        }
        text += ")";
        break;
      }
      case ExpressionKind::call: {
        const auto* call = static_cast<const compile::Call*>(e);
        expression(call->function);
        text += "(";
        bool first = true;
        for (const Expression* argument : call->arguments) {
          if (!first) text += ", ";
          first = false;
          expression(argument);
        }
        text += ")";
        break;
      }
      case ExpressionKind::open:
        expression(static_cast<const compile::Open*>(e)->operand);
        text += "...";
        break;
      case ExpressionKind::alias: expression(static_cast<const compile::AliasExpression*>(e)->value); break;
      case ExpressionKind::comprehension: {
        const auto* comprehension = static_cast<const compile::Comprehension*>(e);
        for (const compile::Clause& clause : comprehension->clauses) {
          switch (clause.kind) {
            case compile::ClauseKind::for_: text += "for "; break;
            case compile::ClauseKind::if_: text += "if "; break;
            case compile::ClauseKind::let: text += "let "; break;
            case compile::ClauseKind::try_: text += "try "; break;
          }
          if (clause.expression != nullptr) expression(clause.expression);
          text += " ";
        }
        expression(comprehension->body);
        break;
      }
    }
    --depth_;
  }

  // As it is written; empty: it is none, or its text is not there.
  std::string_view range_name(const Expression& e) const {
    const diag::Source* source = is_predeclared_range(e) ? evaluator_.program().sources->find(e.position) : nullptr;
    if (source == nullptr || e.end_position <= e.position) return {};
    std::string_view all = source->text;
    return all.substr(std::min<std::size_t>(e.position.value - source->begin.value, all.size()),
                      e.end_position.value - e.position.value);
  }

  void error(const Error& error) {
    if (++depth_ > kMaxDepth || text.size() > kMaxText) {
      text += "...";
      --depth_;
      return;
    }
    if (!error.parts.empty() && !error.is_disjunction) {
      this->error(*error.parts.front());
      if (error.parts.size() > 1) text += " (and " + std::to_string(error.parts.size() - 1) + " more errors)";
      --depth_;
      return;
    }
    std::size_t next = 0;
    shown_.push_back(&error);
    for (const char* c = error.format; *c != '\0'; ++c) {
      if (c[0] == '{' && c[1] == '}') {
        if (next < error.arguments.size()) argument(error.arguments[next++]);
        ++c;
      } else {
        text += *c;
      }
    }
    shown_.pop_back();
    if (error.cause != nullptr) {
      text += ": ";
      this->error(*error.cause);
    }
    --depth_;
  }

 private:
  void argument(const Argument& argument) {
    switch (argument.kind) {
      case Argument::Kind::none: break;
      case Argument::Kind::value: value(argument.value); break;
      case Argument::Kind::expression: expression(argument.expression); break;
      case Argument::Kind::label: text += selector_text(evaluator_.names(), argument.label); break;
      case Argument::Kind::quoted_label: text += syntax::quote(label_text(evaluator_.names(), argument.label)); break;
      case Argument::Kind::text: text += argument.text; break;
      case Argument::Kind::integer: text += std::to_string(argument.integer); break;
      case Argument::Kind::kinds: text += kinds_text(static_cast<KindSet>(argument.integer)); break;
      case Argument::Kind::error: error(*argument.error); break;
      case Argument::Kind::op: text += compile::operator_text(static_cast<Operator>(argument.integer)); break;
    }
  }
  void failed(const Error& problem) {
    // A message may show the very value that it makes an error.
    if (std::ranges::find(shown_, &problem) != shown_.end()) {
      text += "_|_";
      return;
    }
    text += "_|_(";
    if (std::string path = path_text(evaluator_, problem.node); !path.empty()) text += path + ": ";
    error(problem);
    text += ")";
  }
  void builtin(const compile::BuiltinSignature& builtin) {
    if (!builtin.package.empty()) {
      std::string_view package = builtin.package;
      text += package;
      text += ".";
    }
    text += builtin.name;
  }
  void list(const Value& value, std::string_view separator) {
    for (std::size_t i = 0; i < value.list->values.size(); ++i) {
      if (i > 0) text += separator;
      this->value(value.list->values[i]);
    }
  }

  Evaluator& evaluator_;
  int depth_ = 0;
  std::vector<const Error*> shown_;  // the one that is being told, and those around it
};

void append_positions(const Error& error, std::vector<Position>& positions) {
  auto add = [&](Position position) {
    if (position.valid() && std::find(positions.begin(), positions.end(), position) == positions.end()) positions.push_back(position);
  };
  add(error.position);
  for (Position position : error.positions) add(position);
  if (error.cause != nullptr) append_positions(*error.cause, positions);
}

// The main one first, the others by file and place.
std::vector<Position> all_positions(Evaluator& evaluator, const Error& error) {
  std::vector<Position> positions;
  append_positions(error, positions);
  const diag::SourceMap* sources = evaluator.program().sources;
  auto is_before = [&](Position a, Position b) {
    const diag::Source* left = sources->find(a);
    const diag::Source* right = sources->find(b);
    if (left != right && left != nullptr && right != nullptr && left->path != right->path) return left->path < right->path;
    return a < b;
  };
  std::sort(positions.begin() + (error.position.valid() ? 1 : 0), positions.end(), is_before);
  return positions;
}

// Joined constraints and alternatives have no place as a whole. Whoever is to complete them looks for their parts.
std::vector<Position> positions_of_parts(Evaluator& evaluator, const Error& error) {
  std::vector<Position> positions;
  for (const Argument& argument : error.arguments) {
    if (argument.kind != Argument::Kind::value) continue;
    if (argument.value.kind == ValueKind::conjunction) {
      for (const Value& part : argument.value.list->values) evaluator.append_value_positions(positions, part);
    } else if (argument.value.is_node() && argument.value.node->base == BaseKind::disjunction) {
      evaluator.append_value_positions(positions, argument.value);
    }
  }
  std::ranges::sort(positions);
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  return positions;
}

// The field that was probably meant by one that is not allowed.
std::string suggested_field(Evaluator& evaluator, const Node* arc) {
  const Node* parent = arc->parent;
  if (parent == nullptr || !arc->label.is_string()) return {};
  base::Suggestion suggestion(label_text(evaluator.names(), arc->label));
  for (const Insertion& insertion : insertions_of(*parent)) {
    if (insertion.kind != Insertion::Kind::structure) continue;
    for (const compile::Field* field : static_cast<const compile::StructExpression*>(insertion.expression)->fields) {
      // What stands beside the misspelt field, in the same literal, was not misspelt.
      bool allowed = field->label.is_string() && field->label != arc->label;
      if (allowed) suggestion.consider(label_text(evaluator.names(), field->label));
    }
  }
  return suggestion.best().empty() ? std::string() : "did you mean \"" + std::string(suggestion.best()) + "\"?";
}

// The field that was probably meant by one that is not there.
std::string suggested_lookup(Evaluator& evaluator, const Error& error) {
  for (const Argument& argument : error.arguments) {
    if (argument.kind != Argument::Kind::label || !argument.value.is_node()) continue;
    std::string wanted = selector_text(evaluator.names(), argument.label);
    std::vector<std::string> names;
    for (const Node* arc : value_node(argument.value.node)->arcs) {
      if (!arc->label.is_integer() && arc->label != argument.label) names.push_back(selector_text(evaluator.names(), arc->label));
    }
    base::Suggestion suggestion(wanted);
    for (const std::string& name : names) suggestion.consider(name);
    if (!suggestion.best().empty()) return "did you mean " + std::string(suggestion.best()) + "?";
  }
  return {};
}

// Two different concrete values: what tells the alternatives apart, as a rule.
bool is_choice(const Error* error) {
  int concrete = 0;
  for (const Argument& argument : error->arguments) {
    concrete += argument.kind == Argument::Kind::value && argument.value.is_concrete_scalar();
  }
  return concrete > 1;
}

// How deep below the disjunction a branch got before it failed: the deeper, the nearer it
// was to what the user meant. A branch of the wrong kind did not even begin, and one that a
// field rules out (`kind: "circle"`) was not the one.
int nearness(const Error* error, const Node* disjunction) {
  if (!error->parts.empty()) {
    int best = 0;
    for (const Error* part : error->parts) best = std::max(best, nearness(part, disjunction));
    return best;
  }
  int depth = is_choice(error) ? -1 : 0;
  for (const Node* node = error->node; node != nullptr && node->label != disjunction->label; node = node->parent) depth += 2;
  return depth;
}

// Alternatives often fail for one and the same reason.
void remove_repeats(std::vector<diag::Diagnostic>& branches) {
  std::vector<diag::Diagnostic> kept;
  for (diag::Diagnostic& branch : branches) {
    bool is_known = std::ranges::any_of(kept, [&](const diag::Diagnostic& other) {
      return other.path == branch.path && other.message == branch.message && other.positions == branch.positions;
    });
    if (!is_known) kept.push_back(std::move(branch));
  }
  branches = std::move(kept);
}

// Of fields that may not be there within one that may not be there either, the outermost says it all.
bool is_within_unwanted(const Error* error, std::span<const Error* const> others) {
  if (!error->from_close_check || error->node == nullptr) return false;
  return std::ranges::any_of(others, [&](const Error* other) {
    if (!other->from_close_check || other->node == nullptr) return false;
    for (const Node* node = error->node->parent; node != nullptr; node = node->parent) {
      if (node == other->node) return true;
    }
    return false;
  });
}

// Whether a comprehension gave fields to a node that something else made a scalar.
bool has_fields_beside_scalar(const Error& error) {
  if (error.node == nullptr || error.node->state == nullptr || error.arguments.size() != 4) return false;
  if (!std::string_view(error.format).starts_with("conflicting values")) return false;
  const Argument& fields = error.arguments[1];
  if (!error.arguments[0].value.is_concrete_scalar() || fields.kind != Argument::Kind::expression) return false;
  if (fields.expression->kind != ExpressionKind::structure) return false;
  const auto* literal = static_cast<const compile::StructExpression*>(fields.expression);
  bool are_all_named = std::ranges::none_of(literal->declarations, [](const compile::Declaration& declaration) {
    return declaration.kind == compile::DeclarationKind::dynamic || declaration.kind == compile::DeclarationKind::pattern;
  });
  if (!are_all_named) return false;
  return std::ranges::any_of(error.node->state->tasks, [&](const Task& task) {
    return task.kind == TaskKind::comprehension && static_cast<const compile::Comprehension*>(task.expression)->body == fields.expression;
  });
}

// Tells of each of these fields where its value is, which says more than where the comprehension is.
void collect_fields_beside_scalar(Evaluator& evaluator, const Error& error, std::vector<diag::Diagnostic>& out) {
  const Value& scalar = error.arguments[0].value;
  for (Node* arc : error.node->arcs) {
    if (!arc->label.is_string() || arc->arc > ArcKind::required) continue;
    evaluator.finalize(arc);
    diag::Diagnostic diagnostic;
    diagnostic.code = std::string(error_code_text(error.code));
    diagnostic.path = path_text(evaluator, error.node);
    diagnostic.message = "cannot combine regular field \"" + selector_text(evaluator.names(), arc->label) + "\" with " + value_text(evaluator, scalar);
    Value value = evaluator.unwrap(Value::of_node(arc));
    for (Position position : {value.is_node() ? Position{} : value.position, scalar.position}) {
      bool is_known = std::ranges::find(diagnostic.positions, position) != diagnostic.positions.end();
      if (position.valid() && !is_known) diagnostic.positions.push_back(position);
    }
    out.push_back(std::move(diagnostic));
  }
}

void collect(Evaluator& evaluator, const Error* error, std::vector<diag::Diagnostic>& out) {
  if (error == nullptr) return;
  if (error->is_disjunction) {
    diag::Diagnostic head;
    head.code = "empty-disjunction";
    head.path = path_text(evaluator, error->node);
    std::vector<diag::Diagnostic> branches;
    std::vector<const Error*> parts(error->parts.begin(), error->parts.end());
    std::stable_sort(parts.begin(), parts.end(), [&](const Error* a, const Error* b) {
      return nearness(a, error->node) > nearness(b, error->node);
    });
    for (const Error* part : parts) collect(evaluator, part, branches);
    remove_repeats(branches);
    if (branches.size() == 1) {
      out.push_back(std::move(branches.front()));
      return;
    }
    head.positions = all_positions(evaluator, *error);
    head.message = std::to_string(branches.size()) + " errors in empty disjunction:";
    const diag::Diagnostic& nearest = branches.front();
    head.notes.push_back({"nearest is " + nearest.path + ": " + nearest.message, nearest.positions});
    head.advice = nearest.advice;
    out.push_back(std::move(head));
    for (diag::Diagnostic& branch : branches) out.push_back(std::move(branch));
    return;
  }
  if (!error->parts.empty()) {
    std::vector<diag::Diagnostic> parts;
    bool has_alternatives = false;
    for (const Error* part : error->parts) {
      if (is_within_unwanted(part, error->parts)) continue;
      collect(evaluator, part, parts);
      has_alternatives = has_alternatives || part->is_disjunction;
    }
    // What is wrong with the field is wrong with each of its alternatives.
    if (has_alternatives) remove_repeats(parts);
    for (diag::Diagnostic& part : parts) out.push_back(std::move(part));
    return;
  }
  if (error->cause != nullptr && !error->cause->parts.empty()) {
    // Each of several causes is told on its own, all of them at the place of the whole.
    Error outer = *error;
    outer.cause = nullptr;
    std::string message = error_message(evaluator, outer);
    std::vector<diag::Diagnostic> causes;
    collect(evaluator, error->cause, causes);
    for (diag::Diagnostic& cause : causes) {
      cause.path = path_text(evaluator, error->node);
      cause.message = message + ": " + cause.message;
      std::vector<Position> positions = all_positions(evaluator, outer);
      for (Position position : cause.positions) {
        if (std::find(positions.begin(), positions.end(), position) == positions.end()) positions.push_back(position);
      }
      cause.positions = std::move(positions);
      out.push_back(std::move(cause));
    }
    return;
  }
  if (has_fields_beside_scalar(*error)) {
    std::size_t before = out.size();
    collect_fields_beside_scalar(evaluator, *error, out);
    if (out.size() > before) return;
  }
  diag::Diagnostic diagnostic;
  diagnostic.code = std::string(error_code_text(error->code));
  diagnostic.path = path_text(evaluator, error->node);
  diagnostic.message = error_message(evaluator, *error);
  diagnostic.positions = all_positions(evaluator, *error);
  diagnostic.advice = error->from_close_check && error->node != nullptr ? suggested_field(evaluator, error->node)
                                                                        : suggested_lookup(evaluator, *error);
  diagnostic.only_explains = !error->position.valid();
  if (diagnostic.positions.empty()) {
    std::vector<Position> parts = positions_of_parts(evaluator, *error);
    if (!parts.empty()) diagnostic.notes.push_back({"it is written here", std::move(parts)});
  }
  out.push_back(std::move(diagnostic));
}

}  // namespace

std::string value_text(Evaluator& evaluator, const Value& value) {
  Printer printer(evaluator);
  printer.value(value);
  return std::move(printer.text);
}

std::string expression_text(Evaluator& evaluator, const Expression* expression) {
  Printer printer(evaluator);
  printer.expression(expression);
  return std::move(printer.text);
}

std::string error_message(Evaluator& evaluator, const Error& error) {
  Printer printer(evaluator);
  printer.error(error);
  return std::move(printer.text);
}

std::vector<Label> node_path(const Node* node) {
  std::vector<Label> path;
  for (; node != nullptr; node = node->parent) {
    if (node->label.valid()) path.push_back(node->label);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

std::string path_text(Evaluator& evaluator, const Node* node) {
  std::string text;
  for (Label label : node_path(node)) {
    if (!text.empty()) text += ".";
    text += selector_text(evaluator.names(), label);
  }
  return text;
}

std::vector<diag::Diagnostic> diagnostics(Evaluator& evaluator, const Error* error) {
  std::vector<diag::Diagnostic> out;
  collect(evaluator, error, out);
  return out;
}

}  // namespace opm::cue::eval
