#include "cue/value.h"

#include <algorithm>
#include <set>

#include "cue/compile/siblings.h"
#include "cue/definition.h"
#include "cue/eval/evaluator.h"
#include "cue/eval/field_order.h"
#include "cue/eval/text.h"
#include "cue/eval/validate.h"
#include "cue/export/export.h"
#include "cue/program_parts.h"
#include "cue/syntax/format.h"

namespace opm::cue {

using eval::ArcKind;
using eval::BaseKind;
using eval::Node;
using eval::value_node;

namespace {

Label element_label(eval::Evaluator& evaluator, const Path::Element& element, std::string_view default_package) {
  switch (element.kind) {
    case Path::Element::Kind::field: return string_label(evaluator.names(), element.name);
    case Path::Element::Kind::index: return Label::integer(element.index);
    case Path::Element::Kind::definition: return identifier_label(evaluator.names(), element.name, default_package);
    case Path::Element::Kind::hidden:
      return identifier_label(evaluator.names(), element.name, element.package.empty() ? default_package : element.package);
  }
  return {};
}

std::string_view default_package(const Context& context) {
  const Program::Parts& parts = context.program().parts();
  if (parts.instances.empty() || parts.packages.size() == 0) return "_";
  return parts.instances.front().identity;
}

Node* chosen(Node* node) {
  node = value_node(node);
  while (node->base == BaseKind::disjunction && node->default_count == 1) node = value_node(node->disjuncts[0]);
  return node;
}

}  // namespace

Value Value::find(const Path& path) const {
  if (!valid()) return {};
  Node* node = node_;
  context_->run([&] {
    eval::Evaluator& evaluator = context_->evaluator();
    for (const Path::Element& element : path.elements) {
      const eval::Error* error = nullptr;
      evaluator.settle(value_node(node));
      node = evaluator.lookup(chosen(node), element_label(evaluator, element, default_package(*context_)), {}, &error);
      if (node == nullptr) return;
    }
  });
  return node == nullptr ? Value{} : Value(context_, node);
}

Value Value::find(std::string_view path) const {
  auto parsed = Path::parse(path);
  return parsed ? find(*parsed) : Value{};
}

Value Value::field(std::string_view name) const {
  Path path;
  path.elements.push_back({Path::Element::Kind::field, std::string(name), 0, {}});
  return find(path);
}

bool Value::exists() const { return valid(); }

KindSet Value::kind() const { return with_default().possible_kinds(); }

KindSet Value::possible_kinds() const {
  if (!valid()) return kinds::bottom;
  KindSet result = kinds::bottom;
  context_->run([&] {
    context_->evaluator().finalize(node_);
    result = eval::kinds_of(eval::Value::of_node(node_));
  });
  return result;
}

bool Value::concrete() const {
  Value value = with_default();
  return value.valid() && context_->evaluator().is_concrete(eval::Value::of_node(value.node_));
}

bool Value::has_error() const { return !errors().empty(); }

Diagnostics Value::errors() const { return validate({}); }

std::optional<std::string_view> Value::string() const {
  Value value = with_default();
  if (!value.valid() || value.node_->base != BaseKind::value || !value.node_->value.is_string()) return std::nullopt;
  return value.node_->value.string();
}

std::optional<std::int64_t> Value::integer() const {
  Value value = with_default();
  if (!value.valid() || value.node_->base != BaseKind::value || !value.node_->value.is_number()) return std::nullopt;
  return value.node_->value.number->to_int64();
}

std::optional<bool> Value::boolean() const {
  Value value = with_default();
  if (!value.valid() || value.node_->base != BaseKind::value || value.node_->value.kind != eval::ValueKind::boolean) {
    return std::nullopt;
  }
  return value.node_->value.boolean_value;
}

Value Value::target() const {
  if (!valid()) return {};
  Node* node = node_;
  context_->run([&] {
    context_->evaluator().finalize(node_);
    node = eval::shared_node(node_);
  });
  return Value(context_, node);
}

Value Value::with_default() const {
  if (!valid()) return {};
  Node* node = nullptr;
  context_->run([&] {
    context_->evaluator().finalize(node_);
    node = chosen(node_);
  });
  return Value(context_, node);
}

bool Value::has_default() const {
  if (!valid()) return false;
  bool result = false;
  context_->run([&] {
    context_->evaluator().finalize(node_);
    const Node* node = value_node(node_);
    result = node->base == BaseKind::disjunction && node->default_count == 1;
  });
  return result;
}

std::vector<Value::FieldEntry> Value::fields(unsigned selection) const {
  std::vector<FieldEntry> result;
  Value value = with_default();
  if (!value.valid()) return result;
  eval::Evaluator& evaluator = context_->evaluator();
  if (selection & optional) evaluator.materialize_optionals(value.node_);
  for (Node* arc : eval::fields_in_order(evaluator, value.node_)) {
    if (arc->label.is_integer()) continue;
    if (arc->arc == ArcKind::optional && !(selection & optional)) continue;
    if (arc->label.is_hidden() && !(selection & hidden)) continue;
    if (arc->label.is_definition() && !arc->label.is_hidden() && !(selection & definitions)) continue;
    FieldEntry entry;
    entry.name = selector_text(evaluator.names(), arc->label);
    entry.label = arc->label;
    entry.is_optional = arc->arc == ArcKind::optional;
    entry.is_required = arc->arc == ArcKind::required;
    entry.value = Value(context_, arc);
    result.push_back(std::move(entry));
  }
  return result;
}

std::vector<Value::FieldEntry> Value::shallow_fields() const {
  if (!valid()) return {};
  eval::Evaluator& evaluator = context_->evaluator();
  Node* node = nullptr;
  context_->run([&] { node = evaluator.settled_struct(node_); });
  if (node == nullptr) return fields();
  std::vector<FieldEntry> result;
  for (Node* arc : eval::fields_in_order(evaluator, node)) {
    if (!arc->label.is_regular() || arc->label.is_integer() || arc->arc != ArcKind::member) continue;
    FieldEntry entry;
    entry.name = selector_text(evaluator.names(), arc->label);
    entry.label = arc->label;
    entry.value = Value(context_, arc);
    result.push_back(std::move(entry));
  }
  return result;
}

std::vector<Value> Value::elements() const {
  std::vector<Value> result;
  Value value = with_default();
  if (!value.valid()) return result;
  for (Node* arc : value.node_->arcs) {
    if (arc->label.is_integer()) result.emplace_back(context_, arc);
  }
  return result;
}

std::string Value::label() const {
  return valid() && node_->label.valid() ? std::string(label_text(context_->evaluator().names(), node_->label)) : std::string();
}

std::string Value::path() const { return valid() ? eval::path_text(context_->evaluator(), node_) : std::string(); }

bool Value::allows(std::string_view name) const {
  if (!valid()) return false;
  bool result = false;
  context_->run([&] {
    eval::Evaluator& evaluator = context_->evaluator();
    evaluator.finalize(node_);
    result = evaluator.accepts(node_, string_label(evaluator.names(), name));
  });
  return result;
}

Value Value::unify(const Value& other) const {
  if (!valid()) return other;
  if (!other.valid()) return *this;
  eval::Evaluator& evaluator = context_->evaluator();
  Node* node = evaluator.make_root();
  for (Node* part : {node_, other.node_}) {
    eval::Conjunct conjunct;
    conjunct.node = part;
    node->conjuncts.push(evaluator.arena(), conjunct);
  }
  return Value(context_, node);
}

namespace {

std::string_view file_of(eval::Evaluator& evaluator, const eval::Conjunct& conjunct) {
  if (conjunct.expression == nullptr) return {};
  return evaluator.program().sources->locate(conjunct.expression->position).file;
}

}  // namespace

Value Value::without_files(const FilePredicate& left_out) const {
  if (!valid()) return {};
  eval::Evaluator& evaluator = context_->evaluator();
  Node* node = evaluator.make_root();
  node->label = node_->label;  // a definition stays one
  for (const eval::Conjunct& conjunct : node_->conjuncts) {
    if (conjunct.expression == nullptr || !left_out(file_of(evaluator, conjunct)))
      node->conjuncts.push(evaluator.arena(), conjunct);
  }
  return Value(context_, node);
}

Value Value::redeclared(std::span<const Redeclaration> fields, const FilePredicate& kept) const {
  if (!valid()) return {};
  eval::Evaluator& evaluator = context_->evaluator();
  Node* result = evaluator.make_root();
  for (const eval::Conjunct& conjunct : node_->conjuncts) result->conjuncts.push(evaluator.arena(), conjunct);
  eval::Evaluator::Redeclared before = evaluator.redeclared();
  for (const Redeclaration& redeclaration : fields) {
    Node* instead = redeclaration.value.node();
    for (const eval::Conjunct& conjunct : redeclaration.field.node()->conjuncts) {
      if (conjunct.expression == nullptr || conjunct.expression->kind != compile::ExpressionKind::field) continue;
      if (kept(file_of(evaluator, conjunct))) continue;
      evaluator.redeclared()[conjunct.expression] = std::exchange(instead, nullptr);
    }
  }
  context_->run([&] { evaluator.finalize(result); });
  evaluator.redeclared() = std::move(before);
  return Value(context_, result);
}

namespace {

// Whether the expression, evaluated in that scope, depends on fields of packages only.
bool refers_to_packages(const eval::Evaluator& evaluator, const compile::Expression* expression, const eval::Scope* scope) {
  switch (expression->kind) {
    case compile::ExpressionKind::import_reference: return true;
    case compile::ExpressionKind::selector:
      return refers_to_packages(evaluator, static_cast<const compile::Selector*>(expression)->operand, scope);
    case compile::ExpressionKind::field_reference: {
      std::uint32_t up = static_cast<const compile::FieldReference*>(expression)->up;
      for (; up > 0 && scope != nullptr; --up) scope = scope->up;
      return scope != nullptr && scope->node != nullptr && evaluator.package_of(scope->node).has_value();
    }
    default: return false;
  }
}

}  // namespace

std::optional<std::vector<Declaration>> Value::package_declarations() const {
  std::vector<Declaration> declarations;
  if (!valid()) return declarations;
  for (const eval::Conjunct& conjunct : node_->conjuncts) {
    if (conjunct.expression == nullptr || conjunct.expression->kind != compile::ExpressionKind::field) return std::nullopt;
    const compile::Expression* written = static_cast<const compile::Field*>(conjunct.expression)->value;
    if (written->kind == compile::ExpressionKind::top) continue;
    if (!refers_to_packages(context_->evaluator(), written, conjunct.scope)) return std::nullopt;
    declarations.push_back(conjunct.expression);
  }
  return declarations;
}

std::vector<Value::IndependentField> Value::fields_independent_of(std::span<const std::string> names) const {
  std::vector<IndependentField> result;
  if (!valid()) return result;
  eval::Evaluator& evaluator = context_->evaluator();
  Node* node = nullptr;
  context_->run([&] { node = evaluator.settled_struct(node_); });
  if (node == nullptr || !eval::patterns_of(*node).empty()) return result;
  std::vector<const compile::StructExpression*> literals;
  for (const eval::Insertion& insertion : eval::insertions_of(*node)) {
    if (insertion.kind != eval::Insertion::Kind::structure) return result;
    const auto* literal = static_cast<const compile::StructExpression*>(insertion.expression);
    // What adds fields might add any.
    if (literal->has_embedding || literal->has_dynamic || literal->has_pattern) return result;
    literals.push_back(literal);
  }
  std::vector<Label> dependent;
  for (const std::string& name : names) {
    dependent.push_back(name.starts_with('#') ? identifier_label(evaluator.names(), name, "_")
                                              : string_label(evaluator.names(), name));
  }
  auto is_dependent = [&](Label label) { return std::ranges::find(dependent, label) != dependent.end(); };
  for (std::size_t before = 0; before != dependent.size();) {
    before = dependent.size();
    for (const compile::StructExpression* literal : literals) {
      for (const compile::Field* field : literal->fields) {
        if (is_dependent(field->label)) continue;
        auto siblings = compile::sibling_references(*literal, field->value);
        if (!siblings || std::ranges::any_of(*siblings, is_dependent)) dependent.push_back(field->label);
      }
    }
  }
  for (Node* arc : node->arcs) {
    if (arc->label.is_hidden() || arc->label.is_integer() || is_dependent(arc->label)) continue;
    IndependentField independent{selector_text(evaluator.names(), arc->label), {}};
    for (const compile::StructExpression* literal : literals) {
      for (const compile::Field* field : literal->fields) {
        if (field->label == arc->label) independent.declarations.push_back(field);
      }
    }
    result.push_back(std::move(independent));
  }
  return result;
}

Value Value::fill(std::span<const std::pair<Path, Value>> values) const {
  if (!valid()) return {};
  eval::Evaluator& evaluator = context_->evaluator();
  Node* result = evaluator.make_root();
  eval::Conjunct own;
  own.node = node_;
  result->conjuncts.push(evaluator.arena(), own);
  // All paths become one struct, so that the whole is evaluated once.
  Node* filling = evaluator.make_struct_node();
  for (const auto& [path, value] : values) {
    Node* at = filling;
    for (const Path::Element& element : path.elements) {
      Node* arc = evaluator.get_arc(at, element_label(evaluator, element, default_package(*context_)), ArcKind::member);
      arc->is_data = true;
      arc->status = eval::Status::finalized;
      if (arc->base == BaseKind::unknown) arc->base = BaseKind::structure;
      at = arc;
    }
    at->is_data = false;
    at->base = BaseKind::forward;
    at->forward = value.node();
    eval::Conjunct conjunct;
    conjunct.node = value.node();
    at->conjuncts.push(evaluator.arena(), conjunct);
  }
  eval::Conjunct filled;
  filled.node = filling;
  result->conjuncts.push(evaluator.arena(), filled);
  return Value(context_, result);
}

namespace {

// What only names a field is that field, and its errors are told by its path.
Node* named_field(eval::Evaluator& evaluator, Node* node) {
  if (node->parent != nullptr || node->conjuncts.size() != 1 || node->conjuncts[0].expression == nullptr) return node;
  Node* field = evaluator.referred_node(node->conjuncts[0].expression, node->conjuncts[0].scope);
  return field != nullptr ? field : node;
}

}  // namespace

Diagnostics Value::validate(const ValidateSettings& settings) const {
  Diagnostics result;
  if (!valid()) return result;
  context_->run([&] {
    eval::Evaluator& evaluator = context_->evaluator();
    eval::ValidateOptions options;
    options.only_regular = settings.only_regular;
    options.concrete = settings.concrete;
    options.final = settings.concrete;
    options.report_incomplete = settings.incomplete;
    options.to_be_shown = settings.to_be_shown;
    Node* told = settings.to_be_shown ? node_ : named_field(evaluator, node_);
    for (const eval::Error* error : eval::validate(evaluator, told, options)) {
      for (diag::Diagnostic& diagnostic : eval::diagnostics(evaluator, error)) result.push_back(std::move(diagnostic));
    }
  });
  return result;
}

namespace {

class DataExport {
 public:
  DataExport(eval::Evaluator& evaluator, base::NumberStyle style, MemberOrder order)
      : evaluator_(evaluator), style_(style), order_(order) {}
  std::vector<const eval::Error*> errors;

