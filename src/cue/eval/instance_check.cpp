#include "cue/eval/instance_check.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "cue/eval/evaluator.h"
#include "cue/eval/regular_expression.h"

namespace opm::cue::eval {

using compile::DeclarationKind;
using compile::ExpressionKind;
using compile::FieldKind;
using compile::StructExpression;

namespace {

constexpr int kMostNesting = 200;

KindSet kind_of(const data::Value& value) {
  if (value.is_null()) return kinds::null;
  if (value.is_bool()) return kinds::boolean;
  if (value.is_number()) return value.as_number().is_integer ? kinds::integer : kinds::floating;
  if (value.is_string()) return kinds::string;
  if (value.is_bytes()) return kinds::bytes;
  return value.is_list() ? kinds::list : kinds::structure;
}

std::optional<std::int64_t> integer_of(const data::Value& value) {
  if (!value.is_number() || !value.as_number().is_integer) return std::nullopt;
  const std::string& text = value.as_number().text;
  std::int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<std::int64_t> integer_of(const Expression* expression) {
  if (expression->kind != ExpressionKind::number) return std::nullopt;
  const base::Number& number = static_cast<const compile::NumberExpression*>(expression)->value;
  return number.is_int() ? number.to_int64() : std::nullopt;
}

bool is_constant(const Expression* expression) { return expression->kind <= ExpressionKind::bytes; }

}  // namespace

bool InstanceCheck::accepts(Node* definition, const data::Value& value) {
  Place place;
  return definition->label.valid() && definition->label.is_definition() && value_of(definition, place) &&
         accepts(place, value);
}

// What stands at a field of a package that is declared once.
bool InstanceCheck::value_of(Node* definition, Place& place) {
  if (definition->conjuncts.size() != 1) return false;
  const Conjunct& conjunct = definition->conjuncts[0];
  if (conjunct.expression == nullptr || conjunct.expression->kind != ExpressionKind::field) return false;
  if (conjunct.scope == nullptr || conjunct.scope->up != nullptr || conjunct.scope->node == nullptr) return false;
  if (conjunct.scope->literal == nullptr || !conjunct.scope->literal->is_file) return false;
  place = {static_cast<const compile::Field*>(conjunct.expression)->value, conjunct.scope->node, 0};
  return true;
}

// To what a reference to a definition of a package stands for.
bool InstanceCheck::follow(Place& place) {
  for (int i = 0; i < kMostNesting; ++i) {
    Node* package = nullptr;
    Label label;
    if (place.expression->kind == ExpressionKind::field_reference) {
      const auto* reference = static_cast<const compile::FieldReference*>(place.expression);
      if (reference->up != place.depth) return false;
      package = place.package;
      label = reference->label;
    } else if (place.expression->kind == ExpressionKind::selector) {
      const auto* selector = static_cast<const compile::Selector*>(place.expression);
      if (selector->operand->kind != ExpressionKind::import_reference) return false;
      package = evaluator_.package_root(static_cast<const compile::ImportReference*>(selector->operand)->package);
      label = selector->label;
    } else {
      return true;
    }
    if (package == nullptr || !label.is_definition()) return false;
    Node* target = package->lazy_root ? evaluator_.lazy_lookup(package, label) : evaluator_.find_arc(package, label);
    if (target == nullptr || !value_of(target, place)) return false;
  }
  return false;
}

bool InstanceCheck::accepts(Place place, const data::Value& value) {
  if (++nesting_ > kMostNesting || !evaluator_.spend()) return false;
  struct Leave {
    int& nesting;
    ~Leave() { --nesting; }
  } leave{nesting_};
  if (!follow(place)) return false;
  const Expression* expression = place.expression;
  switch (expression->kind) {
    case ExpressionKind::top:
      return true;
    case ExpressionKind::null:
      return value.is_null();
    case ExpressionKind::boolean:
      return value.is_bool() && value.as_bool() == static_cast<const compile::BooleanExpression*>(expression)->value;
    case ExpressionKind::string:
      return value.is_string() && value.as_string() == static_cast<const compile::StringExpression*>(expression)->value;
    case ExpressionKind::number: {
      std::optional<std::int64_t> wanted = integer_of(expression);
      return wanted && integer_of(value) == wanted;
    }
    case ExpressionKind::basic_type:
      return (static_cast<const compile::BasicTypeExpression*>(expression)->kinds & kind_of(value)) != 0;
    case ExpressionKind::bound:
      return accepts_bound(*static_cast<const compile::Bound*>(expression), value);
    case ExpressionKind::unify: {
      // Of structs each would have to allow what the other brings.
      if (value.is_map() || value.is_list()) return false;
      const auto* both = static_cast<const compile::Unify*>(expression);
      return accepts(Place{both->left, place.package, place.depth}, value) &&
             accepts(Place{both->right, place.package, place.depth}, value);
    }
    case ExpressionKind::disjunction:
      return accepts_one_of(place, value);
    case ExpressionKind::list:
      return accepts_list(place, value);
    case ExpressionKind::structure:
      return accepts_map(place, value);
    default:
      return false;
  }
}

// The literals that make up a definition: its own and those that it embeds.
bool InstanceCheck::collect_parts(const Place& place, std::vector<Part>& parts) {
  if (place.expression->kind != ExpressionKind::structure || parts.size() > kMostNesting) return false;
  const auto* literal = static_cast<const StructExpression*>(place.expression);
  if (literal->has_dynamic || !literal->lets.empty() || literal->features.explicit_open) return false;
  Part part{literal, place.package, place.depth + 1};
  parts.push_back(part);
  if (!literal->has_embedding) return true;
  for (const compile::Declaration& declaration : literal->declarations) {
    if (declaration.kind == DeclarationKind::comprehension) return false;
    if (declaration.kind != DeclarationKind::embedding) continue;
    if (!declaration.expression->refers_to_definition) return false;
    Place embedded{declaration.expression, part.package, part.depth};
    if (!follow(embedded) || !collect_parts(embedded, parts)) return false;
  }
  return true;
}

bool InstanceCheck::accepts_map(const Place& place, const data::Value& value) {
  if (!value.is_map()) return false;
  std::vector<Part> parts;
  if (!collect_parts(place, parts)) return false;
  bool has_ellipsis = std::ranges::any_of(parts, [](const Part& part) { return part.literal->ellipsis != nullptr; });
  for (const Part& part : parts) {
    if (part.literal->ellipsis != nullptr && part.literal->ellipsis->type != nullptr) return false;
  }
  bool has_fields = std::ranges::any_of(parts, [](const Part& part) { return !part.literal->fields.empty(); });
  for (const data::Member& member : value.as_map()) {
    // Where it is no name at all, no field has it.
    base::Name name = has_fields ? evaluator_.names().find(member.key) : base::kNoName;
    int found = 0;
    for (const Part& part : parts) {
      const compile::Field* field = name != base::kNoName ? part.literal->find(Label::string(name)) : nullptr;
      if (field != nullptr && field->next_same != 0) return false;
      if (field != nullptr) {
        ++found;
        if (!accepts(Place{field->value, part.package, part.depth}, member.value)) return false;
      }
      if (!part.literal->has_pattern) continue;
      for (const compile::Declaration& declaration : part.literal->declarations) {
        if (declaration.kind != DeclarationKind::pattern) continue;
        const auto* pattern = static_cast<const compile::Pattern*>(declaration.expression);
        bool takes_all = pattern->pattern->kind == ExpressionKind::basic_type &&
                         (static_cast<const compile::BasicTypeExpression*>(pattern->pattern)->kinds & kinds::string) != 0;
        if (!takes_all || pattern->label_scope) return false;
        ++found;
        if (!accepts(Place{pattern->value, part.package, part.depth}, member.value)) return false;
      }
    }
    if (found == 0 && !has_ellipsis) return false;
    // Which of the two would allow what the other does not, is the evaluator's business.
    if (found > 1 && (member.value.is_map() || member.value.is_list())) return false;
  }
  return is_complete(parts, value);
}

// Fields that are not optional are in the data, or are a constant that nothing else is said of.
bool InstanceCheck::is_complete(const std::vector<Part>& parts, const data::Value& value) {
  auto declares = [](Label label) { return [label](const Part& part) { return part.literal->find(label) != nullptr; }; };
  for (const Part& part : parts) {
    for (const compile::Field* field : part.literal->fields) {
      if (!field->label.is_string()) return false;
      if (field->field_kind == FieldKind::optional) continue;
      if (value.find(label_text(evaluator_.names(), field->label)) != nullptr) continue;
      bool is_alone = !part.literal->has_pattern && field->next_same == 0 &&
                      std::ranges::count_if(parts, declares(field->label)) == 1;
      if (field->field_kind != FieldKind::member || !is_constant(field->value) || !is_alone) return false;
    }
  }
  return true;
}

bool InstanceCheck::accepts_list(const Place& place, const data::Value& value) {
  if (!value.is_list()) return false;
  const auto* literal = static_cast<const compile::ListExpression*>(place.expression);
  // Any number of one type; lists of a certain length are rare.
  if (literal->elements.size() != 1 || literal->elements[0]->kind != ExpressionKind::ellipsis) return false;
  const Expression* type = static_cast<const compile::EllipsisExpression*>(literal->elements[0])->type;
  if (type == nullptr) return true;
  return std::ranges::all_of(value.as_list(), [&](const data::Value& element) {
    return accepts(Place{type, place.package, place.depth}, element);
  });
}

// Whichever alternatives take a scalar, they make the same of it. Two that take a struct may add something else each, so
// that all but one have to be of other kinds.
bool InstanceCheck::accepts_one_of(const Place& place, const data::Value& value) {
  const auto* disjunction = static_cast<const compile::Disjunction*>(place.expression);
  bool is_scalar = !value.is_map() && !value.is_list();
  const Expression* only = nullptr;
  for (const compile::Disjunct& disjunct : disjunction->disjuncts) {
    Place alternative{disjunct.value, place.package, place.depth};
    if (is_scalar) {
      if (accepts(alternative, value)) return true;
      continue;
    }
    if (cannot_be(alternative, kind_of(value))) continue;
    if (only != nullptr) return false;
    only = disjunct.value;
  }
  return only != nullptr && accepts(Place{only, place.package, place.depth}, value);
}

bool InstanceCheck::cannot_be(Place place, KindSet kind) {
  if (!follow(place)) return false;
  switch (place.expression->kind) {
    case ExpressionKind::null:
    case ExpressionKind::boolean:
    case ExpressionKind::number:
    case ExpressionKind::string:
    case ExpressionKind::bytes: return true;  // asked for structs and lists only
    case ExpressionKind::basic_type:
      return (static_cast<const compile::BasicTypeExpression*>(place.expression)->kinds & kind) == 0;
    case ExpressionKind::list: return kind != kinds::list;
    case ExpressionKind::unify: {
      const auto* both = static_cast<const compile::Unify*>(place.expression);
      return cannot_be({both->left, place.package, place.depth}, kind) ||
             cannot_be({both->right, place.package, place.depth}, kind);
    }
    case ExpressionKind::structure:
      return kind != kinds::structure && !static_cast<const StructExpression*>(place.expression)->has_embedding;
    default: return false;
  }
}

bool InstanceCheck::accepts_bound(const compile::Bound& bound, const data::Value& value) {
  if (value.is_string() && bound.operand->kind == ExpressionKind::string) {
    std::string_view wanted = static_cast<const compile::StringExpression*>(bound.operand)->value;
    if (bound.op == Operator::not_equal) return value.as_string() != wanted;
    if (bound.op != Operator::match) return false;
    const Error* error = nullptr;
    const TextMatcher* expression = evaluator_.regular_expression(evaluator_.constant(bound.operand), &error);
    return error == nullptr && expression != nullptr && expression->matches(value.as_string());
  }
  std::optional<std::int64_t> given = integer_of(value);
  std::optional<std::int64_t> limit = integer_of(bound.operand);
  if (!given || !limit) return false;
  switch (bound.op) {
    case Operator::less: return *given < *limit;
    case Operator::less_equal: return *given <= *limit;
    case Operator::greater: return *given > *limit;
    case Operator::greater_equal: return *given >= *limit;
    case Operator::not_equal: return *given != *limit;
    default: return false;
  }
}

}  // namespace opm::cue::eval
