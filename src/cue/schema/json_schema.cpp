#include "cue/schema/json_schema.h"

#include "cue/schema/schema_reader.h"
#include "cue/schema/uri.h"
#include "cue/syntax/literal.h"

namespace opm::cue::schema {

using namespace syntax;  // NOLINT: everything here makes its nodes

namespace {

const std::string* text_at(const data::Value& document, std::initializer_list<std::string_view> path) {
  const data::Value* found = document.find_path(path);
  return found != nullptr && found->is_string() ? &found->as_string() : nullptr;
}

// Plain data as CUE, each value where it was read.
Expression* data_expression(TreeMaker& make, const data::Value& value) {
  if (value.is_map()) {
    std::vector<Declaration*> fields;
    for (const data::Member& member : value.as_map())
      fields.push_back(make.data_field(member.key, Constraint::none, data_expression(make, member.value)));
    return TreeMaker::at(value.position, make.structure(fields));
  }
  if (value.is_list()) {
    std::vector<Expression*> elements;
    for (const data::Value& element : value.as_list()) elements.push_back(data_expression(make, element));
    return TreeMaker::at(value.position, make.list(elements));
  }
  if (value.is_null()) return TreeMaker::at(value.position, make.literal(Token::null, "null"));
  if (value.is_bool()) {
    bool is_true = value.as_bool();
    return TreeMaker::at(value.position,
                         make.literal(is_true ? Token::true_ : Token::false_, is_true ? "true" : "false"));
  }
  if (value.is_number()) return TreeMaker::at(value.position, make.number(value.as_number().text));
  return TreeMaker::at(value.position, make.quoted(value.is_string() ? value.as_string() : value.as_bytes().bytes));
}

// What an API says of itself; title and version may be replaced.
Declaration* info_field(TreeMaker& make, const data::Value& info) {
  std::vector<Declaration*> fields;
  for (const data::Member& member : info.as_map()) {
    Expression* value = data_expression(make, member.value);
    if (member.key == "title" || member.key == "version") {
      Expression* either[] = {make.unary(Token::multiply, value), make.identifier("string")};
      value = make.disjunction(either);
    }
    fields.push_back(make.data_field(member.key, Constraint::none, value));
  }
  return TreeMaker::at(info.position, make.field(make.identifier("info"), Constraint::none, make.structure(fields)));
}

}  // namespace

Language detect(const data::Value& document) {
  const std::string* version = text_at(document, {"openapi"});
  if (version != nullptr && version->starts_with("3.") && text_at(document, {"info", "title"}) != nullptr &&
      text_at(document, {"info", "version"}) != nullptr)
    return Language::openapi;
  const std::string* name = text_at(document, {"$schema"});
  if (name == nullptr) return Language::none;
  auto uri = Uri::parse(*name);
  bool is_schema = uri && uri->host.substr(0, uri->host.find(':')) == "json-schema.org" && uri->path.ends_with("/schema");
  return is_schema ? Language::json_schema : Language::none;
}

std::expected<File*, Errors> read_json_schema(base::Arena& arena, const diag::Source& source,
                                              const data::Value& document, const JsonSchemaOptions& options) {
  SchemaReader reader(arena, source, document, options, false);
  auto declarations = reader.read();
  if (!declarations) return std::unexpected(std::move(declarations.error()));
  return reader.maker().file(source, options.package_name, reader.title(), std::move(*declarations));
}

std::expected<File*, Errors> read_openapi(base::Arena& arena, const diag::Source& source, const data::Value& document,
                                          JsonSchemaOptions options) {
  auto fail = [&](std::string message, diag::Position position) {
    return std::unexpected(Errors{schema_error(std::move(message), position)});
  };
  const data::Value* named = document.find("openapi");
  if (named == nullptr) return fail("openapi field is required but not found", document.position);
  if (!named->is_string()) return fail("invalid openapi field (must be string)", named->position);
  const std::string& version = named->as_string();
  if (version.starts_with("3.0.")) {
    options.version = Version::openapi_3_0;
    options.strict_keywords = true;  // it allows no others than its own
  } else if (version.starts_with("3.1.")) {
    options.version = Version::draft2020_12;
  } else {
    return fail("unknown OpenAPI version " + quote(version), named->position);
  }
  SchemaReader reader(arena, source, document, options, true);
  auto schemas = reader.read();
  if (!schemas) return std::unexpected(std::move(schemas.error()));
  std::vector<Declaration*> declarations;
  if (const data::Value* info = document.find("info"); info != nullptr && info->is_map())
    declarations.push_back(info_field(reader.maker(), *info));
  declarations.insert(declarations.end(), schemas->begin(), schemas->end());
  std::string title;
  if (const std::string* text = text_at(document, {"info", "title"})) title = *text;
  const std::string* description = text_at(document, {"info", "description"});
  if (description != nullptr && !description->empty()) title += "\n\n" + *description;
  return reader.maker().file(source, options.package_name, title, std::move(declarations),
                             !options.package_name.empty());
}

}  // namespace opm::cue::schema
