// Expressions as they were written, as far as the program still knows it.
#include <algorithm>

#include "cue/eval/text.h"
#include "cue/export/exporter.h"
#include "cue/syntax/literal.h"

namespace opm::cue::exporting {

namespace {

// The environment so many scopes further out; null where it ends.
struct Found {
  const StructExpression* literal = nullptr;
  const Environment* environment = nullptr;  // of things inside the scope that was found; null: see `scope`
  eval::Scope* scope = nullptr;
};

Found find_scope(const Environment* environment, std::uint32_t up) {
  while (environment != nullptr && environment->scope == nullptr) {
    if (up == 0) return {environment->literal, environment, nullptr};
    --up;
    environment = environment->outer;
  }
  if (environment == nullptr) return {};
  eval::Scope* scope = environment->scope;
  for (; scope != nullptr && up > 0; --up) scope = scope->up;
  if (scope == nullptr) return {};
  return {scope->literal, nullptr, scope};
}

template <typename T>
const T& as(const compile::Expression* expression) {
  return *static_cast<const T*>(expression);
}

}  // namespace

Token operator_token(Operator op) {
  switch (op) {
    case Operator::add: return Token::add;
    case Operator::subtract: return Token::subtract;
    case Operator::multiply: return Token::multiply;
    case Operator::divide: return Token::divide;
    case Operator::quo: return Token::integer_quotient;
    case Operator::rem: return Token::integer_remainder;
    case Operator::div: return Token::integer_divide;
    case Operator::mod: return Token::integer_modulo;
    case Operator::logical_and: return Token::logical_and;
    case Operator::logical_or: return Token::logical_or;
    case Operator::equal: return Token::equal;
    case Operator::not_equal: return Token::not_equal;
    case Operator::less: return Token::less;
    case Operator::less_equal: return Token::less_equal;
    case Operator::greater: return Token::greater;
    case Operator::greater_equal: return Token::greater_equal;
    case Operator::match: return Token::match;
    case Operator::not_match: return Token::not_match;
    case Operator::logical_not: return Token::not_;
    case Operator::none: break;
  }
  return Token::illegal;
}

namespace {

// Marks of defaults count within their own disjunction.
bool has_marks(const compile::Expression& expression) {
  return expression.kind == ExpressionKind::disjunction &&
         std::ranges::any_of(as<compile::Disjunction>(&expression).disjuncts, &compile::Disjunct::is_default);
}

}  // namespace

int type_order(const compile::Expression& expression) {
  switch (expression.kind) {
    case ExpressionKind::top: return 0;
    case ExpressionKind::basic_type: return 1;
    case ExpressionKind::field_reference: return 2;
    case ExpressionKind::boolean:
    case ExpressionKind::null:
    case ExpressionKind::number:
    case ExpressionKind::string:
    case ExpressionKind::bytes: return 10;
    case ExpressionKind::structure:
    case ExpressionKind::list: return 500;
    case ExpressionKind::comprehension: return 100;
    default: return 25;
  }
}

bool stands_before(const diag::SourceMap& sources, diag::Position a, diag::Position b) {
  if (a == b || !a.valid() || !b.valid()) return a.valid() && !b.valid();
  const diag::Source* left = sources.find(a);
  const diag::Source* right = sources.find(b);
  if (left != right && left != nullptr && right != nullptr && left->path != right->path) return left->path < right->path;
  return a < b;
}

const Environment* Exporter::environment_of(eval::Scope* scope) {
  if (scope == nullptr) return nullptr;
  auto* environment = make_.arena().make<Environment>();
  environment->scope = scope;
  return environment;
}

Environment* Exporter::enter(const Environment* outer, const StructExpression* literal) {
  auto* environment = make_.arena().make<Environment>();
  environment->outer = outer;
  environment->literal = literal;
  if (literal != nullptr && !frames_.empty()) environment->node = frames_.back()->node;
  return environment;
}

eval::Scope* Exporter::scope_of(const Environment* environment) {
  if (environment == nullptr) return nullptr;
  if (environment->scope != nullptr) return environment->scope;
  if (nothing_ == nullptr) nothing_ = evaluator_.make_struct_node();
  eval::Scope* scope = evaluator_.make_scope(scope_of(environment->outer), environment->node != nullptr ? environment->node : nothing_);
  scope->literal = environment->literal;
  if (environment->literal == nullptr) {
    scope->key = Value::type(compile::kinds::top);
    scope->value = nothing_;
  }
  return scope;
}

void Exporter::mark_names(const Node& node) {
  for (const Conjunct& conjunct : node.conjuncts) collect_names(conjunct.expression, evaluator_.names(), text_, used_names_);
}

std::string Exporter::unique_name(std::string_view name) {
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 24U;
  std::string candidate(name);
  for (int i = 1; i <= 5; ++i) {
    if (used_names_.insert(candidate).second) return candidate;
    candidate = std::string(name) + "_" + std::to_string(i);
  }
  for (std::uint64_t limit = 16, width = 1;; limit = std::min(limit * 16, kLargest), ++width) {
    std::string digits = hexadecimal(name_numbers_.below(limit - 1) + 1);
    candidate = std::string(name) + "_" + std::string(width > digits.size() ? width - digits.size() : 0, '0') + digits;
    if (used_names_.insert(candidate).second) return candidate;
  }
}

void Exporter::set_structure(std::span<const Environment* const> environments, Node* node, const syntax::Node* structure) {
  for (const Environment* environment : environments) structure_of_environment_[environment] = structure;
  if (node == nullptr) return;
  structure_of_node_.try_emplace(node, structure);
  structure_of_node_.try_emplace(eval::value_node(node), structure);
}

Resolution Exporter::resolution(const syntax::Node* root) const {
  Resolution result;
  result.root = root;
  result.imports = import_names_;
  for (const auto& [identifier, place] : field_names_) {
    const syntax::Node* structure = nullptr;
    if (place.first != nullptr) {
      if (auto found = structure_of_environment_.find(place.first); found != structure_of_environment_.end()) structure = found->second;
    } else if (auto found = structure_of_node_.find(place.second); found != structure_of_node_.end()) {
      structure = found->second;
    }
    for (auto moved = moved_.find(structure); moved != moved_.end(); moved = moved_.find(structure)) structure = moved->second;
    if (structure != nullptr) result.fields[identifier] = structure;
  }
  return result;
}

// One conjunct as it was written; null for one that says nothing.
Exporter::Tree Exporter::conjunct(const Conjunct& conjunct) {
  if (conjunct.expression == nullptr) {
    return conjunct.node != nullptr ? merge_conjuncts(conjunct.node) : value(conjunct.value);
  }
  const compile::Expression* written = conjunct.expression;
  switch (written->kind) {
    case ExpressionKind::field: written = as<compile::Field>(written).value; break;
    case ExpressionKind::pattern: written = as<compile::Pattern>(written).value; break;
    case ExpressionKind::dynamic_field: written = as<compile::DynamicField>(written).value; break;
    default: break;
  }
  const Environment* environment = environment_of(conjunct.scope);
  if (written->kind == ExpressionKind::alias) {
    // Nothing refers to the alias by its name here.
    return expression(as<compile::AliasExpression>(written).value, enter(environment, nullptr));
  }
  return expression(written, environment);
}

Exporter::Tree Exporter::expression(const compile::Expression* written, const Environment* environment) {
  if (written->kind == ExpressionKind::structure) {
    Part part{written, environment, nullptr, {}};
    return merge(nullptr, {&part, 1});
  }
  return plain_expression(written, environment);
}

Exporter::Tree Exporter::inner_expression(const compile::Expression* written, const Environment* environment) {
  ++in_expression_;
  Tree tree = expression(written, environment);
  --in_expression_;
  return tree;
}

// Where the value that is printed stands in a package, its references may lead to what is not printed.
Node* Exporter::pivot_around(Node* node) {
  auto make_pivot = [&](Node* target) {
    pivot_.emplace(evaluator_, target, options_.inline_imports, [this](std::string_view name) { return unique_name(name); });
    return target;
  };
  bool is_reference = node->parent == nullptr && node->conjuncts.size() == 1 && node->conjuncts[0].expression != nullptr;
  if (is_reference) {
    ExpressionKind kind = node->conjuncts[0].expression->kind;
    is_reference = kind == ExpressionKind::field_reference || kind == ExpressionKind::selector || kind == ExpressionKind::index;
  }
  if (is_reference) {
    const Conjunct& only = node->conjuncts[0];
    Node* target = evaluator_.referred_node(only.expression, only.scope);
    if (target != nullptr && target->parent != nullptr && !target->not_rooted) {
      used_names_.clear();
      mark_names(*target);
      return make_pivot(target);
    }
  }
  return options_.inline_imports ? make_pivot(node) : nullptr;
}

Exporter::Tree Exporter::pivoted(const compile::Expression* reference) {
  Pivot::Target* target = pivot_ ? pivot_->target_of(reference) : nullptr;
  if (target == nullptr) return nullptr;
  const Node* value = eval::value_node(target->node);
  bool is_concrete = evaluator_.is_concrete(Value::of_node(target->node));
  bool stays = target->is_included || (in_definition_ == 0 && target->node->closed_recursively) ||
               Pivot::uses_of(*target) == 0 || value->base == BaseKind::error || (!is_concrete && in_expression_ > 0);
  bool is_used_once = Pivot::uses_of(*target) == 1 && in_expression_ == 0;
  if (!stays && (is_used_once || (is_concrete && value->arcs.empty()))) return merge_conjuncts(target->node);
  std::vector<Label> path;
  std::string name = target->name;
  bool is_definition = target->is_definition;
  if (target->around != nullptr) {
    path = Pivot::path_within(*target, reference);
    if (path.empty()) return nullptr;
    name = target->around->name;
    is_definition = target->around->is_definition;
  }
  Tree tree = nullptr;
  if (!name.empty()) tree = make_.identifier(name);
  if (tree != nullptr && is_definition) tree = make_.selector(tree, make_.identifier("#x"));
  for (Label each : path) {
    if (tree == nullptr) {
      tree = syntax::as<syntax::Identifier>(make_.identifier(label_text(evaluator_.names(), each)));
    } else if (each.is_integer()) {
      auto* index = make_.make<syntax::Index>(syntax::NodeKind::index);
      index->operand = tree;
      index->index = make_.literal(Token::integer, std::to_string(each.index()));
      tree = index;
    } else {
      tree = make_.selector(tree, label(each));
    }
  }
  target->needs_let = true;
  return tree != nullptr ? tree : make_.identifier("ROOT");
}

std::vector<syntax::Declaration*> Exporter::pivoted_lets() {
  std::vector<syntax::Declaration*> lets;
  if (!pivot_) return lets;
  for (Pivot::Target& target : pivot_->targets()) {
    if (target.name.empty() || !target.needs_let) continue;
    Tree tree = merge_conjuncts(target.node);
    if (target.is_definition) {
      syntax::Declaration* field = make_.field(make_.identifier("#x"), syntax::Constraint::none, tree);
      tree = make_.structure({&field, 1});
    }
    syntax::LetClause* let = make_.let(target.name, tree);
    let->spacing = syntax::Spacing::new_section;
    std::string place = "//cue:path: ";
    if (!target.import_path.empty()) place += syntax::quote_label(target.import_path) + ".";
    std::string_view comment = make_.arena().copy_text(place + eval::path_text(evaluator_, target.node));
    syntax::CommentGroup* group = make_.documentation({&comment, 1});
    group->comments[0].spacing = syntax::Spacing::new_section;
    make_.add_comment(*let, group);
    lets.push_back(let);
  }
  return lets;
}

Exporter::Tree Exporter::plain_expression(const compile::Expression* written, const Environment* environment) {
  Tree tree = bare_expression(written, environment);
  if (!written->optional_reference) return tree;
  auto* marked = make_.make<syntax::Postfix>(syntax::NodeKind::postfix);
  marked->op = Token::question;
  marked->operand = tree;
  return marked;
}

Exporter::Tree Exporter::bare_expression(const compile::Expression* written, const Environment* environment) {
  auto operand = [&](const compile::Expression* inner) { return inner_expression(inner, environment); };
  if (pivot_) {
    if (Tree tree = pivoted(written)) return tree;
  }
  switch (written->kind) {
    case ExpressionKind::null: return make_.literal(Token::null, "null");
    case ExpressionKind::boolean: {
      bool is_true = as<compile::BooleanExpression>(written).value;
      return make_.literal(is_true ? Token::true_ : Token::false_, is_true ? "true" : "false");
    }
    case ExpressionKind::number: {
      const base::Number& number = as<compile::NumberExpression>(written).value;
      return make_.literal(number.is_int() ? Token::integer : Token::floating, number.text());
    }
    case ExpressionKind::string: return make_.string(string_text(as<compile::StringExpression>(written).value, false));
    case ExpressionKind::bytes: return make_.string(string_text(as<compile::StringExpression>(written).value, true));
    case ExpressionKind::basic_type:
      return make_.identifier(eval::kinds_text(as<compile::BasicTypeExpression>(written).kinds));
    case ExpressionKind::top: return make_.identifier("_");
    case ExpressionKind::bottom: return make_.bottom("explicit error (_|_ literal) in source");
    case ExpressionKind::structure: return raw_struct(as<StructExpression>(written), environment);
    case ExpressionKind::list: return raw_list(as<compile::ListExpression>(written), environment);
    case ExpressionKind::field_reference: return field_reference(as<compile::FieldReference>(written), environment);
    case ExpressionKind::value_reference: return value_reference(as<compile::ValueReference>(written), environment);
    case ExpressionKind::label_reference: return label_reference(as<compile::LabelReference>(written), environment);
    case ExpressionKind::dynamic_reference: return make_.identifier(as<compile::DynamicReference>(written).name);
    case ExpressionKind::clause_reference: return make_.identifier(as<compile::ClauseReference>(written).name);
    case ExpressionKind::let_reference: return let_reference(as<compile::LetReference>(written), environment);
    case ExpressionKind::import_reference: {
      const auto& import = as<compile::ImportReference>(written);
      return imported(import.path, import.name);
    }
    case ExpressionKind::builtin:
      return builtin(*as<compile::BuiltinExpression>(written).builtin, text_.package_name_of(*written));
    case ExpressionKind::selector: {
      const auto& selector = as<compile::Selector>(written);
      return make_.selector(operand(selector.operand), label(selector.label));
    }
    case ExpressionKind::index: {
      auto* index = make_.make<syntax::Index>(syntax::NodeKind::index);
      index->operand = operand(as<compile::Index>(written).operand);
      index->index = operand(as<compile::Index>(written).index);
      return index;
    }
    case ExpressionKind::slice: {
      const auto& source = as<compile::Slice>(written);
      auto* slice = make_.make<syntax::Slice>(syntax::NodeKind::slice);
      slice->operand = operand(source.operand);
      slice->low = source.low != nullptr ? operand(source.low) : nullptr;
      slice->high = source.high != nullptr ? operand(source.high) : nullptr;
      return slice;
    }
    case ExpressionKind::interpolation: return interpolation(as<compile::Interpolation>(written), environment);
    case ExpressionKind::bound: {
      const auto& bound = as<compile::Bound>(written);
      return make_.unary(operator_token(bound.op), operand(bound.operand));
    }
    case ExpressionKind::unary: {
      const auto& unary = as<compile::Unary>(written);
      return make_.unary(operator_token(unary.op), operand(unary.operand));
    }
    case ExpressionKind::binary: {
      const auto& binary = as<compile::Binary>(written);
      Tree left = operand(binary.left);
      return make_.binary(operator_token(binary.op), left, operand(binary.right));
    }
    case ExpressionKind::unify: return sorted_unification(as<compile::Unify>(written), environment);
    case ExpressionKind::disjunction: {
      std::vector<Tree> trees;
      for (const compile::Disjunct& disjunct : as<compile::Disjunction>(written).disjuncts) {
        Tree tree = expression(disjunct.value, environment);
        bool is_apart = trees.empty() && !disjunct.is_default && has_marks(*disjunct.value) && has_marks(*written);
        if (is_apart) tree = make_.parenthesis(tree);
        trees.push_back(disjunct.is_default ? make_.unary(Token::multiply, tree) : tree);
      }
      return make_.chain(Token::or_value, trees);
    }
    case ExpressionKind::call: {
      const auto& call = as<compile::Call>(written);
      std::vector<Tree> arguments;
      for (const compile::Expression* argument : call.arguments) arguments.push_back(operand(argument));
      return make_.call(operand(call.function), arguments);
    }
    case ExpressionKind::open: {
      auto* open = make_.make<syntax::Postfix>(syntax::NodeKind::postfix);
      open->op = Token::ellipsis;
      open->operand = operand(as<compile::Open>(written).operand);
      return open;
    }
    case ExpressionKind::alias: {
      Tree inner = expression(as<compile::AliasExpression>(written).value, enter(environment, nullptr));
      std::string_view name = text_.alias_at(written->position);
      return name.empty() ? inner : make_.alias(name, inner);
    }
    case ExpressionKind::comprehension: return comprehension(as<compile::Comprehension>(written), environment);
    case ExpressionKind::ellipsis: {
      const compile::Expression* type = as<compile::EllipsisExpression>(written).type;
      return make_.ellipsis(type != nullptr ? expression(type, environment) : nullptr);
    }
    case ExpressionKind::field: return expression(as<compile::Field>(written).value, environment);
    case ExpressionKind::pattern: return expression(as<compile::Pattern>(written).value, environment);
    case ExpressionKind::dynamic_field: return expression(as<compile::DynamicField>(written).value, environment);
  }
  return make_.identifier("_");
}

// The name that stands in the source is an alias where the label is no identifier.
Exporter::Tree Exporter::field_reference(const compile::FieldReference& reference, const Environment* environment) {
  std::string_view written = text_.of(reference);
  bool is_name = !written.empty() && syntax::is_valid_identifier(written);
  syntax::Identifier* name = make_.identifier(is_name ? written : label_text(evaluator_.names(), reference.label));
  if (options_.definition) {
    Found found = find_scope(environment, reference.up);
    if (found.environment != nullptr) field_names_[name] = {found.environment, nullptr};
    else if (found.scope != nullptr && found.scope->node != nullptr) field_names_[name] = {nullptr, found.scope->node};
  }
  return name;
}

Exporter::Tree Exporter::value_reference(const compile::ValueReference& reference, const Environment* environment) {
  Found found = find_scope(environment, reference.up);
  if (found.environment != nullptr && !found.environment->alias.empty()) return make_.identifier(found.environment->alias);
  if (found.scope != nullptr) {
    auto known = value_aliases_.find(found.scope->node);
    if (known != value_aliases_.end()) return make_.identifier(known->second);
  }
  return make_.identifier(reference.name);
}

Exporter::Tree Exporter::label_reference(const compile::LabelReference& reference, const Environment* environment) {
  Found found = find_scope(environment, reference.up);
  if (found.scope != nullptr && found.scope->label.valid()) return value(evaluator_.label_value(found.scope->label));
  return make_.identifier(reference.name);
}

Exporter::Tree Exporter::let_reference(const compile::LetReference& reference, const Environment* environment) {
  Found found = find_scope(environment, reference.up);
  if (found.literal == nullptr || reference.slot >= found.literal->lets.size()) return make_.identifier(reference.name);
  const compile::Expression* defined = found.literal->lets[reference.slot];
  const Environment* inside = found.environment != nullptr ? found.environment : environment_of(found.scope);
  for (std::size_t i = frames_.size(); i-- > 0;) {
    Frame& frame = *frames_[i];
    auto literal = std::ranges::find(frame.literals, found.literal);
    if (literal == frame.literals.end()) continue;
    auto [name, is_new] = frame.let_names.try_emplace(defined);
    if (is_new) {
      name->second = unique_name(reference.name);
      std::string chosen = name->second;
      auto place = std::pair(static_cast<std::size_t>(literal - frame.literals.begin()), reference.slot);
      frame.lets[place] = nullptr;
      Tree shown = expression(defined, inside);
      frames_[i]->lets[place] = make_.let(chosen, shown);
      return make_.identifier(chosen);
    }
    return make_.identifier(name->second);
  }
  return expression(defined, inside);
}

Exporter::Tree Exporter::sorted_unification(const compile::Unify& unify, const Environment* environment) {
  // uint8 and the like are written as one word and have parts without a place.
  if (!unify.left->position.valid()) return value(evaluator_.evaluate(&unify, nullptr));
  std::vector<const compile::Expression*> operands;
  std::vector<const compile::Expression*> waiting{&unify};
  while (!waiting.empty()) {
    const compile::Expression* next = waiting.back();
    waiting.pop_back();
    bool is_sized = next->kind == ExpressionKind::unify && !as<compile::Unify>(next).left->position.valid();
    if (next->kind == ExpressionKind::unify && !is_sized) {
      waiting.push_back(as<compile::Unify>(next).right);
      waiting.push_back(as<compile::Unify>(next).left);
    } else {
      operands.push_back(next);
    }
  }
  std::ranges::stable_sort(operands, [&](const compile::Expression* a, const compile::Expression* b) {
    if (type_order(*a) != type_order(*b)) return type_order(*a) < type_order(*b);
    return stands_before(*evaluator_.program().sources, a->position, b->position);
  });
  std::vector<Tree> trees;
  for (const compile::Expression* operand : operands) {
    if (operand->kind != ExpressionKind::top) trees.push_back(inner_expression(operand, environment));
  }
  return make_.chain(Token::and_value, trees);
}

Exporter::Tree Exporter::interpolation(const compile::Interpolation& source, const Environment* environment) {
  // Texts and expressions take turns.
  std::vector<std::string_view> texts;
  std::vector<Tree> values;
  bool is_multiline = false;
  for (std::size_t i = 0; i < source.parts.size(); ++i) {
    if (i % 2 == 1) {
      values.push_back(inner_expression(source.parts[i], environment));
      continue;
    }
    texts.push_back(as<compile::StringExpression>(source.parts[i]).value);
    is_multiline = is_multiline || texts.back().find('\n') != std::string_view::npos;
  }
  std::string indent = is_multiline ? std::string(frames_.size(), '\t') : std::string();
  std::string quote = source.is_bytes ? "'" : "\"";
  auto escaped = [&](std::string_view text, bool is_last) {
    if (!is_multiline) {
      std::string quoted = source.is_bytes ? syntax::quote_bytes(text) : syntax::quote(text);
      return quoted.substr(1, quoted.size() - 2);
    }
    std::string lines;
    while (true) {
      std::size_t end = text.find('\n');
      std::string_view line = text.substr(0, end);
      if (!line.empty()) {
        // In front of the text of a single line stand three quotes and a line break, behind it as much.
        std::string quoted = source.is_bytes ? syntax::quote_multiline_bytes(line, "") : syntax::quote_multiline(line, "");
        lines += std::string_view(quoted).substr(4, quoted.size() - 8);
      }
      if (end == std::string_view::npos) return lines;
      text.remove_prefix(end + 1);
      lines += '\n';
      // In front of the closing quotes the line starts by itself.
      if (!text.starts_with('\n') && !(is_last && text.empty())) lines += indent;
    }
  };
  std::vector<syntax::Node*> elements;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::string text = i > 0 ? ")" : is_multiline ? quote + quote + quote + "\n" + indent : quote;
    text += escaped(texts[i], i + 1 == texts.size());
    if (i + 1 < texts.size()) text += "\\(";
    else text += is_multiline ? "\n" + indent + quote + quote + quote : quote;
    elements.push_back(make_.literal(Token::interpolation, text));
    if (i < values.size()) elements.push_back(values[i]);
  }
  auto* node = make_.make<syntax::Interpolation>(syntax::NodeKind::interpolation);
  node->elements = make_.arena().copy(elements);
  return node;
}

