#include "cue/derivation.h"

#include <algorithm>
#include <set>
#include <unordered_set>

#include "cue/eval/evaluator.h"

namespace opm::cue {

namespace {

using compile::Expression;
using compile::ExpressionKind;
using eval::BaseKind;
using eval::Node;
using eval::Scope;

constexpr int kDeepest = 200;  // of nested expressions

Node* chosen(Node* node) {
  node = eval::value_node(node);
  while (node->base == BaseKind::disjunction && node->default_count == 1) node = eval::value_node(node->disjuncts[0]);
  return node;
}

Scope* scope_up(Scope* scope, std::uint32_t up) {
  for (; up > 0 && scope != nullptr; --up) scope = scope->up;
  return scope;
}

// What is declared, and the scope that it stands in.
struct Body {
  const Expression* expression;
  Scope* scope;
};

class Reader {
 public:
  Reader(Context& context, std::vector<SourceDeclaration>& found) : context_(context), evaluator_(context.evaluator()), found_(found) {}

  void read(Node* node) {
    if (node == nullptr || !known_.insert(node).second) return;
    for (const eval::Conjunct& conjunct : node->conjuncts) read(node, conjunct);
    // Plain data has no conjuncts.
    if (node->conjuncts.size() == 0 && (node->is_data || node->base == BaseKind::value)) add_data(node);
    // What a value is shared with is what its one declaration refers to.
    bool is_referred_to = node->is_shared && !found_.empty() && !found_.back().references.empty();
    if (node->base == BaseKind::forward && !is_referred_to) read(node->forward);
    if (node->base == BaseKind::disjunction && node->default_count == 1) read(node->disjuncts[0]);
  }

 private:
  void read(Node* node, const eval::Conjunct& conjunct) {
    if (conjunct.expression == nullptr) {
      if (conjunct.node != nullptr) read(conjunct.node);
      else if (conjunct.value.position.valid()) add_data(conjunct.value.position, nullptr);
      return;
    }
    // The alternatives of a disjunction say the same as the value that has them.
    if (std::ranges::find(found_, static_cast<const void*>(conjunct.expression), &SourceDeclaration::identity) != found_.end()) return;
    Body body = body_of(node, conjunct);
    if (allows_anything(body.expression)) return;
    SourceDeclaration declaration;
    declaration.position = conjunct.expression->position;
    declaration.value_begin = body.expression->position;
    declaration.value_end = body.expression->end_position;
    declaration.identity = conjunct.expression;
    references_ = &declaration.references;
    declaration.role = visit(body.expression, body.scope, 0);
    found_.push_back(std::move(declaration));
  }

  void add_data(const Node* node) { add_data(node->base == BaseKind::value ? node->value.position : diag::Position(), node); }

  void add_data(diag::Position position, const void* identity) {
    SourceDeclaration declaration;
    declaration.position = declaration.value_begin = declaration.value_end = position;
    declaration.identity = identity;
    found_.push_back(std::move(declaration));
  }

  Body body_of(Node* node, const eval::Conjunct& conjunct) {
    Body body{conjunct.expression, conjunct.scope};
    bool label_scope = false;
    if (body.expression->kind == ExpressionKind::field) {
      body.expression = static_cast<const compile::Field*>(body.expression)->value;
    } else if (body.expression->kind == ExpressionKind::pattern) {
      const auto* pattern = static_cast<const compile::Pattern*>(body.expression);
      label_scope = pattern->label_scope;
      body.expression = pattern->value;
    } else if (body.expression->kind == ExpressionKind::dynamic_field) {
      const auto* field = static_cast<const compile::DynamicField*>(body.expression);
      label_scope = field->label_scope;
      body.expression = field->value;
    }
    if (label_scope) {
      body.scope = evaluator_.make_scope(body.scope, node);
      body.scope->label = node->label;
    }
    while (body.expression->kind == ExpressionKind::alias) {
      body.expression = static_cast<const compile::AliasExpression*>(body.expression)->value;
      body.scope = evaluator_.make_scope(body.scope, node);
    }
    return body;
  }

  static bool allows_anything(const Expression* expression) {
    return expression->kind == ExpressionKind::top || expression->kind == ExpressionKind::ellipsis;
  }

