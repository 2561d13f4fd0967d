#include "cue/alike_fields.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "cue/eval/evaluator.h"
#include "cue/eval/given_value.h"
#include "cue/eval/worlds.h"

namespace opm::cue {

namespace {

using compile::Expression;
using compile::ExpressionKind;
using eval::Conjunct;
using eval::Node;
using eval::Scope;

bool is_literal(const Expression* expression) {
  return expression->kind == ExpressionKind::string || expression->kind == ExpressionKind::bytes ||
         expression->kind == ExpressionKind::number;
}

// What a literal is, but for what it holds.
bool is_int(const Expression* literal) {
  return literal->kind == ExpressionKind::number && static_cast<const compile::NumberExpression*>(literal)->value.is_int();
}

bool same_features(const compile::Features& a, const compile::Features& b) {
  return a.struct_comparison == b.struct_comparison && a.explicit_open == b.explicit_open && a.alias_v2 == b.alias_v2 &&
         a.try_clause == b.try_clause && a.short_circuit == b.short_circuit && a.testing == b.testing;
}

bool same_kind(const Expression* a, const Expression* b) {
  return a->kind == b->kind && a->refers_to_definition == b->refers_to_definition &&
         a->optional_reference == b->optional_reference && same_features(a->features, b->features);
}

// Whether two expressions say the same in the same scope, wherever they are written.
bool same(const Expression* a, const Expression* b);

template <typename T>
bool same_all(std::span<const T* const> a, std::span<const T* const> b) {
  return std::ranges::equal(a, b, [](const Expression* one, const Expression* other) { return same(one, other); });
}

bool same_attributes(std::span<const compile::Attribute> a, std::span<const compile::Attribute> b) {
  return std::ranges::equal(a, b, {}, &compile::Attribute::text, &compile::Attribute::text);
}

bool same_frame(const compile::StructExpression& a, const compile::StructExpression& b) {
  return a.declarations.size() == b.declarations.size() && a.fields.size() == b.fields.size() && same_all(a.lets, b.lets) &&
         same_attributes(a.attributes, b.attributes) && same(a.ellipsis, b.ellipsis) && a.is_file == b.is_file &&
         std::ranges::equal(a.declarations, b.declarations, {}, &compile::Declaration::kind, &compile::Declaration::kind);
}

bool same_frame(const compile::Field& a, const compile::Field& b) {
  return a.field_kind == b.field_kind && a.next_same == b.next_same && same_attributes(a.attributes, b.attributes);
}

bool same_clauses(std::span<const compile::Clause> a, std::span<const compile::Clause> b) {
  return std::ranges::equal(a, b, [](const compile::Clause& one, const compile::Clause& other) {
    return one.kind == other.kind && one.pushes_scope == other.pushes_scope && one.has_key == other.has_key &&
           one.has_value == other.has_value && same(one.expression, other.expression);
  });
}

template <typename T, typename Same>
bool both(const Expression* a, const Expression* b, Same same_parts) {
  return same_parts(*static_cast<const T*>(a), *static_cast<const T*>(b));
}

bool same(const Expression* a, const Expression* b) {
  if (a == b) return true;
  if (a == nullptr || b == nullptr || !same_kind(a, b)) return false;
  switch (a->kind) {
    case ExpressionKind::null:
    case ExpressionKind::top:
    case ExpressionKind::bottom: return true;
    case ExpressionKind::boolean:
      return both<compile::BooleanExpression>(a, b, [](auto& x, auto& y) { return x.value == y.value; });
    case ExpressionKind::number:
      return is_int(a) == is_int(b) && both<compile::NumberExpression>(a, b, [](auto& x, auto& y) {
        return x.value.text() == y.value.text();
      });
    case ExpressionKind::string:
    case ExpressionKind::bytes:
      return both<compile::StringExpression>(a, b, [](auto& x, auto& y) { return x.value == y.value; });
    case ExpressionKind::basic_type:
      return both<compile::BasicTypeExpression>(a, b, [](auto& x, auto& y) { return x.kinds == y.kinds; });
    case ExpressionKind::structure:
      return both<compile::StructExpression>(a, b, [](auto& x, auto& y) {
        return same_frame(x, y) && std::ranges::equal(x.declarations, y.declarations, [](auto& one, auto& other) {
          return same(one.expression, other.expression);
        });
      });
    case ExpressionKind::field:
      return both<compile::Field>(a, b, [](auto& x, auto& y) {
        return x.label == y.label && same_frame(x, y) && same(x.value, y.value);
      });
    case ExpressionKind::pattern:
      return both<compile::Pattern>(a, b, [](auto& x, auto& y) {
        return same(x.pattern, y.pattern) && same(x.value, y.value) && x.label_scope == y.label_scope &&
               same_attributes(x.attributes, y.attributes);
      });
    case ExpressionKind::dynamic_field:
      return both<compile::DynamicField>(a, b, [](auto& x, auto& y) {
        return same(x.label, y.label) && x.field_kind == y.field_kind && same(x.value, y.value) &&
               x.label_scope == y.label_scope && same_attributes(x.attributes, y.attributes);
      });
    case ExpressionKind::list:
      return both<compile::ListExpression>(a, b, [](auto& x, auto& y) { return same_all(x.elements, y.elements); });
    case ExpressionKind::ellipsis:
      return both<compile::EllipsisExpression>(a, b, [](auto& x, auto& y) { return same(x.type, y.type); });
    case ExpressionKind::field_reference:
      return both<compile::FieldReference>(a, b, [](auto& x, auto& y) { return x.up == y.up && x.label == y.label; });
    case ExpressionKind::value_reference:
      return both<compile::ValueReference>(a, b, [](auto& x, auto& y) { return x.up == y.up; });
    case ExpressionKind::label_reference:
      return both<compile::LabelReference>(a, b, [](auto& x, auto& y) { return x.up == y.up; });
    case ExpressionKind::dynamic_reference:
      return both<compile::DynamicReference>(a, b, [](auto& x, auto& y) { return x.up == y.up && same(x.label, y.label); });
    case ExpressionKind::clause_reference:
      return both<compile::ClauseReference>(a, b, [](auto& x, auto& y) { return x.up == y.up && x.variable == y.variable; });
    case ExpressionKind::let_reference:
      return both<compile::LetReference>(a, b, [](auto& x, auto& y) { return x.up == y.up && x.slot == y.slot; });
    case ExpressionKind::import_reference:
      return both<compile::ImportReference>(a, b, [](auto& x, auto& y) { return x.package == y.package && x.path == y.path; });
    case ExpressionKind::builtin:
      return both<compile::BuiltinExpression>(a, b, [](auto& x, auto& y) { return x.builtin == y.builtin; });
    case ExpressionKind::selector:
      return both<compile::Selector>(a, b, [](auto& x, auto& y) { return x.label == y.label && same(x.operand, y.operand); });
    case ExpressionKind::index:
      return both<compile::Index>(a, b, [](auto& x, auto& y) { return same(x.operand, y.operand) && same(x.index, y.index); });
    case ExpressionKind::slice:
      return both<compile::Slice>(a, b, [](auto& x, auto& y) {
        return same(x.operand, y.operand) && same(x.low, y.low) && same(x.high, y.high);
      });
    case ExpressionKind::interpolation:
      return both<compile::Interpolation>(a, b, [](auto& x, auto& y) {
        return x.is_bytes == y.is_bytes && same_all(x.parts, y.parts);
      });
    case ExpressionKind::bound:
      return both<compile::Bound>(a, b, [](auto& x, auto& y) { return x.op == y.op && same(x.operand, y.operand); });
    case ExpressionKind::unary:
      return both<compile::Unary>(a, b, [](auto& x, auto& y) { return x.op == y.op && same(x.operand, y.operand); });
    case ExpressionKind::binary:
      return both<compile::Binary>(a, b, [](auto& x, auto& y) {
        return x.op == y.op && same(x.left, y.left) && same(x.right, y.right);
      });
    case ExpressionKind::unify:
      return both<compile::Unify>(a, b, [](auto& x, auto& y) { return same(x.left, y.left) && same(x.right, y.right); });
    case ExpressionKind::disjunction:
      return both<compile::Disjunction>(a, b, [](auto& x, auto& y) {
        return x.has_defaults == y.has_defaults && std::ranges::equal(x.disjuncts, y.disjuncts, [](auto& one, auto& other) {
          return one.is_default == other.is_default && same(one.value, other.value);
        });
      });
    case ExpressionKind::call:
      return both<compile::Call>(a, b, [](auto& x, auto& y) {
        return same(x.function, y.function) && same_all(x.arguments, y.arguments);
      });
    case ExpressionKind::open:
      return both<compile::Open>(a, b, [](auto& x, auto& y) { return same(x.operand, y.operand); });
    case ExpressionKind::alias:
      return both<compile::AliasExpression>(a, b, [](auto& x, auto& y) { return same(x.value, y.value); });
    case ExpressionKind::comprehension:
      return both<compile::Comprehension>(a, b, [](auto& x, auto& y) {
        return same_clauses(x.clauses, y.clauses) && same(x.body, y.body) && same(x.fallback, y.fallback);
      });
  }
  return false;
}

// Of several expressions that differ in literals, one that is another in each world. Only literals that are a field or an
// element of a list by themselves may differ: nobody looks at those before they are evaluated.
class ExpressionWeaver {
 public:
  explicit ExpressionWeaver(eval::Evaluator& evaluator) : evaluator_(evaluator) {}

