#include "cue/compile/dump.h"

#include <fmt/core.h>

#include "cue/syntax/literal.h"

namespace opm::cue::compile {

namespace {

class Dumper {
 public:
  explicit Dumper(const base::NameTable& names) : names_(names) {}

  std::string text(const Expression* expression) {
    if (!expression) return "nil";
    std::string result = bare_text(*expression);
    if (expression->refers_to_definition) result += '!';
    if (expression->optional_reference) result += '?';
    return result;
  }

 private:
  template <typename T>
  static const T& to(const Expression& expression) {
    return static_cast<const T&>(expression);
  }

  std::string bare_text(const Expression& e) {
    switch (e.kind) {
      case ExpressionKind::null: return "null";
      case ExpressionKind::boolean: return to<BooleanExpression>(e).value ? "true" : "false";
      case ExpressionKind::number: return to<NumberExpression>(e).value.text();
      case ExpressionKind::string: return syntax::quote(to<StringExpression>(e).value);
      case ExpressionKind::bytes: return syntax::quote_bytes(to<StringExpression>(e).value);
      case ExpressionKind::basic_type: return kinds_text(to<BasicTypeExpression>(e).kinds);
      case ExpressionKind::top: return "_";
      case ExpressionKind::bottom: return "_|_";
      case ExpressionKind::structure: return struct_text(to<StructExpression>(e));
      case ExpressionKind::list: return fmt::format("[{}]", joined(to<ListExpression>(e).elements));
      case ExpressionKind::field_reference:
        return fmt::format("^{}.{}", to<FieldReference>(e).up, selector_text(names_, to<FieldReference>(e).label));
      case ExpressionKind::value_reference:
        return fmt::format("(value ^{} {})", to<ValueReference>(e).up, to<ValueReference>(e).name);
      case ExpressionKind::label_reference:
        return fmt::format("(label ^{} {})", to<LabelReference>(e).up, to<LabelReference>(e).name);
      case ExpressionKind::dynamic_reference: {
        const auto& reference = to<DynamicReference>(e);
        return fmt::format("(dynamic ^{} {} {})", reference.up, reference.name, text(reference.label));
      }
      case ExpressionKind::clause_reference: {
        const auto& reference = to<ClauseReference>(e);
        std::string_view variable = reference.variable == ClauseVariable::key ? "key" : "item";
        return fmt::format("({} ^{} {})", variable, reference.up, reference.name);
      }
      case ExpressionKind::let_reference: {
        const auto& reference = to<LetReference>(e);
        return fmt::format("(let ^{} {} {})", reference.up, reference.slot, reference.name);
      }
      case ExpressionKind::import_reference:
        return fmt::format("(import {} {})", to<ImportReference>(e).path, to<ImportReference>(e).name);
      case ExpressionKind::builtin: {
        const BuiltinSignature& builtin = *to<BuiltinExpression>(e).builtin;
        if (builtin.package.empty()) return fmt::format("@{}", builtin.name);
        return fmt::format("@{}.{}", builtin.package, builtin.name);
      }
      case ExpressionKind::selector:
        return fmt::format("(. {} {})", text(to<Selector>(e).operand), selector_text(names_, to<Selector>(e).label));
      case ExpressionKind::index:
        return fmt::format("(index {} {})", text(to<Index>(e).operand), text(to<Index>(e).index));
      case ExpressionKind::slice: {
        const auto& slice = to<Slice>(e);
        return fmt::format("(slice {} {} {})", text(slice.operand), text(slice.low), text(slice.high));
      }
      case ExpressionKind::interpolation: {
        const auto& interpolation = to<Interpolation>(e);
        return fmt::format("({} {})", interpolation.is_bytes ? "bytes" : "string", joined(interpolation.parts));
      }
      case ExpressionKind::bound:
        return fmt::format("({} {})", operator_text(to<Bound>(e).op), text(to<Bound>(e).operand));
      case ExpressionKind::unary:
        return fmt::format("(unary{} {})", operator_text(to<Unary>(e).op), text(to<Unary>(e).operand));
      case ExpressionKind::binary: {
        const auto& binary = to<Binary>(e);
        return fmt::format("({} {} {})", operator_text(binary.op), text(binary.left), text(binary.right));
      }
      case ExpressionKind::unify: return fmt::format("(& {} {})", text(to<Unify>(e).left), text(to<Unify>(e).right));
      case ExpressionKind::disjunction: return disjunction_text(to<Disjunction>(e));
      case ExpressionKind::call: {
        const auto& call = to<Call>(e);
        return fmt::format("(call {}{}{})", text(call.function), call.arguments.empty() ? "" : " ",
                           joined(call.arguments));
      }
      case ExpressionKind::open: return fmt::format("(open {})", text(to<Open>(e).operand));
      case ExpressionKind::alias: return fmt::format("(scope {})", text(to<AliasExpression>(e).value));
      case ExpressionKind::comprehension: return comprehension_text(to<Comprehension>(e));
      case ExpressionKind::ellipsis: {
        const Expression* type = to<EllipsisExpression>(e).type;
        return type ? "..." + text(type) : "...";
      }
      case ExpressionKind::field: {
        const auto& field = to<Field>(e);
        return fmt::format("{}{}: {}", selector_text(names_, field.label), mark(field.field_kind), text(field.value));
      }
      case ExpressionKind::pattern: {
        const auto& pattern = to<Pattern>(e);
        return fmt::format("[{}]{}: {}", text(pattern.pattern), pattern.label_scope ? "~" : "", text(pattern.value));
      }
      case ExpressionKind::dynamic_field: {
        const auto& field = to<DynamicField>(e);
        return fmt::format("({}){}{}: {}", text(field.label), mark(field.field_kind), field.label_scope ? "~" : "",
                           text(field.value));
      }
    }
    return "?";
  }

