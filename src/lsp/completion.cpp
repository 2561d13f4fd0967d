#include "lsp/completion.h"

#include <algorithm>
#include <set>

#include "cue/std/standard.h"
#include "cue/syntax/literal.h"
#include "lsp/cursor.h"
#include "lsp/description.h"
#include "lsp/importable.h"
#include "lsp/source_places.h"

namespace opm::lsp {

namespace {

namespace syntax = cue::syntax;
using syntax::as;
using syntax::NodeKind;
using Kind = CompletionItem::Kind;

constexpr std::size_t kMostItems = 2000;
// Stands where nothing is written yet, so that the parser finds a name there.
constexpr std::string_view kPlaceholder = "opmCursor";
constexpr std::string_view kPredeclared[] = {"bool", "bytes", "float", "int",   "number", "string",
                                             "true", "false", "null",  "close", "len"};

// Whether the place is in a comment, seen from its own line.
bool is_in_comment(std::string_view text, std::size_t offset) {
  std::size_t begin = offset == 0 ? text.npos : text.rfind('\n', offset - 1);
  for (std::size_t at = begin == text.npos ? 0 : begin + 1; at < offset;) {
    if (text.substr(at).starts_with("//")) return true;
    at = text[at] == '"' || text[at] == '\'' ? word_end(text, at) : at + 1;
  }
  return false;
}

class Completer {
 public:
  Completer(const Workspace& workspace, const Document& document, std::size_t offset,
            const std::function<Analysis*(std::string)>& analyze)
      : workspace_(workspace),
        document_(document),
        offset_(std::min(offset, document.text.size())),
        analyze_(analyze) {}

  Completion take() {
    if (is_in_comment(document_.text, offset_)) return {};
    find_word();
    parse();
    switch (cursor_.kind) {
      case Cursor::Kind::import:
        complete_import();
        break;
      case Cursor::Kind::literal:
        complete_literal();
        break;
      case Cursor::Kind::label:
        complete_label();
        break;
      case Cursor::Kind::reference:
        complete_reference();
        break;
      case Cursor::Kind::member:
        complete_member();
        break;
      default:
        break;
    }
    if (result_.items.size() > kMostItems) result_.items.resize(kMostItems);
    return std::move(result_);
  }

 private:
  void find_word() {
    result_.begin = result_.end = offset_;
    while (result_.begin > 0 && is_word_character(document_.text[result_.begin - 1])) --result_.begin;
    while (result_.end < document_.text.size() && is_word_character(document_.text[result_.end])) ++result_.end;
  }

  void parse() {
    parsed_ = std::make_unique<ParsedText>(document_.text);
    cursor_ = cursor_at(*parsed_, offset_);
    bool is_in_text =
        cursor_.kind == Cursor::Kind::literal && as<syntax::BasicLiteral>(cursor_.node)->token == syntax::Token::string;
    bool is_in_path = cursor_.kind == Cursor::Kind::import && path_covers(*as<syntax::ImportSpec>(cursor_.node));
    if (is_in_text || is_in_path) return;
    if (result_.begin == result_.end) {
      std::string text = document_.text;
      text.insert(offset_, kPlaceholder);
      parsed_ = std::make_unique<ParsedText>(std::move(text));
    }
    // Within the word, so that it is not taken for what stands before it.
    cursor_ = cursor_at(*parsed_, result_.begin + 1);
  }

  bool path_covers(const syntax::ImportSpec& spec) const {
    if (spec.path == nullptr || spec.path->text.size() < 2) return false;
    std::size_t begin = parsed_->offset(spec.path->begin);
    return begin < offset_ && offset_ < begin + spec.path->text.size();
  }