Exporter::Tree Exporter::raw_list(const compile::ListExpression& list, const Environment* environment) {
  std::vector<Tree> elements;
  for (const compile::Expression* element : list.elements) elements.push_back(expression(element, environment));
  return make_.list(elements);
}

Exporter::Tree Exporter::comprehension(const compile::Comprehension& source, const Environment* environment) {
  const Environment* outer = environment;
  auto as_struct = [&](Tree tree) {
    if (tree->kind == syntax::NodeKind::struct_literal) return syntax::as<syntax::StructLiteral>(tree);
    syntax::Declaration* embedded = make_.embedding(tree);
    return make_.structure({&embedded, 1});
  };
  std::vector<syntax::Clause*> clauses;
  for (const compile::Clause& clause : source.clauses) {
    auto [key, name] = text_.clause_names_at(clause.position);
    Tree operand = clause.expression != nullptr ? inner_expression(clause.expression, environment) : nullptr;
    syntax::Clause* made = nullptr;
    switch (clause.kind) {
      case compile::ClauseKind::for_: {
        auto* loop = make_.make<syntax::ForClause>(syntax::NodeKind::for_clause);
        if (!key.empty()) loop->key = make_.identifier(key);
        loop->value = make_.identifier(name);
        loop->source = operand;
        made = loop;
        break;
      }
      case compile::ClauseKind::if_: {
        auto* condition = make_.make<syntax::IfClause>(syntax::NodeKind::if_clause);
        condition->condition = operand;
        made = condition;
        break;
      }
      case compile::ClauseKind::let: made = make_.let(name, operand); break;
      case compile::ClauseKind::try_: {
        auto* attempt = make_.make<syntax::TryClause>(syntax::NodeKind::try_clause);
        if (operand != nullptr) attempt->name = make_.identifier(name);
        attempt->value = operand;
        made = attempt;
        break;
      }
    }
    made->spacing = text_.spacing_before(clause.position);
    add_documentation_of(*made, trees_.node_at(made->kind, clause.position));
    clauses.push_back(made);
    if (clause.pushes_scope) environment = enter(environment, nullptr);
  }
  auto* node = make_.make<syntax::Comprehension>(syntax::NodeKind::comprehension);
  node->clauses = make_.arena().copy(clauses);
  node->body = as_struct(expression(source.body, environment));
  const auto* written = static_cast<const syntax::Comprehension*>(trees_.node_at(syntax::NodeKind::comprehension, source.position));
  if (source.fallback != nullptr && written != nullptr && written->fallback != nullptr) {
    node->fallback = make_.make<syntax::FallbackClause>(syntax::NodeKind::fallback_clause);
    node->fallback->is_else = written->fallback->is_else;
    node->fallback->keyword = written->fallback->keyword;
    node->fallback->body = as_struct(expression(source.fallback, outer));
  }
  node->spacing = text_.spacing_before(source.position);
  add_documentation_of(*node, written);
  return node;
}