  void write(Node* original, data::Value& out) {
    // Data is a copy for each place that shares a value, and takes memory that nobody else counts.
    constexpr std::uint64_t kStepsForAValue = 8;
    if (!evaluator_.spend(kStepsForAValue)) return;
    evaluator_.finalize(original);
    Node* node = chosen(original);
    Node* owner = value_node(original) == node ? eval::shared_node(original) : node;
    switch (node->base) {
      case BaseKind::value:
        if (write_scalar(node->value, out)) return;
        break;
      case BaseKind::list: {
        data::List list;
        for (Node* arc : node->arcs) {
          if (!arc->label.is_integer()) continue;
          list.emplace_back();
          write(arc, list.back());
        }
        out.variant = std::move(list);
        return;
      }
      case BaseKind::structure: {
        data::Map map;
        map.reserve(node->arcs.size());
        if (order_ == MemberOrder::written) {
          for (Node* arc : eval::fields_in_order(evaluator_, node, owner, &known_orders_)) write_member(arc, map);
        } else {
          // Nodes are sorted, which are easier to move about than what is made of them.
          std::vector<std::pair<std::string_view, Node*>> sorted;
          sorted.reserve(node->arcs.size());
          for (Node* arc : node->arcs) {
            if (arc->label.is_string()) sorted.emplace_back(label_text(evaluator_.names(), arc->label), arc);
          }
          std::ranges::sort(sorted, {}, &std::pair<std::string_view, Node*>::first);
          for (const auto& [name, arc] : sorted) write_member(arc, map);
        }
        out.variant = std::move(map);
        return;
      }
      case BaseKind::error:
        errors.push_back(node->error);
        return;
      default: break;
    }
    eval::Value shown = node->base == BaseKind::value ? node->value : eval::Value::of_node(node);
    eval::Error* error =
        evaluator_.copy_error(*evaluator_.make_error(eval::ErrorCode::incomplete, {}, "incomplete value {}", {shown}));
    error->node = original;
    errors.push_back(error);
  }

