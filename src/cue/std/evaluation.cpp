#include "cue/std/evaluation.h"

#include "cue/eval/bounds.h"
#include "cue/eval/text.h"
#include "cue/eval/validate.h"

namespace opm::cue::standard {

using eval::BaseKind;
using eval::Node;
using eval::ValueKind;

Value plain(Call& call, const Value& value) {
  if (!value.is_node()) return value;
  call.evaluator().finalize(value.node);
  return call.evaluator().unwrap(call.evaluator().take_default(value));
}

namespace {

Node* composite(Call& call, const Value& value, BaseKind kind) {
  if (!value.is_node()) return nullptr;
  call.evaluator().finalize(value.node);
  Value chosen = call.evaluator().take_default(value);
  if (!chosen.is_node()) return nullptr;
  Node* node = eval::value_node(chosen.node);
  return node->base == kind ? node : nullptr;
}

Value wrong_kind(Call& call, const Value& value, const char* format) {
  Value shown = plain(call, value);
  if (shown.is_error()) return shown;
  if (!call.evaluator().is_concrete(shown)) return call.incomplete("non-concrete value {}", {shown});
  return call.error(format, {shown, Argument::of_kinds(eval::kinds_of(shown))});
}

}  // namespace

Node* list_node(Call& call, const Value& value) { return composite(call, value, BaseKind::list); }
Node* struct_node(Call& call, const Value& value) { return composite(call, value, BaseKind::structure); }

std::vector<Value> raw_elements(Call& call, const Value& list, Value& failure) {
  std::vector<Value> result;
  Node* node = list_node(call, list);
  if (node == nullptr) {
    failure = wrong_kind(call, list, "cannot use value {} (type {}) as list");
    return result;
  }
  for (Node* arc : node->arcs) {
    if (arc->label.is_integer()) result.push_back(Value::of_node(arc));
  }
  return result;
}

bool same_value(Call& call, const Value& a, const Value& b) {
  Value x = plain(call, a);
  Value y = plain(call, b);
  if (x.is_node() && y.is_node()) return call.evaluator().equal_nodes(x.node, y.node, false);
  if (x.is_concrete_scalar() || y.is_concrete_scalar()) return eval::same_scalar(x, y);
  return !x.is_node() && !y.is_node() && call.evaluator().equal_values(x, y);
}

bool is_final(Call& call, const Value& value) {
  if (!value.is_node()) {
    return value.is_error() ? !value.error->is_incomplete() : call.evaluator().is_concrete(value);
  }
  Node* node = value.node;
  bool closed = node->closed_once || node->closed_recursively;
  node = eval::value_node(node);
  closed = closed || node->closed_once || node->closed_recursively;
  if (node->base == BaseKind::value) return call.evaluator().is_concrete(node->value);
  if (node->base == BaseKind::error) return !node->error->is_incomplete();
  if (!closed || (node->base != BaseKind::structure && node->base != BaseKind::list)) return false;
  call.evaluator().materialize_optionals(node);
  for (Node* arc : node->arcs) {
    if (!arc->label.is_regular() || arc->arc == eval::ArcKind::absent) continue;
    // An optional field that can't be is no way to become more specific.
    if (arc->arc != eval::ArcKind::member) {
      call.evaluator().finalize(arc);
      if (eval::value_node(arc)->base != BaseKind::error) return false;
      continue;
    }
    if (!is_final(call, Value::of_node(arc))) return false;
  }
  return true;
}

namespace {

std::vector<const eval::Error*> errors_of(Call& call, Node* node, Demand demand) {
  eval::ValidateOptions options;
  options.concrete = demand == Demand::concrete;
  options.final = demand != Demand::consistent;
  return eval::validate(call.evaluator(), node, options);
}

}  // namespace

const eval::Error* shortcomings(Call& call, const Value& value, Demand demand) {
  if (value.is_error()) {
    if (demand == Demand::concrete || !value.error->is_incomplete()) return value.error;
    return nullptr;
  }
  if (!value.is_node()) return nullptr;
  const eval::Error* all = nullptr;
  for (const eval::Error* error : errors_of(call, value.node, demand)) all = call.evaluator().combine(all, error);
  return all;
}

const eval::Error* misfit(Call& call, const data::Value& document, const Value& schema, Demand demand,
                          const std::function<const compile::Expression*()>& read_again) {
  eval::Evaluator& evaluator = call.evaluator();
  int& nesting = evaluator.nested_checks();
  ++nesting;
  const eval::Error* known = shortcomings(call, evaluator.unify_values(call.from_data(document), schema), demand);
  // Most texts fit, and those that do not are looked at twice. Within each other that would double with every level.
  const compile::Expression* written = known != nullptr && nesting == 1 ? read_again() : nullptr;
  --nesting;
  if (written == nullptr) return known;
  const eval::Error* all = nullptr;
  ++nesting;
  for (const eval::Error* error : errors_of(call, evaluator.unify_written(written, schema), demand)) {
    all = evaluator.combine(all, evaluator.with_own_references(error));
  }
  --nesting;
  return all != nullptr ? all : known;
}

namespace {

constexpr unsigned kMaxDepth = 5'000;

class DataMaker {
 public:
  DataMaker(Call& call, TextForm form, Value& failure) : call_(call), form_(form), failure_(failure) {}