// A struct literal as it stands, with patterns, computed labels and comprehensions.
Exporter::Tree Exporter::raw_struct(const StructExpression& literal, const Environment* environment) {
  const Environment* inside = enter(environment, &literal);
  std::vector<syntax::Declaration*> elements;
  for (const compile::Declaration& declaration : literal.declarations) {
    switch (declaration.kind) {
      case compile::DeclarationKind::field: elements.push_back(raw_field(as<compile::Field>(declaration.expression), inside)); break;
      case compile::DeclarationKind::let: break;  // those that are used stand in the frame
      case compile::DeclarationKind::pattern:
        elements.push_back(raw_pattern(as<compile::Pattern>(declaration.expression), inside));
        break;
      case compile::DeclarationKind::dynamic:
        elements.push_back(raw_dynamic_field(as<compile::DynamicField>(declaration.expression), inside));
        break;
      case compile::DeclarationKind::embedding:
        elements.push_back(make_.embedding(expression(declaration.expression, inside)));
        add_documentation_of(*elements.back(),
                             trees_.node_at(syntax::NodeKind::embedding, declaration.expression->position));
        break;
      case compile::DeclarationKind::comprehension:
      case compile::DeclarationKind::ellipsis: elements.push_back(expression(declaration.expression, inside)); break;
    }
  }
  syntax::StructLiteral* made = make_.structure(elements);
  set_structure({&inside, 1}, nullptr, made);
  return made;
}

