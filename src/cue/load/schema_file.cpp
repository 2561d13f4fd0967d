#include "cue/load/schema_file.h"

#include <algorithm>

#include "base/path.h"
#include "cue/export/builder.h"
#include "cue/load/decode.h"
#include "cue/module/plain_data.h"
#include "cue/schema/json_schema.h"
#include "cue/schema/protobuf.h"
#include "cue/syntax/format.h"
#include "cue/syntax/literal.h"
#include "cue/syntax/parser.h"

namespace opm::cue::load {
namespace {

using Errors = std::vector<diag::Diagnostic>;
using syntax::NodeKind;

bool flag(const FileType& type, const char* name) {
  auto found = type.flags.find(name);
  return found != type.flags.end() && found->second;
}

schema::JsonSchemaOptions options_for(const FileType& type, const std::string& package_name) {
  schema::JsonSchemaOptions options;
  options.package_name = package_name;
  options.strict_keywords = flag(type, "strict") || flag(type, "strictKeywords");
  options.strict_features = flag(type, "strict") || flag(type, "strictFeatures");
  options.open_only_when_explicit = flag(type, "openOnlyWhenExplicit");
  return options;
}

schema::ProtoOptions proto_options(const Workspace& workspace) {
  schema::ProtoOptions options;
  options.package_name = workspace.schema_settings.package;
  options.enums_as_numbers = workspace.schema_settings.proto_enum == "int";
  options.files = &workspace.files;
  for (const std::string& root : workspace.schema_settings.proto_roots)
    options.roots.push_back(base::join_path(workspace.directory, root));
  if (workspace.main_module) options.roots.push_back(workspace.module_root);
  return options;
}

std::expected<std::vector<data::Value>, Errors> documents_of(const DataFile& file, base::Arena& arena) {
  if (file.type.encoding != Encoding::cue) return decode(file.type.encoding, *file.source);
  syntax::ParsedFile parsed = syntax::parse_file(arena, *file.source);
  if (!parsed.errors.empty()) return std::unexpected(std::move(parsed.errors));
  auto value = module::read_plain_data(arena, *parsed.file);
  if (!value) return std::unexpected(std::move(value.error()));
  std::vector<data::Value> documents;
  documents.push_back(std::move(*value));
  return documents;
}

// Where readers will see it, what the schema became is a source of its own, with comments and layout; else the tree
// points to where the schema says it.
SourceFile kept(const diag::Source& source, syntax::File& file, Workspace& workspace) {
  if (!workspace.options.comments) return {&source, &file, {}};
  file.source = nullptr;
  const diag::Source* written = workspace.sources.add(source.path, syntax::format(file, {.simplify = true}));
  if (written == nullptr) return {&source, &file, {}};
  syntax::ParsedFile parsed = syntax::parse_file(workspace.source_files.new_arena(), *written);
  return {written, parsed.file, std::move(parsed.errors)};
}

// Most data says neither; it need not be read twice.
bool may_say_so(std::string_view text) {
  return text.find("$schema") != std::string_view::npos || text.find("openapi") != std::string_view::npos;
}

}  // namespace

SchemaSettings take_schema_settings(std::vector<std::string>& arguments) {
  SchemaSettings settings;
  std::vector<std::string> others;
  for (std::string& argument : arguments) {
    auto value_of = [&](std::string_view name) { return argument.substr(name.size()); };
    if (constexpr std::string_view kPath = "--path="; argument.starts_with(kPath))
      settings.path.push_back(value_of(kPath));
    else if (constexpr std::string_view kPackage = "--package="; argument.starts_with(kPackage))
      settings.package = value_of(kPackage);
    else if (constexpr std::string_view kRoot = "--proto_path="; argument.starts_with(kRoot))
      settings.proto_roots.push_back(value_of(kRoot));
    else if (constexpr std::string_view kEnum = "--proto_enum="; argument.starts_with(kEnum))
      settings.proto_enum = value_of(kEnum);
    else
      others.push_back(std::move(argument));
  }
  arguments = std::move(others);
  return settings;
}

std::expected<std::vector<SourceFile>, Errors> read_schema_file(DataFile& file, const std::string& display,
                                                                Workspace& workspace) {
  std::vector<SourceFile> files;
  bool is_automatic = file.type.interpretation == Interpretation::automatic;
  bool is_named = file.type.interpretation == Interpretation::json_schema ||
                  file.type.interpretation == Interpretation::openapi;
  bool is_protobuf = file.type.encoding == Encoding::protobuf;
  if (!is_automatic && !is_named && !is_protobuf) return files;
  if (file.source == nullptr) {
    auto content = file.files->read_file(file.path, workspace.options.max_file_bytes);
    if (!content) return std::unexpected(Errors{load_error("open " + display + ": " + content.error().message)});
    file.source = workspace.sources.add(display, std::move(*content));
    if (file.source == nullptr) return std::unexpected(Errors{load_error("open " + display + ": too much source text")});
  }
  if (is_protobuf) {
    auto made = schema::read_protobuf(workspace.source_files.new_arena(), workspace.sources, *file.source,
                                      proto_options(workspace));
    if (!made) return std::unexpected(std::move(made.error()));
    files.push_back(kept(*file.source, *made->syntax, workspace));
    return files;
  }
  if (is_automatic && !may_say_so(file.source->text)) return files;
  base::Arena& arena = workspace.source_files.new_arena();
  auto documents = documents_of(file, arena);
  if (!documents) {
    if (is_automatic) return files;  // told when it is read as data
    return std::unexpected(std::move(documents.error()));
  }
  schema::JsonSchemaOptions options = options_for(file.type, workspace.schema_settings.package);
  for (const data::Value& document : *documents) {
    schema::Language language = is_automatic ? schema::detect(document)
                                : file.type.interpretation == Interpretation::openapi ? schema::Language::openapi
                                                                                     : schema::Language::json_schema;
    if (language == schema::Language::none) return files;
    auto made = language == schema::Language::openapi ? schema::read_openapi(arena, *file.source, document, options)
                                                      : schema::read_json_schema(arena, *file.source, document, options);
    if (!made) return std::unexpected(std::move(made.error()));
    // The title of an API is about its package; without one there is nothing that it could be said of.
    auto& declarations = (*made)->declarations;
    bool has_title = !declarations.empty() && declarations[0]->kind == NodeKind::comment_declaration;
    if (language == schema::Language::openapi && has_title) declarations = declarations.subspan(1);
    files.push_back(kept(*file.source, **made, workspace));
  }
  return files;
}

Errors place_schemas(std::vector<syntax::File*> files, const std::vector<std::string>& path, Workspace& workspace) {
  base::Arena& arena = workspace.source_files.new_arena();
  exporting::Builder make(arena);
  for (syntax::File* file : files) {
    std::vector<syntax::Declaration*> outside, inside;
    for (syntax::Declaration* declaration : file->declarations) {
      bool stays = declaration->kind == NodeKind::package || declaration->kind == NodeKind::import_declaration ||
                   declaration->kind == NodeKind::comment_declaration;
      (stays ? outside : inside).push_back(declaration);
    }
    syntax::Expression* value = make.structure(inside);
    if (inside.size() == 1 && inside[0]->kind == NodeKind::embedding)
      value = syntax::as<syntax::Embedding>(inside[0])->expression;
    for (std::size_t i = path.size(); i-- > 0;) {
      const diag::Source* source = workspace.sources.add("--path", path[i] + "_");
      syntax::ParsedFile parsed = syntax::parse_file(arena, *source);
      if (!parsed.errors.empty() || parsed.file->declarations.size() != 1) {
        source = workspace.sources.add("--path", "(" + path[i] + "): _");
        parsed = syntax::parse_file(arena, *source);
      }
      if (!parsed.errors.empty()) return std::move(parsed.errors);
      syntax::Node* at = parsed.file->declarations.empty() ? nullptr : parsed.file->declarations[0];
      syntax::Declaration* outermost = at;
      syntax::Field* innermost = nullptr;
      while (at != nullptr && at->kind == NodeKind::field) {
        innermost = syntax::as<syntax::Field>(at);
        bool goes_on = innermost->value->kind == NodeKind::struct_literal &&
                       !syntax::as<syntax::StructLiteral>(innermost->value)->elements.empty();
        at = goes_on ? syntax::as<syntax::StructLiteral>(innermost->value)->elements[0] : nullptr;
      }
      if (innermost == nullptr) return {load_error("labels must be expressions or full paths; found " + syntax::quote(path[i]))};
      innermost->value = value;
      syntax::Declaration* only[] = {outermost};
      value = make.structure(only);
    }
    if (!path.empty()) {
      syntax::Declaration* placed = syntax::as<syntax::StructLiteral>(value)->elements[0];
      if (!outside.empty()) placed->spacing = syntax::Spacing::new_section;
      outside.push_back(placed);
      file->declarations = arena.copy(outside);
    }
  }
  return {};
}

}  // namespace opm::cue::load
