#include "cue/load/tags.h"

#include <algorithm>
#include <span>

#include "base/number.h"
#include "cue/load/attribute.h"
#include "cue/load/walk.h"
#include "cue/syntax/literal.h"

namespace opm::cue::load {
namespace {

using syntax::NodeKind;
using syntax::Token;

diag::Diagnostic problem(std::string message, diag::Position position = {}) {
  diag::Diagnostic diagnostic;
  diagnostic.code = "tag";
  diagnostic.message = std::move(message);
  if (position.valid()) diagnostic.positions.push_back(position);
  return diagnostic;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  std::size_t first = text.find_first_not_of(kSpace);
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

// A field whose name is known without evaluating anything.
bool has_fixed_label(const syntax::Field& field) {
  const syntax::Node* label = field.label;
  if (label->kind == NodeKind::alias) label = syntax::as<syntax::Alias>(label)->value;
  if (label->kind == NodeKind::identifier) return true;
  return label->kind == NodeKind::basic_literal;
}

}  // namespace

// Values can only be put where a field certainly is: not in lists, comprehensions, patterns,
// optional or dynamic fields.
class Tags::Finder {
 public:
  Finder(std::vector<Tag>& tags, std::vector<diag::Diagnostic>& errors) : tags_(tags), errors_(errors) {}

  // `forbidden`: empty, or why a tag in here is an error.
  void visit_declarations(std::span<syntax::Declaration* const> declarations, std::string_view forbidden) {
    for (syntax::Declaration* declaration : declarations) visit(declaration, forbidden);
  }

 private:
  void visit(syntax::Node* node, std::string_view forbidden) {
    if (node == nullptr) return;
    switch (node->kind) {
      case NodeKind::field:
        return visit_field(*syntax::as<syntax::Field>(node), forbidden);
      case NodeKind::struct_literal:
        return visit_declarations(syntax::as<syntax::StructLiteral>(node)->elements, forbidden);
      case NodeKind::list_literal:
        for (syntax::Expression* element : syntax::as<syntax::ListLiteral>(node)->elements)
          visit(element, or_else(forbidden, "@tag not allowed within lists"));
        return;
      case NodeKind::comprehension: {
        auto* comprehension = syntax::as<syntax::Comprehension>(node);
        std::string_view why = or_else(forbidden, "@tag not allowed within comprehension");
        visit(comprehension->body, why);
        if (comprehension->fallback != nullptr) visit(comprehension->fallback->body, why);
        return;
      }
      default:
        for_each_child(*node, [&](syntax::Node& child) { visit(&child, forbidden); });
    }
  }

  static std::string_view or_else(std::string_view forbidden, std::string_view why) {
    return forbidden.empty() ? why : forbidden;
  }

  void visit_field(syntax::Field& field, std::string_view forbidden) {
    if (field.constraint != syntax::Constraint::none || !has_fixed_label(field))
      forbidden = or_else(forbidden, "@tag not allowed within field constraint");
    for (const syntax::Attribute* attribute : field.attributes) {
      if (attribute_name(*attribute) != "tag") continue;
      if (!forbidden.empty())
        errors_.push_back(problem(std::string(forbidden), attribute->begin));
      else
        add_tag(field, *attribute);
    }
    visit(field.value, forbidden);
  }

  void add_tag(syntax::Field& field, const syntax::Attribute& attribute) {
    AttributeParts parts = parse_attribute(attribute);
    Tag tag;
    tag.field = &field;
    tag.position = attribute.begin;
    tag.key = parts.positional(0);
    if (!syntax::is_valid_identifier(tag.key)) {
      errors_.push_back(problem("invalid identifier " + syntax::quote(tag.key), attribute.begin));
      return;
    }
    if (auto type = parts.lookup(1, "type")) {
      if (*type == "int") {
        tag.type = Type::integer;
      } else if (*type == "number") {
        tag.type = Type::number;
      } else if (*type == "bool") {
        tag.type = Type::boolean;
      } else if (*type != "string") {
        errors_.push_back(problem("invalid type " + syntax::quote(*type), attribute.begin));
        return;
      }
    }
    if (auto words = parts.lookup(1, "short")) {
      for (std::size_t at = 0; at <= words->size();) {
        std::size_t bar = std::min(words->find('|', at), words->size());
        tag.shorthands.push_back(words->substr(at, bar - at));
        at = bar + 1;
      }
    }
    tag.variable = parts.lookup(1, "var").value_or("");
    tags_.push_back(std::move(tag));
  }

