// The conjuncts of a value as one struct: literals are merged field by field, plain values are
// unified, and everything else stands beside or inside it as it was written.
#include <algorithm>

#include "cue/eval/field_order.h"
#include "cue/export/exporter.h"

namespace opm::cue::exporting {


struct Exporter::MergedField {
  compile::FieldKind kind = compile::FieldKind::optional;
  Node* arc = nullptr;
  std::vector<Part> parts;
  std::vector<const compile::Field*> declarations;
};

struct Exporter::Merge {
  std::vector<Conjunct> values;
  std::vector<Tree> embeddings;
  std::vector<Tree> conjuncts;
  std::vector<const StructExpression*> literals;
  std::vector<const Environment*> environments;  // inside the literals
  std::string alias;                             // of the value
  std::vector<std::vector<Label>> orders;  // in which each literal declares its fields
  std::unordered_map<Label, MergedField> fields;
  std::vector<Label> labels;  // as first seen
  std::vector<syntax::Attribute*> attributes;
  bool has_ellipsis = false;
  bool is_data = false;
  bool has_empty_literal = false;   // {} makes a struct of
  bool may_be_no_struct = false;    // what else is there
};

namespace {

template <typename T>
const T& as(const compile::Expression* expression) {
  return *static_cast<const T*>(expression);
}

// Nothing in it refers to anything.
bool is_self_contained(const compile::Expression& expression) {
  switch (expression.kind) {
    case ExpressionKind::null:
    case ExpressionKind::boolean:
    case ExpressionKind::number:
    case ExpressionKind::string:
    case ExpressionKind::bytes:
    case ExpressionKind::basic_type:
    case ExpressionKind::top:
    case ExpressionKind::bottom: return true;
    case ExpressionKind::builtin: return as<compile::BuiltinExpression>(&expression).builtin->package.empty();
    case ExpressionKind::unify:
      return is_self_contained(*as<compile::Unify>(&expression).left) && is_self_contained(*as<compile::Unify>(&expression).right);
    case ExpressionKind::binary:
      return is_self_contained(*as<compile::Binary>(&expression).left) && is_self_contained(*as<compile::Binary>(&expression).right);
    case ExpressionKind::unary: return is_self_contained(*as<compile::Unary>(&expression).operand);
    case ExpressionKind::bound: return is_self_contained(*as<compile::Bound>(&expression).operand);
    default: return false;
  }
}

// Fields that some literal declares behind others come later; a literal's own order is kept as far as the others
// allow.
std::vector<Label> united_order(std::vector<std::vector<Label>> orders) {
  std::unordered_map<Label, int> waiting;
  for (const auto& order : orders) {
    for (std::size_t i = 1; i < order.size(); ++i) ++waiting[order[i]];
  }
  std::vector<Label> result;
  auto is_done = [&](Label label) { return std::ranges::find(result, label) != result.end(); };
  while (true) {
    bool has_moved = false;
    for (auto& order : orders) {
      if (order.empty() || waiting[order.front()] > 0) continue;
      Label label = order.front();
      order.erase(order.begin());
      if (order.size() > 1 && waiting[order.front()] > 0) --waiting[order.front()];
      if (!is_done(label)) result.push_back(label);
      has_moved = true;
      break;
    }
    if (has_moved) continue;
    auto stuck = std::ranges::find_if(orders, [](const auto& order) { return !order.empty(); });
    if (stuck == orders.end()) return result;
    waiting[stuck->front()] = 0;  // they contradict each other
  }
}

}  // namespace

Exporter::Tree Exporter::merge_conjuncts(Node* node) {
  node = eval::shared_node(node);
  evaluator_.finalize(node);
  std::vector<Part> parts;
  if (node->is_data) {
    parts.push_back({nullptr, nullptr, node, {}});
  } else {
    for (const Conjunct& conjunct : node->conjuncts) {
      if (conjunct.expression != nullptr) {
        parts.push_back({conjunct.expression, environment_of(conjunct.scope), nullptr, {}});
      } else {
        parts.push_back({nullptr, nullptr, conjunct.node, conjunct.value});
      }
    }
  }
  return merge(node, parts);
}

// Can't be merged with others field by field.
bool Exporter::is_complex(const StructExpression& literal) {
  return std::ranges::any_of(literal.declarations, [&](const compile::Declaration& declaration) {
    switch (declaration.kind) {
      case compile::DeclarationKind::field: {
        if (!text_.alias_at(declaration.expression->position).empty()) return true;
        const syntax::Field* source = trees_.field_at(declaration.expression->position);
        return source != nullptr && source->alias != nullptr;
      }
      case compile::DeclarationKind::let:
      case compile::DeclarationKind::embedding: return false;
      case compile::DeclarationKind::ellipsis: return as<compile::EllipsisExpression>(declaration.expression).type != nullptr;
      default: return true;
    }
  });
}

// The struct literals that the frame's lets may stand in: the expression itself and what is embedded in it.
void Exporter::mark_lets(Frame& frame, const compile::Expression& written) {
  switch (written.kind) {
    case ExpressionKind::structure: {
      const auto& literal = as<StructExpression>(&written);
      frame.literals.push_back(&literal);
      for (const compile::Declaration& declaration : literal.declarations) {
        if (declaration.kind == compile::DeclarationKind::embedding) mark_lets(frame, *declaration.expression);
      }
      break;
    }
    case ExpressionKind::field: mark_lets(frame, *as<compile::Field>(&written).value); break;
    case ExpressionKind::pattern: mark_lets(frame, *as<compile::Pattern>(&written).value); break;
    case ExpressionKind::dynamic_field: mark_lets(frame, *as<compile::DynamicField>(&written).value); break;
    case ExpressionKind::alias: mark_lets(frame, *as<compile::AliasExpression>(&written).value); break;
    case ExpressionKind::unify:
      mark_lets(frame, *as<compile::Unify>(&written).left);
      mark_lets(frame, *as<compile::Unify>(&written).right);
      break;
    case ExpressionKind::disjunction:
      for (const compile::Disjunct& disjunct : as<compile::Disjunction>(&written).disjuncts) mark_lets(frame, *disjunct.value);
      break;
    default: break;
  }
}

Exporter::Tree Exporter::merge(Node* source, std::span<const Part> parts) {
  FrameScope frame(*this, source);
  Merge merge;
  std::string& alias = merge.alias;
  for (const Part& part : parts) {
    if (part.expression == nullptr) continue;
    mark_lets(*frames_.back(), *part.expression);
    const compile::Expression* written = part.expression;
    if (written->kind == ExpressionKind::field) written = as<compile::Field>(written).value;
    if (written->kind != ExpressionKind::alias || !alias.empty()) continue;
    alias = text_.alias_at(written->position);
    if (alias.empty()) continue;
    alias = unique_name(alias);
    if (source != nullptr) value_aliases_[source] = alias;
  }
  for (const Part& part : parts) add_part(merge, source, part, false);

  if (!merge.values.empty()) {
    Node* unified = evaluator_.make_root();
    for (const Conjunct& each : merge.values) unified->conjuncts.push(evaluator_.arena(), each);
    evaluator_.finalize(unified);
    merge.embeddings.push_back(node_value(unified, unified->conjuncts.span()));
  }

  auto named = [&](Tree tree) { return alias.empty() ? tree : make_.alias(alias, tree); };
  auto closed = [&](syntax::StructLiteral* literal) -> Tree {
    set_structure(merge.environments, source, literal);
    if (merge.has_ellipsis || source == nullptr || !eval::value_node(source)->closed_once) return literal;
    Tree inner = literal;
    return make_.call(make_.identifier("close"), {&inner, 1});
  };

  std::vector<Label> order = united_order(std::move(merge.orders));
  for (Label label : merge.labels) {
    if (std::ranges::find(order, label) == order.end()) order.push_back(label);
  }
  std::vector<syntax::Declaration*> fields;
  for (Label label : order) {
    auto found = merge.fields.find(label);
    if (found == merge.fields.end()) continue;
    Node* arc = source != nullptr ? evaluator_.find_arc(eval::value_node(source), label) : nullptr;
    if (arc != nullptr && arc->arc != ArcKind::absent) found->second.arc = arc;
    Tree value = this->merge(found->second.arc, found->second.parts);
    compile::FieldKind kind = found->second.kind;
    if (found->second.arc != nullptr) {
      kind = found->second.arc->arc == ArcKind::member     ? compile::FieldKind::member
             : found->second.arc->arc == ArcKind::required ? compile::FieldKind::required
                                                           : compile::FieldKind::optional;
    }
    syntax::Constraint constraint = kind == compile::FieldKind::member     ? syntax::Constraint::none
                                    : kind == compile::FieldKind::required ? syntax::Constraint::required
                                                                           : syntax::Constraint::optional;
    syntax::Field* field = make_.field(this->label(label), constraint, value);
    std::vector<Conjunct> conjuncts;
    for (const compile::Field* declaration : found->second.declarations) {
      Conjunct conjunct;
      conjunct.expression = declaration;
      conjuncts.push_back(conjunct);
    }
    if (options_.documentation) add_documentation(*field, conjuncts);
    if (options_.attributes) field->attributes = make_.arena().copy(field_attributes(conjuncts));
    fields.push_back(field);
  }

  std::vector<syntax::Declaration*> elements = frames_.back()->let_clauses();
  bool has_lets = !elements.empty();
  elements.insert(elements.end(), merge.attributes.begin(), merge.attributes.end());
  bool makes_struct = merge.has_empty_literal && merge.may_be_no_struct && !merge.has_ellipsis &&
                      std::ranges::none_of(merge.labels, [](Label label) { return label.is_regular(); });
  if (makes_struct && !merge.embeddings.empty()) merge.embeddings.push_back(make_.structure({}));
  if (fields.empty() && !merge.has_ellipsis && !makes_struct) {
    std::size_t others = merge.embeddings.size() + merge.conjuncts.size();
    if (others == 0 && merge.attributes.empty()) {
      if (!merge.literals.empty() || merge.is_data) return named(closed(make_.structure(elements)));
      return named(make_.identifier("_"));
    }
    if (others == 1) {
      Tree only = merge.conjuncts.empty() ? merge.embeddings[0] : merge.conjuncts[0];
      if (merge.attributes.empty() && !has_lets) return named(only);
      if (only->kind == syntax::NodeKind::struct_literal) {
        auto* literal = syntax::as<syntax::StructLiteral>(only);
        elements.insert(elements.end(), literal->elements.begin(), literal->elements.end());
        syntax::StructLiteral* united = make_.structure(elements);
        moved_[only] = united;
        return named(closed(united));
      }
    }
  }
  for (Tree embedded : merge.embeddings) elements.push_back(make_.embedding(embedded));
  elements.insert(elements.end(), fields.begin(), fields.end());
  if (merge.has_ellipsis) elements.push_back(make_.ellipsis(nullptr));
  if (merge.conjuncts.empty()) return named(closed(make_.structure(elements)));
  if (!merge.literals.empty() || !elements.empty()) merge.conjuncts.push_back(closed(make_.structure(elements)));
  return named(make_.chain(Token::and_value, merge.conjuncts));
}

void Exporter::add_part(Merge& merge, Node* source, const Part& part, bool is_embedded) {
  if (part.expression == nullptr) {
    if (part.node != nullptr) return add_node(merge, part.node);
    Conjunct plain;
    plain.value = part.value;
    merge.values.push_back(plain);
    return;
  }
  const compile::Expression* written = part.expression;
  const Environment* environment = part.environment;
  switch (written->kind) {
    case ExpressionKind::field: written = as<compile::Field>(written).value; break;
    case ExpressionKind::dynamic_field: written = as<compile::DynamicField>(written).value; break;
    case ExpressionKind::pattern: written = as<compile::Pattern>(written).value; break;
    default: break;
  }
  if (written->kind == ExpressionKind::alias) {
    written = as<compile::AliasExpression>(written).value;
    Environment* inside = enter(environment, nullptr);
    inside->alias = make_.arena().copy_text(merge.alias);
    environment = inside;
  }
  add_expression(merge, source, *written, environment, is_embedded);
}

void Exporter::add_expression(Merge& merge, Node* source, const compile::Expression& written, const Environment* environment,
                              bool is_embedded) {
  if (written.kind == ExpressionKind::structure) return add_struct(merge, source, as<StructExpression>(&written), environment);
  bool is_sized = written.kind == ExpressionKind::unify && !as<compile::Unify>(&written).left->position.valid();
  if (written.kind == ExpressionKind::unify && !is_embedded && !is_sized) {
    add_expression(merge, source, *as<compile::Unify>(&written).left, environment, false);
    add_expression(merge, source, *as<compile::Unify>(&written).right, environment, false);
    return;
  }
  if (is_self_contained(written)) {
    bool says_nothing = written.kind == ExpressionKind::top && source != nullptr &&
                        !(eval::value_node(source)->base == BaseKind::value && eval::value_node(source)->value.is_top());
    if (says_nothing) return;
    Conjunct conjunct;
    conjunct.expression = &written;
    merge.values.push_back(conjunct);
    return;
  }
  merge.may_be_no_struct = merge.may_be_no_struct || may_be_no_struct(written, environment);
  Tree tree = expression(&written, environment);
  (is_embedded ? merge.embeddings : merge.conjuncts).push_back(tree);
}

// A validator, or a field that is a disjunction.
bool Exporter::may_be_no_struct(const compile::Expression& written, const Environment* environment) {
  if (written.kind == ExpressionKind::call) {
    const compile::Expression* function = as<compile::Call>(&written).function;
    if (function->kind != ExpressionKind::builtin) return false;
    return !as<compile::BuiltinExpression>(function).builtin->package.empty();
  }
  if (written.kind != ExpressionKind::field_reference) return false;
  Node* target = evaluator_.referred_node(&written, scope_of(environment));
  return target != nullptr && eval::value_node(target)->base == BaseKind::disjunction;
}

void Exporter::add_struct(Merge& merge, Node* source, const StructExpression& literal, const Environment* environment) {
  if (options_.attributes) add_attributes(merge.attributes, literal.attributes);
  if (is_complex(literal)) {
    FrameScope frame(*this, source);
    merge.embeddings.push_back(raw_struct(literal, environment));
    return;
  }
  merge.literals.push_back(&literal);
  merge.has_empty_literal = merge.has_empty_literal || literal.declarations.empty();
  const Environment* inside = enter(environment, &literal);
  merge.environments.push_back(inside);
  std::vector<Label> order;
  for (const compile::Declaration& declaration : literal.declarations) {
    switch (declaration.kind) {
      case compile::DeclarationKind::field: {
        const auto& field = as<compile::Field>(declaration.expression);
        order.push_back(field.label);  // as often as it is declared
        auto [merged, is_new] = merge.fields.try_emplace(field.label);
        if (is_new) merge.labels.push_back(field.label);
        merged->second.kind = std::min(merged->second.kind, field.field_kind);
        merged->second.parts.push_back({&field, inside, nullptr, {}});
        merged->second.declarations.push_back(&field);
        break;
      }
      case compile::DeclarationKind::ellipsis: merge.has_ellipsis = true; break;
      case compile::DeclarationKind::embedding:
        add_expression(merge, nullptr, *declaration.expression, inside, true);
        break;
      default: break;
    }
  }
  if (!order.empty()) merge.orders.push_back(std::move(order));
}

void Exporter::add_node(Merge& merge, Node* original) {
  evaluator_.finalize(original);
  Node* node = eval::value_node(original);
  if (node->base == BaseKind::error && !node->error->is_incomplete()) {
    merge.conjuncts.push_back(bottom(*node->error));
    return;
  }
  if (!node->is_data) {
    for (const Conjunct& conjunct : eval::shared_node(original)->conjuncts) {
      if (conjunct.expression != nullptr) {
        add_part(merge, node, {conjunct.expression, environment_of(conjunct.scope), nullptr, {}}, false);
      } else {
        add_part(merge, node, {nullptr, nullptr, conjunct.node, conjunct.value}, false);
      }
    }
    return;
  }
  merge.is_data = true;
  if (node->base == BaseKind::list) {
    merge.embeddings.push_back(list_composite(node));
    return;
  }
  if (node->base == BaseKind::value) {
    Conjunct plain;
    plain.value = node->value;
    merge.values.push_back(plain);
  }
  std::vector<Label> order;
  for (Node* arc : node->arcs) {
    if (arc->arc == ArcKind::absent || arc->label.is_integer()) continue;
    order.push_back(arc->label);
    auto [merged, is_new] = merge.fields.try_emplace(arc->label);
    if (is_new) merge.labels.push_back(arc->label);
    merged->second.kind = compile::FieldKind::member;
    merged->second.parts.push_back({nullptr, nullptr, arc, {}});
  }
  if (!order.empty()) merge.orders.push_back(std::move(order));
}

}  // namespace opm::cue::exporting