  bool make(const Value& given, data::Value& out, unsigned depth) {
    if (depth > kMaxDepth) return fail(call_.error("value is nested too deeply"));
    Value value = plain(call_, given);
    out.position = value.position;
    switch (value.kind) {
      case ValueKind::null: out.variant = std::monostate{}; return true;
      case ValueKind::boolean: out.variant = value.boolean_value; return true;
      case ValueKind::string: out.variant = std::string(value.string()); return true;
      case ValueKind::bytes: out.variant = data::Bytes{std::string(value.string())}; return true;
      case ValueKind::number: {
        auto style = form_ == TextForm::json ? base::NumberStyle::json : base::NumberStyle::yaml;
        out.variant = data::NumberText{value.number->text(style), value.number->is_int()};
        return true;
      }
      case ValueKind::error: return fail(value);
      case ValueKind::node: break;
      default: return fail_incomplete(given, value);
    }
    Node* node = eval::value_node(value.node);
    if (node->base == BaseKind::list) return make_list(node, out, depth);
    if (node->base == BaseKind::structure) return make_map(node, out, depth);
    return fail_incomplete(given, value);
  }

 private:
  bool make_list(Node* node, data::Value& out, unsigned depth) {
    data::List list;
    for (Node* arc : node->arcs) {
      if (!arc->label.is_integer()) continue;
      list.emplace_back();
      if (!make(Value::of_node(arc), list.back(), depth + 1)) return false;
    }
    out.variant = std::move(list);
    return true;
  }

  bool make_map(Node* node, data::Value& out, unsigned depth) {
    data::Map map;
    for (Node* arc : node->arcs) {
      if (!arc->label.is_string() || arc->arc == eval::ArcKind::optional || arc->arc == eval::ArcKind::absent) continue;
      if (arc->arc == eval::ArcKind::required) return fail(call_.incomplete("field is required but not present"));
      map.emplace_back();
      map.back().key = std::string(label_text(call_.evaluator().names(), arc->label));
      if (!make(Value::of_node(arc), map.back().value, depth + 1)) return false;
    }
    out.variant = std::move(map);
    return true;
  }

  bool fail_incomplete(const Value& given, const Value& value) {
    eval::Evaluator& evaluator = call_.evaluator();
    std::vector<eval::Position> positions{value.position};
    Value error;
    switch (form_) {
      case TextForm::yaml:
        error = call_.incomplete("incomplete value {}", {value});
        if (given.is_node()) evaluator.append_value_positions(positions, given);
        break;
      case TextForm::decoded: error = call_.incomplete("cannot convert non-concrete value {}", {Argument::silent(value)}); break;
      case TextForm::json: {
        std::string text = eval::value_text(evaluator, value);
        error = call_.incomplete("cannot convert incomplete value \"{}\" to JSON", {evaluator.copy_text(text)});
        break;
      }
    }
    if (form_ == TextForm::decoded && given.is_node()) {
      // The field that lacks a value, not the type it has so far.
      positions.clear();
      Node* node = eval::value_node(given.node);
      if (!node->conjuncts.empty() && node->conjuncts[0].expression != nullptr) {
        positions.push_back(node->conjuncts[0].expression->position);
      }
    }
    return fail(Value::of_error(evaluator.with_positions(error.error, positions)));
  }
  bool fail(const Value& error) {
    failure_ = error;
    return false;
  }

  Call& call_;
  TextForm form_;
  Value& failure_;
};

}  // namespace

bool to_data(Call& call, const Value& value, TextForm form, data::Value& out, Value& failure) {
  return DataMaker(call, form, failure).make(value, out, 0);
}

}  // namespace opm::cue::standard
