#include <vector>

#include "cue/compile/data_expression.h"
#include "cue/compile/label_table.h"
#include "cue/eval/evaluator.h"
#include "cue/program_parts.h"
#include "cue/syntax/literal.h"
#include "cue/value.h"

namespace opm::cue {

using compile::Expression;
using compile::ExpressionKind;
using eval::ArcKind;
using eval::BaseKind;
using eval::Node;
using eval::value_node;

struct Frozen::Parts {
  explicit Parts(const base::NameTable& known) : names(&known), shared_names(known.size()) {}
  base::Arena arena;
  base::NameTable names;
  std::uint32_t shared_names;  // names below this are the same in the contexts whose values are frozen
};

namespace {

struct FrozenField {
  Label label;
  diag::Position position;
  const Expression* value;
};

// Makes program of evaluated values.
class Freezer {
 public:
  Freezer(base::Arena& arena, base::NameTable& names, std::uint32_t shared_names)
      : arena_(arena), names_(names), shared_names_(shared_names) {}

  const Expression* freeze(eval::Evaluator& evaluator, Node* original) {
    evaluator_ = &evaluator;
    return value(original);
  }
  bool left_out() const { return left_out_; }

  const compile::StructExpression* structure(std::span<const FrozenField> content, diag::Position position) {
    auto fields = arena_.make_array<compile::Field*>(content.size());
    auto declarations = arena_.make_array<compile::Declaration>(content.size());
    auto shown = arena_.make_array<const compile::Field*>(content.size());
    for (std::size_t i = 0; i < content.size(); ++i) {
      auto* field = make<compile::Field>(ExpressionKind::field, content[i].position);
      field->label = content[i].label;
      field->field_kind = compile::FieldKind::member;
      field->value = content[i].value;
      fields[i] = field;
      shown[i] = field;
      declarations[i] = {compile::DeclarationKind::field, field};
    }
    auto* result = make<compile::StructExpression>(ExpressionKind::structure, position);
    result->table = compile::link_fields(arena_, fields);
    result->fields = shown;
    result->declarations = declarations;
    result->only_fields = true;
    return result;
  }

 private:
  template <typename T>
  T* make(ExpressionKind kind, diag::Position position) {
    T* expression = arena_.make<T>();
    expression->kind = kind;
    expression->features.struct_comparison = true;
    expression->position = position;
    expression->end_position = position;
    return expression;
  }

  // nullptr: it is not concrete.
  const Expression* value(Node* original) {
    evaluator_->finalize(original);
    Node* node = value_node(original);
    while (node->base == BaseKind::disjunction && node->default_count == 1) node = value_node(node->disjuncts[0]);
    switch (node->base) {
      case BaseKind::value: return scalar(node->value);
      case BaseKind::list: return list(node);
      case BaseKind::structure: return fields(node);
      default: return nullptr;
    }
  }

  const Expression* list(Node* node) {
    std::vector<const Expression*> elements;
    for (Node* arc : node->arcs) {
      if (!arc->label.is_integer()) continue;
      const Expression* element = value(arc);
      if (element == nullptr) return nullptr;
      elements.push_back(element);
    }
    auto kept = arena_.make_array<const Expression*>(elements.size());
    std::ranges::copy(elements, kept.begin());
    auto* result = make<compile::ListExpression>(ExpressionKind::list, {});
    result->elements = kept;
    return result;
  }

  // As comprehensions meet them, which is not the order in which fields are shown.
  const Expression* fields(Node* node) {
    std::vector<FrozenField> content;
    for (Node* arc : node->arcs) {
      if (arc->arc != ArcKind::member || arc->label.is_hidden() || arc->label.is_integer()) {
        left_out_ = left_out_ || arc->arc <= ArcKind::required;
        continue;
      }
      const Expression* frozen = value(arc);
      if (frozen == nullptr) {
        left_out_ = true;
        continue;
      }
      content.push_back({translate(arc->label), frozen->position, frozen});
    }
    return structure(content, {});
  }

  // Names that the value's context made have other numbers here.
  Label translate(Label label) {
    if (static_cast<std::uint32_t>(label.name()) < shared_names_) return label;
    return Label::make(label.kind(), static_cast<std::uint32_t>(names_.intern(evaluator_->names().text(label.name()))));
  }

  const Expression* scalar(const eval::Value& value) {
    switch (value.kind) {
      case eval::ValueKind::null: return make<compile::NullExpression>(ExpressionKind::null, value.position);
      case eval::ValueKind::boolean: {
        auto* result = make<compile::BooleanExpression>(ExpressionKind::boolean, value.position);
        result->value = value.boolean_value;
        return result;
      }
      case eval::ValueKind::number: {
        auto* result = make<compile::NumberExpression>(ExpressionKind::number, value.position);
        result->value = copied(*value.number);
        return result;
      }
      case eval::ValueKind::string: return text(ExpressionKind::string, value);
      case eval::ValueKind::bytes: return text(ExpressionKind::bytes, value);
      default: return nullptr;
    }
  }