  using Versions = std::span<const Expression* const>;

  // One of a conjunct, the field's declaration among them; what it is called is the caller's business.
  const Expression* weave_conjunct(Versions versions) {
    if (versions.front()->kind == ExpressionKind::field) return weave_field(versions, false);
    return weave(versions);
  }

 private:
  // Null: they have less in common than that.
  const Expression* weave(Versions versions) {
    const Expression* first = versions.front();
    if (std::ranges::all_of(versions, [&](const Expression* other) { return other == first; })) return first;
    if (!std::ranges::all_of(versions, [&](const Expression* other) { return same_kind(first, other); })) return nullptr;
    if (is_literal(first)) return weave_literal(versions);
    switch (first->kind) {
      case ExpressionKind::structure: return weave_struct(versions);
      case ExpressionKind::list: return weave_list(versions);
      case ExpressionKind::field: return weave_field(versions, true);
      default:
        return std::ranges::all_of(versions, [&](const Expression* other) { return same(first, other); }) ? first : nullptr;
    }
  }

  const Expression* weave_literal(Versions versions) {
    const Expression* first = versions.front();
    if (std::ranges::all_of(versions, [&](const Expression* other) { return same(first, other); })) return first;
    if (!std::ranges::all_of(versions, [&](const Expression* other) { return is_int(first) == is_int(other); })) return nullptr;
    std::span<const void*> payloads = arena().make_array<const void*>(versions.size());
    eval::Value like;
    if (first->kind == ExpressionKind::number) {
      auto number = [](const Expression* literal) { return &static_cast<const compile::NumberExpression*>(literal)->value; };
      std::ranges::transform(versions, payloads.begin(), number);
      like = eval::Value::of_number(number(first), first->position);
    } else {
      auto text = [](const Expression* literal) { return &static_cast<const compile::StringExpression*>(literal)->value; };
      std::ranges::transform(versions, payloads.begin(), text);
      like = first->kind == ExpressionKind::string ? eval::Value::of_string(text(first), first->position)
                                                   : eval::Value::of_bytes(text(first), first->position);
    }
    auto* given = arena().make<eval::GivenValue>();
    static_cast<Expression&>(*given) = *first;
    given->kind = ExpressionKind::label_reference;
    given->up = eval::GivenValue::kUp;
    given->value = evaluator_.make_varying(like, payloads);
    return given;
  }

