// Where schemas go in the file that is made of them, and how they refer to each other.
#include <algorithm>

#include "cue/schema/schema_reader.h"
#include "cue/syntax/literal.h"
#include "data/base64.h"

namespace opm::cue::schema {

using namespace syntax;  // NOLINT: everything here makes its nodes

namespace {

constexpr std::string_view kDefaultHost = "cue.jsonschema.invalid";
constexpr std::string_view kRootName = "_schema";

bool is_definition_label(std::string_view label) { return label.starts_with('#'); }

// Definitions stand before hidden ones.
int rank_of(std::string_view label) {
  if (is_definition_label(label)) return 1;
  return label.starts_with('_') ? 2 : 0;
}

// The package that a document which is not here is taken to be.
std::string package_of(const Uri& uri) {
  std::string path = uri.path;
  std::string name = path.substr(path.rfind('/') + 1);
  if (!is_valid_identifier(name)) {
    if (name.ends_with(".json")) name.resize(name.size() - 5);
    if (!is_valid_identifier(name)) name = "schema";
    path += ":" + name;
  }
  if (uri.opaque.empty()) return uri.host + path;
  std::string encoded;
  data::append_base64(encoded, uri.opaque);
  for (char& c : encoded) c = c == '+' ? '-' : c == '/' ? '_' : c;
  while (encoded.ends_with('=')) encoded.pop_back();
  return encoded;
}

}  // namespace

const SchemaReader::Draft& SchemaReader::identified(const Draft& draft) const {
  const Draft* at = &draft;
  while (!at->id && at->up != nullptr) at = at->up;
  return *at;
}

std::optional<Uri> SchemaReader::resolve(const Draft& draft, const data::Value& value) {
  auto text = text_of(value);
  if (!text) return std::nullopt;
  auto uri = Uri::parse(*text);
  if (!uri) {
    fail(value, "invalid JSON reference: " + quote(*text) + " is no URI");
    return std::nullopt;
  }
  if (!uri->is_absolute()) return identified(draft).id->resolve(*uri);
  if (uri->host != kDefaultHost) return uri;
  fail(value, "invalid use of default root ID host (" + std::string(kDefaultHost) + ") in URI");
  return std::nullopt;
}

void SchemaReader::ensure_definition(const data::Value& node) {
  auto [at, is_new] = defined_.try_emplace(&node);
  if (!is_new) return;
  ++dangling_;
  referred_to_.push_back(&node);
}

std::expected<Location, std::string> SchemaReader::map_steps(const std::vector<std::string>& steps) const {
  auto definition = [](const std::string& name, std::string_view others) -> Location {
    if (is_valid_identifier(name) && !name.starts_with('_') && !name.starts_with('#') && quote_label(name) == name)
      return {"#" + name};
    return {std::string(others), quote(name)};
  };
  if (is_openapi_) {
    if (steps.size() == 3 && steps[0] == "components" && steps[1] == "schemas") return definition(steps[2], "#SchemaMap");
    std::string found = "#" + pointer_of(steps);
    return std::unexpected("openapi: reference must be of the form \"#/components/schemas/\"; found " + quote(found));
  }
  if (steps.empty()) return Location{};
  if (steps.size() == 2 && (steps[0] == "definitions" || steps[0] == "$defs")) return definition(steps[1], "#");
  return Location{"_#defs", quote(pointer_of(steps))};
}

std::expected<SchemaReader::Definition, std::string> SchemaReader::locate(
    const std::optional<std::vector<std::string>>& local_steps, const Uri& id) const {
  Definition definition;
  std::vector<std::string> steps;
  if (local_steps) {
    steps = *local_steps;
  } else {
    definition.import_path = package_of(id);
    auto parsed = pointer_steps(id.fragment);
    if (!parsed) return std::unexpected("anchors (" + id.fragment + ") not supported");
    steps = std::move(*parsed);
  }
  auto location = map_steps(steps);
  if (!location) return std::unexpected(std::move(location.error()));
  definition.location = std::move(*location);
  return definition;
}

// Where the schema goes that the draft is of; null: it stays where it is.
const SchemaReader::Definition* SchemaReader::definition_of(const Draft& draft) {
  const data::Value& node = *draft.node;
  auto known = defined_.find(&node);
  if (known == defined_.end()) return nullptr;
  if (known->second) return &*known->second;
  // Whoever referred to it did not know where it goes.
  needs_another_pass_ = true;
  const Draft& owner = identified(draft);
  Uri id = *owner.id;
  const data::Value* base = owner.node;
  id.fragment = pointer_of(steps_to(node, base));
  auto [at, is_new] = by_id_.try_emplace(id.text());
  if (is_new) {
    auto definition = locate(steps_to(node, nullptr), id);
    if (!definition) {
      by_id_.erase(at);
      fail(node, "cannot get reference for id=" + id.text() + ": " + definition.error());
      return nullptr;
    }
    at->second = std::move(*definition);
  }
  known->second = at->second;
  --dangling_;
  return &*known->second;
}

Expression* SchemaReader::maybe_define(const Draft& draft, Expression* expression) {
  const Definition* definition = definition_of(draft);
  if (definition == nullptr || definition->location.empty()) return expression;
  if (definition->import_path.empty() && !put(definition->location, expression, comment_of(draft))) {
    fail(*draft.node, "redefinition of schema CUE path " + definition->location.front());
    return expression;
  }
  return reference(*definition, position_of(*draft.node));
}

std::expected<SchemaReader::Definition, std::string> SchemaReader::target_of(const Draft& draft, const Uri& uri) {
  if (auto known = by_id_.find(uri.text()); known != by_id_.end()) return known->second;
  const Draft& owner = identified(draft);
  std::optional<std::vector<std::string>> local;
  bool is_anchor = !uri.fragment.empty() && !uri.fragment.starts_with('/');
  if (!is_anchor && (uri.same_document(root_id_) || uri.same_document(*owner.id))) {
    const data::Value* target = at_pointer(*owner.node, *pointer_steps(uri.fragment));
    if (target == nullptr) return std::unexpected("reference to non-existent schema");
    if (auto known = defined_.find(target); known != defined_.end() && known->second) return *known->second;
    ensure_definition(*target);
    local = steps_to(*target, nullptr);
  }
  auto definition = locate(local, uri);
  if (!definition)
    return std::unexpected("cannot determine CUE location for JSON Schema location id=" + uri.text() + ": " +
                           definition.error());
  return definition;
}

Expression* SchemaReader::reference(const Definition& definition, diag::Position position) {
  Expression* made = nullptr;
  std::size_t first = 0;
  if (!definition.import_path.empty()) {
    std::string_view path = definition.import_path;
    std::string name(path.substr(path.find_last_of("/:") + 1));
    made = make_.import(path, is_valid_identifier(name) ? name : "schema", position);
  } else if (definition.location.empty()) {
    refers_to_root_ = true;
    return TreeMaker::at(position, make_.identifier(kRootName));
  } else {
    made = TreeMaker::at(position, make_.identifier(definition.location[0]));
    first = 1;
  }
  for (std::size_t i = first; i < definition.location.size(); ++i) {
    const std::string& step = definition.location[i];
    Node* label = step.starts_with('"') ? make_.string(step) : make_.identifier(step);
    made = TreeMaker::at(position, make_.selector(made, TreeMaker::at(position, label)));
  }
  return made;
}

bool SchemaReader::put(const Location& location, Expression* value, std::string comment) {
  Entry* entry = &file_;
  for (const std::string& label : location) entry = &entry->entries[{rank_of(label), label}];
  if (entry->value != nullptr) return false;
  entry->value = value;
  entry->comment = std::move(comment);
  return true;
}

std::vector<Declaration*> SchemaReader::declarations_of(Expression* value) {
  if (value->kind == NodeKind::struct_literal) {
    auto elements = as<StructLiteral>(value)->elements;
    return {elements.begin(), elements.end()};
  }
  auto* embedded = TreeMaker::at(value->begin, make_.embedding(value));
  return {embedded};
}

Declaration* SchemaReader::field_at(const Location& path, Expression* value, const std::string& comment) {
  Field* made = nullptr;
  diag::Position position = value->begin;
  for (std::size_t i = path.size(); i-- > 0;) {
    Node* label = path[i].starts_with('"') ? make_.string(path[i]) : make_.identifier(path[i]);
    if (made != nullptr) {
      Declaration* inner[] = {made};
      value = make_.structure(inner);
      made->label->spacing = Spacing::blank;
    }
    made = TreeMaker::at(position, make_.field(TreeMaker::at(position, label), Constraint::none, value));
  }
  TreeMaker::set_spacing(*made, Spacing::new_section);
  if (!comment.empty()) make_.document(*made, comment);
  return made;
}

void SchemaReader::append(const Entry& entry, Location& path, std::vector<Declaration*>& declarations) {
  std::vector<Declaration*> own;
  bool nests = entry.value != nullptr && !entry.entries.empty() && !path.empty();
  std::vector<Declaration*>& into = nests ? own : declarations;
  Location below = nests ? Location{} : path;
  if (entry.value != nullptr) {
    if (path.empty() || nests) std::ranges::copy(declarations_of(entry.value), std::back_inserter(into));
    else into.push_back(field_at(path, entry.value, entry.comment));
  }
  for (const auto& [key, child] : entry.entries) {
    below.push_back(key.second);
    append(child, below, into);
    below.pop_back();
  }
  if (nests) declarations.push_back(field_at(path, make_.structure(own), entry.comment));
}

}  // namespace opm::cue::schema
