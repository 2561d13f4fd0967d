#include "lsp/navigation.h"

#include <algorithm>

#include "cue/inspection.h"
#include "cue/std/standard.h"
#include "lsp/description.h"

namespace opm::lsp {

namespace {

namespace syntax = cue::syntax;
using syntax::as;

// The name itself rather than all that belongs to it.
const syntax::Node* name_node(const Cursor& cursor) {
  switch (cursor.kind) {
    case Cursor::Kind::label:
      return as<syntax::Field>(cursor.node)->label;
    case Cursor::Kind::member:
      return as<syntax::Selector>(cursor.node)->label;
    default:
      return cursor.node;
  }
}

TextRange range_of(const Question& question, const syntax::Node& node) {
  const std::string& text = question.text.source.text;
  LineIndex lines(text);
  return {lines.position(text, question.text.offset(node.begin), question.encoding),
          lines.position(text, question.text.offset(node.end), question.encoding)};
}

const cue::load::Package* imported(const Analysis& analysis, const syntax::ImportSpec& spec) {
  const cue::load::LoadResult& loaded = analysis.program().loaded(0);
  if (loaded.instances.empty()) return nullptr;
  const auto& imports = loaded.package(loaded.instances.front()).imports;
  auto found = imports.find(import_path(spec));
  return found == imports.end() || !found->second.package ? nullptr : &loaded.package(*found->second.package);
}

std::string import_markdown(const Analysis& analysis, const syntax::ImportSpec& spec) {
  std::string path = import_path(spec);
  std::string text = "```cue\nimport \"" + path + "\"\n```";
  if (cue::standard::find_standard_package(path) != nullptr) return text + "\n\na standard package of CUE";
  const cue::load::Package* package = imported(analysis, spec);
  if (package == nullptr) return text;
  text += "\n\npackage `" + package->name + "`";
  if (!package->module.version.empty()) text += " of `" + package->module.path + "` " + package->module.version;
  return text;
}

// A function of a standard package, as `strings.Join`.
std::optional<std::string> function_markdown(Question& question, const syntax::Selector& selector) {
  if (selector.operand == nullptr || selector.operand->kind != syntax::NodeKind::identifier ||
      selector.label == nullptr)
    return std::nullopt;
  Declared package = question.analysis.resolve(as<syntax::Identifier>(selector.operand)->name, question.cursor.scopes);
  if (package.kind != Declared::Kind::import) return std::nullopt;
  std::string path = import_path(*package.import);
  std::string name(question.text.text_of(*selector.label));
  const cue::eval::Builtin* function = cue::standard::find_standard_function(path, name);
  if (function == nullptr) return std::nullopt;
  return "```cue\n" + path + "." + name + "\n```\n\na function of " + std::to_string(function->parameters.size()) +
         (function->parameters.size() == 1 ? " argument" : " arguments");
}

void add_unique(std::vector<Place>& places, std::optional<Place> place) {
  if (place && std::ranges::find(places, *place) == places.end()) places.push_back(std::move(*place));
}

}  // namespace

std::optional<Hover> hover(Question& question) {
  const Cursor& cursor = question.cursor;
  Analysis& analysis = question.analysis;
  if (cursor.node == nullptr) return std::nullopt;
  const syntax::Node* name = name_node(cursor);
  if (name == nullptr) return std::nullopt;
  TextRange range = range_of(question, *name);
  Description description;
  description.name = question.text.text_of(*name);
  auto is_secret = [&](const cue::Value& value) {
    auto path = cue::Path::parse(value.path());
    return path && analysis.is_secret(*path);
  };
  switch (cursor.kind) {
    case Cursor::Kind::label:
      if (!cursor.path) return std::nullopt;
      description.values = analysis.find(*cursor.path);
      description.is_secret = analysis.is_secret(*cursor.path);
      break;
    case Cursor::Kind::member:
    case Cursor::Kind::reference: {
      if (cursor.kind == Cursor::Kind::member) {
        if (auto function = function_markdown(question, *as<syntax::Selector>(cursor.node)))
          return Hover{std::move(*function), range};
      } else {
        Declared declared = analysis.resolve(description.name, cursor.scopes);
        if (declared.kind == Declared::Kind::import) return Hover{import_markdown(analysis, *declared.import), range};
      }
      cue::Value value = analysis.value_of(*cursor.node, cursor.scopes);
      if (value.valid()) description.values.push_back(value);
      description.is_secret = value.valid() && (is_secret(value) || is_secret(value.target()));
      break;
    }
    case Cursor::Kind::import:
      return Hover{import_markdown(analysis, *as<syntax::ImportSpec>(cursor.node)), range};
    default:
      return std::nullopt;
  }
  if (description.values.empty()) return std::nullopt;
  if (!description.is_secret)
    description.is_secret =
        std::ranges::any_of(description.values, [&](const cue::Value& value) { return is_secret(value.target()); });
  return Hover{markdown(description), range};
}

std::vector<Place> definitions(Question& question, CatalogCopy& catalog, const std::string& folder) {
  const Cursor& cursor = question.cursor;
  Analysis& analysis = question.analysis;
  SourcePlaces places(analysis.program(), folder, catalog, question.encoding);
  std::vector<Place> found;
  auto add_value = [&](const cue::Value& value) {
    if (!value.valid()) return;
    for (diag::Position position : value.positions()) add_unique(found, places.find(position));
  };
  auto add_package = [&](const syntax::ImportSpec& spec) {
    const cue::load::Package* package = imported(analysis, spec);
    if (package != nullptr && !package->files.empty()) add_unique(found, places.find(*package->files.front().source));
  };
  switch (cursor.kind) {
    case Cursor::Kind::label: {
      if (!cursor.path) break;
      for (const cue::Value& value : analysis.find(*cursor.path)) add_value(value);
      // Who asks at a declaration wants the others; what a module is made of comes before what uses it.
      Place here{question.path, range_of(question, *name_node(cursor)), true};
      if (found.size() > 1)
        std::erase_if(found, [&](const Place& place) {
          return place.path == here.path && place.range.start == here.range.start;
        });
      break;
    }
    case Cursor::Kind::reference: {
      Declared declared = analysis.resolve(question.text.text_of(*cursor.node), cursor.scopes);
      if (declared.kind == Declared::Kind::import)
        add_package(*declared.import);
      else if (declared.name != nullptr)
        add_unique(found, Place{question.path, range_of(question, *declared.name), true});
      if (declared.kind == Declared::Kind::field) add_value(analysis.value_of(declared, cursor.scopes));
      break;
    }
    case Cursor::Kind::member:
      add_value(analysis.value_of(*cursor.node, cursor.scopes));
      break;
    case Cursor::Kind::import:
      add_package(*as<syntax::ImportSpec>(cursor.node));
      break;
    default:
      break;
  }
  return found;
}

}  // namespace opm::lsp