  const Expression* weave_list(Versions versions) {
    const auto* first = static_cast<const compile::ListExpression*>(versions.front());
    std::vector<std::span<const Expression* const>> elements;
    for (const Expression* version : versions) elements.push_back(static_cast<const compile::ListExpression*>(version)->elements);
    auto has_as_many = [&](auto& other) { return other.size() == first->elements.size(); };
    if (!std::ranges::all_of(elements, has_as_many)) return nullptr;
    auto woven = weave_each(first->elements.size(), [&](std::size_t version, std::size_t i) { return elements[version][i]; }, versions.size());
    if (!woven) return nullptr;
    if (std::ranges::equal(*woven, first->elements)) return first;
    auto* made = arena().make<compile::ListExpression>(*first);
    made->elements = arena().copy(*woven);
    return made;
  }

  const Expression* weave_field(Versions versions, bool by_label) {
    const auto* first = static_cast<const compile::Field*>(versions.front());
    std::vector<const Expression*> values;
    for (const Expression* version : versions) {
      if (!same_kind(first, version)) return nullptr;
      const auto* field = static_cast<const compile::Field*>(version);
      if ((by_label && field->label != first->label) || !same_frame(*first, *field)) return nullptr;
      values.push_back(field->value);
    }
    const Expression* woven = weave(values);
    if (woven == nullptr) return nullptr;
    if (woven == first->value) return first;
    auto* made = arena().make<compile::Field>(*first);
    made->value = woven;
    return made;
  }