namespace {

syntax::Constraint constraint_of(compile::FieldKind kind) {
  switch (kind) {
    case compile::FieldKind::optional: return syntax::Constraint::optional;
    case compile::FieldKind::required: return syntax::Constraint::required;
    default: return syntax::Constraint::none;
  }
}

}  // namespace

std::span<syntax::Attribute*> Exporter::raw_attributes(std::span<const compile::Attribute> attributes) {
  std::vector<syntax::Attribute*> made;
  for (const compile::Attribute& each : attributes) made.push_back(attribute(each));
  return make_.arena().copy(made);
}

syntax::PostfixAlias* Exporter::postfix_alias(diag::Position label) {
  const syntax::Field* source = trees_.field_at(label);
  return source != nullptr && source->alias != nullptr ? make_.arena().make<syntax::PostfixAlias>(*source->alias) : nullptr;
}

syntax::Declaration* Exporter::raw_field(const compile::Field& field, const Environment* environment) {
  syntax::Node* name = label(field.label);
  std::string_view alias = text_.alias_at(field.position);
  if (!alias.empty()) {
    // An alias may be called as its field, if that keeps its quotes.
    bool is_same = name->kind == syntax::NodeKind::identifier && syntax::as<syntax::Identifier>(name)->name == alias;
    if (is_same) name = make_.string(syntax::quote(alias));
    name = make_.alias(alias, name);
  }
  syntax::Field* made = make_.field(name, constraint_of(field.field_kind), expression(field.value, environment));
  made->alias = postfix_alias(field.position);
  made->attributes = raw_attributes(field.attributes);
  add_documentation_of(*made, trees_.field_at(field.position));
  if (options_.documentation && made->comments.empty() && !field.documentation.empty()) {
    make_.add_comment(*made, make_.documentation(field.documentation));
  }
  return made;
}

