#include "cue/inspection.h"

#include <algorithm>

#include "cue/eval/evaluator.h"
#include "cue/program_parts.h"

namespace opm::cue {

using eval::BaseKind;
using eval::Node;

namespace {

std::string comment_text(std::span<const std::string_view> lines) {
  std::string text;
  for (std::string_view line : lines) {
    if (line.starts_with("//")) line.remove_prefix(2);
    if (line.starts_with(' ')) line.remove_prefix(1);
    if (!text.empty()) text += '\n';
    text += line;
  }
  return text;
}

}  // namespace

std::vector<std::string> documentation(const Value& value) {
  std::vector<std::string> result;
  if (!value.valid()) return result;
  value.context().run([&] { value.context().evaluator().finalize(value.node()); });
  for (const Node* node = value.node();; node = node->forward) {
    for (const eval::Conjunct& conjunct : node->conjuncts) {
      if (conjunct.expression == nullptr || conjunct.expression->kind != compile::ExpressionKind::field) continue;
      std::string text = comment_text(static_cast<const compile::Field*>(conjunct.expression)->documentation);
      if (!text.empty() && std::ranges::find(result, text) == result.end()) result.push_back(std::move(text));
    }
    if (node->base != BaseKind::forward) break;
  }
  return result;
}

std::vector<Value> alternatives(const Value& value) {
  if (!value.valid()) return {};
  Node* node = nullptr;
  value.context().run([&] {
    value.context().evaluator().finalize(value.node());
    node = eval::value_node(value.node());
  });
  if (node->base != BaseKind::disjunction) return {value};
  std::vector<Value> result;
  for (Node* branch : node->disjuncts) result.emplace_back(&value.context(), branch);
  return result;
}

std::optional<std::uint32_t> imported_package(const Program& program, std::size_t instance,
                                              std::string_view import_path) {
  const Program::Parts& parts = program.parts();
  const PackageEnvironment& environment = *parts.environments[parts.instances[instance].package];
  const compile::ImportTarget* found = environment.import(import_path);
  if (found == nullptr || found->is_standard) return std::nullopt;
  return found->package;
}

std::optional<PackageField> imported_field(const Program& program, std::size_t instance, std::string_view import_path,
                                           std::string_view name) {
  std::optional<std::uint32_t> package = imported_package(program, instance, import_path);
  if (!package || name.starts_with('_')) return std::nullopt;
  base::Name known = program.parts().names.find(name);
  if (known == base::kNoName) return std::nullopt;
  LabelKind kind = name.starts_with('#') ? LabelKind::definition : LabelKind::string;
  return PackageField{*package, Label::make(kind, static_cast<std::uint32_t>(known))};
}

std::vector<std::string> declared_names(const Value& value) {
  if (!value.valid()) return {};
  eval::Evaluator& evaluator = value.context().evaluator();
  Node* node = nullptr;
  value.context().run([&] { node = evaluator.settled_struct(value.node()); });
  std::vector<Label> labels;
  if (node != nullptr) {
    for (const Node* arc : node->arcs) {
      if (arc->arc != eval::ArcKind::absent) labels.push_back(arc->label);
    }
    eval::each_with_optionals(*node, [&](const eval::Insertion&, const compile::StructExpression* literal) {
      for (const compile::Field* field : literal->fields) labels.push_back(field->label);
    });
  } else {
    for (const Value::FieldEntry& entry : value.fields(Value::definitions | Value::optional)) labels.push_back(entry.label);
  }
  std::ranges::sort(labels, {}, &Label::bits);
  labels.erase(std::ranges::unique(labels).begin(), labels.end());
  std::vector<std::string> names;
  for (Label label : labels) {
    if (!label.is_hidden() && !label.is_integer()) names.emplace_back(label_text(evaluator.names(), label));
  }
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  return names;
}

std::optional<std::string> import_of_package(const Program& program, std::size_t instance, std::uint32_t package) {
  const Program::Parts& parts = program.parts();
  for (const compile::ImportTarget& target : parts.environments[parts.instances[instance].package]->imports) {
    if (!target.is_standard && target.package == package) return std::string(target.path);
  }
  return std::nullopt;
}

}  // namespace opm::cue