  // Collects what the expression refers to and says what it does.
  SourceRole visit(const Expression* expression, Scope* scope, int depth) {
    if (depth > kDeepest) return SourceRole::computes;
    auto all = [&](std::initializer_list<const Expression*> operands, SourceRole role) {
      for (const Expression* operand : operands) {
        if (operand != nullptr) visit(operand, scope, depth + 1);
      }
      return role;
    };
    switch (expression->kind) {
      case ExpressionKind::field_reference:
      case ExpressionKind::value_reference:
      case ExpressionKind::dynamic_reference:
      case ExpressionKind::clause_reference:
      case ExpressionKind::let_reference:
      case ExpressionKind::import_reference:
      case ExpressionKind::selector:
      case ExpressionKind::index:
        return refer(expression, scope);
      case ExpressionKind::interpolation:
        for (const Expression* part : static_cast<const compile::Interpolation*>(expression)->parts) visit(part, scope, depth + 1);
        return SourceRole::computes;
      case ExpressionKind::slice: {
        const auto* slice = static_cast<const compile::Slice*>(expression);
        return all({slice->operand, slice->low, slice->high}, SourceRole::computes);
      }
      case ExpressionKind::binary: {
        const auto* binary = static_cast<const compile::Binary*>(expression);
        return all({binary->left, binary->right}, SourceRole::computes);
      }
      case ExpressionKind::unary:
        return all({static_cast<const compile::Unary*>(expression)->operand}, SourceRole::computes);
      case ExpressionKind::bound:
        return all({static_cast<const compile::Bound*>(expression)->operand}, SourceRole::restricts);
      case ExpressionKind::open: return visit(static_cast<const compile::Open*>(expression)->operand, scope, depth + 1);
      case ExpressionKind::unify: {
        const auto* both = static_cast<const compile::Unify*>(expression);
        SourceRole left = visit(both->left, scope, depth + 1);
        SourceRole right = visit(both->right, scope, depth + 1);
        return left == SourceRole::restricts ? right : left;
      }
      case ExpressionKind::disjunction:
        for (const compile::Disjunct& disjunct : static_cast<const compile::Disjunction*>(expression)->disjuncts)
          visit(disjunct.value, scope, depth + 1);
        return SourceRole::restricts;
      case ExpressionKind::call: {
        const auto* call = static_cast<const compile::Call*>(expression);
        for (const Expression* argument : call->arguments) visit(argument, scope, depth + 1);
        eval::ValueKind result = evaluator_.evaluate(expression, scope).kind;
        return result == eval::ValueKind::validator || result == eval::ValueKind::disjunction ? SourceRole::restricts
                                                                                             : SourceRole::computes;
      }
      case ExpressionKind::basic_type:
      case ExpressionKind::top:
      case ExpressionKind::bottom:
      case ExpressionKind::builtin:
        return SourceRole::restricts;
      default: return SourceRole::writes;
    }
  }

  SourceRole refer(const Expression* expression, Scope* scope) {
    Node* target = resolve(expression, scope);
    if (target == nullptr) return SourceRole::refers;
    Value value(&context_, target);
    bool is_known = std::ranges::any_of(*references_, [&](const Value& other) { return other.node() == target; });
    if (!is_known) references_->push_back(value);
    // A type has no value to take.
    return value.concrete() || value.kind() == kinds::structure || value.kind() == kinds::list ? SourceRole::refers
                                                                                              : SourceRole::restricts;
  }

  Node* resolve(const Expression* reference, Scope* scope) {
    switch (reference->kind) {
      case ExpressionKind::field_reference: {
        const auto* field = static_cast<const compile::FieldReference*>(reference);
        Scope* target = scope_up(scope, field->up);
        return target == nullptr || target->node == nullptr ? nullptr : member(target->node, field->label);
      }
      case ExpressionKind::value_reference: {
        Scope* target = scope_up(scope, static_cast<const compile::ValueReference*>(reference)->up);
        return target == nullptr ? nullptr : target->node;
      }
      case ExpressionKind::clause_reference: {
        const auto* clause = static_cast<const compile::ClauseReference*>(reference);
        Scope* target = scope_up(scope, clause->up);
        return target == nullptr || clause->variable != compile::ClauseVariable::value ? nullptr : target->value;
      }
      case ExpressionKind::let_reference: {
        const auto* let = static_cast<const compile::LetReference*>(reference);
        Scope* target = scope_up(scope, let->up);
        return target == nullptr || target->lets == nullptr ? nullptr : target->lets[let->slot];
      }
      case ExpressionKind::import_reference: {
        std::uint32_t package = static_cast<const compile::ImportReference*>(reference)->package;
        return package < evaluator_.program().packages->size() ? evaluator_.package_root(package) : nullptr;
      }
      case ExpressionKind::selector: {
        const auto* selector = static_cast<const compile::Selector*>(reference);
        Node* operand = node_of(selector->operand, scope);
        return operand == nullptr ? nullptr : member(operand, selector->label);
      }
      case ExpressionKind::index: {
        const auto* index = static_cast<const compile::Index*>(reference);
        Node* operand = node_of(index->operand, scope);
        if (operand == nullptr) return nullptr;
        eval::Value key = evaluator_.evaluate_value(index->index, scope);
        const eval::Error* error = nullptr;
        if (key.is_error() || !key.exists()) return nullptr;
        Label label = evaluator_.value_label(index->index, key, &error);
        return error != nullptr ? nullptr : member(operand, label);
      }
      default: return nullptr;
    }
  }

