#include "opm/values/secrets.h"

#include <algorithm>

#include "cue/syntax/literal.h"
#include "data/json.h"
#include "opm/model/redaction.h"
#include "opm/values/read.h"

namespace opm::values {

namespace {

// Shorter texts would take words out of messages that have nothing to do with them; of these only literals are hidden.
constexpr std::size_t kShortest = 4;

bool may_hold_secrets(const cue::Value& schema) {
  return schema.valid() && (schema.possible_kinds() & cue::kinds::composite) != 0;
}

// What the schema says of these fields. A field that only a pattern speaks of exists once something is there.
cue::Value with_fields(const cue::Value& schema, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += cue::syntax::quote(name) + ": _\n";
  auto fields = schema.context().compile(text, "fields");
  return fields ? schema.unify(*fields) : schema;
}

cue::Value with_elements(const cue::Value& schema, std::size_t count) {
  std::string text = "[";
  for (std::size_t i = 0; i < count; ++i) text += "_, ";
  auto list = schema.context().compile("list: " + text + "]", "elements");
  return list ? schema.unify(list->field("list")) : schema;
}

void replace_all(std::string& message, std::string_view text, std::string_view with) {
  for (std::size_t at = message.find(text); at != std::string::npos; at = message.find(text, at + with.size()))
    message.replace(at, text.size(), with);
}

bool is_word(char c) { return c == '_' || c == '.' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Where it is no part of a longer word.
void replace_words(std::string& message, std::string_view text, std::string_view with) {
  for (std::size_t at = message.find(text); at != std::string::npos; at = message.find(text, at + 1)) {
    std::size_t end = at + text.size();
    if ((at > 0 && is_word(message[at - 1])) || (end < message.size() && is_word(message[end]))) continue;
    message.replace(at, text.size(), with);
    at += with.size() - 1;
  }
}

// Whether what follows says where a secret is kept: …,$dataKey:
bool follows_routing(std::string_view message) {
  if (!message.ends_with(':')) return false;
  message.remove_suffix(1);
  std::size_t dollar = message.rfind('$');
  return dollar != std::string_view::npos && model::is_secret_routing(message.substr(dollar));
}

// Each "…" of a message, and each number. They are remembered.
void hide_literals(std::string& message, std::set<std::string>& texts) {
  std::string result;
  for (std::size_t at = 0; at < message.size();) {
    std::size_t end = at + 1;
    bool is_text = message[at] == '"';
    bool is_number = message[at] >= '0' && message[at] <= '9' && (at == 0 || !is_word(message[at - 1]));
    if (is_text) {
      while (end < message.size() && message[end] != '"') end += message[end] == '\\' ? 2 : 1;
      std::string text = message.substr(at + 1, end - at - 1);
      ++end;
      if (follows_routing(result)) {
        result += message.substr(at, end - at);
      } else {
        result += model::redacted(text);
        texts.insert(std::move(text));
      }
    } else if (is_number) {
      while (end < message.size() && is_word(message[end])) ++end;
      result += model::redacted(std::string_view(message).substr(at, end - at));
    } else {
      result += message[at];
    }
    at = end;
  }
  message = std::move(result);
}

}  // namespace

SecretMask::SecretMask(cue::Value config) : config_(config) {
  if (!config.valid()) return;
  auto marked = [&](const char* text) {
    auto value = config.context().compile(text, "mark");
    return value ? *value : cue::Value{};
  };
  secret_ = marked("$opm: \"secret\"");
  other_ = marked("$opm: \"none\"");
}

bool SecretMask::is_secret(const cue::Value& schema) const {
  if (!schema.valid()) return false;
  cue::KindSet kinds = schema.possible_kinds();
  if ((kinds & cue::kinds::structure) == 0 || kinds == cue::kinds::top) return false;
  // It takes a secret, but nothing of the same form that is none.
  auto accepts = [&](const cue::Value& sample) { return schema.unify(sample).possible_kinds() != cue::kinds::bottom; };
  return !accepts(other_) && accepts(secret_);
}

void SecretMask::cover_text(data::Value& value) {
  std::string text = value.is_string() ? value.as_string() : value.is_bytes() ? value.as_bytes().bytes : data::write_json(value);
  texts_.insert(text);
  value.variant = model::redacted(text);
}

void SecretMask::cover(data::Value& value) {
  if (!value.is_map()) return cover_text(value);
  for (data::Member& member : value.as_map()) {
    if (!model::is_secret_routing(member.key)) cover_text(member.value);
  }
}

void SecretMask::cover(Tree& tree) {
  for (Tree& step : tree.history) cover(step);
  if (!tree.is_struct) {
    cover_text(tree.leaf);
    return;
  }
  for (Field& field : tree.fields) {
    if (!model::is_secret_routing(field.name)) cover(field.value);
  }
}

void SecretMask::visit(const cue::Value& schema, data::Value& value) {
  if (model::is_secret(value) || is_secret(schema)) return cover(value);
  if (value.is_map()) {
    std::vector<std::string> names;
    for (const data::Member& member : value.as_map()) names.push_back(member.key);
    cue::Value fields = may_hold_secrets(schema) ? with_fields(schema, names) : cue::Value{};
    for (data::Member& member : value.as_map()) visit(fields.field(member.key), member.value);
  } else if (value.is_list()) {
    cue::Value list = may_hold_secrets(schema) ? with_elements(schema, value.as_list().size()) : cue::Value{};
    std::vector<cue::Value> elements = list.elements();
    for (std::size_t i = 0; i < value.as_list().size(); ++i)
      visit(i < elements.size() ? elements[i] : cue::Value{}, value.as_list()[i]);
  }
}

void SecretMask::visit(const cue::Value& schema, Tree& tree) {
  const Tree* mark = tree.is_struct ? tree.find("$opm") : nullptr;
  bool is_marked = mark != nullptr && mark->leaf.is_string() && mark->leaf.as_string() == "secret";
  if (is_marked || is_secret(schema)) return cover(tree);
  for (Tree& step : tree.history) visit(schema, step);
  if (!tree.is_struct) return visit(schema, tree.leaf);
  std::vector<std::string> names;
  for (const Field& field : tree.fields) names.push_back(field.name);
  cue::Value fields = may_hold_secrets(schema) ? with_fields(schema, names) : cue::Value{};
  for (Field& field : tree.fields) visit(fields.field(field.name), field.value);
}

void SecretMask::mask(Tree& tree) {
  if (config_.valid()) config_.context().run([&] { visit(config_, tree); });
  else visit(config_, tree);
}

void SecretMask::mask(const FieldPath& path, data::Value& value) {
  Tree tree = tree_of(value);
  for (auto field = path.rbegin(); field != path.rend(); ++field) {
    Tree outer;
    outer.is_struct = true;
    outer.fields.push_back({*field, std::move(tree)});
    tree = std::move(outer);
  }
  mask(tree);
  const Tree* inner = &tree;
  for (const std::string& field : path) inner = inner->find(field);
  value = data_of(*inner);
}

bool SecretMask::is_about_secret(std::string_view path) const {
  auto parsed = cue::Path::parse(path);
  if (!parsed || parsed->elements.empty() || parsed->elements.front().name != kValuesField) return false;
  cue::Value at = config_;
  for (std::size_t i = 1; i < parsed->elements.size(); ++i) {
    const cue::Path::Element& element = parsed->elements[i];
    if (!may_hold_secrets(at)) return false;
    if (element.kind == cue::Path::Element::Kind::index) {
      constexpr std::uint32_t kMany = 1000;
      if (element.index > kMany) return false;
      std::vector<cue::Value> elements = with_elements(at, element.index + 1).elements();
      at = element.index < elements.size() ? elements[element.index] : cue::Value{};
    } else {
      at = with_fields(at, {element.name}).field(element.name);
    }
    if (is_secret(at)) return true;
  }
  return false;
}

void SecretMask::hide(cue::Diagnostics& errors, bool all) {
  std::vector<bool> about_secret(errors.size());
  for (std::size_t i = 0; i < errors.size(); ++i) {
    if (config_.valid()) config_.context().run([&] { about_secret[i] = is_about_secret(errors[i].path); });
    if (!about_secret[i] || !all) continue;
    hide_literals(errors[i].message, texts_);
    for (diag::Note& note : errors[i].notes) hide_literals(note.message, texts_);
  }
  std::vector<std::string> texts(texts_.begin(), texts_.end());
  std::ranges::stable_sort(texts, std::ranges::greater{}, &std::string::size);
  for (std::size_t i = 0; i < errors.size(); ++i) {
    auto hide_in = [&](std::string& message) {
      for (const std::string& text : texts) {
        std::string shown = model::redacted(text);
        replace_all(message, cue::syntax::quote(text), shown);
        if (text.size() >= kShortest) replace_all(message, text, shown);
        else if (about_secret[i] && !text.empty()) replace_words(message, text, shown);
      }
    };
    if (about_secret[i] && all) continue;
    hide_in(errors[i].message);
    for (diag::Note& note : errors[i].notes) hide_in(note.message);
  }
}

}  // namespace opm::values
