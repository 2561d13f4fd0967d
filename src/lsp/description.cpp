#include "lsp/description.h"

#include <algorithm>
#include <set>

#include "cue/derivation.h"
#include "cue/inspection.h"

namespace opm::lsp {

namespace {

constexpr std::size_t kLongestType = 100;
constexpr std::size_t kMostFields = 40;
constexpr int kLongestChain = 20;  // of references

std::string kinds_text(cue::KindSet kinds) {
  namespace all = cue::kinds;
  if (kinds == all::bottom) return "_|_";
  if (kinds == all::top) return "_";
  std::string text;
  auto add = [&](cue::KindSet kind, std::string_view name) {
    if ((kinds & kind) != kind) return;
    kinds = static_cast<cue::KindSet>(kinds & ~kind);
    if (!text.empty()) text += " | ";
    text += name;
  };
  add(all::null, "null");
  add(all::boolean, "bool");
  add(all::number, "number");
  add(all::integer, "int");
  add(all::floating, "float");
  add(all::string, "string");
  add(all::bytes, "bytes");
  add(all::structure, "{…}");
  add(all::list, "[…]");
  return text.empty() ? "_" : text;
}

std::string on_one_line(std::string_view text) {
  std::string result;
  for (char c : text) {
    bool is_space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!is_space)
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  return result;
}

// What a user's file says is shown where it stands; what a dependency says is not.
bool is_users(const diag::Source& source) { return source.path.starts_with('.') || source.path.starts_with('/'); }

}  // namespace

namespace {

// `a.b.c`, and nothing else.
bool is_plain_reference(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return c == '.' || c == '_' || c == '$' || c == '#' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
  });
}

bool names_definition(std::string_view reference) {
  std::size_t period = reference.rfind('.');
  return reference.substr(period == reference.npos ? 0 : period + 1).starts_with('#');
}

std::string type_text(const cue::Value& value, int depth) {
  if (!value.valid() || depth > kLongestChain) return "_";
  const diag::SourceMap& sources = value.context().program().sources();
  std::string text;
  std::vector<std::string> known;
  bool is_composite =
      value.possible_kinds() != cue::kinds::bottom && (value.possible_kinds() & ~cue::kinds::composite) == 0;
  for (const cue::SourceDeclaration& declaration : cue::source_declarations(value)) {
    const diag::Source* source = sources.find(declaration.value_begin);
    if (source == nullptr || declaration.value_end <= declaration.value_begin) continue;
    std::size_t begin = declaration.value_begin.value - source->begin.value;
    std::string_view written =
        std::string_view(source->text).substr(begin, declaration.value_end.value - declaration.value_begin.value);
    bool says_type = declaration.role == cue::SourceRole::restricts;
    // A struct that is taken from a definition is of its type.
    if (is_composite && declaration.role == cue::SourceRole::refers) says_type = written.find('#') != written.npos;
    if (declaration.role == cue::SourceRole::writes && !is_users(*source)) says_type = !is_composite;
    if (!says_type || written.find('{') != written.npos || written.find("//") != written.npos) continue;
    std::string one = on_one_line(written);
    // A field that another one is taken from says less than what that one is.
    if (declaration.references.size() == 1 && is_plain_reference(one) && !names_definition(one))
      one = type_text(declaration.references.front(), depth + 1);
    if (one.size() > kLongestType || std::ranges::find(known, one) != known.end()) continue;
    if (!text.empty()) text += " & ";
    text += one.find(" | ") != one.npos ? "(" + one + ")" : one;
    known.push_back(std::move(one));
  }
  if (known.size() == 1) text = known.front();
  return text.empty() || text.size() > 2 * kLongestType ? kinds_text(value.possible_kinds()) : text;
}

}  // namespace

std::string type_text(const cue::Value& value) { return type_text(value, 0); }

std::vector<cue::Value::FieldEntry> members(const cue::Value& value, unsigned selection) {
  std::vector<cue::Value::FieldEntry> result;
  std::set<std::string> known;
  for (const cue::Value& branch : cue::alternatives(value)) {
    for (cue::Value::FieldEntry& field : branch.fields(selection)) {
      if (known.insert(field.name).second) result.push_back(std::move(field));
    }
  }
  return result;
}

std::vector<std::string> choices(const cue::Value& value) {
  std::vector<std::string> result;
  for (const cue::Value& branch : cue::alternatives(value)) {
    bool is_scalar = (branch.possible_kinds() & cue::kinds::composite) == 0;
    if (!is_scalar || !branch.concrete()) {
      if (branch.possible_kinds() == cue::kinds::boolean) result.insert(result.end(), {"true", "false"});
      continue;
    }
    std::string text = branch.to_cue();
    if (!text.empty() && text.back() == '\n') text.pop_back();
    result.push_back(std::move(text));
  }
  return result;
}

std::string documentation_text(const cue::Value& value) {
  std::string text;
  for (const std::string& comment : cue::documentation(value)) {
    if (!text.empty()) text += "\n\n";
    text += comment;
  }
  return text;
}

std::string markdown(const Description& description) {
  std::string text = "```cue\n" + description.name;
  if (description.values.empty()) return text + "\n```";
  const cue::Value& value = description.values.front();
  std::string type = type_text(value);
  for (const cue::Value& other : description.values) {
    if (type == kinds_text(value.possible_kinds())) type = type_text(other);
  }
  std::vector<cue::Value::FieldEntry> fields;
  for (const cue::Value& one : description.values) {
    if (fields.empty()) fields = members(one, cue::Value::optional);
    if (fields.empty()) fields = members(one, cue::Value::optional | cue::Value::definitions);
  }
  bool names_type = type.find('#') != type.npos;
  text += fields.empty() || names_type ? ": " + type + "\n" : ": {\n";
  if (!fields.empty()) {
    if (names_type) text += "{\n";
    std::size_t count = 0;
    for (const cue::Value::FieldEntry& field : fields) {
      if (++count > kMostFields) {
        text += "\t…\n";
        break;
      }
      text += "\t" + field.name +
              (field.is_optional   ? "?"
               : field.is_required ? "!"
                                   : "") +
              ": " + type_text(field.value) + "\n";
    }
    text += "}\n";
  }
  text += "```";
  std::vector<std::string> told;
  for (const cue::Value& one : description.values) {
    std::string comment = documentation_text(one);
    if (comment.empty() || std::ranges::find(told, comment) != told.end()) continue;
    text += "\n\n" + comment;
    told.push_back(std::move(comment));
  }
  bool is_scalar = fields.empty() && (value.kind() & cue::kinds::composite) == 0;
  if (description.is_secret || !is_scalar) return text;
  auto shown = [](const cue::Value& one) {
    std::string written = one.with_default().to_cue();
    while (written.ends_with('\n')) written.pop_back();
    return written;
  };
  if (value.has_default()) {
    text += "\n\ndefault `" + shown(value) + "`";
  } else if (value.concrete()) {
    // What is written right there need not be told; what comes from elsewhere is worth knowing.
    auto declarations = cue::source_declarations(value);
    if (std::ranges::any_of(declarations,
                            [](const cue::SourceDeclaration& one) { return one.role == cue::SourceRole::refers; }))
      text += "\n\nis `" + shown(value) + "`";
  }
  return text;
}

}  // namespace opm::lsp