  Node* node_of(const Expression* operand, Scope* scope) {
    if (Node* node = resolve(operand, scope)) return node;
    eval::Value value = evaluator_.evaluate(operand, scope);
    return value.is_node() ? value.node : nullptr;
  }

  Node* member(Node* node, Label label) {
    const eval::Error* error = nullptr;
    Node* found = evaluator_.lookup(chosen(node), label, {}, &error);
    return error == nullptr ? found : nullptr;
  }

  Context& context_;
  eval::Evaluator& evaluator_;
  std::vector<SourceDeclaration>& found_;
  std::vector<Value>* references_ = nullptr;
  std::set<const Node*> known_;
};

}  // namespace

std::vector<SourceDeclaration> source_declarations(const Value& value) {
  std::vector<SourceDeclaration> result;
  if (!value.valid()) return result;
  Context& context = value.context();
  context.run([&] {
    context.evaluator().finalize(value.node());
    Reader(context, result).read(value.node());
  });
  return result;
}

diag::Position written_at(const Value& value) {
  Value scalar = value.with_default();
  if (!scalar.valid() || scalar.node()->base != BaseKind::value) return {};
  return scalar.node()->value.position;
}

void FrozenOrigins::add(Frozen::Handle handle, const Value& original) {
  if (handle == nullptr || !original.valid() || !entries_.try_emplace(handle, Entry{nullptr, original}).second) return;
  add_parts(handle);
}

void FrozenOrigins::add_parts(Frozen::Handle handle) {
  if (handle->base != BaseKind::list && handle->base != BaseKind::structure) return;
  for (Frozen::Handle part : handle->arcs) {
    if (entries_.try_emplace(part, Entry{handle, std::nullopt}).second) add_parts(part);
  }
}

void FrozenOrigins::add_fields(Frozen::Handle structure, std::span<const Value> originals) {
  for (std::size_t i = 0; i < std::min<std::size_t>(originals.size(), structure->arcs.size()); ++i) add(structure->arcs[i], originals[i]);
}

Value FrozenOrigins::part_of(const Value& original, Frozen::Handle whole, Frozen::Handle part) const {
  if (!original.valid()) return {};
  if (whole->base == BaseKind::list) {
    std::vector<Value> elements = original.elements();
    auto index = static_cast<std::size_t>(std::find(whole->arcs.begin(), whole->arcs.end(), part) - whole->arcs.begin());
    return index < elements.size() ? elements[index] : Value();
  }
  Path path;
  path.elements.push_back({part->label.is_definition() ? Path::Element::Kind::definition : Path::Element::Kind::field,
                           std::string(label_text(frozen_.names(), part->label)), 0, {}});
  return original.find(path);
}

Value FrozenOrigins::find(const void* identity) const {
  auto found = entries_.find(identity);
  if (found == entries_.end()) return {};
  Entry& entry = found->second;
  if (!entry.original) entry.original = part_of(find(entry.parent), entry.parent, static_cast<Frozen::Handle>(identity));
  return *entry.original;
}

const void* FrozenOrigins::parent(const void* identity) const {
  auto found = entries_.find(identity);
  return found == entries_.end() ? nullptr : found->second.parent;
}

bool has_field_below(const Value& value, std::string_view name) {
  if (!value.valid()) return false;
  bool found = false;
  Context& context = value.context();
  context.run([&] {
    context.evaluator().finalize(value.node());
    Label label = string_label(context.evaluator().names(), name);
    std::vector<Node*> left{value.node()};
    std::unordered_set<const Node*> known;  // what is referred to twice is there once
    while (!left.empty() && !found) {
      Node* node = chosen(left.back());
      left.pop_back();
      if ((node->arcs.size() == 0 && node->disjuncts.size() == 0) || !known.insert(node).second) continue;
      for (Node* part : node->arcs) {
        found = found || part->label == label;
        left.push_back(part);
      }
      // Of those that were not decided between, any may be the one.
      for (Node* alternative : node->disjuncts) left.push_back(alternative);
    }
  });
  return found;
}

}  // namespace opm::cue