  // The text without what is being written.
  Analysis* analyze_without(const syntax::Node& node, bool whole) {
    std::string text = parsed_->source.text;
    std::size_t begin = parsed_->offset(node.begin);
    std::size_t end = parsed_->offset(node.end);
    std::fill(text.begin() + static_cast<std::ptrdiff_t>(begin), text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    if (!whole) text[begin] = '_';
    return analyze_(std::move(text));
  }

  void add(CompletionItem item) {
    if (known_.insert(item.label).second) result_.items.push_back(std::move(item));
  }

  void complete_import() {
    const auto& spec = *as<syntax::ImportSpec>(cursor_.node);
    bool is_quoted = path_covers(spec);
    if (is_quoted) {
      result_.begin = parsed_->offset(spec.path->begin) + 1;
      result_.end = result_.begin + spec.path->text.size() - 2;
    } else if (spec.path != nullptr && spec.path->text.size() >= 2) {
      return;  // the name before a path is free
    }
    for (CompletionItem& item : importable_packages(workspace_, analyze_(document_.text))) {
      if (!is_quoted) item.text = '"' + item.text + '"';
      add(std::move(item));
    }
  }

  // Texts that the schema allows.
  void complete_literal() {
    const auto& literal = *as<syntax::BasicLiteral>(cursor_.node);
    if (literal.token != syntax::Token::string || !cursor_.path) return;
    analysis_ = analyze_without(literal, false);
    if (analysis_ == nullptr) return;
    result_.begin = parsed_->offset(literal.begin);
    result_.end = parsed_->offset(literal.end);
    add_choices();
  }

  void complete_label() {
    const auto& field = *as<syntax::Field>(cursor_.node);
    if (!cursor_.path) return;
    cue::Path around = *cursor_.path;
    around.elements.pop_back();
    const syntax::Node& label = *field.label;
    if (label.kind == NodeKind::basic_literal) {
      result_.begin = parsed_->offset(label.begin);
      result_.end = parsed_->offset(label.end);
    }
    analysis_ = analyze_(document_.text);
    if (analysis_ != nullptr) add_labels(around, "", &field);
  }

  void complete_reference() {
    const syntax::Node& name = *cursor_.node;
    analysis_ = analyze_without(name, cursor_.embedding != nullptr);
    if (analysis_ != nullptr) {
      if (cursor_.embedding != nullptr && cursor_.path) add_labels(*cursor_.path, ": ", nullptr);
      bool is_value = cursor_.field != nullptr || cursor_.in_list;
      if (is_value && cursor_.path) add_choices();
      // `spec: contai` may become `spec: container: …`.
      bool is_alone = cursor_.field != nullptr && cursor_.field->value == &name;
      if (is_alone && cursor_.path) add_labels(*cursor_.path, ": ", nullptr);
    }
    add_names();
  }

  void complete_member() {
    const auto& selector = *as<syntax::Selector>(cursor_.node);
    if (selector.operand == nullptr) return;
    analysis_ = analyze_without(selector, cursor_.embedding != nullptr);
    if (analysis_ == nullptr) return;
    if (selector.operand->kind == NodeKind::identifier) {
      Declared declared = analysis_->resolve(as<syntax::Identifier>(selector.operand)->name, cursor_.scopes);
      if (declared.kind == Declared::Kind::import) add_functions(import_path(*declared.import));
    }
    cue::Value operand = analysis_->value_of(*selector.operand, cursor_.scopes);
    if (!operand.valid()) return;
    for (const cue::Value::FieldEntry& field : members(operand, cue::Value::optional | cue::Value::definitions)) {
      bool is_definition = field.label.is_definition();
      add({is_definition ? Kind::type : Kind::field, field.name, field.name, type_text(field.value),
           documentation_text(field.value), is_definition ? '1' : '2'});
    }
  }

  void add_functions(const std::string& path) {
    const cue::eval::StandardPackage* package = cue::standard::find_standard_package(path);
    if (package == nullptr) return;
    for (const cue::eval::Builtin& function : package->functions)
      add({Kind::function, std::string(function.name), std::string(function.name), path, "", '1'});
  }

  // The labels that stand in the struct around already.
  std::set<std::string> labels_present(const syntax::Field* except) const {
    std::set<std::string> present;
    const syntax::Node* around = cursor_.scopes.back().node;
    std::span<syntax::Declaration* const> declarations;
    if (around->kind == NodeKind::file)
      declarations = as<syntax::File>(around)->declarations;
    else if (around->kind == NodeKind::struct_literal)
      declarations = as<syntax::StructLiteral>(around)->elements;
    for (const syntax::Declaration* declaration : declarations) {
      if (declaration->kind != NodeKind::field || declaration == except) continue;
      if (auto element = path_element(*as<syntax::Field>(declaration)->label)) present.insert(element->name);
    }
    return present;
  }

  void add_labels(const cue::Path& path, std::string_view suffix, const syntax::Field* except) {
    bool is_around = cursor_.embedding != nullptr || except != nullptr;
    std::set<std::string> present = is_around ? labels_present(except) : std::set<std::string>();
    constexpr unsigned kAll = cue::Value::optional | cue::Value::definitions;
    for (const cue::Value& value : analysis_->find(path)) {
      for (const cue::Value::FieldEntry& field : members(value, kAll)) {
        std::string bare = field.name;
        if (bare.starts_with('"')) {
          base::Arena arena;
          if (auto text = syntax::unquote(arena, bare)) bare = std::string(*text);
        }
        if (present.contains(bare) || bare == kPlaceholder) continue;
        char rank = field.is_required ? '0' : field.is_optional ? '2' : field.label.is_definition() ? '3' : '1';
        std::string detail = type_text(field.value);
        if (field.is_required) detail += " (required)";
        add({Kind::field, field.name, field.name + std::string(suffix), std::move(detail),
             documentation_text(field.value), rank});
      }
    }
  }

  void add_choices() {
    for (const cue::Value& value : analysis_->find(*cursor_.path)) {
      for (std::string& choice : choices(value)) add({Kind::value, choice, choice, "", "", '0'});
    }
  }

  // What can be referred to, the nearest first.
  void add_names() {
    auto add_name = [&](const syntax::Node* node, Kind kind, char rank) {
      if (node == nullptr || node->kind != NodeKind::identifier) return;
      std::string name(as<syntax::Identifier>(node)->name);
      if (name != kPlaceholder && node != cursor_.node) add({kind, name, name, "", "", rank});
    };
    for (std::size_t i = cursor_.scopes.size(); i > 0; --i) {
      const syntax::Node* scope = cursor_.scopes[i - 1].node;
      std::span<syntax::Declaration* const> declarations;
      if (scope->kind == NodeKind::file) declarations = as<syntax::File>(scope)->declarations;
      if (scope->kind == NodeKind::struct_literal) declarations = as<syntax::StructLiteral>(scope)->elements;
      if (scope->kind == NodeKind::comprehension) {
        for (const syntax::Clause* clause : as<syntax::Comprehension>(scope)->clauses) {
          if (clause->kind == NodeKind::let_clause) add_name(as<syntax::LetClause>(clause)->name, Kind::variable, '4');
          if (clause->kind != NodeKind::for_clause) continue;
          add_name(as<syntax::ForClause>(clause)->key, Kind::variable, '4');
          add_name(as<syntax::ForClause>(clause)->value, Kind::variable, '4');
        }
      }
      for (const syntax::Declaration* declaration : declarations) {
        if (declaration->kind == NodeKind::field) add_name(as<syntax::Field>(declaration)->label, Kind::variable, '5');
        if (declaration->kind == NodeKind::let_clause)
          add_name(as<syntax::LetClause>(declaration)->name, Kind::variable, '5');
        if (declaration->kind != NodeKind::import_declaration) continue;
        for (const syntax::ImportSpec* spec : as<syntax::ImportDeclaration>(declaration)->specs) {
          std::string name = import_name(*spec);
          add({Kind::module, name, name, import_path(*spec), "", '6'});
        }
      }
    }
    if (analysis_ != nullptr) {
      for (const cue::Value::FieldEntry& field :
           analysis_->root().fields(cue::Value::definitions | cue::Value::hidden)) {
        if (syntax::is_valid_identifier(field.name) && !field.name.starts_with("_opm"))
          add({Kind::variable, field.name, field.name, type_text(field.value), "", '7'});
      }
    }
    for (std::string_view name : kPredeclared) add({Kind::keyword, std::string(name), std::string(name), "", "", '8'});
  }

  const Workspace& workspace_;
  const Document& document_;
  std::size_t offset_;
  const std::function<Analysis*(std::string)>& analyze_;
  std::unique_ptr<ParsedText> parsed_;
  Cursor cursor_;
  Analysis* analysis_ = nullptr;
  Completion result_;
  std::set<std::string> known_;
};

}  // namespace

Completion complete(const Workspace& workspace, const Document& document, std::size_t offset,
                    const std::function<Analysis*(std::string text)>& analyze) {
  return Completer(workspace, document, offset, analyze).take();
}

}  // namespace opm::lsp