  base::Number copied(const base::Number& number) {
    if (number.is_int()) {
      if (auto small = number.to_int64()) return base::Number::from_int(*small);
    }
    auto parsed = base::Number::parse_decimal(arena_, number.text());
    if (!parsed) return number;
    return number.is_int() ? *parsed : parsed->as_float();
  }

  const Expression* text(ExpressionKind kind, const eval::Value& value) {
    auto* result = make<compile::StringExpression>(kind, value.position);
    result->value = arena_.copy_text(value.string());
    return result;
  }

  base::Arena& arena_;
  base::NameTable& names_;
  std::uint32_t shared_names_;
  eval::Evaluator* evaluator_ = nullptr;
  bool left_out_ = false;
};

// Writes frozen data; only what Freezer makes occurs.
class SourceWriter {
 public:
  explicit SourceWriter(const base::NameTable& names) : names_(names) {}
  std::string text;

  void write(const Expression* expression, std::size_t indent) {
    switch (expression->kind) {
      case ExpressionKind::null: text += "null"; break;
      case ExpressionKind::boolean:
        text += static_cast<const compile::BooleanExpression*>(expression)->value ? "true" : "false";
        break;
      case ExpressionKind::number: text += static_cast<const compile::NumberExpression*>(expression)->value.text(); break;
      case ExpressionKind::string:
        text += syntax::quote(static_cast<const compile::StringExpression*>(expression)->value);
        break;
      case ExpressionKind::bytes:
        text += syntax::quote_bytes(static_cast<const compile::StringExpression*>(expression)->value);
        break;
      case ExpressionKind::list: write_list(static_cast<const compile::ListExpression*>(expression), indent); break;
      case ExpressionKind::structure: write_struct(static_cast<const compile::StructExpression*>(expression), indent); break;
      default: text += "_"; break;
    }
  }

 private:
  void write_list(const compile::ListExpression* list, std::size_t indent) {
    text += '[';
    for (const Expression* element : list->elements) {
      text += '\n';
      text.append(indent + 1, '\t');
      write(element, indent + 1);
      text += ',';
    }
    if (!list->elements.empty()) {
      text += '\n';
      text.append(indent, '\t');
    }
    text += ']';
  }

  void write_struct(const compile::StructExpression* structure, std::size_t indent) {
    text += '{';
    for (const compile::Field* field : structure->fields) {
      text += '\n';
      text.append(indent + 1, '\t');
      std::string_view name = label_text(names_, field->label);
      text += field->label.is_definition() ? std::string(name) : syntax::quote_label(name);
      text += ": ";
      write(field->value, indent + 1);
    }
    if (!structure->fields.empty()) {
      text += '\n';
      text.append(indent, '\t');
    }
    text += '}';
  }

  const base::NameTable& names_;
};

}  // namespace

std::string Frozen::source(Handle frozen) const {
  SourceWriter writer(parts_->names);
  writer.write(frozen, 0);
  return std::move(writer.text);
}

Frozen::Frozen(std::shared_ptr<const Program> program)
    : program_(std::move(program)), parts_(std::make_unique<Parts>(program_->parts().names)) {}

Frozen::Frozen(const Frozen* base) : program_(base->program_), parts_(std::make_unique<Parts>(base->parts_->names)) {}

Frozen::~Frozen() = default;

const base::NameTable& Frozen::names() const { return parts_->names; }

Frozen::Handle Frozen::freeze(const Value& value) { return freeze(value, false); }
Frozen::Handle Frozen::freeze_whole(const Value& value) { return freeze(value, true); }

Frozen::Handle Frozen::freeze(const Value& value, bool whole) {
  Handle result = nullptr;
  if (!value.valid()) return result;
  value.context().run([&] {
    Freezer freezer(parts_->arena, parts_->names, parts_->shared_names);
    result = freezer.freeze(value.context().evaluator(), value.node());
    if (whole && freezer.left_out()) result = nullptr;
  });
  return result;
}

Frozen::Handle Frozen::freeze(const data::Value& data) {
  return compile::data_expression(parts_->arena, parts_->names, data);
}

Frozen::Handle Frozen::structure(std::span<const std::pair<std::string_view, Handle>> fields) {
  std::vector<FrozenField> content;
  for (const auto& [name, value] : fields) {
    Label label = name.starts_with('#') ? identifier_label(parts_->names, name, "_") : string_label(parts_->names, name);
    content.push_back({label, value->position, value});
  }
  return Freezer(parts_->arena, parts_->names, 0).structure(content, {});
}

}  // namespace opm::cue