syntax::Declaration* Exporter::raw_pattern(const compile::Pattern& pattern, const Environment* environment) {
  Tree condition = inner_expression(pattern.pattern, environment);
  std::string_view alias = text_.pattern_alias_at(pattern.position);
  if (!alias.empty()) condition = make_.alias(alias, condition);
  syntax::Node* name = make_.list({&condition, 1});
  std::string_view node_alias = text_.alias_at(pattern.position);
  if (!node_alias.empty()) name = make_.alias(node_alias, name);
  const Environment* inside = pattern.label_scope ? enter(environment, nullptr) : environment;
  syntax::Field* made = make_.field(name, syntax::Constraint::none, expression(pattern.value, inside));
  made->alias = postfix_alias(pattern.position);
  made->attributes = raw_attributes(pattern.attributes);
  add_documentation_of(*made, trees_.field_at(pattern.position));
  return made;
}

// The same wherever what is around it is unified with something else: made of literals, and of fields that hold one.
bool Exporter::is_fixed(const compile::Expression* written, eval::Scope* scope, int depth) {
  constexpr int kDeepest = 10;
  switch (written->kind) {
    case ExpressionKind::string:
    case ExpressionKind::number:
    case ExpressionKind::boolean: return true;
    case ExpressionKind::binary:
      return is_fixed(as<compile::Binary>(written).left, scope, depth) &&
             is_fixed(as<compile::Binary>(written).right, scope, depth);
    case ExpressionKind::interpolation:
      return std::ranges::all_of(as<compile::Interpolation>(written).parts,
                                 [&](const compile::Expression* part) { return is_fixed(part, scope, depth); });
    case ExpressionKind::field_reference:
    case ExpressionKind::selector: {
      Node* target = evaluator_.referred_node(written, scope);
      // A circle of references has an end, too.
      return target != nullptr && evaluator_.spend() && depth < kDeepest &&
             std::ranges::any_of(target->conjuncts.span(), [&](const Conjunct& conjunct) {
               bool is_field = conjunct.expression != nullptr && conjunct.expression->kind == ExpressionKind::field;
               return is_field && is_fixed(as<compile::Field>(conjunct.expression).value, conjunct.scope, depth + 1);
             });
    }
    default: return false;
  }
}

