#include "lsp/analysis.h"

#include <algorithm>

#include "base/path.h"
#include "cue/inspection.h"
#include "cue/syntax/literal.h"
#include "lsp/release_source.h"
#include "lsp/source_places.h"
#include "opm/model/environment.h"
#include "opm/render/release_package.h"

namespace opm::lsp {

namespace {

namespace syntax = cue::syntax;
using cue::Path;
using syntax::as;
using syntax::NodeKind;

constexpr cue::Budget kBudget{.steps = 5'000'000, .depth = 20'000, .bytes = std::uint64_t{1} << 30};
constexpr int kMostRounds = 12;
constexpr int kDeepest = 40;  // of references that lead to references

std::string_view line_around(std::string_view text, std::size_t offset, std::size_t& begin) {
  std::size_t before = offset == 0 ? text.npos : text.rfind('\n', offset - 1);
  begin = before == text.npos ? 0 : before + 1;
  return text.substr(begin, std::min(text.find('\n', offset), text.size()) - begin);
}

void blank(std::string& text, std::size_t begin, std::size_t size) {
  std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(begin), size, ' ');
}

// Brackets that are still open at the end of the text, as they have to be closed.
std::string missing_closers(std::string_view text) {
  std::string closers;
  for (std::size_t at = 0; at < text.size(); ++at) {
    switch (char c = text[at]) {
      case '{':
        closers += '}';
        break;
      case '[':
        closers += ']';
        break;
      case '(':
        closers += ')';
        break;
      case '}':
      case ']':
      case ')':
        if (!closers.empty() && closers.back() == c) closers.pop_back();
        break;
      case '"':
      case '\'':
        at = word_end(text, at) - 1;
        break;
      case '/':
        if (text.substr(at).starts_with("//")) at = std::min(text.find('\n', at), text.size());
        break;
      default:
        break;
    }
  }
  std::ranges::reverse(closers);
  return closers;
}

}  // namespace

std::optional<std::string> mended(std::string_view text, std::size_t offset, std::string_view code) {
  std::string result(text);
  offset = std::min(offset, text.size());
  if (code == "reference-not-found") {
    std::size_t end = word_end(text, offset);
    if (end == offset) return std::nullopt;
    blank(result, offset, end - offset);
    result[offset] = '_';
    return result;
  }
  if (text.find_first_not_of(" \t\r\n", offset) == text.npos) {
    std::string closers = missing_closers(text);
    if (!closers.empty()) return result + "\n" + closers + "\n";
  }
  // A bracket that closes is not what is wrong, but what stands before it.
  std::size_t begin = 0;
  std::string_view line = line_around(text, offset, begin);
  while (line.find_first_not_of(" \t\r}]),") == line.npos) {
    if (begin == 0) return std::nullopt;
    line = line_around(text, begin - 1, begin);
  }
  std::size_t last = line.find_last_not_of(" \t\r");
  // What a line opens stays open, so that the lines below keep their place.
  if (line[last] == '{' || line[last] == '[' || line[last] == '(') {
    if (line.find_first_not_of(" \t\r_{") == line.npos) return std::nullopt;
    blank(result, begin, last);
    if (line[last] == '(') result[begin + last] = ' ';
    return result;
  }
  blank(result, begin, line.size());
  return result;
}

std::string import_path(const syntax::ImportSpec& spec) {
  if (spec.path == nullptr) return {};
  base::Arena arena;
  auto text = syntax::unquote(arena, spec.path->text);
  return text ? std::string(*text) : std::string();
}

std::string import_name(const syntax::ImportSpec& spec) {
  if (spec.name != nullptr) return std::string(spec.name->name);
  std::string path = import_path(spec);
  std::size_t slash = path.rfind('/');
  std::string last = slash == path.npos ? path : path.substr(slash + 1);
  if (std::size_t colon = last.find(':'); colon != last.npos) return last.substr(colon + 1);
  return last.substr(0, last.find('@'));
}

std::unique_ptr<Analysis> Analysis::make(const Workspace& workspace, const PackageKey& package,
                                         std::map<std::string, std::string> texts) {
  for (const auto& [path, document] : workspace.documents()) texts.try_emplace(path, document.text);
  bool has_platforms = false;  // that the package refers to without declaring them
  for (int round = 0; round < kMostRounds; ++round) {
    std::unique_ptr<Analysis> result(new Analysis());
    result->files_ = std::make_unique<cue::load::OverlayFileSystem>(*workspace.services().files, texts);
    std::vector<cue::LoadRequest> requests;
    if (has_platforms) requests = release_requests(workspace, package, *result->files_);
    if (requests.empty()) requests.push_back(workspace.request(package, *result->files_));
    result->program_ = cue::Program::load(std::move(requests));
    const cue::Program& program = *result->program_;
    if (program.instances().empty()) return nullptr;
    const cue::Diagnostics& errors = program.instances()[0].errors;
    if (errors.empty()) {
      result->context_ = std::make_unique<cue::Context>(result->program_, kBudget);
      bool is_shared = program.instances().size() > 1 && program.instances()[render::kPlatformsInstance].errors.empty();
      if (is_shared) render::share_platforms(*result->context_);
      return result;
    }
    if (!has_platforms && misses_platforms(program, errors) && may_hold_releases(package)) {
      has_platforms = true;
      continue;
    }
    // One error a file: what is behind it may follow from it.
    std::map<std::string, std::string> changed;
    for (const diag::Diagnostic& error : errors) {
      if (error.positions.empty()) continue;
      const diag::Source* source = program.sources().find(error.positions.front());
      if (source == nullptr || !source->path.starts_with('.')) continue;
      std::string path = base::join_path(package.folder, source->path);
      if (changed.contains(path)) continue;
      std::size_t offset = error.positions.front().value - source->begin.value;
      std::optional<std::string> text;
      if (error.code == "unused-import") {
        // It may be about to be used.
        ParsedText parsed(source->text);
        Cursor cursor = cursor_at(parsed, offset);
        if (cursor.kind == Cursor::Kind::import)
          text = source->text + "\n_opmUse: " + import_name(*as<syntax::ImportSpec>(cursor.node)) + ".#opmUse\n";
      } else {
        text = mended(source->text, offset, error.code);
      }
      if (text && *text != source->text) changed.emplace(std::move(path), std::move(*text));
    }
    if (changed.empty()) return nullptr;
    for (auto& [path, text] : changed) texts.insert_or_assign(path, std::move(text));
  }
  return nullptr;
}

std::vector<cue::Value> Analysis::find(const Path& path) {
  std::vector<cue::Value> found;
  if (cue::Value value = root().find(path); value.valid()) found.push_back(value);
  if (auto schema = schema_path(path)) {
    if (cue::Value value = root().find(*schema); value.valid()) found.push_back(value);
  }
  return found;
}

std::optional<Path> Analysis::schema_path(const Path& path) {
  using Kind = Path::Element::Kind;
  auto is_field = [&](std::size_t at, std::string_view name) {
    return at < path.elements.size() && path.elements[at].kind == Kind::field && path.elements[at].name == name;
  };
  Path schema;
  std::size_t above = 0;  // how many elements `values` is below what has it
  if (is_field(0, "values")) {
    schema.elements = {{Kind::definition, "#config", 0, {}}};
  } else if (is_field(1, "environments") && is_field(3, "values") &&
             model::is_release(root().find(Path{{path.elements.front()}}))) {
    schema.elements = {path.elements.front(), {Kind::definition, "#module", 0, {}}, {Kind::definition, "#config", 0, {}}};
    above = 3;
  } else {
    return std::nullopt;
  }
  schema.elements.insert(schema.elements.end(), path.elements.begin() + static_cast<std::ptrdiff_t>(above) + 1,
                         path.elements.end());
  return schema;
}

Declared Analysis::resolve(std::string_view name, std::span<const Scope> scopes) {
  auto is_name = [&](const syntax::Node* node) {
    return node != nullptr && node->kind == NodeKind::identifier && as<syntax::Identifier>(node)->name == name;
  };
  auto field_path = [](const Scope& scope, const syntax::Node& label) {
    std::optional<Path> path = scope.path;
    auto element = path_element(label);
    if (path && element)
      path->elements.push_back(*element);
    else
      path.reset();
    return path;
  };
  for (std::size_t i = scopes.size(); i > 0; --i) {
    const Scope& scope = scopes[i - 1];
    std::span<syntax::Declaration* const> declarations;
    switch (scope.node->kind) {
      case NodeKind::file:
        declarations = as<syntax::File>(scope.node)->declarations;
        break;
      case NodeKind::struct_literal:
        declarations = as<syntax::StructLiteral>(scope.node)->elements;
        break;
      case NodeKind::field: {
        const auto& field = *as<syntax::Field>(scope.node);
        const syntax::Node* alias =
            field.label->kind == NodeKind::alias ? as<syntax::Alias>(field.label)->name : nullptr;
        if (is_name(alias)) return {Declared::Kind::field, alias, nullptr, scope.path, nullptr, i};
        alias = field.value->kind == NodeKind::alias ? as<syntax::Alias>(field.value)->name : nullptr;
        if (is_name(alias)) return {Declared::Kind::field, alias, nullptr, scope.path, nullptr, i};
        if (field.alias != nullptr && is_name(field.alias->field_name))
          return {Declared::Kind::field, field.alias->field_name, nullptr, scope.path, nullptr, i};
        continue;
      }
      case NodeKind::comprehension:
        for (const syntax::Clause* clause : as<syntax::Comprehension>(scope.node)->clauses) {
          if (clause->kind == NodeKind::let_clause) {
            const auto& let = *as<syntax::LetClause>(clause);
            if (is_name(let.name)) return {Declared::Kind::let, let.name, let.value, {}, nullptr, i - 1};
          } else if (clause->kind == NodeKind::for_clause) {
            const auto& loop = *as<syntax::ForClause>(clause);
            if (is_name(loop.value)) return {Declared::Kind::variable, loop.value, loop.source, {}, nullptr, i - 1};
            if (is_name(loop.key)) return {Declared::Kind::variable, loop.key, nullptr, {}, nullptr, i - 1};
          }
        }
        continue;
      default:
        continue;
    }
    for (const syntax::Declaration* declaration : declarations) {
      if (declaration->kind == NodeKind::let_clause) {
        const auto& let = *as<syntax::LetClause>(declaration);
        if (is_name(let.name)) return {Declared::Kind::let, let.name, let.value, {}, nullptr, i};
      } else if (declaration->kind == NodeKind::field) {
        const syntax::Node* label = as<syntax::Field>(declaration)->label;
        const syntax::Node* alias = label->kind == NodeKind::alias ? as<syntax::Alias>(label)->name : nullptr;
        if (is_name(label) || is_name(alias))
          return {Declared::Kind::field,
                  alias != nullptr && is_name(alias) ? alias : label,
                  nullptr,
                  field_path(scope, *label),
                  nullptr,
                  i};
      } else if (declaration->kind == NodeKind::import_declaration) {
        for (const syntax::ImportSpec* spec : as<syntax::ImportDeclaration>(declaration)->specs) {
          if (import_name(*spec) == name) return {Declared::Kind::import, spec, nullptr, {}, spec, i};
        }
      }
    }
  }
  // The other files of the package.
  Path path;
  syntax::Identifier identifier{};
  identifier.kind = NodeKind::identifier;
  identifier.name = name;
  path.elements.push_back(*path_element(identifier));
  if (root().find(path).valid()) return {Declared::Kind::field, nullptr, nullptr, std::move(path), nullptr, 0};
  return {};
}

cue::Value Analysis::value_of(const Declared& declared, std::span<const Scope> scopes, int depth) {
  if (depth > kDeepest) return {};
  switch (declared.kind) {
    case Declared::Kind::field:
      return declared.path ? root().find(*declared.path) : cue::Value{};
    case Declared::Kind::let:
      return declared.value == nullptr ? cue::Value{}
                                       : value_of(*declared.value, scopes.first(declared.scope), depth + 1);
    case Declared::Kind::variable: {
      if (declared.value == nullptr) return {};
      cue::Value source = value_of(*declared.value, scopes.first(declared.scope), depth + 1);
      // One stands for all.
      if (std::vector<cue::Value> elements = source.elements(); !elements.empty()) return elements.front();
      if (auto fields = source.fields(); !fields.empty()) return fields.front().value;
      return {};
    }
    case Declared::Kind::import: {
      auto package = package_of(*declared.import);
      return package ? context_->package(*package) : cue::Value{};
    }
    case Declared::Kind::nothing:
      break;
  }
  return {};
}

cue::Value Analysis::value_of(const syntax::Expression& expression, std::span<const Scope> scopes, int depth) {
  if (depth > kDeepest) return {};
  switch (expression.kind) {
    case NodeKind::identifier:
      return value_of(resolve(as<syntax::Identifier>(&expression)->name, scopes), scopes, depth + 1);
    case NodeKind::selector: {
      const auto& selector = *as<syntax::Selector>(&expression);
      if (selector.operand == nullptr || selector.label == nullptr) return {};
      cue::Value operand = value_of(*selector.operand, scopes, depth + 1);
      auto element = path_element(*selector.label);
      if (!operand.valid() || !element) return {};
      return operand.find(Path{{*element}});
    }
    case NodeKind::index: {
      const auto& index = *as<syntax::Index>(&expression);
      if (index.operand == nullptr || index.index == nullptr || index.index->kind != NodeKind::basic_literal) return {};
      cue::Value operand = value_of(*index.operand, scopes, depth + 1);
      const auto& literal = *as<syntax::BasicLiteral>(index.index);
      if (literal.token == syntax::Token::string) {
        auto element = path_element(literal);
        return operand.valid() && element ? operand.find(Path{{*element}}) : cue::Value{};
      }
      std::vector<cue::Value> elements = operand.elements();
      return elements.empty() ? cue::Value{} : elements.front();
    }
    case NodeKind::parenthesis: {
      const syntax::Expression* inner = as<syntax::Parenthesis>(&expression)->inner;
      return inner == nullptr ? cue::Value{} : value_of(*inner, scopes, depth + 1);
    }
    case NodeKind::binary: {
      const auto& binary = *as<syntax::Binary>(&expression);
      if (binary.op != syntax::Token::and_value || binary.left == nullptr || binary.right == nullptr) return {};
      return value_of(*binary.left, scopes, depth + 1).unify(value_of(*binary.right, scopes, depth + 1));
    }
    default:
      return {};
  }
}

std::optional<std::uint32_t> Analysis::package_of(const syntax::ImportSpec& spec) const {
  return cue::imported_package(*program_, 0, import_path(spec));
}

bool Analysis::is_secret(const Path& path) {
  Path above;
  for (const Path::Element& element : path.elements) {
    above.elements.push_back(element);
    for (const cue::Value& value : find(above)) {
      if (value.field("$opm").string() == "secret") return true;
    }
  }
  return false;
}

}  // namespace opm::lsp