 private:
  void write_member(Node* arc, data::Map& map) {
    if (!arc->label.is_string() || arc->arc != ArcKind::member) return;
    map.emplace_back();
    map.back().key = std::string(label_text(evaluator_.names(), arc->label));
    write(arc, map.back().value);
  }

  bool write_scalar(const eval::Value& value, data::Value& out) const {
    out.position = value.position;
    if (value.is_text()) evaluator_.spend(value.string().size() / 64);
    switch (value.kind) {
      case eval::ValueKind::null: out.variant = std::monostate{}; return true;
      case eval::ValueKind::boolean: out.variant = value.boolean_value; return true;
      case eval::ValueKind::number: out.variant = data::NumberText{value.number->text(style_), value.number->is_int()}; return true;
      case eval::ValueKind::string: out.variant = std::string(value.string()); return true;
      case eval::ValueKind::bytes: out.variant = data::Bytes{std::string(value.string())}; return true;
      default: return false;
    }
  }

  eval::Evaluator& evaluator_;
  base::NumberStyle style_;
  MemberOrder order_;
  eval::KnownOrders known_orders_;
};

}  // namespace

std::expected<data::Value, Diagnostics> Value::to_data(base::NumberStyle style, MemberOrder order) const {
  data::Value out;
  if (!valid()) return out;
  ValidateSettings settings;
  settings.concrete = true;
  Diagnostics problems = validate(settings);
  if (!problems.empty()) return std::unexpected(std::move(problems));
  context_->run([&] {
    DataExport exporting(context_->evaluator(), style, order);
    exporting.write(node_, out);
    if (context_->evaluator().exhausted()) exporting.errors = {context_->evaluator().exhausted_error()};
    for (const eval::Error* error : exporting.errors) {
      for (diag::Diagnostic& diagnostic : eval::diagnostics(context_->evaluator(), error)) problems.push_back(std::move(diagnostic));
    }
  });
  if (!problems.empty()) return std::unexpected(std::move(problems));
  return out;
}

namespace {

std::string source_of(const Value& value, const SourceSettings& settings, bool inline_imports) {
  if (!value.valid()) return {};
  exporting::ExportOptions options;
  options.definition = settings.definition;
  options.take_defaults = settings.take_defaults;
  options.optional = settings.optional;
  options.definitions = settings.definitions;
  options.hidden = settings.hidden;
  options.documentation = settings.documentation;
  options.attributes = settings.attributes;
  options.inline_imports = inline_imports;
  options.errors_as_values = settings.errors_as_values;
  options.package = settings.package;
  options.package_name = settings.package_name;
  syntax::FormatOptions format;
  format.simplify = settings.simplify_labels;
  format.indent_spaces = settings.indent_spaces;
  std::string text;
  Context& context = value.context();
  context.run([&] {
    base::Arena arena;
    text = syntax::format(*exporting::export_value(context.evaluator(), arena, value.node(), options), format);
  });
  return text;
}

}  // namespace

std::string Value::to_cue(const SourceSettings& settings) const { return source_of(*this, settings, false); }

std::string definition_with_imports(const Value& value, const SourceSettings& settings) {
  return source_of(value, settings, true);
}

Diagnostics Context::exhaustion() {
  if (!evaluator_->exhausted()) return {};
  return eval::diagnostics(*evaluator_, evaluator_->exhausted_error());
}

namespace {

// What the expression refers to, if that is a top-level field of a package.
std::optional<PackageField> referred_field(const eval::Evaluator& evaluator, const compile::Expression* expression,
                                           const eval::Scope* scope) {
  using compile::ExpressionKind;
  if (expression->kind == ExpressionKind::selector) {
    const auto* selector = static_cast<const compile::Selector*>(expression);
    if (selector->operand->kind != ExpressionKind::import_reference) return std::nullopt;
    return PackageField{static_cast<const compile::ImportReference*>(selector->operand)->package, selector->label};
  }
  if (expression->kind != ExpressionKind::field_reference) return std::nullopt;
  const auto* reference = static_cast<const compile::FieldReference*>(expression);
  for (std::uint32_t up = reference->up; up > 0 && scope != nullptr; --up) scope = scope->up;
  bool is_file = scope != nullptr && scope->literal != nullptr && scope->literal->is_file;
  std::optional<std::uint32_t> package = is_file ? evaluator.package_of(scope->node) : std::nullopt;
  if (!package) return std::nullopt;
  return PackageField{*package, reference->label};
}

}  // namespace

std::vector<PackageField> Value::package_fields() const {
  std::vector<PackageField> result;
  if (!valid()) return result;
  for (const eval::Conjunct& conjunct : node_->conjuncts) {
    const compile::Expression* expression = conjunct.expression;
    if (expression != nullptr && expression->kind == compile::ExpressionKind::field) {
      expression = static_cast<const compile::Field*>(expression)->value;
    } else if (expression != nullptr && expression->kind == compile::ExpressionKind::pattern) {
      const auto* pattern = static_cast<const compile::Pattern*>(expression);
      expression = pattern->label_scope ? nullptr : pattern->value;
    }
    std::optional<PackageField> field;
    if (expression != nullptr) field = referred_field(context_->evaluator(), expression, conjunct.scope);
    if (!field) return {};
    result.push_back(*field);
  }
  return result;
}

std::vector<diag::Position> Value::positions() const {
  std::vector<diag::Position> result;
  if (!valid()) return result;
  context_->run([&] { context_->evaluator().finalize(node_); });
  for (Node* node = node_;; node = node->forward) {
    for (const eval::Conjunct& conjunct : node->conjuncts) {
      if (conjunct.expression != nullptr && conjunct.expression->position.valid()) {
        result.push_back(conjunct.expression->position);
      } else if (conjunct.expression == nullptr && conjunct.value.position.valid()) {
        result.push_back(conjunct.value.position);
      }
    }
    if (node->is_data && node->value.position.valid()) result.push_back(node->value.position);
    if (node->base != BaseKind::forward) break;
  }
  return result;
}

namespace {

// Of what is declared, rather than of its name.
diag::Position written_position(const compile::Expression* expression) {
  if (expression->kind == compile::ExpressionKind::field) expression = static_cast<const compile::Field*>(expression)->value;
  if (expression->kind == compile::ExpressionKind::pattern) expression = static_cast<const compile::Pattern*>(expression)->value;
  if (expression->kind == compile::ExpressionKind::dynamic_field)
    expression = static_cast<const compile::DynamicField*>(expression)->value;
  while (expression->kind == compile::ExpressionKind::alias)
    expression = static_cast<const compile::AliasExpression*>(expression)->value;
  return expression->position;
}

// Each node once: values may refer to each other.
void append_origins(const Node* node, std::set<const Node*>& known, std::vector<diag::Position>& result) {
  if (node == nullptr || !known.insert(node).second) return;
  auto add = [&](diag::Position position) {
    if (position.valid()) result.push_back(position);
  };
  for (const eval::Conjunct& conjunct : node->conjuncts) {
    if (conjunct.expression != nullptr) add(written_position(conjunct.expression));
    else if (conjunct.node != nullptr) append_origins(conjunct.node, known, result);
    else add(conjunct.value.position);
  }
  if (node->base == BaseKind::value) add(node->value.position);
  if (node->base == BaseKind::forward) append_origins(node->forward, known, result);
  if (node->base == BaseKind::disjunction) {
    for (const Node* disjunct : node->disjuncts) append_origins(disjunct, known, result);
  }
}

}  // namespace

std::vector<diag::Position> Value::origins() const {
  std::vector<diag::Position> result;
  if (!valid()) return result;
  context_->run([&] { context_->evaluator().finalize(node_); });
  std::set<const Node*> known;
  append_origins(node_, known, result);
  return result;
}

}  // namespace opm::cue
