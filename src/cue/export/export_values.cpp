// What nodes and values are, as syntax.
#include <algorithm>
#include <array>

#include "cue/eval/field_order.h"
#include "cue/eval/text.h"
#include "cue/export/bound_range.h"
#include "cue/export/exporter.h"
#include "cue/syntax/literal.h"

namespace opm::cue::exporting {


namespace {

// The declaration of the field that a conjunct came from, or null.
const compile::Field* field_of(const Conjunct& conjunct) {
  bool is_field = conjunct.expression != nullptr && conjunct.expression->kind == ExpressionKind::field;
  return is_field ? static_cast<const compile::Field*>(conjunct.expression) : nullptr;
}

std::span<const compile::Attribute> attributes_of(const Conjunct& conjunct) {
  if (const compile::Field* field = field_of(conjunct)) return field->attributes;
  bool is_dynamic = conjunct.expression != nullptr && conjunct.expression->kind == ExpressionKind::dynamic_field;
  if (is_dynamic) return static_cast<const compile::DynamicField*>(conjunct.expression)->attributes;
  return {};
}

syntax::Constraint constraint_of(ArcKind arc) {
  switch (arc) {
    case ArcKind::optional: return syntax::Constraint::optional;
    case ArcKind::required: return syntax::Constraint::required;
    default: return syntax::Constraint::none;
  }
}

}  // namespace

const syntax::File* export_value(eval::Evaluator& evaluator, base::Arena& arena, Node* node,
                                 const ExportOptions& options) {
  evaluator.finalize(node);
  return Exporter(evaluator, arena, options).run(node);
}

namespace {

// What an expression comes to that refers to no single field.
bool is_result(const Node& node) {
  if (node.conjuncts.size() != 1 || node.conjuncts[0].expression == nullptr) return false;
  switch (node.conjuncts[0].expression->kind) {
    case ExpressionKind::binary:
    case ExpressionKind::unary:
    case ExpressionKind::call:
    case ExpressionKind::interpolation: return node.base == BaseKind::value && node.value.is_concrete_scalar();
    default: return false;
  }
}

}  // namespace

const syntax::File* Exporter::run(Node* node) {
  mark_names(*node);
  Node* part = pivot_around(node);
  Tree tree = options_.definition && !is_result(*node) ? whole_definition(part != nullptr ? part : node) : vertex(node);
  std::vector<syntax::Declaration*> lets = pivoted_lets();
  std::vector<syntax::Declaration*> declarations;
  FileComments comments = file_comments(*node);
  if (!options_.package_name.empty()) {
    auto* package = make_.make<syntax::Package>(syntax::NodeKind::package);
    package->name = make_.identifier(options_.package_name);
    package->spacing = syntax::Spacing::new_section;
    package->comments = make_.arena().copy(comments.of_package);
    declarations.push_back(package);
  }
  if (tree->kind == syntax::NodeKind::struct_literal) {
    auto* literal = syntax::as<syntax::StructLiteral>(tree);
    declarations.insert(declarations.end(), literal->elements.begin(), literal->elements.end());
  } else {
    if (declarations.empty() && lets.empty() && import_names_.empty()) {
      tree->spacing = syntax::Spacing::no_space;
      comments.of_file.insert(comments.of_file.end(), tree->comments.begin(), tree->comments.end());
      tree->comments = make_.arena().copy(comments.of_file);
      comments.of_file.clear();
    }
    declarations.push_back(make_.embedding(tree));
  }
  declarations.insert(declarations.end(), lets.begin(), lets.end());
  auto* file = make_.make<syntax::File>(syntax::NodeKind::file);
  file->declarations = make_.arena().copy(declarations);
  file->comments = make_.arena().copy(comments.of_file);
  add_imports(*file, unshadow(make_, *file, resolution(tree)));
  return file;
}

namespace {

bool refers_to_definition(const syntax::Expression* expression) {
  auto is_definition = [](const syntax::Node* name) {
    if (name->kind != syntax::NodeKind::identifier) return false;
    std::string_view text = syntax::as<syntax::Identifier>(name)->name;
    return text.starts_with('#') || text.starts_with("_#");
  };
  switch (expression->kind) {
    case syntax::NodeKind::identifier: return is_definition(expression);
    case syntax::NodeKind::selector: {
      const auto* selector = syntax::as<syntax::Selector>(expression);
      return is_definition(selector->label) || refers_to_definition(selector->operand);
    }
    case syntax::NodeKind::index: return refers_to_definition(syntax::as<syntax::Index>(expression)->operand);
    default: return false;
  }
}

}  // namespace

// A value that is closed all the way down stays so only in a definition: in one that it embeds, or in one around it.
Exporter::Tree Exporter::whole_definition(Node* node) {
  const Node* value = eval::value_node(node);
  if (value->closed_recursively) ++in_definition_;
  Tree tree = merge_conjuncts(node);
  if (value->closed_recursively) --in_definition_;
  if (!value->closed_recursively || value->base != BaseKind::structure) return tree;
  if (tree->kind == syntax::NodeKind::struct_literal) {
    for (const syntax::Declaration* element : syntax::as<syntax::StructLiteral>(tree)->elements) {
      bool is_embedded = element->kind == syntax::NodeKind::embedding;
      if (is_embedded && refers_to_definition(syntax::as<syntax::Embedding>(element)->expression)) return tree;
    }
  }
  std::array<syntax::Declaration*, 2> elements = {
      make_.embedding(make_.identifier("_#def")),
      make_.field(make_.identifier("_#def"), syntax::Constraint::none, tree),
  };
  return make_.structure(elements);
}

void Exporter::add_imports(syntax::File& file, std::span<const Import> imports) {
  if (imports.empty()) return;
  std::vector<syntax::ImportSpec*> specs;
  for (const Import& import : imports) {
    auto* spec = make_.make<syntax::ImportSpec>(syntax::NodeKind::import_spec);
    spec->path = make_.literal(Token::string, syntax::quote(import.path));
    std::string_view last = std::string_view(import.path).substr(import.path.rfind('/') + 1);
    if (std::size_t colon = last.find(':'); colon != std::string_view::npos) last.remove_prefix(colon + 1);
    last = last.substr(0, last.find('@'));
    if (import.name != last) spec->name = make_.identifier(import.name);
    specs.push_back(spec);
  }
  auto* declaration = make_.make<syntax::ImportDeclaration>(syntax::NodeKind::import_declaration);
  declaration->specs = make_.arena().copy(specs);
  declaration->spacing = syntax::Spacing::new_section;
  std::vector<syntax::Declaration*> declarations(file.declarations.begin(), file.declarations.end());
  bool has_package = !declarations.empty() && declarations[0]->kind == syntax::NodeKind::package;
  declarations.insert(declarations.begin() + (has_package ? 1 : 0), declaration);
  file.declarations = make_.arena().copy(declarations);
}

bool Exporter::is_shown(Label label) const {
  switch (label.kind()) {
    case LabelKind::string: return true;
    case LabelKind::integer: return false;
    case LabelKind::definition: return options_.definitions;
    default: return options_.hidden && hidden_package(evaluator_.names(), label) == options_.package;
  }
}

// A list or scalar with definitions or hidden fields beside it.
bool Exporter::shows_arcs(const Node& node) const {
  return std::ranges::any_of(node.arcs.span(), [&](const Node* arc) {
    if (arc->arc == ArcKind::absent) return false;
    return (arc->label.is_definition() && options_.definitions) || (arc->label.is_hidden() && options_.hidden);
  });
}

std::vector<syntax::Attribute*> Exporter::declaration_attributes(const Node& node) {
  std::vector<syntax::Attribute*> attributes;
  if (!options_.attributes) return attributes;
  for (const eval::Insertion& insertion : eval::insertions_of(node)) {
    if (insertion.kind != eval::Insertion::Kind::structure) continue;
    add_attributes(attributes, static_cast<const StructExpression*>(insertion.expression)->attributes);
  }
  return attributes;
}

std::vector<syntax::Attribute*> Exporter::field_attributes(std::span<const Conjunct> conjuncts) {
  std::vector<syntax::Attribute*> attributes;
  for (const Conjunct& conjunct : conjuncts) add_attributes(attributes, attributes_of(conjunct));
  return attributes;
}

syntax::Node* Exporter::label(Label label) {
  if (label.is_integer()) return make_.literal(Token::integer, std::to_string(label.index()));
  std::string_view text = label_text(evaluator_.names(), label);
  if (label.kind() == LabelKind::string) return make_.label(text);
  return make_.identifier(text);
}

// `shared`: the node itself, or the one that it shares; it holds conjuncts. The value may be further on, in the disjunct
// that is left.
Exporter::Tree Exporter::vertex(Node* node) {
  if (!evaluator_.spend()) return make_.bottom("");
  Node* declared = node;
  node = eval::shared_node(node);
  evaluator_.finalize(node);
  node = eval::shared_node(node);
  Node* held = eval::value_node(node);
  std::vector<syntax::Attribute*> attributes = declaration_attributes(*held);
  // A field that may be there, of a value that has it as well, would be printed without end.
  auto is_this_one = [&](const Frame* outer) { return outer->node == node; };
  if (declared->arc == ArcKind::optional && std::ranges::any_of(frames_, is_this_one)) {
    FrameScope frame(*this, declared);
    return fallback(declared);
  }
  FrameScope frame(*this, node);
  for (Node* holder : {node, held}) {
    for (const eval::Insertion& insertion : eval::insertions_of(*holder)) {
      if (insertion.kind == eval::Insertion::Kind::structure) {
        frame->literals.push_back(static_cast<const StructExpression*>(insertion.expression));
      }
    }
  }
  for (const Conjunct& conjunct : node->conjuncts) {
    const compile::Expression* expression = conjunct.expression;
    if (expression != nullptr && expression->kind == ExpressionKind::field) {
      expression = static_cast<const compile::Field*>(expression)->value;
    }
    if (expression != nullptr && expression->kind == ExpressionKind::structure) {
      frame->literals.push_back(static_cast<const StructExpression*>(expression));
    }
  }
  bool has_more = shows_arcs(*held) || !attributes.empty();
  switch (held->base) {
    case BaseKind::structure: return struct_composite(held, node, attributes);
    case BaseKind::list: return has_more ? struct_composite(held, node, attributes) : list_composite(held);
    case BaseKind::error: {
      const eval::Error& error = *held->error;
      if (node->arc == ArcKind::optional) break;
      // Where it is not that of a field it was handed on from elsewhere.
      auto is_wrong = [](Node* arc) { return eval::value_node(arc)->base == BaseKind::error; };
      if (options_.errors_as_values && error.is_child_error && std::ranges::any_of(held->arcs, is_wrong)) {
        bool is_list = held->arcs[0]->label.is_integer() && !has_more;
        return is_list ? list_composite(held) : struct_composite(held, node, attributes);
      }
      if (!error.is_incomplete() || node->conjuncts.empty()) return bottom(error);
      break;
    }
    case BaseKind::value: return has_more ? struct_composite(held, node, attributes) : value(held->value, node->conjuncts.span());
    case BaseKind::disjunction: return disjunction(held);
    default: break;
  }
  return fallback(node);
}

// What is not known yet is shown as it was written.
Exporter::Tree Exporter::fallback(Node* node) {
  std::vector<const Conjunct*> sorted;
  for (const Conjunct& conjunct : node->conjuncts) sorted.push_back(&conjunct);
  auto expression_of = [](const Conjunct* conjunct) -> const compile::Expression* {
    const compile::Expression* expression = conjunct->expression;
    if (expression == nullptr) return nullptr;
    switch (expression->kind) {
      case ExpressionKind::field: return static_cast<const compile::Field*>(expression)->value;
      case ExpressionKind::dynamic_field: return static_cast<const compile::DynamicField*>(expression)->value;
      case ExpressionKind::pattern: return static_cast<const compile::Pattern*>(expression)->value;
      default: return expression;
    }
  };
  std::ranges::stable_sort(sorted, [&](const Conjunct* a, const Conjunct* b) {
    const compile::Expression* left = expression_of(a);
    const compile::Expression* right = expression_of(b);
    int left_order = left != nullptr ? type_order(*left) : 100;
    int right_order = right != nullptr ? type_order(*right) : 100;
    if (left_order != right_order) return left_order < right_order;
    if (left == nullptr || right == nullptr) return false;
    return stands_before(*evaluator_.program().sources, left->position, right->position);
  });
  std::vector<Tree> trees;
  for (const Conjunct* each : sorted) trees.push_back(conjunct(*each));
  Tree result = make_.chain(Token::and_value, trees);
  std::vector<syntax::Declaration*> elements = frames_.back()->let_clauses();
  if (elements.empty()) return result;
  if (result->kind == syntax::NodeKind::struct_literal) {
    auto* literal = syntax::as<syntax::StructLiteral>(result);
    elements.insert(elements.end(), literal->elements.begin(), literal->elements.end());
  } else {
    elements.push_back(make_.embedding(result));
  }
  return make_.structure(elements);
}

Exporter::Tree Exporter::struct_composite(Node* node, const Node* owner,
                                          std::span<syntax::Attribute* const> attributes) {
  std::vector<syntax::Declaration*> elements;
  bool shows_regular = false;
  Tree list = nullptr;
  switch (node->base) {
    case BaseKind::structure: shows_regular = true; break;
    case BaseKind::list: list = list_composite(node); break;
    case BaseKind::error:
      shows_regular = true;
      if (std::ranges::any_of(node->arcs.span(), [](const Node* arc) { return arc->label.is_integer(); })) {
        list = list_composite(node);
      }
      break;
    default: elements.push_back(value(node->value)); break;
  }
  elements.insert(elements.end(), attributes.begin(), attributes.end());
  if (options_.optional) evaluator_.materialize_optionals(node);
  for (Node* arc : eval::fields_in_order(evaluator_, node, owner)) {
    if (!is_shown(arc->label) || (arc->label.is_regular() && !shows_regular)) continue;
    if (arc->arc == ArcKind::optional && !options_.optional) continue;
    if (arc->label.is_definition()) ++in_definition_;
    syntax::Field* field = make_.field(label(arc->label), constraint_of(arc->arc), vertex(arc));
    if (arc->label.is_definition()) --in_definition_;
    if (options_.attributes) field->attributes = make_.arena().copy(field_attributes(arc->conjuncts.span()));
    if (options_.documentation) add_documentation(*field, arc->conjuncts.span());
    elements.push_back(field);
  }
  if (list != nullptr) elements.push_back(list);
  // Lets that expressions below refer to stand first.
  std::vector<syntax::Declaration*> lets = frames_.back()->let_clauses();
  elements.insert(elements.begin(), lets.begin(), lets.end());
  return make_.structure(elements);
}

// What further elements of an open list would have to be.
Node* Exporter::rest_of_list(const Node& list) {
  Node* rest = evaluator_.make_root();
  for (const eval::PatternConstraint& pattern : eval::patterns_of(list)) {
    if (pattern.declaration != nullptr || pattern.value == nullptr) continue;
    Conjunct conjunct;
    conjunct.expression = pattern.value;
    conjunct.scope = pattern.scope;
    rest->conjuncts.push(evaluator_.arena(), conjunct);
  }
  if (rest->conjuncts.empty()) {
    Conjunct anything;
    anything.value = Value::type(compile::kinds::top);
    rest->conjuncts.push(evaluator_.arena(), anything);
  }
  evaluator_.finalize(rest);
  return rest;
}

Exporter::Tree Exporter::list_composite(Node* node) {
  std::vector<Tree> elements;
  for (Node* arc : node->arcs) {
    if (arc->label.is_integer()) elements.push_back(vertex(arc));
  }
  if (!options_.take_defaults && node->list_is_open) {
    Node* type = rest_of_list(*node);
    Tree shown = node_value(type, type->conjuncts.span());
    bool is_anything = shown->kind == syntax::NodeKind::identifier &&
                       syntax::as<syntax::Identifier>(shown)->name == "_";
    elements.push_back(make_.ellipsis(is_anything ? nullptr : shown));
  }
  return make_.list(elements);
}

Exporter::Tree Exporter::node_value(Node* original, std::span<const Conjunct> conjuncts) {
  Node* node = eval::value_node(original);
  switch (node->base) {
    case BaseKind::value: return value(node->value, conjuncts);
    case BaseKind::disjunction: return disjunction(node);
    default: return vertex(original);
  }
}

Exporter::Tree Exporter::disjunction(Node* node) {
  std::uint32_t defaults = node->default_count;
  std::uint32_t count = node->disjuncts.size();
  if (options_.take_defaults && defaults > 0) {
    if (defaults == 1) return vertex(node->disjuncts[0]);
    count = defaults;
    defaults = 0;
  }
  std::vector<Tree> trees;
  for (std::uint32_t i = 0; i < count; ++i) {
    Tree tree = options_.simplify ? vertex(node->disjuncts[i]) : merge_conjuncts(node->disjuncts[i]);
    trees.push_back(i < defaults ? make_.unary(Token::multiply, tree) : tree);
  }
  return make_.chain(Token::or_value, trees);
}

Exporter::Tree Exporter::bottom(const eval::Error& error) {
  const eval::Error* first = &error;
  while (!first->parts.empty() && !first->is_disjunction) first = first->parts.front();
  std::string path = eval::path_text(evaluator_, first->node);
  std::string message = eval::error_message(evaluator_, error);
  return make_.bottom(path.empty() ? message : path + ": " + message);
}

Exporter::Tree Exporter::value(const Value& value, std::span<const Conjunct> conjuncts) {
  switch (value.kind) {
    case ValueKind::none: return make_.identifier("_");
    case ValueKind::null:
    case ValueKind::boolean:
    case ValueKind::number:
    case ValueKind::string:
    case ValueKind::bytes: return scalar(value, conjuncts);
    case ValueKind::basic_type: return make_.identifier(eval::kinds_text(value.type_kinds));
    case ValueKind::bound: return make_.unary(operator_token(value.bound->op), this->value(value.bound->operand));
    case ValueKind::validator: {
      std::vector<Tree> arguments;
      for (std::size_t i = 0; i < value.validator->arguments.size(); ++i) arguments.push_back(argument(*value.validator, i));
      return make_.call(builtin(*value.validator->builtin), arguments);
    }
    case ValueKind::conjunction: return conjunction(value);
    case ValueKind::disjunction: {
      std::vector<Tree> trees;
      for (const Value& each : value.list->values) trees.push_back(this->value(each));
      return make_.chain(Token::or_value, trees);
    }
    case ValueKind::builtin: return builtin(*value.builtin);
    case ValueKind::node: return vertex(value.node);
    case ValueKind::error: return bottom(*value.error);
  }
  return make_.identifier("_");
}

// A schema that a validator of its own refers to would be printed without end: there the reference stands as it is written.
Exporter::Tree Exporter::argument(const eval::Validator& validator, std::size_t index) {
  const Value& given = validator.arguments[index];
  auto is_this_one = [&](const Frame* outer) { return outer->node == eval::shared_node(given.node); };
  if (given.kind != ValueKind::node || std::ranges::none_of(frames_, is_this_one)) return value(given);
  if (validator.call != nullptr && validator.call->kind == ExpressionKind::call) {
    auto written = static_cast<const compile::Call*>(validator.call)->arguments;
    if (written.size() == validator.arguments.size()) return plain_expression(written[index], nullptr);
  }
  return make_.identifier("_");
}

Exporter::Tree Exporter::conjunction(const Value& value) {
  BoundRange range;
  std::vector<Value> others;
  for (const Value& each : value.list->values) {
    if (!options_.simplify || !range.add(each)) others.push_back(each);
  }
  std::vector<Tree> trees;
  BoundRange::Result found = range.result(others.empty());
  if (found.is_complete) {
    for (std::string_view type : {found.integer_type, found.float_type}) {
      if (!type.empty()) trees.push_back(make_.identifier(type));
    }
    for (const eval::BoundValue* bound : {found.lower, found.upper}) {
      if (bound != nullptr) trees.push_back(make_.unary(operator_token(bound->op), this->value(bound->operand)));
    }
  } else {
    others.assign(value.list->values.begin(), value.list->values.end());
  }
  auto order = [](const Value& each) {
    switch (each.kind) {
      case ValueKind::basic_type: return each.is_top() ? 0 : 1;
      case ValueKind::bound: return 20;
      case ValueKind::validator: return 25;
      default: return each.is_concrete_scalar() ? 10 : 100;
    }
  };
  auto position = [](const Value& each) {
    if (each.kind == ValueKind::bound) return each.bound->position;
    if (each.kind == ValueKind::validator) return each.validator->position;
    return each.position;
  };
  std::ranges::stable_sort(others, [&](const Value& a, const Value& b) {
    if (order(a) != order(b)) return order(a) < order(b);
    if (!position(a).valid() || !position(b).valid()) return false;
    return stands_before(*evaluator_.program().sources, position(a), position(b));
  });
  for (const Value& each : others) trees.push_back(this->value(each));
  return make_.chain(Token::and_value, trees);
}

// A string of several lines is written as such. How far it is indented only matters to the text
// of the tree; the formatter puts it right.
std::string Exporter::string_text(std::string_view text, bool is_bytes) {
  if (text.find('\n') == std::string_view::npos) return is_bytes ? syntax::quote_bytes(text) : syntax::quote(text);
  std::string indent(frames_.size(), '\t');
  return is_bytes ? syntax::quote_multiline_bytes(text, indent) : syntax::quote_multiline(text, indent);
}

Exporter::Tree Exporter::scalar(const Value& value, std::span<const Conjunct> conjuncts) {
  if (value.kind == ValueKind::null) return make_.literal(Token::null, "null");
  if (value.kind == ValueKind::boolean) {
    return make_.literal(value.boolean_value ? Token::true_ : Token::false_, value.boolean_value ? "true" : "false");
  }
  // A literal that is the whole conjunct (an element of a list) keeps the form that it was given.
  for (const Conjunct& conjunct : conjuncts) {
    if (conjunct.expression == nullptr) continue;
    ExpressionKind kind = conjunct.expression->kind;
    bool is_literal = kind == ExpressionKind::number || kind == ExpressionKind::string || kind == ExpressionKind::bytes;
    std::string_view written = is_literal ? text_.of(*conjunct.expression) : std::string_view();
    if (written.empty()) continue;
    bool is_number = kind == ExpressionKind::number;
    bool is_float = is_number && static_cast<const compile::NumberExpression*>(conjunct.expression)->value.is_float();
    return make_.literal(is_number ? (is_float ? Token::floating : Token::integer) : Token::string, written);
  }
  if (value.kind == ValueKind::number) {
    return make_.literal(value.number->is_int() ? Token::integer : Token::floating, value.number->text());
  }
  return make_.string(string_text(value.string(), value.kind == ValueKind::bytes));
}

Exporter::Tree Exporter::imported(std::string_view path, std::string_view name) {
  syntax::Identifier* identifier = make_.identifier(name);
  import_names_[identifier] = {std::string(path), std::string(name)};
  return identifier;
}

Exporter::Tree Exporter::builtin(const compile::BuiltinSignature& builtin, std::string_view package_name) {
  if (builtin.package.empty()) return make_.identifier(builtin.name);
  std::string_view package = builtin.package;
  if (package_name.empty()) package_name = package.substr(package.rfind('/') + 1);
  return make_.selector(imported(package, package_name), make_.identifier(builtin.name));
}

}  // namespace opm::cue::exporting