  std::vector<Tag>& tags_;
  std::vector<diag::Diagnostic>& errors_;
};

Tags::Tags(const std::vector<std::string>& given) : given_(given) {}

bool Tags::is_set(std::string_view name) {
  used_.emplace(name);
  return std::ranges::find(given_, name) != given_.end();
}

std::vector<diag::Diagnostic> Tags::find(syntax::File& file) {
  std::vector<diag::Diagnostic> errors;
  if (!seen_.insert(&file).second) return errors;
  // Few files have any: a look at the text spares going through the tree.
  if (file.source != nullptr && file.source->text.find("@tag") == std::string::npos) return errors;
  Finder(tags_, errors).visit_declarations(file.declarations, {});
  return errors;
}

std::vector<diag::Diagnostic> Tags::inject(base::Arena& arena,
                                           const std::optional<std::map<std::string, TagVariable>>& variables) {
  for (const std::string& given : given_) {
    std::size_t equal = given.find('=');
    bool found = equal == std::string::npos && used_.contains(given);
    std::string_view name = std::string_view(given).substr(0, equal);
    std::string_view value = equal == std::string::npos ? name : std::string_view(given).substr(equal + 1);
    for (Tag& tag : tags_) {
      bool is_meant = equal != std::string::npos ? tag.key == name
                                                 : std::ranges::find(tag.shorthands, name) != tag.shorthands.end();
      if (!is_meant) continue;
      found = true;
      if (auto error = inject_value(arena, tag, value)) return {std::move(*error)};
    }
    if (found) continue;
    if (equal != std::string::npos) return {problem("no tag for " + syntax::quote(name))};
    return {problem("tag " + syntax::quote(given) + " not used in any file")};
  }
  if (!variables) return {};
  for (Tag& tag : tags_) {
    if (tag.is_injected || tag.variable.empty()) continue;
    auto variable = variables->find(tag.variable);
    if (variable == variables->end()) return {problem("tag variable '" + tag.variable + "' not found", tag.position)};
    if (variable->second.is_number)
      unify(arena, tag, Token::integer, variable->second.text);
    else
      unify(arena, tag, Token::string, syntax::quote(variable->second.text));
  }
  return {};
}

std::optional<diag::Diagnostic> Tags::inject_value(base::Arena& arena, Tag& tag, std::string_view value) {
  auto about = [&](std::string_view what) {
    return "invalid " + std::string(what) + " " + syntax::quote(value) + " for injection tag " + syntax::quote(tag.key);
  };
  switch (tag.type) {
    case Type::string:
      unify(arena, tag, Token::string, syntax::quote(value));
      return std::nullopt;
    case Type::integer:
    case Type::number: {
      auto number = base::Number::parse_literal(arena, value);
      if (!number) {
        return problem(
            "invalid number for injection tag " + syntax::quote(tag.key) + ": illegal number " + syntax::quote(value),
            tag.position);
      }
      if (tag.type == Type::integer && !number->is_int()) return problem(about("int"), tag.position);
      unify(arena, tag, number->is_int() ? Token::integer : Token::floating, value);
      return std::nullopt;
    }
    case Type::boolean: {
      std::string_view word = trim(value);
      constexpr std::string_view kTrue[] = {"1", "t", "T", "true", "TRUE", "True"};
      constexpr std::string_view kFalse[] = {"0", "f", "F", "false", "FALSE", "False"};
      if (std::ranges::find(kTrue, word) != std::end(kTrue))
        unify(arena, tag, Token::true_, "true");
      else if (std::ranges::find(kFalse, word) != std::end(kFalse))
        unify(arena, tag, Token::false_, "false");
      else
        return problem(about("boolean"), tag.position);
      return std::nullopt;
    }
  }
  return std::nullopt;
}

void Tags::unify(base::Arena& arena, Tag& tag, Token token, std::string_view text) {
  // The value has no place of its own in the files, so the tag's is the best to point at.
  auto* literal = arena.make<syntax::BasicLiteral>();
  literal->kind = NodeKind::basic_literal;
  literal->begin = tag.position;
  literal->end = tag.position;
  literal->token = token;
  literal->text = arena.copy_text(text);
  auto* both = arena.make<syntax::Binary>();
  both->kind = NodeKind::binary;
  both->begin = tag.field->value->begin;
  both->end = tag.field->value->end;
  both->op = Token::and_value;
  both->left = tag.field->value;
  both->right = literal;
  tag.field->value = both;
  tag.is_injected = true;
}

}  // namespace opm::cue::load
