#include "cue/compile/data_expression.h"

#include <vector>

#include "cue/compile/label_table.h"

namespace opm::cue::compile {

namespace {

class DataCompiler {
 public:
  DataCompiler(base::Arena& arena, base::NameTable& names) : arena_(arena), names_(names) {}

  // Readers cap how deeply data nests.
  const Expression* compile(const data::Value& data) {
    if (data.is_null()) return make<NullExpression>(ExpressionKind::null, data.position);
    if (data.is_bool()) {
      auto* boolean = make<BooleanExpression>(ExpressionKind::boolean, data.position);
      boolean->value = data.as_bool();
      return boolean;
    }
    if (data.is_number()) return compile_number(data);
    if (data.is_string()) return text(ExpressionKind::string, data.as_string(), data.position);
    if (data.is_bytes()) return text(ExpressionKind::bytes, data.as_bytes().bytes, data.position);
    if (data.is_list()) return compile_list(data);
    return compile_map(data);
  }

 private:
  template <typename T>
  T* make(ExpressionKind kind, Position position) {
    T* expression = arena_.make<T>();
    expression->kind = kind;
    expression->features.struct_comparison = true;
    expression->position = position;
    expression->end_position = position;
    return expression;
  }

  const Expression* text(ExpressionKind kind, std::string_view value, Position position) {
    auto* text = make<StringExpression>(kind, position);
    text->value = arena_.copy_text(value);
    return text;
  }

  const Expression* compile_number(const data::Value& data) {
    auto number = base::Number::parse_decimal(arena_, data.as_number().text);
    if (!number) return make<BottomExpression>(ExpressionKind::bottom, data.position);
    auto* expression = make<NumberExpression>(ExpressionKind::number, data.position);
    expression->value = data.as_number().is_integer ? *number : number->as_float();
    return expression;
  }

  const Expression* compile_list(const data::Value& data) {
    auto elements = arena_.make_array<const Expression*>(data.as_list().size());
    for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = compile(data.as_list()[i]);
    auto* list = make<ListExpression>(ExpressionKind::list, data.position);
    list->elements = elements;
    return list;
  }

  const Expression* compile_map(const data::Value& data) {
    const data::Map& map = data.as_map();
    auto fields = arena_.make_array<Field*>(map.size());
    auto declarations = arena_.make_array<Declaration>(map.size());
    auto shown = arena_.make_array<const Field*>(map.size());
    for (std::size_t i = 0; i < map.size(); ++i) {
      auto* field = make<Field>(ExpressionKind::field, map[i].key_position);
      field->label = string_label(names_, map[i].key);
      field->field_kind = FieldKind::member;
      field->value = compile(map[i].value);
      fields[i] = field;
      shown[i] = field;
      declarations[i] = {DeclarationKind::field, field};
    }
    auto* structure = make<StructExpression>(ExpressionKind::structure, data.position);
    structure->table = link_fields(arena_, fields);
    structure->fields = shown;
    structure->declarations = declarations;
    structure->only_fields = true;
    return structure;
  }

  base::Arena& arena_;
  base::NameTable& names_;
};

}  // namespace

const Expression* data_expression(base::Arena& arena, base::NameTable& names, const data::Value& data) {
  return DataCompiler(arena, names).compile(data);
}

}  // namespace opm::cue::compile
