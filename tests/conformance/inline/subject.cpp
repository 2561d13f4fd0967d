#include "subject.h"

#include <algorithm>

#include <fmt/format.h>

#include "cue/compile/compile.h"
#include "cue/eval/text.h"
#include "cue/program_parts.h"

namespace opm::inline_test {

using eval::ArcKind;
using eval::BaseKind;
using eval::Node;
using eval::Value;
using eval::ValueKind;

Label Engine::label(const Step& step) {
  switch (step.kind) {
    case Step::Kind::index: return Label::integer(step.index);
    case Step::Kind::quoted: return cue::string_label(evaluator_.names(), step.name);
    case Step::Kind::identifier: break;
  }
  return cue::identifier_label(evaluator_.names(), step.name, step.package.empty() ? "_" : step.package);
}

Subject Engine::of(Node* node) {
  evaluator_.finalize(node);
  return {Value::of_node(node), true};
}

Node* Engine::node(const Subject& subject) {
  return subject.value.is_node() ? eval::value_node(subject.value.node) : nullptr;
}

Subject Engine::find(Subject subject, const StepPath& path) {
  for (const Step& step : path) {
    subject = field(subject, label(step), ArcKind::member);
    if (!subject.exists) break;
  }
  return subject;
}

Subject Engine::field(const Subject& subject, Label label, ArcKind wanted) {
  Node* holder = node(subject);
  if (holder != nullptr) {
    if (wanted != ArcKind::member) evaluator_.materialize_optionals(holder);
    Node* arc = evaluator_.find_arc(holder, label);
    if (arc != nullptr && arc->arc != ArcKind::absent && (wanted != ArcKind::member || arc->arc == ArcKind::member)) return of(arc);
  }
  bool may_come = holder != nullptr && evaluator_.accepts(holder, label);
  std::string name = cue::selector_text(evaluator_.names(), label);
  eval::Error* error = evaluator_.copy_error(
      *evaluator_.make_error(may_come ? eval::ErrorCode::incomplete : eval::ErrorCode::evaluation, {}, "field not found: {}",
                             {evaluator_.copy_text(name)}));
  error->node = subject.value.is_node() ? subject.value.node : nullptr;  // it is told of the struct that lacks the field
  return {Value::of_error(error), false};
}

const eval::Error* Engine::error(const Subject& subject) {
  if (subject.value.is_error()) return subject.value.error;
  Node* holder = node(subject);
  if (holder == nullptr) return nullptr;
  if (holder->base == BaseKind::error) return holder->error;
  if (holder->base == BaseKind::value && holder->value.is_error()) return holder->value.error;
  return nullptr;
}

std::optional<Value> Engine::terminal(const Subject& subject) {
  Node* holder = node(subject);
  if (holder == nullptr) return subject.value;
  if (holder->base == BaseKind::disjunction) return Value::of_node(holder);
  if (holder->base != BaseKind::value) return std::nullopt;
  if (holder->value.is_node()) return terminal(of(holder->value.node));
  return holder->value;
}

bool Engine::is_disjunction(const Subject& subject) {
  Node* holder = node(subject);
  if (holder != nullptr && holder->base == BaseKind::disjunction) return true;
  std::optional<Value> value = terminal(subject);
  return value && value->kind == ValueKind::disjunction;
}

bool Engine::is_concrete(const Subject& subject) {
  if (const eval::Error* problem = error(subject)) return !problem->is_incomplete();
  if (is_disjunction(subject)) return false;
  std::optional<Value> value = terminal(subject);
  return !value || value->is_concrete_scalar();
}

bool Engine::is_closed(const Subject& subject) {
  if (!subject.value.is_node()) return false;
  for (Node* at = subject.value.node;; at = at->forward) {
    if (at->closed_recursively || at->closed_once) return true;
    if (at->base != BaseKind::forward) return false;
  }
}

eval::KindSet Engine::kinds(const Subject& subject) { return eval::kinds_of(subject.value); }

bool Engine::allows(const Subject& subject, const std::string& selector) {
  Node* holder = node(subject);
  if (holder == nullptr) return false;
  if (subject.value.node->has_ellipsis) return true;
  // `string` and `int` stand for a field that nobody has named; of the patterns only a type allows that.
  if (selector == "string") {
    if (!evaluator_.accepts(holder, cue::string_label(evaluator_.names(), "\x01 any field"))) return false;
    if (holder->base == BaseKind::disjunction || !evaluator_.is_closed_struct(holder) || holder->has_ellipsis) return true;
    return std::ranges::any_of(eval::patterns_of(*holder), [](const eval::PatternConstraint& constraint) {
      return constraint.pattern.kind == ValueKind::basic_type && (constraint.pattern.type_kinds & eval::kinds::string) != 0;
    });
  }
  if (selector == "int") return evaluator_.accepts(holder, Label::integer(Label::kMaxIndex));
  auto path = parse_at_path(selector);
  return path && path->size() == 1 && evaluator_.accepts(holder, label(path->front()));
}

Subject Engine::with_default(const Subject& subject) {
  Node* holder = node(subject);
  while (holder != nullptr && holder->base == BaseKind::disjunction && holder->default_count == 1) {
    holder = eval::value_node(holder->disjuncts[0]);
  }
  return holder == nullptr || holder == node(subject) ? subject : of(holder);
}

std::vector<FieldView> Engine::fields(const Subject& subject) {
  std::vector<FieldView> result;
  Node* holder = node(with_default(subject));
  if (holder == nullptr) return result;
  evaluator_.materialize_optionals(holder);
  for (std::uint32_t i = 0; i < holder->arcs.size(); ++i) {
    Node* arc = holder->arcs[i];
    if (arc->arc == ArcKind::absent) continue;
    result.push_back({arc->label, arc->arc, of(arc)});
  }
  return result;
}

std::vector<Subject> Engine::elements(const Subject& subject) {
  std::vector<Subject> result;
  Node* holder = node(with_default(subject));
  if (holder == nullptr) return result;
  for (std::uint32_t i = 0; i < holder->arcs.size(); ++i) {
    if (holder->arcs[i]->label.is_integer()) result.push_back(of(holder->arcs[i]));
  }
  return result;
}

// Constraints on the same pattern are one, with the values unified.
std::vector<PatternView> Engine::patterns(const Subject& subject) {
  Node* holder = node(with_default(subject));
  std::vector<PatternView> result;
  if (holder == nullptr) return result;
  std::span<const eval::PatternConstraint> patterns = eval::patterns_of(*holder);
  std::vector<Node*> values;
  std::vector<std::vector<const eval::PatternConstraint*>> added;
  for (const eval::PatternConstraint& constraint : patterns) {
    Subject pattern = of(constraint.pattern);
    std::size_t at = 0;
    while (at < result.size() && !equal(result[at].pattern, pattern)) ++at;
    if (at == result.size()) {
      result.push_back({pattern, {}});
      values.push_back(evaluator_.make_root());
      added.emplace_back();
    }
    bool repeated = std::ranges::any_of(added[at], [&](const eval::PatternConstraint* other) {
      return other->scope == constraint.scope && other->value == constraint.value && other->declaration == constraint.declaration;
    });
    if (repeated) continue;
    added[at].push_back(&constraint);
    eval::Conjunct conjunct;
    conjunct.scope = constraint.scope;
    if (constraint.declaration != nullptr) {
      conjunct.expression = constraint.declaration->value;
      if (constraint.declaration->label_scope) conjunct.scope = evaluator_.make_scope(constraint.scope, values[at]);
    } else if (constraint.value != nullptr) {
      conjunct.expression = constraint.value;
    } else {
      conjunct.value = Value::type(eval::kinds::top);
    }
    values[at]->conjuncts.push(evaluator_.arena(), conjunct);
  }
  for (std::size_t i = 0; i < result.size(); ++i) result[i].value = of(values[i]);
  return result;
}

std::optional<Subject> Engine::let_value(const Subject& subject, std::string_view name) {
  Node* holder = node(subject);
  if (holder == nullptr) return std::nullopt;
  for (const eval::Insertion& insertion : eval::insertions_of(*holder)) {
    if (insertion.kind != eval::Insertion::Kind::structure || insertion.inner == nullptr) continue;
    const auto* literal = static_cast<const cue::compile::StructExpression*>(insertion.expression);
    for (std::size_t slot = 0; slot < literal->let_names.size(); ++slot) {
      if (literal->let_names[slot] != name) continue;
      Node** lets = insertion.inner->lets;
      if (lets != nullptr && lets[slot] != nullptr) return of(lets[slot]);
      return of(evaluator_.make_inline(holder, literal->lets[slot], insertion.inner, {}));
    }
  }
  return std::nullopt;
}

std::vector<std::string> Engine::attributes(const Subject& subject) {
  std::vector<std::string> result;
  if (!subject.value.is_node()) return result;
  for (const eval::Conjunct& conjunct : subject.value.node->conjuncts) {
    if (conjunct.expression == nullptr) continue;
    std::span<const cue::compile::Attribute> attributes;
    if (conjunct.expression->kind == cue::compile::ExpressionKind::field) {
      attributes = static_cast<const cue::compile::Field*>(conjunct.expression)->attributes;
    } else if (conjunct.expression->kind == cue::compile::ExpressionKind::dynamic_field) {
      attributes = static_cast<const cue::compile::DynamicField*>(conjunct.expression)->attributes;
    }
    for (const cue::compile::Attribute& attribute : attributes) {
      if (attribute.text.starts_with("@test(")) continue;
      if (std::ranges::find(result, attribute.text) == result.end()) result.emplace_back(attribute.text);
    }
  }
  return result;
}

std::vector<ErrorView> Engine::errors(const Subject& subject) {
  std::vector<ErrorView> result;
  const eval::Error* problem = error(subject);
  if (problem == nullptr) return result;
  for (const diag::Diagnostic& diagnostic : eval::diagnostics(evaluator_, problem)) {
    result.push_back({diagnostic.path, diagnostic.message, diagnostic.positions,
                      diagnostic.message.ends_with("errors in empty disjunction:")});
  }
  return result;
}

std::string Engine::message(const Subject& subject) {
  std::vector<ErrorView> all = errors(subject);
  if (all.empty()) return {};
  std::string text = all.front().path.empty() ? all.front().message : all.front().path + ": " + all.front().message;
  if (all.size() > 1) text += fmt::format(" (and {} more errors)", all.size() - 1);
  return text;
}

namespace {

std::vector<Node*> schemas(const Value& list) {
  std::vector<Node*> result;
  if (!list.is_node()) return result;
  for (Node* arc : eval::value_node(list.node)->arcs) {
    if (arc->label.is_integer()) result.push_back(arc);
  }
  return result;
}

}  // namespace

// Schemas in a list are evaluated when something is checked against them; one that was not is written as _|_.
bool Engine::equal_validators(const eval::Validator& wanted, const eval::Validator& actual) {
  if (wanted.builtin != actual.builtin || wanted.arguments.size() != actual.arguments.size()) return false;
  for (std::size_t i = 0; i < wanted.arguments.size(); ++i) {
    std::vector<Node*> x = schemas(wanted.arguments[i]);
    std::vector<Node*> y = schemas(actual.arguments[i]);
    if (x.size() != y.size()) return false;
    if (x.empty() && !equal(of(wanted.arguments[i]), of(actual.arguments[i]))) return false;
    for (std::size_t j = 0; j < x.size(); ++j) {
      bool is_evaluated = y[j]->status == eval::Status::finalized;
      if (!is_evaluated && error(of(x[j])) != nullptr) continue;
      if (!equal(of(x[j]), of(y[j]))) return false;
    }
  }
  return true;
}

bool Engine::equal_terminal(const Value& a, const Value& b) {
  if (a.kind == ValueKind::validator && b.kind == ValueKind::validator) return equal_validators(*a.validator, *b.validator);
  if (a.is_node() && b.is_node()) {
    Node* x = eval::value_node(a.node);
    Node* y = eval::value_node(b.node);
    if (x == y) return true;
    if (x->base != BaseKind::disjunction || y->base != BaseKind::disjunction) return equal(of(x), of(y));
    if (x->disjuncts.size() != y->disjuncts.size()) return false;
    for (std::uint32_t i = 0; i < x->disjuncts.size(); ++i) {
      if (!equal(of(x->disjuncts[i]), of(y->disjuncts[i]))) return false;
    }
    return true;
  }
  if (a.is_error() && b.is_error()) return true;
  return evaluator_.equal_values(a, b);
}

bool Engine::equal(const Subject& left, const Subject& right) {
  Subject a = with_default(left);
  Subject b = with_default(right);
  Node* x = node(a);
  Node* y = node(b);
  if (x != nullptr && x == y) return true;
  if (kinds(a) != kinds(b)) return false;
  std::optional<Value> u = terminal(a);
  std::optional<Value> v = terminal(b);
  // Scalars are equal whatever is beside them.
  if (u && v && equal_terminal(*u, *v)) return true;
  if (error(a) != nullptr || error(b) != nullptr) return error(a) != nullptr && error(b) != nullptr;
  if (x == nullptr || y == nullptr || u || v) return false;
  auto counts = [](const Node* arc) { return arc->arc == ArcKind::member || arc->arc == ArcKind::required; };
  for (std::uint32_t i = 0; i < x->arcs.size(); ++i) {
    Node* arc = x->arcs[i];
    if (!counts(arc)) continue;
    Node* other = evaluator_.find_arc(y, arc->label);
    if (other == nullptr || other->arc != arc->arc || !equal(of(arc), of(other))) return false;
  }
  for (Node* arc : y->arcs) {
    if (!counts(arc)) continue;
    Node* other = evaluator_.find_arc(x, arc->label);
    if (other == nullptr || !counts(other)) return false;
  }
  return true;
}

std::expected<Subject, std::string> Engine::compile(const cue::syntax::Expression& expression) {
  const cue::Program::Parts& parts = context_.program().parts();
  cue::compile::CompiledExpression compiled = cue::compile::compile_expression(
      evaluator_.arena(), evaluator_.names(), *parts.standard_environment, nullptr, expression);
  if (!compiled.errors.empty()) return std::unexpected(compiled.errors.front().message);
  Node* node = evaluator_.make_root();
  eval::Conjunct conjunct;
  conjunct.expression = compiled.expression;
  conjunct.scope = evaluator_.make_scope(nullptr, evaluator_.make_struct_node());
  node->conjuncts.push(evaluator_.arena(), conjunct);
  return of(node);
}

std::string Engine::show(const Subject& subject) {
  if (const eval::Error* problem = error(subject)) {
    std::string text = fmt::format("_|_[{}]", eval::error_code_text(problem->code));
    for (const ErrorView& view : errors(subject)) {
      text += fmt::format(" {}: {} @[{}];", view.path, view.message, show_positions(view.positions));
      if (text.size() > 1500) break;
    }
    return text;
  }
  std::string text = eval::value_text(evaluator_, subject.value);
  if (text.size() > 800) text = text.substr(0, 800) + "…";
  return text;
}

std::string Engine::show_positions(const std::vector<diag::Position>& positions) {
  std::string text;
  for (diag::Position position : positions) {
    diag::Location location = context_.program().sources().locate(position);
    std::string_view file = location.file.substr(location.file.rfind('/') + 1);
    text += fmt::format("{}{}:{}:{}", text.empty() ? "" : " ", file, location.line, location.column);
  }
  return text;
}

}  // namespace opm::inline_test