  const Expression* weave_struct(Versions versions) {
    const auto* first = static_cast<const compile::StructExpression*>(versions.front());
    std::vector<std::span<const compile::Declaration>> declared;
    for (const Expression* version : versions) {
      const auto* literal = static_cast<const compile::StructExpression*>(version);
      if (!same_frame(*first, *literal)) return nullptr;
      declared.push_back(literal->declarations);
    }
    auto woven = weave_each(first->declarations.size(), [&](std::size_t version, std::size_t i) { return declared[version][i].expression; },
                            versions.size());
    if (!woven) return nullptr;
    if (std::ranges::equal(*woven, first->declarations, {}, {}, &compile::Declaration::expression)) return first;
    auto* made = arena().make<compile::StructExpression>(*first);
    std::span<compile::Declaration> declarations = arena().copy(first->declarations);
    std::vector<const compile::Field*> fields;
    for (std::size_t i = 0; i < declarations.size(); ++i) {
      declarations[i].expression = (*woven)[i];
      if (declarations[i].kind == compile::DeclarationKind::field) fields.push_back(static_cast<const compile::Field*>((*woven)[i]));
    }
    if (fields.size() != first->fields.size()) return nullptr;
    made->declarations = declarations;
    made->fields = arena().copy(fields);
    return made;
  }

  template <typename Part>
  std::optional<std::vector<const Expression*>> weave_each(std::size_t count, Part part, std::size_t versions) {
    std::vector<const Expression*> woven;
    std::vector<const Expression*> parts(versions);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t version = 0; version < versions; ++version) parts[version] = part(version, i);
      // What an embedding or a comprehension says has to be the same; a literal is embedded in what is no struct.
      woven.push_back(weave(parts));
      if (woven.back() == nullptr) return std::nullopt;
    }
    return woven;
  }

  base::Arena& arena() { return evaluator_.arena(); }

  eval::Evaluator& evaluator_;
};

// Of what the weaver asks to be the same, most; of literals that may differ, nothing but their kind.
class WrittenShape {
 public:
  std::size_t result = 0;

  void add(const Expression* expression) {
    add(static_cast<std::size_t>(expression->kind));
    switch (expression->kind) {
      case ExpressionKind::number: add(is_int(expression) ? 1 : 2); break;
      case ExpressionKind::field: {
        const auto* field = static_cast<const compile::Field*>(expression);
        add_label(field->label);
        add(field->value);
        break;
      }
      case ExpressionKind::structure: {
        const auto* literal = static_cast<const compile::StructExpression*>(expression);
        add(literal->declarations.size());
        for (const compile::Declaration& declaration : literal->declarations) add(declaration.expression);
        break;
      }
      case ExpressionKind::list: {
        const auto* list = static_cast<const compile::ListExpression*>(expression);
        add(list->elements.size());
        for (const Expression* element : list->elements) add(element);
        break;
      }
      case ExpressionKind::selector: {
        const auto* selector = static_cast<const compile::Selector*>(expression);
        add_label(selector->label);
        add(selector->operand);
        break;
      }
      case ExpressionKind::import_reference:
        add(static_cast<const compile::ImportReference*>(expression)->package);
        break;
      case ExpressionKind::field_reference: {
        const auto* reference = static_cast<const compile::FieldReference*>(expression);
        add(reference->up);
        add_label(reference->label);
        break;
      }
      case ExpressionKind::boolean: add(static_cast<const compile::BooleanExpression*>(expression)->value ? 1 : 2); break;
      default: break;
    }
  }

  void add(std::size_t part) { result = (std::rotl(result, 5) ^ part) * 0x9e3779b97f4a7c15u; }

 private:
  void add_label(Label label) { add(std::hash<Label>{}(label)); }
};

bool same_provenance(const eval::Provenance& a, const eval::Provenance& b) {
  return a.id == b.id && a.embedding == b.embedding && a.outer == b.outer && a.from_embedding == b.from_embedding &&
         a.from_definition == b.from_definition && a.top_definition == b.top_definition && a.opened == b.opened &&
         a.conjunction_opened == b.conjunction_opened && a.cycle == b.cycle && a.steps == b.steps;
}

// The scope of a label, which knows the field that it is the label of.
bool is_label_scope(const Scope* scope, const Node* field) {
  return scope != nullptr && scope->literal == nullptr && scope->node == field && scope->label == field->label;
}

