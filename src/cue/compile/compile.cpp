#include "cue/compile/compile.h"

#include <fmt/core.h>

#include <algorithm>

#include "cue/compile/compiler.h"
#include "cue/compile/features.h"
#include "cue/syntax/literal.h"

namespace opm::cue::compile {

using syntax::as;
using syntax::NodeKind;

namespace {

// The name that an import binds when neither it nor the package says: `a.b/c@v1:name`
// is name, `a.b/c@v1` is c.
std::string_view name_of_import_path(std::string_view path) {
  std::string_view last = path.substr(path.rfind('/') + 1);
  if (std::size_t colon = last.rfind(':'); colon != std::string_view::npos) return last.substr(colon + 1);
  return last.substr(0, last.find('@'));
}

std::string_view import_name(const ImportEntry& entry) {
  if (entry.spec->name) return entry.spec->name->name;
  if (entry.target && !entry.target->name.empty()) return entry.target->name;
  return name_of_import_path(entry.path);
}

// A step of a path in messages.
std::string step_text(base::Arena& scratch, const syntax::Node& step) {
  switch (step.kind) {
    case NodeKind::for_clause: return "for[]";
    case NodeKind::let_clause: return "let[]";
    case NodeKind::try_clause: return "try[]";
    default: break;
  }
  const syntax::Node* label = as<syntax::Field>(&step)->label;
  if (label->kind == NodeKind::alias) label = as<syntax::Alias>(label)->value;
  switch (label->kind) {
    case NodeKind::identifier: return std::string(as<syntax::Identifier>(label)->name);
    case NodeKind::list_literal: return "[]";
    case NodeKind::interpolation: return "?";
    case NodeKind::basic_literal: {
      std::string_view token = as<syntax::BasicLiteral>(label)->text;
      if (as<syntax::BasicLiteral>(label)->token != syntax::Token::string) return std::string(token);
      auto text = syntax::unquote(scratch, token);
      bool is_plain = text && !text->starts_with('#') && !text->starts_with('_') && syntax::is_valid_identifier(*text);
      return std::string(is_plain ? *text : token);
    }
    default: return "<unknown>";
  }
}

}  // namespace

Compiler::Compiler(base::Arena& arena, base::NameTable& names, const Environment& environment,
                   std::string_view package_path, std::string_view language_version)
    : arena_(arena), names_(names), environment_(environment), package_path_(package_path),
      language_version_(language_version), features_(version_features(language_version)) {}

Compiler::Compiler(base::Arena& arena, base::NameTable& names, const Environment& environment, const PackageInput& input)
    : Compiler(arena, names, environment, input.path, input.language_version) {
  if (input.part_memory == nullptr) return;
  threads_ = input.threads;
  part_memory_ = input.part_memory;
}

diag::Diagnostic& Compiler::error(Position position, std::string_view code, std::string message, Stage stage) {
  diag::Diagnostic diagnostic;
  diagnostic.code = code;
  if (stage == Stage::use) diagnostic.path = path();
  diagnostic.message = std::move(message);
  if (position.valid()) diagnostic.positions.push_back(position);
  errors_.push_back({stage, std::move(diagnostic)});
  return errors_.back().diagnostic;
}

const Expression* Compiler::fail(const syntax::Node& node, std::string_view code, std::string message) {
  error(node.begin, code, std::move(message));
  return make<BottomExpression>(ExpressionKind::bottom, node);
}

std::string Compiler::path() const {
  std::vector<const syntax::Node*> steps;
  for (const Scope* scope = scope_; scope; scope = scope->outer) {
    if (scope->step) steps.push_back(scope->step);
  }
  base::Arena scratch;
  std::string path;
  for (std::size_t i = steps.size(); i-- > 0;) {
    if (!path.empty()) path += '.';
    path += step_text(scratch, *steps[i]);
  }
  return path;
}

std::vector<diag::Diagnostic> Compiler::take_errors() {
  // Declarations in conflict leave names that mean something else, or nothing.
  bool only_declarations =
      std::ranges::any_of(errors_, [](const StagedError& staged) { return staged.stage == Stage::declaration; });
  std::vector<diag::Diagnostic> diagnostics;
  for (StagedError& staged : errors_) {
    if (only_declarations && staged.stage != Stage::declaration) continue;
    diagnostics.push_back(std::move(staged.diagnostic));
  }
  errors_.clear();
  std::ranges::stable_sort(diagnostics, [](const diag::Diagnostic& a, const diag::Diagnostic& b) {
    if (a.positions != b.positions) return a.positions < b.positions;
    return a.message < b.message;
  });
  auto repeats = std::ranges::unique(diagnostics, [](const diag::Diagnostic& a, const diag::Diagnostic& b) {
    return a.positions == b.positions && a.message == b.message;
  });
  diagnostics.erase(repeats.begin(), repeats.end());
  return diagnostics;
}

void Compiler::read_imports(const syntax::File& file) {
  imports_.clear();
  for (const syntax::Declaration* declaration : file.declarations) {
    if (declaration->kind != NodeKind::import_declaration) continue;
    for (const syntax::ImportSpec* spec : as<syntax::ImportDeclaration>(declaration)->specs) {
      auto path = syntax::unquote(arena_, spec->path->text);
      if (!path) continue;  // the loader has said so
      imports_.push_back({spec, environment_.import(*path), *path});
    }
  }
}

void Compiler::declare_imports() {
  for (std::uint32_t i = 0; i < imports_.size(); ++i) {
    const ImportEntry& entry = imports_[i];
    Binding binding{.name = base::kNoName, .kind = BindingKind::import};
    binding.slot = i;
    declare(scope_, import_name(entry), binding, entry.spec->begin);
  }
}

// ./x.cue:3:1, for messages that name a second place.
static std::string place_text(const diag::Source& source, Position position) {
  std::string_view before = std::string_view(source.text).substr(0, position.value - source.begin.value);
  std::size_t line_begin = before.rfind('\n') + 1;
  return fmt::format("{}:{}:{}", source.path, std::ranges::count(before, '\n') + 1, before.size() - line_begin + 1);
}

// Imports must be used, and may not bind a name twice or that of a top-level field.
void Compiler::check_imports(const syntax::File& file) {
  if (imports_.empty()) return;
  std::unordered_map<base::Name, Position> declared;
  for (const syntax::Declaration* declaration : file.declarations) {
    if (declaration->kind != NodeKind::field) continue;
    const syntax::Node* label = as<syntax::Field>(declaration)->label;
    if (label->kind != NodeKind::identifier) continue;
    declared[names_.intern(as<syntax::Identifier>(label)->name)] = declaration->begin;
  }
  for (const ImportEntry& entry : imports_) {
    std::string_view name = import_name(entry);
    // The package clause counts as a use of an import with that name.
    bool is_used = entry.used || name == file.package_name();
    auto [previous, is_new] = declared.try_emplace(names_.intern(name), entry.spec->begin);
    if (!is_new) {
      error(entry.spec->begin, "name-conflict",
            fmt::format("{} redeclared as imported package name\n\tprevious declaration at {}", name,
                        place_text(*source_, previous->second)));
    } else if (!is_used && entry.spec->name) {
      error(entry.spec->begin, "unused-import",
            fmt::format("imported and not used: {} as {}", entry.spec->path->text, entry.spec->name->name));
    } else if (!is_used) {
      error(entry.spec->begin, "unused-import", fmt::format("imported and not used: {}", entry.spec->path->text));
    }
  }
}

// Files of a package see each other's top-level fields; a file without a package clause keeps its own to itself.
void Compiler::collect_package_names(const PackageInput& input) {
  for (const syntax::File* file : input.files) {
    if (file->package_name().empty() && !is_root_expression_) continue;
    for (const syntax::Declaration* declaration : file->declarations) {
      if (declaration->kind != NodeKind::field) {
        bool is_content = declaration->kind == NodeKind::embedding || declaration->kind == NodeKind::comprehension;
        if (is_content) root_is_dynamic_ = true;
        continue;
      }
      const syntax::Node& label = bare_label(*as<syntax::Field>(declaration));
      if (label.kind == NodeKind::identifier) {
        std::string_view name = as<syntax::Identifier>(&label)->name;
        if (name != "_") (*package_names_)[names_.intern(name)] = identifier_label(names_, name, package_path_);
      } else if (label.kind == NodeKind::basic_literal && is_root_expression_) {
        if (Label text = static_label(label); text.is_string()) package_names_->try_emplace(text.name(), text);
      } else {
        root_is_dynamic_ = true;
      }
    }
  }
}

const StructExpression* Compiler::compile_file(const syntax::File& file) {
  source_ = file.source;
  auto features = file_features(file, language_version_);
  if (!features) {
    error(features.error().position, "bad-experiment", features.error().message, Stage::declaration);
    return nullptr;
  }
  features_ = *features;
  read_imports(file);
  const StructExpression* structure = compile_struct(file, file.declarations, true);
  check_imports(file);
  return structure;
}

const Package* Compiler::compile_package(const PackageInput& input) {
  collect_package_names(input);
  std::vector<const StructExpression*> files;
  for (const syntax::File* file : input.files) files.push_back(compile_file(*file));
  if (!errors_.empty()) return nullptr;
  auto* package = arena_.make<Package>();
  package->path = kept_text(input.path);
  package->name = kept_text(input.name);
  package->files = arena_.copy(files);
  package->language_version = kept_text(input.language_version);
  return package;
}

const Expression* Compiler::compile_root_expression(const PackageInput* package, const syntax::Expression& expression) {
  is_root_expression_ = true;
  if (package) collect_package_names(*package);
  if (package && !package->files.empty()) read_imports(*package->files[0]);
  Scope* scope = push_scope(ScopeKind::structure);
  declare_imports();
  const Expression* result = compile(expression);
  pop_scope(scope);
  return errors_.empty() ? result : nullptr;
}

const Expression* Compiler::compile_root_expression(const ValueScope& value, const syntax::Expression& expression) {
  is_root_expression_ = true;
  for (Label label : value.fields) {
    if (!label.is_integer()) package_names_->try_emplace(names_.intern(label_text(names_, label)), label);
  }
  Scope* scope = push_scope(ScopeKind::structure);
  const Expression* result = compile(expression);
  pop_scope(scope);
  return errors_.empty() ? result : nullptr;
}

CompileResult compile_package(base::Arena& arena, base::NameTable& names, const Environment& environment,
                              const PackageInput& input) {
  Compiler compiler(arena, names, environment, input);
  CompileResult result;
  result.package = compiler.compile_package(input);
  result.errors = compiler.take_errors();
  return result;
}

CompiledExpression compile_expression(base::Arena& arena, base::NameTable& names, const Environment& environment,
                                      const PackageInput* package, const syntax::Expression& expression) {
  Compiler compiler(arena, names, environment, package ? package->path : "_", package ? package->language_version : "");
  CompiledExpression result;
  result.expression = compiler.compile_root_expression(package, expression);
  result.errors = compiler.take_errors();
  return result;
}

CompiledExpression compile_expression(base::Arena& arena, base::NameTable& names, const Environment& environment,
                                      const ValueScope& scope, const syntax::Expression& expression) {
  Compiler compiler(arena, names, environment, scope.package_path, scope.language_version);
  CompiledExpression result;
  result.expression = compiler.compile_root_expression(scope, expression);
  result.errors = compiler.take_errors();
  return result;
}

}  // namespace opm::cue::compile
