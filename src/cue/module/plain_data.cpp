#include "cue/module/plain_data.h"

#include <optional>
#include <string>
#include <string_view>

#include "base/number.h"
#include "cue/syntax/literal.h"
#include "data/json.h"

namespace opm::cue::module {
namespace {

using syntax::NodeKind;
using syntax::Token;

// Where a value stands, for messages.
struct Place {
  const Place* above = nullptr;  // null: this is the whole file
  std::string_view name = {};
  std::optional<std::size_t> index = {};  // of an element

  std::string text() const {
    if (above == nullptr) return {};
    std::string path = above->text();
    if (index) return path + "[" + std::to_string(*index) + "]";
    return path.empty() ? syntax::quote_label(name) : path + "." + syntax::quote_label(name);
  }
};

class Reader {
 public:
  explicit Reader(base::Arena& arena) : arena_(arena) {}

  void read_declarations(std::span<syntax::Declaration* const> declarations, data::Value& into, const Place& place) {
    for (const syntax::Declaration* declaration : declarations) {
      switch (declaration->kind) {
        case NodeKind::field:
          read_field(*syntax::as<syntax::Field>(declaration), into, place);
          break;
        case NodeKind::attribute:
        case NodeKind::package:
        case NodeKind::comment_declaration:
          break;
        case NodeKind::import_declaration:
          fail("imports not allowed in data mode", declaration->begin, place);
          break;
        case NodeKind::let_clause:
          fail("references not allowed in data mode", declaration->begin, place);
          break;
        case NodeKind::ellipsis:
          fail("constraints not allowed in data mode", declaration->begin, place);
          break;
        default:
          fail("expressions not allowed in data mode", declaration->begin, place);
          break;
      }
    }
  }

  std::vector<diag::Diagnostic> errors;

 private:
  void fail(std::string message, syntax::Position position, const Place& place = {}) {
    diag::Diagnostic diagnostic;
    diagnostic.code = "not-plain-data";
    diagnostic.path = place.text();
    diagnostic.message = std::move(message);
    diagnostic.positions.push_back(position);
    errors.push_back(std::move(diagnostic));
  }

  void read_field(const syntax::Field& field, data::Value& into, const Place& place) {
    if (field.constraint == syntax::Constraint::optional)
      return fail("optional fields not allowed in data mode", field.begin);
    if (field.constraint == syntax::Constraint::required)
      return fail("required fields not allowed in data mode", field.begin);
    std::string name;
    if (field.label->kind == NodeKind::identifier) {
      name = syntax::as<syntax::Identifier>(field.label)->name;
      if (name.starts_with('#') || name.starts_with("_#"))
        return fail("definitions not allowed in data mode", field.begin);
      if (name.starts_with('_')) return;
    } else if (field.label->kind == NodeKind::basic_literal) {
      const auto* literal = syntax::as<syntax::BasicLiteral>(field.label);
      auto text = syntax::unquote(arena_, literal->text);
      if (!text) return fail(text.error().message, literal->begin);
      name = *text;
    } else {
      return fail("expressions not allowed in data mode", field.begin);
    }
    Place inner{&place, name};
    auto value = read_value(*field.value, inner);
    if (!value) return;
    for (data::Member& member : into.as_map()) {
      if (member.key == name) return merge(member.value, std::move(*value), inner);
    }
    into.as_map().push_back({std::move(name), std::move(*value), field.label->begin});
  }

  void merge(data::Value& old_value, data::Value&& new_value, const Place& place) {
    if (old_value.is_map() && new_value.is_map()) {
      for (data::Member& member : new_value.as_map()) {
        data::Member* same = nullptr;
        for (data::Member& other : old_value.as_map())
          if (other.key == member.key) same = &other;
        if (same != nullptr)
          merge(same->value, std::move(member.value), {&place, member.key});
        else
          old_value.as_map().push_back(std::move(member));
      }
      return;
    }
    if (data::equal(old_value, new_value)) return;
    diag::Diagnostic diagnostic;
    diagnostic.code = "conflicting-values";
    diagnostic.path = place.text();
    diagnostic.message = "conflicting values " + data::write_json(new_value) + " and " + data::write_json(old_value);
    diagnostic.positions = {old_value.position, new_value.position};
    errors.push_back(std::move(diagnostic));
  }

  std::expected<data::Value, std::monostate> read_value(const syntax::Expression& expression, const Place& place) {
    data::Value value;
    value.position = expression.begin;
    switch (expression.kind) {
      case NodeKind::struct_literal:
        value.variant = data::Map{};
        read_declarations(syntax::as<syntax::StructLiteral>(&expression)->elements, value, place);
        return value;
      case NodeKind::list_literal:
        value.variant = data::List{};
        for (const syntax::Expression* element : syntax::as<syntax::ListLiteral>(&expression)->elements) {
          auto item = read_value(*element, {&place, {}, value.as_list().size()});
          if (!item) return item;
          value.as_list().push_back(std::move(*item));
        }
        return value;
      case NodeKind::basic_literal:
        return read_literal(*syntax::as<syntax::BasicLiteral>(&expression), value);
      case NodeKind::unary: {
        const auto* unary = syntax::as<syntax::Unary>(&expression);
        bool is_sign = unary->op == Token::subtract || unary->op == Token::add;
        if (!is_sign || unary->operand->kind != NodeKind::basic_literal) break;
        auto number = read_literal(*syntax::as<syntax::BasicLiteral>(unary->operand), value);
        if (!number || !number->is_number()) break;
        if (unary->op == Token::subtract) std::get<data::NumberText>(number->variant).text.insert(0, "-");
        return number;
      }
      case NodeKind::identifier:
      case NodeKind::selector:
      case NodeKind::index:
        fail("references not allowed in data mode", expression.begin);
        return std::unexpected(std::monostate());
      default:
        break;
    }
    fail("expressions not allowed in data mode", expression.begin);
    return std::unexpected(std::monostate());
  }

  std::expected<data::Value, std::monostate> read_literal(const syntax::BasicLiteral& literal, data::Value value) {
    switch (literal.token) {
      case Token::null:
        return value;
      case Token::true_:
        value.variant = true;
        return value;
      case Token::false_:
        value.variant = false;
        return value;
      case Token::string: {
        auto text = syntax::unquote(arena_, literal.text);
        if (!text) {
          fail(text.error().message, literal.begin.plus(text.error().offset));
          return std::unexpected(std::monostate());
        }
        bool is_bytes = literal.text.find('\'') < literal.text.find('"');
        if (is_bytes)
          value.variant = data::Bytes{std::string(*text)};
        else
          value.variant = std::string(*text);
        return value;
      }
      default: {
        auto number = base::Number::parse_literal(arena_, literal.text);
        if (!number) {
          fail("illegal number", literal.begin);
          return std::unexpected(std::monostate());
        }
        value.variant = data::NumberText{number->text(), number->is_int()};
        return value;
      }
    }
  }

  base::Arena& arena_;
};

}  // namespace

std::expected<data::Value, std::vector<diag::Diagnostic>> read_plain_data(base::Arena& arena,
                                                                          const syntax::File& file) {
  data::Value root;
  root.variant = data::Map{};
  root.position = file.begin;
  Reader reader(arena);
  reader.read_declarations(file.declarations, root, {});
  if (!reader.errors.empty()) return std::unexpected(std::move(reader.errors));
  return root;
}

}  // namespace opm::cue::module