// A label that is put together is shown as what it becomes, if nothing can make it another.
syntax::Declaration* Exporter::raw_dynamic_field(const compile::DynamicField& field, const Environment* environment) {
  eval::Scope* scope = scope_of(environment);
  bool is_put_together = field.label->kind == ExpressionKind::interpolation || field.label->kind == ExpressionKind::binary;
  Value known = is_put_together && is_fixed(field.label, scope) ? evaluator_.evaluate(field.label, scope) : Value();
  syntax::Node* name = nullptr;
  if (known.kind == ValueKind::string) {
    name = make_.string(string_text(known.string(), false));
  } else {
    Tree written = inner_expression(field.label, environment);
    bool stands_alone = written->kind == syntax::NodeKind::interpolation || written->kind == syntax::NodeKind::basic_literal;
    name = stands_alone ? written : make_.parenthesis(written);
  }
  std::string_view alias = text_.alias_at(field.position);
  if (!alias.empty()) name = make_.alias(alias, name);
  const Environment* inside = field.label_scope ? enter(environment, nullptr) : environment;
  syntax::Field* made = make_.field(name, constraint_of(field.field_kind), expression(field.value, inside));
  made->alias = postfix_alias(field.position);
  made->attributes = raw_attributes(field.attributes);
  add_documentation_of(*made, trees_.field_at(field.position));
  return made;
}

}  // namespace opm::cue::exporting
