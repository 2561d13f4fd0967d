#include "cue/eval/value.h"

#include "cue/eval/builtin.h"
#include "cue/eval/node.h"

namespace opm::cue::eval {

Value Value::null(Position position) {
  Value value;
  value.kind = ValueKind::null;
  value.position = position;
  return value;
}
Value Value::boolean(bool flag, Position position) {
  Value value;
  value.kind = ValueKind::boolean;
  value.boolean_value = flag;
  value.position = position;
  return value;
}
Value Value::of_number(const base::Number* number, Position position) {
  Value value;
  value.kind = ValueKind::number;
  value.number = Payload<base::Number>::of(number);
  value.position = position;
  return value;
}
Value Value::of_string(const std::string_view* text, Position position) {
  Value value;
  value.kind = ValueKind::string;
  value.text = Payload<std::string_view>::of(text);
  value.position = position;
  return value;
}
Value Value::of_bytes(const std::string_view* bytes, Position position) {
  Value value = of_string(bytes, position);
  value.kind = ValueKind::bytes;
  return value;
}
Value Value::type(KindSet kind_set, Position position) {
  Value value;
  value.kind = ValueKind::basic_type;
  value.type_kinds = kind_set;
  value.position = position;
  return value;
}
Value Value::of_variation(const Value& like, const Variation* variation) {
  Value value = like;
  if (like.is_number()) value.number = Payload<base::Number>::of(variation);
  else value.text = Payload<std::string_view>::of(variation);
  return value;
}
Value Value::of_node(Node* node) {
  Value value;
  value.kind = ValueKind::node;
  value.node = node;
  return value;
}
Value Value::of_error(const Error* error) {
  Value value;
  value.kind = ValueKind::error;
  value.error = error;
  return value;
}
Value Value::of_builtin(const Builtin* builtin, Position position) {
  Value value;
  value.kind = ValueKind::builtin;
  value.builtin = builtin;
  value.position = position;
  return value;
}

namespace {

KindSet kinds_of_node(Node* node) {
  node = value_node(node);
  switch (node->base) {
    case BaseKind::structure: return kinds::structure;
    case BaseKind::list: return kinds::list;
    case BaseKind::value: return kinds_of(node->value);
    case BaseKind::error: return kinds::bottom;
    case BaseKind::disjunction: {
      KindSet result = 0;
      for (Node* disjunct : node->disjuncts) result |= kinds_of_node(disjunct);
      return result;
    }
    case BaseKind::unknown:
    case BaseKind::forward:
      if (node->state != nullptr) {
        if (node->state->scalar.exists()) return kinds_of(node->state->scalar);
        if (node->state->is_struct) return static_cast<KindSet>(node->state->kind_set & kinds::structure);
        return node->state->kind_set;
      }
      return kinds::top;
  }
  return kinds::top;
}

}  // namespace

KindSet kinds_of(const Value& value) {
  switch (value.kind) {
    case ValueKind::none: return kinds::top;
    case ValueKind::null: return kinds::null;
    case ValueKind::boolean: return kinds::boolean;
    case ValueKind::number: return value.number.peek()->is_int() ? kinds::integer : kinds::floating;
    case ValueKind::string: return kinds::string;
    case ValueKind::bytes: return kinds::bytes;
    case ValueKind::basic_type: return value.type_kinds;
    case ValueKind::bound: {
      KindSet operand = kinds_of(value.bound->operand);
      if (operand & kinds::number) return kinds::number;
      if (operand == kinds::null && value.bound->op == Operator::not_equal) {
        return static_cast<KindSet>(kinds::top & ~kinds::null);
      }
      return operand;
    }
    case ValueKind::validator: return value.validator->builtin->parameters.front().kinds;
    case ValueKind::conjunction: {
      KindSet result = kinds::top;
      for (const Value& part : value.list->values) result &= kinds_of(part);
      return result;
    }
    case ValueKind::disjunction: {
      KindSet result = 0;
      for (const Value& part : value.list->values) result |= kinds_of(part);
      return result;
    }
    case ValueKind::builtin: return kinds::function;
    case ValueKind::node: return kinds_of_node(value.node);
    case ValueKind::error: return kinds::bottom;
  }
  return kinds::top;
}

std::string kinds_text(KindSet kind_set) {
  if (kind_set == kinds::bottom) return "_|_";
  if (kind_set == kinds::top) return "_";
  static constexpr std::pair<KindSet, std::string_view> names[] = {
      {kinds::null, "null"},     {kinds::boolean, "bool"},   {kinds::integer, "int"},      {kinds::floating, "float"},
      {kinds::string, "string"}, {kinds::bytes, "bytes"},    {kinds::function, "func"},    {kinds::list, "list"},
      {kinds::structure, "struct"},
  };
  std::string text;
  int count = 0;
  auto add = [&](std::string_view name) {
    if (count++ > 0) text += '|';
    text += name;
  };
  // Ints and floats together are a number, which comes last.
  bool is_number = (kind_set & kinds::number) == kinds::number;
  KindSet rest = is_number ? static_cast<KindSet>(kind_set & ~kinds::number) : kind_set;
  for (const auto& [bit, name] : names) {
    if ((rest & bit) == 0) continue;
    add(name);
  }
  if (is_number) add("number");
  return count > 1 ? "(" + text + ")" : text;
}

Node* disjunct_node(Node* node) {
  while (node->base == BaseKind::forward && node->forward->is_disjunct) node = node->forward;
  return node;
}

Node* shared_node(Node* node) {
  while (node->base == BaseKind::forward && !node->forward->is_disjunct) node = node->forward;
  return node;
}

}  // namespace opm::cue::eval