  static std::string_view mark(FieldKind kind) {
    return kind == FieldKind::member ? "" : kind == FieldKind::optional ? "?" : "!";
  }

  static std::string kinds_text(KindSet set) {
    switch (set) {
      case kinds::boolean: return "bool";
      case kinds::integer: return "int";
      case kinds::floating: return "float";
      case kinds::number: return "number";
      case kinds::string: return "string";
      case kinds::bytes: return "bytes";
      default: return fmt::format("kinds{}", set);
    }
  }

  std::string joined(std::span<const Expression* const> expressions) {
    std::string result;
    for (const Expression* expression : expressions) {
      if (!result.empty()) result += ' ';
      result += text(expression);
    }
    return result;
  }

  std::string disjunction_text(const Disjunction& disjunction) {
    std::string result = disjunction.has_defaults ? "(|*" : "(|";
    for (const Disjunct& disjunct : disjunction.disjuncts) {
      result += disjunct.is_default ? " *" : " ";
      result += text(disjunct.value);
    }
    return result + ")";
  }

  std::string comprehension_text(const Comprehension& comprehension) {
    std::string result;
    for (const Clause& clause : comprehension.clauses) {
      switch (clause.kind) {
        case ClauseKind::for_:
          result += fmt::format("(for{}{} {}) ", clause.has_key ? " key" : "", clause.has_value ? " item" : "",
                                text(clause.expression));
          break;
        case ClauseKind::if_: result += fmt::format("(if {}) ", text(clause.expression)); break;
        case ClauseKind::let: result += fmt::format("(let {}) ", text(clause.expression)); break;
        case ClauseKind::try_: result += fmt::format("(try {}) ", text(clause.expression)); break;
      }
    }
    result += text(comprehension.body);
    if (comprehension.fallback) result += " else " + text(comprehension.fallback);
    return result;
  }

  std::string struct_text(const StructExpression& structure) {
    std::string result = "{";
    std::size_t let = 0;
    for (const Declaration& declaration : structure.declarations) {
      if (result.size() > 1) result += ", ";
      if (declaration.kind == DeclarationKind::let) result += fmt::format("let {} = ", structure.let_names[let++]);
      result += text(declaration.expression);
    }
    for (const Attribute& attribute : structure.attributes) {
      if (result.size() > 1) result += ", ";
      result += attribute.text;
    }
    return result + "}";
  }

  const base::NameTable& names_;
};

}  // namespace

std::string dump(const base::NameTable& names, const Expression& expression) { return Dumper(names).text(&expression); }

}  // namespace opm::cue::compile
