#include <pthread.h>

#include <algorithm>

#include "cue/compile/compile.h"
#include "cue/compile/data_expression.h"
#include "cue/eval/evaluator.h"
#include "cue/eval/instance_check.h"
#include "cue/eval/worlds.h"
#include "cue/large_stack.h"
#include "cue/load/source_files.h"
#include "cue/program_parts.h"
#include "cue/syntax/parser.h"
#include "cue/value.h"

namespace opm::cue {

using eval::Node;

Context::Context(std::shared_ptr<const Program> program, const Budget& budget)
    : Context(std::move(program), nullptr, nullptr, budget) {}

Context::Context(std::shared_ptr<const Program> program, const Frozen* frozen, base::BlockPool* memory,
                 const Budget& budget)
    : program_(std::move(program)), inside_(current_large_stack() != nullptr) {
  eval::Limits limits;
  limits.steps = budget.steps;
  limits.depth = budget.depth;
  limits.bytes = budget.bytes;
  const Program::Parts& parts = program_->parts();
  eval::ProgramView view;
  view.packages = &parts.packages;
  view.names = frozen == nullptr ? &parts.names : &frozen->names();
  view.sources = &parts.sources;
  view.regular_expressions = &parts.regular_expressions;
  evaluator_ = std::make_unique<eval::Evaluator>(view, limits, memory);
  if (inside_) note_stack();
}

void Context::note_stack() {
  if (const StackBounds* stack = current_large_stack()) {
    evaluator_->set_stack(stack->lowest, stack->size);
    return;
  }
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* lowest = nullptr;
  std::size_t size = 0;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  evaluator_->set_stack(lowest, size);
}

Context::~Context() = default;

void Context::report_all_errors() { evaluator_->report_all_errors(); }

std::size_t Context::bytes_used() const { return evaluator_->arena().bytes_used(); }

void Context::run(const std::function<void()>& work) {
  if (inside_) {
    work();
    return;
  }
  inside_ = true;
  run_on_large_stack([&] {
    note_stack();
    work();
  });
  inside_ = false;
}

Value Context::package(std::uint32_t package) {
  Node* root = evaluator_->package_root(package);
  root->lazy_root = false;
  return Value(this, root);
}

Value Context::package_field(std::uint32_t package, std::string_view name) {
  return package_field({package, identifier_label(evaluator_->names(), name, {})});
}

Value Context::package_field(const PackageField& field) {
  Node* node = nullptr;
  run([&] {
    const eval::Error* error = nullptr;
    node = evaluator_->lookup(evaluator_->package_root(field.package), field.label, {}, &error);
  });
  return node == nullptr ? Value{} : Value(this, node);
}

Value Context::instance(std::size_t index) { return package(program_->instances()[index].package); }

std::expected<Value, Diagnostics> Context::expression(std::string_view text, std::size_t instance, std::string_view name) {
  const Program::Parts& parts = program_->parts();
  const diag::Source* source = program_->mutable_sources().add(std::string(name), std::string(text));
  syntax::ParsedExpression parsed = syntax::parse_expression(evaluator_->arena(), *source);
  if (!parsed.errors.empty()) return std::unexpected(std::move(parsed.errors));
  std::uint32_t package = program_->instances()[instance].package;
  const PackageEnvironment& environment = *parts.environments[package];
  compile::PackageInput input = *parts.inputs[package];
  std::vector<const syntax::File*> files;
  if (environment.loaded != nullptr && environment.loaded->compiled) {
    // What the package declares and imports is seen in its files, which nobody needed so far.
    for (const load::PackageSource& file : load::sources_of(*environment.loaded))
      files.push_back(syntax::parse_file(evaluator_->arena(), *parts.sources.find(file.begin)).file);
    input.files = files;
  }
  compile::CompiledExpression compiled =
      compile::compile_expression(evaluator_->arena(), evaluator_->names(), environment, &input, *parsed.expression);
  if (!compiled.errors.empty()) return std::unexpected(std::move(compiled.errors));
  Node* root = evaluator_->package_root(package);
  root->lazy_root = false;
  Node* node = nullptr;
  run([&] {
    eval::Scope* scope = evaluator_->make_scope(nullptr, root);
    node = evaluator_->make_root();
    eval::Conjunct conjunct;
    conjunct.expression = compiled.expression;
    conjunct.scope = scope;
    node->conjuncts.push(evaluator_->arena(), conjunct);
  });
  return Value(this, node);
}

std::expected<Value, Diagnostics> Context::expression(std::string_view text, const Value& value, std::string_view name,
                                                      std::string_view package_path) {
  const diag::Source* source = program_->mutable_sources().add(std::string(name), std::string(text));
  syntax::ParsedExpression parsed = syntax::parse_expression(evaluator_->arena(), *source);
  if (!parsed.errors.empty()) return std::unexpected(std::move(parsed.errors));
  std::vector<Label> fields;
  run([&] {
    evaluator_->finalize(value.node());
    for (const Node* arc : value.with_default().node()->arcs) {
      if (arc->arc != eval::ArcKind::absent) fields.push_back(arc->label);
    }
  });
  compile::ValueScope visible;
  visible.package_path = package_path;
  visible.fields = fields;
  compile::CompiledExpression compiled = compile::compile_expression(
      evaluator_->arena(), evaluator_->names(), *program_->parts().standard_environment, visible, *parsed.expression);
  if (!compiled.errors.empty()) return std::unexpected(std::move(compiled.errors));
  Node* node = evaluator_->make_root();
  eval::Conjunct conjunct;
  conjunct.expression = compiled.expression;
  conjunct.scope = evaluator_->make_scope(nullptr, value.node());
  node->conjuncts.push(evaluator_->arena(), conjunct);
  return Value(this, node);
}

std::expected<Value, Diagnostics> Context::compile(std::string_view text, std::string_view name) {
  const Program::Parts& parts = program_->parts();
  const diag::Source* source = program_->mutable_sources().add(std::string(name), std::string(text));
  syntax::ParsedFile parsed = syntax::parse_file(evaluator_->arena(), *source);
  if (!parsed.errors.empty()) return std::unexpected(std::move(parsed.errors));
  const syntax::File* file = parsed.file;
  compile::PackageInput input;
  input.path = "_";
  input.name = file->package_name();
  input.files = std::span<const syntax::File* const>(&file, 1);
  compile::CompileResult compiled =
      compile::compile_package(evaluator_->arena(), evaluator_->names(), *parts.standard_environment, input);
  if (compiled.package == nullptr) return std::unexpected(std::move(compiled.errors));
  Node* node = evaluator_->make_root();
  for (const compile::StructExpression* literal : compiled.package->files) {
    eval::Conjunct conjunct;
    conjunct.expression = literal;
    node->conjuncts.push(evaluator_->arena(), conjunct);
  }
  return Value(this, node);
}

Value Context::from_string(std::string_view text) {
  Node* node = evaluator_->make_root();
  eval::Conjunct conjunct;
  conjunct.value = evaluator_->make_string(text);
  node->conjuncts.push(evaluator_->arena(), conjunct);
  return Value(this, node);
}

void Context::redeclare(std::size_t instance, std::string_view file, std::string_view field, const Value& value) {
  Label label = string_label(evaluator_->names(), field);
  for (const compile::StructExpression* literal : program_->parts().packages.package(program_->instances()[instance].package)->files) {
    for (const compile::Field* declared : literal->fields) {
      if (declared->label == label && program_->sources().locate(declared->position).file.ends_with(file))
        evaluator_->redeclared()[declared] = value.node();
    }
  }
}

void Context::mute(std::span<const Declaration> declarations) {
  for (Declaration declaration : declarations) evaluator_->redeclared()[declaration] = nullptr;
}

// Evaluation does not write to what is evaluated already.
Value Context::thaw(const eval::Node* frozen) {
  auto* node = const_cast<eval::Node*>(frozen);
  return Value(this, evaluator_->worlds() == nullptr ? node : evaluator_->in_own_worlds(node));
}

namespace {

eval::Value data_value(eval::Evaluator& evaluator, const data::Value& data) {
  if (data.is_null()) return eval::Value::null(data.position);
  if (data.is_bool()) return eval::Value::boolean(data.as_bool(), data.position);
  if (data.is_string()) return evaluator.make_string(data.as_string(), data.position);
  if (data.is_bytes()) return evaluator.make_bytes(data.as_bytes().bytes, data.position);
  if (data.is_number()) {
    auto number = base::Number::parse_decimal(evaluator.arena(), data.as_number().text);
    if (!number) return evaluator.error_value(eval::ErrorCode::evaluation, data.position, "number is too large");
    return evaluator.make_number(data.as_number().is_integer ? *number : number->as_float(), data.position);
  }
  if (data.is_list()) {
    std::vector<eval::Value> values;
    for (const data::Value& element : data.as_list()) values.push_back(data_value(evaluator, element));
    return eval::Value::of_node(evaluator.make_list(values));
  }
  Node* node = evaluator.make_struct_node();
  for (const data::Member& member : data.as_map()) {
    evaluator.add_data_field(node, string_label(evaluator.names(), member.key), data_value(evaluator, member.value));
  }
  return eval::Value::of_node(node);
}

}  // namespace

Value Context::from_data(const data::Value& data) {
  Node* node = evaluator_->make_root();
  eval::Conjunct conjunct;
  eval::Value value = data_value(*evaluator_, data);
  if (value.is_node()) conjunct.node = value.node;
  else conjunct.value = value;
  node->conjuncts.push(evaluator_->arena(), conjunct);
  return Value(this, node);
}

bool Context::is_instance(const data::Value& data, const Value& definition) {
  bool result = false;
  run([&] { result = definition.valid() && eval::InstanceCheck(*evaluator_).accepts(definition.node(), data); });
  return result;
}

Value Context::from_documents(std::span<const data::Value> documents) {
  Node* node = evaluator_->make_root();
  for (const data::Value& document : documents) {
    eval::Conjunct conjunct;
    conjunct.expression = compile::data_expression(evaluator_->arena(), evaluator_->names(), document);
    node->conjuncts.push(evaluator_->arena(), conjunct);
  }
  return Value(this, node);
}

void Context::open_worlds(std::vector<bool> held) {
  auto first = std::ranges::find(held, true);
  std::size_t witness = first == held.end() ? 0 : static_cast<std::size_t>(first - held.begin());
  evaluator_->open_worlds(std::move(held), witness);
}

bool Context::holds(std::size_t world) const { return evaluator_->worlds()->holds(world); }

namespace {

std::optional<eval::Value> worlds_value(eval::Evaluator& evaluator, std::span<const data::Value* const> worlds) {
  const data::Value& first = *worlds.front();
  auto all = [&](auto fits) { return std::ranges::all_of(worlds, [&](const data::Value* other) { return fits(*other); }); };
  if (all([&](const data::Value& other) { return data::equal(first, other); })) return data_value(evaluator, first);
  if (first.is_string() || first.is_number()) {
    eval::Value like = data_value(evaluator, first);
    std::span<const void*> payloads = evaluator.arena().make_array<const void*>(worlds.size());
    for (std::size_t i = 0; i < payloads.size(); ++i) {
      eval::Value value = data_value(evaluator, *worlds[i]);
      if (value.kind != like.kind || eval::kinds_of(value) != eval::kinds_of(like)) return std::nullopt;
      payloads[i] = eval::payload_of(value);
    }
    return evaluator.make_varying(like, payloads);
  }
  std::vector<const data::Value*> parts(worlds.size());
  if (first.is_list()) {
    if (!all([&](const data::Value& other) { return other.is_list() && other.as_list().size() == first.as_list().size(); }))
      return std::nullopt;
    std::vector<eval::Value> elements;
    for (std::size_t i = 0; i < first.as_list().size(); ++i) {
      std::ranges::transform(worlds, parts.begin(), [&](const data::Value* one) { return &one->as_list()[i]; });
      std::optional<eval::Value> element = worlds_value(evaluator, parts);
      if (!element) return std::nullopt;
      elements.push_back(*element);
    }
    return eval::Value::of_node(evaluator.make_list(elements));
  }
  if (!all([&](const data::Value& other) { return other.is_map() && first.is_map() && other.as_map().size() == first.as_map().size(); }))
    return std::nullopt;
  Node* node = evaluator.make_struct_node();
  for (const data::Member& member : first.as_map()) {
    std::ranges::transform(worlds, parts.begin(), [&](const data::Value* one) { return one->find(member.key); });
    if (std::ranges::find(parts, nullptr) != parts.end()) return std::nullopt;
    std::optional<eval::Value> value = worlds_value(evaluator, parts);
    if (!value) return std::nullopt;
    evaluator.add_data_field(node, string_label(evaluator.names(), member.key), *value);
  }
  return eval::Value::of_node(node);
}

}  // namespace

std::optional<Value> Context::from_worlds(std::span<const data::Value* const> worlds) {
  std::optional<eval::Value> value = worlds_value(*evaluator_, worlds);
  if (!value) return std::nullopt;
  Node* node = evaluator_->make_root();
  eval::Conjunct conjunct;
  if (value->is_node()) conjunct.node = value->node;
  else conjunct.value = *value;
  node->conjuncts.push(evaluator_->arena(), conjunct);
  return Value(this, node);
}

void Context::in_world(std::size_t world, const std::function<void()>& work) {
  eval::Worlds::Reading reading(*evaluator_->worlds(), world);
  work();
}

}  // namespace opm::cue
