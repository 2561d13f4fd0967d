#include "opm/config/config_file.h"

#include <algorithm>

#include "base/path.h"
#include "cue/load/load.h"
#include "cue/module/plain_data.h"
#include "cue/syntax/literal.h"

namespace opm::config {
namespace {

namespace syntax = cue::syntax;
using syntax::NodeKind;

constexpr std::string_view kField = "config";
constexpr std::string_view kProviders = "providers";
constexpr std::string_view kRegistry = "registry";

std::unexpected<Failure> fail(Failure::Kind kind, std::string message, std::string advice = {}) {
  Failure failure;
  failure.kind = kind;
  diag::Diagnostic error;
  error.message = std::move(message);
  error.advice = std::move(advice);
  failure.errors.push_back(std::move(error));
  return std::unexpected(std::move(failure));
}

std::unexpected<Failure> fail(cue::Diagnostics errors, std::shared_ptr<const diag::SourceMap> sources) {
  return std::unexpected(Failure{Failure::Kind::invalid, std::move(errors), std::move(sources)});
}

// The name of a regular field; empty: it has none that can be known without evaluating.
std::string name_of(base::Arena& arena, const syntax::Field& field) {
  if (field.constraint != syntax::Constraint::none) return {};
  if (field.label->kind == NodeKind::identifier) {
    std::string name(syntax::as<syntax::Identifier>(field.label)->name);
    return name.starts_with('_') || name.starts_with('#') ? std::string() : name;
  }
  if (field.label->kind != NodeKind::basic_literal) return {};
  auto text = syntax::unquote(arena, syntax::as<syntax::BasicLiteral>(field.label)->text);
  return text ? std::string(*text) : std::string();
}

// The fields of a name among declarations, and whether there may be more than the syntax shows.
struct Found {
  std::vector<const syntax::Field*> fields;
  bool is_all = true;
};

Found find_fields(base::Arena& arena, std::span<syntax::Declaration* const> declarations, std::string_view name) {
  Found found;
  for (const syntax::Declaration* declaration : declarations) {
    if (declaration->kind == NodeKind::field) {
      const auto& field = *syntax::as<syntax::Field>(declaration);
      std::string own = name_of(arena, field);
      if (own == name) found.fields.push_back(&field);
      else if (own.empty() && field.label->kind != NodeKind::identifier) found.is_all = false;
    } else if (declaration->kind == NodeKind::embedding || declaration->kind == NodeKind::comprehension) {
      found.is_all = false;
    }
  }
  return found;
}

const syntax::StructLiteral* struct_of(const syntax::Field& field) {
  return field.value->kind == NodeKind::struct_literal ? syntax::as<syntax::StructLiteral>(field.value) : nullptr;
}

// What the syntax of the package says about the field `config`.
struct Syntax {
  std::vector<const syntax::StructLiteral*> structs;
  bool is_all = true;  // nothing else contributes to it
};

Syntax read_syntax(base::Arena& arena, const cue::load::Package& package) {
  Syntax found;
  for (const cue::load::PackageFile& file : package.files) {
    Found fields = find_fields(arena, file.syntax->declarations, kField);
    found.is_all = found.is_all && fields.is_all;
    for (const syntax::Field* field : fields.fields) {
      const syntax::StructLiteral* literal = struct_of(*field);
      if (literal != nullptr) found.structs.push_back(literal);
      else found.is_all = false;
    }
  }
  return found;
}

}  // namespace

std::expected<ConfigFile, Failure> ConfigFile::open(const std::string& path, const std::string& working_directory,
                                                    const base::FileSystem& files) {
  if (auto text = files.read_file(path); !text) {
    bool is_missing = text.error().kind == base::FileErrorKind::not_found;
    bool is_denied = text.error().kind == base::FileErrorKind::permission;
    return fail(is_missing  ? Failure::Kind::not_found
                : is_denied ? Failure::Kind::denied
                            : Failure::Kind::invalid,
                "cannot read the configuration " + path + ": " + text.error().message,
                is_missing ? "opm config init writes one to start from" : "");
  }
  ConfigFile config;
  std::string folder = base::parent_path(path);
  config.arguments_ = {folder};
  config.options_.directory = working_directory;
  config.options_.files = &files;
  config.options_.package = kPackage;
  config.options_.comments = false;
  config.options_.module_root = folder;
  for (std::string at = folder;; at = base::parent_path(at)) {
    if (files.status(base::join_path(at, "cue.mod"))) {
      config.options_.module_root = at;
      break;
    }
    if (at == base::parent_path(at)) break;
  }
  cue::load::LoadOptions without_imports = config.options_;
  without_imports.skip_imports = true;
  config.sources_ = std::make_shared<diag::SourceMap>();
  config.loaded_ = std::make_shared<cue::load::LoadResult>(
      cue::load::load(config.arguments_, without_imports, *config.sources_));
  if (!config.loaded_->errors.empty()) return fail(config.loaded_->errors, config.sources_);
  const cue::load::Package& package = config.loaded_->package(config.loaded_->instances.front());
  if (std::ranges::find(package.files, path, &cue::load::PackageFile::path) == package.files.end())
    return fail(Failure::Kind::invalid, "the configuration " + path + " is no file of package config",
                "start it with: package config");
  return config;
}

std::expected<std::string, Failure> ConfigFile::registry() const {
  base::Arena arena;
  std::string registry;
  for (const syntax::StructLiteral* literal :
       read_syntax(arena, loaded_->package(loaded_->instances.front())).structs) {
    for (const syntax::Field* field : find_fields(arena, literal->elements, kRegistry).fields) {
      if (field->value->kind == NodeKind::basic_literal) {
        const auto* value = syntax::as<syntax::BasicLiteral>(field->value);
        if (auto text = syntax::unquote(arena, value->text); text && value->text.starts_with('"')) {
          registry = *text;
          continue;
        }
      }
      diag::Diagnostic error;
      error.code = "config";
      error.path = "config.registry";
      error.message = "this has to be a plain string, because it is needed before imports can be resolved";
      error.positions.push_back(field->value->begin);
      return fail({std::move(error)}, sources_);
    }
  }
  return registry;
}

std::optional<ConfigData> ConfigFile::plain_data() const {
  base::Arena arena;
  Syntax found = read_syntax(arena, loaded_->package(loaded_->instances.front()));
  if (!found.is_all) return std::nullopt;
  ConfigData data;
  data.sources = sources_;
  std::vector<syntax::Declaration*> settings;
  for (const syntax::StructLiteral* literal : found.structs) {
    Found providers = find_fields(arena, literal->elements, kProviders);
    if (!providers.is_all) return std::nullopt;
    for (const syntax::Field* field : providers.fields) {
      const syntax::StructLiteral* names = struct_of(*field);
      if (names == nullptr) return std::nullopt;
      for (const syntax::Declaration* declaration : names->elements) {
        if (declaration->kind == NodeKind::comment_declaration) continue;
        if (declaration->kind != NodeKind::field) return std::nullopt;
        const auto& provider = *syntax::as<syntax::Field>(declaration);
        std::string name = name_of(arena, provider);
        if (name.empty()) return std::nullopt;
        bool is_known = std::ranges::any_of(data.providers, [&](const auto& other) { return other.first == name; });
        if (!is_known) data.providers.emplace_back(std::move(name), provider.begin);
      }
    }
    for (syntax::Declaration* declaration : literal->elements) {
      bool is_providers = std::ranges::any_of(providers.fields, [&](const auto* field) { return field == declaration; });
      if (!is_providers) settings.push_back(declaration);
    }
  }
  syntax::File file{};
  file.declarations = settings;
  auto plain = cue::module::read_plain_data(arena, file);
  if (!plain) return std::nullopt;
  data.settings = std::move(*plain);
  return data;
}

std::expected<ConfigData, Failure> ConfigFile::evaluate(cue::module::ModuleResolver* resolver) const {
  cue::load::LoadOptions options = options_;
  options.resolver = resolver;
  auto program = cue::Program::load(arguments_, std::move(options));
  std::shared_ptr<const diag::SourceMap> sources(program, &program->sources());
  if (!program->errors().empty()) return fail(program->errors(), sources);
  if (program->instances().empty() || !program->instances().front().errors.empty())
    return fail(program->instances().front().errors, sources);
  cue::Context context(program);
  // The place in the user's own files, rather than in those of a provider.
  auto place_of = [&](const cue::Value& value) {
    for (diag::Position position : value.positions()) {
      std::string path(sources->locate(position).file);
      if (!base::is_absolute_path(path)) path = base::join_path(options_.directory, path);
      if (base::is_within(path, arguments_.front())) return position;
    }
    return diag::Position();
  };
  cue::Value config = context.instance(0).field(kField);
  ConfigData data;
  data.sources = sources;
  data.settings.variant = data::Map();
  if (!config.valid()) return data;
  if (config.has_error()) return fail(config.validate(), sources);
  for (const cue::Value::FieldEntry& entry : config.fields()) {
    // Evaluating providers costs more than all the rest; their names are enough here.
    if (entry.name == kProviders) {
      for (const cue::Value::FieldEntry& provider : entry.value.fields()) {
        diag::Position position = place_of(provider.value);
        data.providers.emplace_back(provider.value.label(), position.valid() ? position : place_of(entry.value));
      }
      continue;
    }
    auto value = entry.value.to_data();
    if (!value) return fail(std::move(value.error()), sources);
    data.settings.as_map().push_back({entry.value.label(), std::move(*value), place_of(entry.value)});
  }
  return data;
}

}  // namespace opm::config
