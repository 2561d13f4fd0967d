// JSON Schema and the schemas of OpenAPI as CUE. Whatever a schema accepts, the CUE made of it accepts as well.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "cue/schema/tree_maker.h"
#include "cue/syntax/ast.h"
#include "data/tree.h"
#include "diag/source.h"

namespace opm::cue::schema {

// A bit each, so that a keyword can name those that know it.
enum class Version : std::uint8_t {
  draft4 = 1,
  draft6 = 2,
  draft7 = 4,
  draft2019_09 = 8,
  draft2020_12 = 16,
  openapi_3_0 = 32,
};

struct JsonSchemaOptions {
  std::string package_name;
  Version version = Version::draft2020_12;  // unless $schema names another
  bool strict_keywords = false;             // keywords that nobody knows are errors,
  bool strict_features = false;             // as are those that have no counterpart yet
  bool open_only_when_explicit = false;     // structs allow further fields only where the schema says so
};

enum class Language : std::uint8_t { none, json_schema, openapi };
// What the document says that it is.
Language detect(const data::Value& document);

std::expected<syntax::File*, Errors> read_json_schema(base::Arena& arena, const diag::Source& source,
                                                      const data::Value& document, const JsonSchemaOptions& options);

// The schemas among the components of an API, and what it says of itself.
std::expected<syntax::File*, Errors> read_openapi(base::Arena& arena, const diag::Source& source,
                                                  const data::Value& document, JsonSchemaOptions options);

}  // namespace opm::cue::schema
