// What builtins see of their arguments, and how they make results.
#include <cmath>
#include <cstdlib>

#include "cue/eval/builtin.h"
#include "cue/eval/evaluator.h"
#include "cue/eval/missing_part.h"

namespace opm::cue::eval {

Call::Call(Evaluator& evaluator, const Builtin& builtin, std::span<const Value> arguments, const compile::Call* source,
           Scope* scope, bool is_validator)
    : evaluator_(evaluator), builtin_(builtin), arguments_(arguments), source_(source), scope_(scope), is_validator_(is_validator) {}

Position Call::position() const { return source_ != nullptr ? source_->position : Position{}; }
base::Arena& Call::arena() { return evaluator_.arena(); }

void Call::fail(const Value& error) {
  if (!failure_.is_error()) failure_ = error;
}

namespace {

Value plain(Evaluator& evaluator, const Value& value) {
  if (!value.is_node()) return value;
  evaluator.finalize(value.node);
  return evaluator.unwrap(evaluator.take_default(value));
}

}  // namespace

Value Call::unfit(const Value& value, std::string_view wanted, std::size_t index) {
  return error("cannot use {} (type {}) as {} in argument {}",
               {value, Argument::of_kinds(kinds_of(value)), wanted, static_cast<std::int64_t>(index)});
}

std::string_view Call::string(std::size_t index) {
  Value value = plain(evaluator_, arguments_[index]);
  if (value.kind == ValueKind::string) return value.string();
  fail(value.is_error() ? value : unfit(value, "string", index));
  return {};
}

std::string_view Call::bytes(std::size_t index) {
  Value value = plain(evaluator_, arguments_[index]);
  if (value.kind == ValueKind::string || value.kind == ValueKind::bytes) return value.string();
  fail(value.is_error() ? value : unfit(value, "bytes", index));
  return {};
}

bool Call::boolean(std::size_t index) {
  Value value = plain(evaluator_, arguments_[index]);
  if (value.kind == ValueKind::boolean) return value.boolean_value;
  fail(value.is_error() ? value : unfit(value, "bool", index));
  return false;
}

base::Number Call::number(std::size_t index) {
  Value value = plain(evaluator_, arguments_[index]);
  if (value.kind == ValueKind::number) return *value.number;
  fail(value.is_error() ? value : unfit(value, "number", index));
  return {};
}

std::int64_t Call::int64(std::size_t index) {
  Value value = plain(evaluator_, arguments_[index]);
  if (value.kind == ValueKind::number && value.number->is_int()) {
    if (auto number = value.number->to_int64()) return *number;
    fail(error("int {} overflows int64 in argument {}", {value, static_cast<std::int64_t>(index)}));
    return 0;
  }
  fail(value.is_error() ? value : unfit(value, "int", index));
  return 0;
}

std::uint64_t Call::uint64(std::size_t index) {
  Value value = plain(evaluator_, arguments_[index]);
  if (value.kind == ValueKind::number && value.number->is_int()) {
    if (value.number->sign() >= 0) {
      if (auto number = value.number->to_int64()) return static_cast<std::uint64_t>(*number);
      std::string text = value.number->text();
      char* end = nullptr;
      errno = 0;
      unsigned long long parsed = std::strtoull(text.c_str(), &end, 10);
      if (errno == 0 && *end == '\0') return parsed;
    }
    fail(value.number->sign() < 0 ? unfit(value, "uint64", index)
                                  : error("int {} overflows uint64 in argument {}", {value, static_cast<std::int64_t>(index)}));
    return 0;
  }
  fail(value.is_error() ? value : unfit(value, "int", index));
  return 0;
}

double Call::real(std::size_t index) {
  base::Number exact = number(index);
  double rounded = exact.to_double();
  bool is_lost = std::isinf(rounded) || (rounded == 0 && !exact.is_zero());
  if (is_lost && !failed()) {
    bool up = std::isinf(rounded) ? rounded > 0 : exact.sign() < 0;
    const char* format = up ? "cannot use {} (type {}) as float64 in argument {}: value was rounded up"
                            : "cannot use {} (type {}) as float64 in argument {}: value was rounded down";
    const Value& value = arguments_[index];
    fail(error(format, {value, Argument::of_kinds(kinds_of(value)), static_cast<std::int64_t>(index)}));
  }
  return rounded;
}

std::vector<Value> Call::elements(const Value& list) {
  Value value = list;
  if (value.is_node()) {
    evaluator_.finalize(value.node);
    value = evaluator_.take_default(value);
  }
  std::vector<Value> result;
  if (!value.is_node() || value_node(value.node)->base != BaseKind::list) {
    fail(value.is_error() ? value
                          : error("cannot use {} (type {}) as list", {value, Argument::of_kinds(kinds_of(value))}));
    return result;
  }
  for (Node* arc : value_node(value.node)->arcs) {
    if (!arc->label.is_integer()) continue;
    Value element = plain(evaluator_, Value::of_node(arc));
    result.push_back(element);
  }
  return result;
}

std::vector<Value> Call::list(std::size_t index) { return elements(arguments_[index]); }

std::vector<std::string_view> Call::strings(std::size_t index) {
  std::vector<std::string_view> result;
  std::int64_t position = 0;
  for (const Value& element : list(index)) {
    if (element.kind == ValueKind::string) {
      result.push_back(element.string());
    } else {
      if (element.is_error()) {
        fail(element);
      } else if (!evaluator_.is_concrete(element) && (kinds_of(element) & kinds::string)) {
        fail(incomplete("non-concrete value {} for element {} of string list argument {}",
                        {element, position, static_cast<std::int64_t>(index)}));
      } else {
        fail(error("invalid list element {} in argument {} to call: cannot use value {} ({}) as string",
                   {position, static_cast<std::int64_t>(index), element, Argument::of_kinds(kinds_of(element))}));
      }
      return result;
    }
    ++position;
  }
  return result;
}

std::vector<std::pair<std::string_view, Value>> Call::fields(const Value& structure) {
  Value value = structure;
  if (value.is_node()) {
    evaluator_.finalize(value.node);
    value = evaluator_.take_default(value);
  }
  std::vector<std::pair<std::string_view, Value>> result;
  if (!value.is_node() || value_node(value.node)->base != BaseKind::structure) {
    fail(value.is_error() ? value
                          : error("cannot use {} (type {}) as struct", {value, Argument::of_kinds(kinds_of(value))}));
    return result;
  }
  for (Node* arc : value_node(value.node)->arcs) {
    if (!arc->label.is_string() || arc->arc != ArcKind::member) continue;
    result.emplace_back(label_text(evaluator_.names(), arc->label), plain(evaluator_, Value::of_node(arc)));
  }
  return result;
}

bool Call::to_data(const Value& given, data::Value& out) {
  Value value = plain(evaluator_, given);
  out.position = value.position;
  switch (value.kind) {
    case ValueKind::null: out.variant = std::monostate{}; return true;
    case ValueKind::boolean: out.variant = value.boolean_value; return true;
    case ValueKind::number: out.variant = data::NumberText{value.number->text(), value.number->is_int()}; return true;
    case ValueKind::string: out.variant = std::string(value.string()); return true;
    case ValueKind::bytes: out.variant = data::Bytes{std::string(value.string())}; return true;
    case ValueKind::error: fail(value); return false;
    case ValueKind::node: {
      Node* node = value_node(value.node);
      if (node->base == BaseKind::list) {
        data::List list;
        for (Node* arc : node->arcs) {
          if (!arc->label.is_integer()) continue;
          list.emplace_back();
          if (!to_data(Value::of_node(arc), list.back())) return false;
        }
        out.variant = std::move(list);
        return true;
      }
      if (node->base == BaseKind::structure) {
        data::Map map;
        for (Node* arc : node->arcs) {
          if (!arc->label.is_string() || arc->arc == ArcKind::optional || arc->arc == ArcKind::absent) continue;
          if (arc->arc == ArcKind::required) {
            fail(evaluator_.error_value(ErrorCode::incomplete, {}, "field is required but not present"));
            return false;
          }
          map.emplace_back();
          map.back().key = std::string(label_text(evaluator_.names(), arc->label));
          if (!to_data(Value::of_node(arc), map.back().value)) return false;
        }
        out.variant = std::move(map);
        return true;
      }
      fail(incomplete("incomplete value {}", {value}));
      return false;
    }
    default:
      fail(incomplete("incomplete value {}", {value}));
      return false;
  }
}

Value Call::make_string(std::string text) { return evaluator_.make_string(text, position()); }
Value Call::make_bytes(std::string bytes) { return evaluator_.make_bytes(bytes, position()); }
Value Call::make_bool(bool value) { return Value::boolean(value, position()); }
Value Call::make_int(std::int64_t value) { return evaluator_.make_int(value, position()); }
Value Call::make_number(const base::Number& number) { return evaluator_.make_number(number, position()); }
Value Call::make_float(double value) {
  auto number = base::Number::from_double(evaluator_.arena(), value);
  return number ? evaluator_.make_number(*number, position()) : error("result is not a finite number");
}
Value Call::make_list(std::span<const Value> values) { return Value::of_node(evaluator_.make_list(values)); }
Value Call::make_strings(std::span<const std::string> values) {
  std::vector<Value> list;
  for (const std::string& text : values) list.push_back(make_string(text));
  return make_list(list);
}
Value Call::make_struct(std::span<const std::pair<std::string, Value>> fields) {
  Node* node = evaluator_.make_struct_node();
  for (const auto& [name, value] : fields) evaluator_.add_data_field(node, string_label(evaluator_.names(), name), value);
  return Value::of_node(node);
}

Value Call::from_data(const data::Value& data) {
  if (data.is_null()) return Value::null(position());
  if (data.is_bool()) return make_bool(data.as_bool());
  if (data.is_string()) return make_string(data.as_string());
  if (data.is_bytes()) return make_bytes(data.as_bytes().bytes);
  if (data.is_number()) {
    auto number = base::Number::parse_decimal(evaluator_.arena(), data.as_number().text);
    if (!number) return error("number {} is too large", {evaluator_.copy_text(data.as_number().text)});
    return make_number(data.as_number().is_integer ? *number : number->as_float());
  }
  if (data.is_list()) {
    std::vector<Value> values;
    for (const data::Value& element : data.as_list()) values.push_back(from_data(element));
    return make_list(values);
  }
  std::vector<std::pair<std::string, Value>> fields;
  for (const data::Member& member : data.as_map()) fields.emplace_back(member.key, from_data(member.value));
  return make_struct(fields);
}

Value Call::error(const char* format, std::initializer_list<Argument> arguments) {
  return evaluator_.error_value(ErrorCode::evaluation, position(), format, arguments);
}
Value Call::incomplete(const char* format, std::initializer_list<Argument> arguments) {
  return evaluator_.error_value(ErrorCode::incomplete, position(), format, arguments);
}
Value Call::error_text(std::string message) {
  return evaluator_.error_value(ErrorCode::evaluation, position(), "{}", {Argument(evaluator_.copy_text(message))});
}

// A value with the same conjuncts that is closed at its own level.
Node* Evaluator::close_node(const Value& value) {
  Node* node = make_inline(nullptr, nullptr, nullptr, {});
  Conjunct conjunct;
  conjunct.node = value.node;
  conjunct.provenance.steps = provenance_.steps;
  node->conjuncts.push(arena_, conjunct);
  node->closed_once = true;
  node->state->no_sharing = true;
  settle(node);
  note_plain_struct(*node);
  return node;
}

}  // namespace opm::cue::eval