// Scopes of literals, each with one of the fields, that references cannot tell apart.
bool is_alike(const Scope* a, const Scope* b) {
  auto has_lets = [](const Scope* scope) { return !scope->literal->lets.empty() || scope->literal->is_file; };
  return a != nullptr && b != nullptr && a->literal != nullptr && b->literal != nullptr && a->up == b->up && a->node == b->node &&
         !has_lets(a) && !has_lets(b);
}

bool same_scope(const Scope* a, const Node* field, const Scope* b, const Node* other) {
  return a == b || is_alike(a, b) || (is_label_scope(a, field) && is_label_scope(b, other) && a->up == b->up);
}

bool is_fresh(const Node* node) {
  return node->status == eval::Status::fresh && node->base == eval::BaseKind::unknown && node->arcs.empty() &&
         (node->state == nullptr || (!node->state->initialized && node->state->links.empty()));
}

// Whether they stand in the same place, with as many conjuncts from the same places.
bool stand_alike(const Node* one, const Node* other) {
  if (!is_fresh(other) || other->parent != one->parent || other->arc != one->arc || other->depth != one->depth ||
      other->closed_recursively != one->closed_recursively || other->closed_once != one->closed_once ||
      other->label.kind() != one->label.kind() || other->conjuncts.size() != one->conjuncts.size())
    return false;
  for (std::uint32_t i = 0; i < one->conjuncts.size(); ++i) {
    const Conjunct& a = one->conjuncts[i];
    const Conjunct& b = other->conjuncts[i];
    if (a.expression == nullptr || b.expression == nullptr || a.node != b.node || !same_provenance(a.provenance, b.provenance) ||
        !same_scope(a.scope, one, b.scope, other))
      return false;
  }
  return true;
}

}  // namespace

std::vector<Value> known_fields(const Value& structure) {
  std::vector<Value> fields;
  if (!structure.valid()) return fields;
  Context& context = structure.context();
  Node* node = nullptr;
  context.run([&] { node = context.evaluator().settled_struct(structure.node()); });
  if (node == nullptr) return fields;
  for (Node* arc : node->arcs) {
    if (arc->label.is_string() && arc->arc == eval::ArcKind::member) fields.emplace_back(&context, arc);
  }
  return fields;
}

std::size_t written_shape(const Value& field) {
  WrittenShape shape;
  for (const Conjunct& conjunct : field.node()->conjuncts) {
    const Expression* expression = conjunct.expression;
    if (expression == nullptr) continue;
    if (expression->kind == ExpressionKind::field) expression = static_cast<const compile::Field*>(expression)->value;
    shape.add(expression);
  }
  return shape.result;
}

Value in_worlds(std::span<const Value> fields) {
  eval::Evaluator& evaluator = fields.front().context().evaluator();
  base::Arena& arena = evaluator.arena();
  const Node* first = fields.front().node();
  if (!first->label.is_string()) return {};
  if (!std::ranges::all_of(fields, [&](const Value& field) { return stand_alike(first, field.node()); })) return {};
  std::span<const void*> labels = arena.make_array<const void*>(fields.size());
  std::ranges::transform(fields, labels.begin(), [&](const Value& field) {
    return arena.make<std::string_view>(label_text(evaluator.names(), field.node()->label));
  });
  eval::Value name = eval::Value::of_string(static_cast<const std::string_view*>(labels.front()));
  name = evaluator.make_varying(name, labels);

  auto* node = arena.make<Node>(*first);
  node->state = nullptr;
  node->conjuncts = {};
  node->conjunct_index = nullptr;
  ExpressionWeaver weaver(evaluator);
  std::vector<const Expression*> versions(fields.size());
  for (std::uint32_t i = 0; i < first->conjuncts.size(); ++i) {
    Conjunct conjunct = first->conjuncts[i];
    std::ranges::transform(fields, versions.begin(), [&](const Value& field) { return field.node()->conjuncts[i].expression; });
    conjunct.expression = weaver.weave_conjunct(versions);
    if (conjunct.expression == nullptr) return {};
    if (is_label_scope(conjunct.scope, first)) {
      conjunct.scope = arena.make<Scope>(*conjunct.scope);
      conjunct.scope->node = node;
      conjunct.scope->key = name;
    }
    node->conjuncts.push(arena, conjunct);
  }
  return Value(&fields.front().context(), node);
}

}  // namespace opm::cue
