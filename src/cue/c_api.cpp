#include "cue/c_api.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>

#include "base/environment.h"
#include "cue/module/build_list.h"
#include "cue/module/cache.h"
#include "cue/value.h"
#include "data/json.h"
#include "data/yaml.h"
#include "diag/printer.h"

using namespace opm;

namespace {

// Where the modules come from that a program imports; their files are read through it, so it lives as long.
struct Modules {
  explicit Modules(std::string folder)
      : cache(std::move(folder)), sources({std::make_shared<cue::module::CacheSource>(cache)}), resolver(sources) {}
  cue::module::ModuleCache cache;
  cue::module::ModuleSources sources;
  cue::module::BuildListResolver resolver;
};

}  // namespace

struct opm_cue_context {
  std::shared_ptr<Modules> modules;
  std::string directory;  // what messages show paths relative to
  cue::Budget budget;
  std::shared_ptr<const cue::Program> program;
  cue::Context context;

  opm_cue_context(std::shared_ptr<Modules> where, std::string relative_to, const cue::Budget& limits,
                  std::shared_ptr<const cue::Program> compiled)
      : modules(std::move(where)),
        directory(std::move(relative_to)),
        budget(limits),
        program(std::move(compiled)),
        context(program, budget) {
    context.report_all_errors();
  }
};

struct opm_cue_errors {
  struct Place {
    std::string file;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
  };
  struct Entry {
    std::string message;
    std::string path;
    std::string code;
    std::vector<Place> places;
  };
  std::vector<Entry> entries;
  std::string text;
};

struct opm_cue_fields {
  opm_cue_context* context = nullptr;
  std::vector<cue::Value::FieldEntry> entries;
};

namespace {

static_assert(OPM_CUE_NULL == cue::kinds::null && OPM_CUE_BOOL == cue::kinds::boolean &&
              OPM_CUE_INT == cue::kinds::integer && OPM_CUE_FLOAT == cue::kinds::floating &&
              OPM_CUE_STRING == cue::kinds::string && OPM_CUE_BYTES == cue::kinds::bytes &&
              OPM_CUE_FUNCTION == cue::kinds::function && OPM_CUE_STRUCT == cue::kinds::structure &&
              OPM_CUE_LIST == cue::kinds::list);
static_assert(static_cast<unsigned>(OPM_CUE_DEFINITIONS) == cue::Value::definitions &&
              static_cast<unsigned>(OPM_CUE_HIDDEN) == cue::Value::hidden &&
              static_cast<unsigned>(OPM_CUE_OPTIONAL) == cue::Value::optional);

constexpr std::string_view kOutOfMemory = "out of memory";

// What went wrong, for the caller; sorted, each once.
void report(opm_cue_errors** errors, const diag::SourceMap& sources, cue::Diagnostics diagnostics,
            const std::string& directory) {
  if (errors == nullptr) return;
  diag::sort_and_unite(sources, diagnostics);
  auto list = std::make_unique<opm_cue_errors>();
  for (const diag::Diagnostic& diagnostic : diagnostics) {
    opm_cue_errors::Entry& entry = list->entries.emplace_back(diagnostic.message, diagnostic.path, diagnostic.code);
    for (diag::Position position : diagnostic.positions) {
      diag::Location location = sources.locate(position);
      if (!location.file.empty()) entry.places.emplace_back(std::string(location.file), location.line, location.column);
    }
    list->text += diag::format_text(sources, diagnostic, {.working_directory = directory});
    if (!list->text.ends_with('\n')) list->text += '\n';
  }
  *errors = list.release();
}

void report_message(opm_cue_errors** errors, std::string_view message) {
  if (errors == nullptr) return;
  auto list = std::make_unique<opm_cue_errors>();
  list->entries.emplace_back(std::string(message));
  list->text = std::string(message) + "\n";
  *errors = list.release();
}

// Runs what a function of the interface does. An exception can only be one of the standard library, out of memory as a
// rule, and must not reach a caller who has never heard of them.
template <typename Result, typename Work>
Result guarded(Result otherwise, opm_cue_errors** errors, const Work& work) {
  if (errors != nullptr) *errors = nullptr;
  try {
    return work();
  } catch (...) {
    try {
      report_message(errors, kOutOfMemory);
    } catch (...) {
      if (errors != nullptr) *errors = nullptr;
    }
    return otherwise;
  }
}

cue::Value inner(opm_cue_value value) {
  if (value.context == nullptr || value.node == nullptr) return {};
  return cue::Value(&value.context->context, static_cast<cue::eval::Node*>(value.node));
}

opm_cue_value outer(opm_cue_context* context, const cue::Value& value) {
  return value.valid() ? opm_cue_value{context, value.node()} : opm_cue_value{};
}

std::string_view text_of(const char* text, std::size_t length) {
  return text == nullptr ? std::string_view() : std::string_view(text, length);
}

std::string name_of(const char* name) { return name == nullptr || *name == '\0' ? "input" : name; }

opm_cue_text make_text(std::string_view content) {
  auto* data = static_cast<char*>(std::malloc(content.size() + 1));
  if (data == nullptr) throw std::bad_alloc();
  std::memcpy(data, content.data(), content.size());
  data[content.size()] = '\0';
  return {data, content.size()};
}

cue::Budget budget_of(opm_cue_budget wanted) {
  cue::Budget budget;
  if (wanted.steps != 0) budget.steps = wanted.steps;
  if (wanted.bytes != 0) budget.bytes = wanted.bytes;
  return budget;
}

// A context of a program, unless something is wrong with that.
opm_cue_context* make_context(std::shared_ptr<Modules> modules, std::string directory, opm_cue_budget budget,
                              std::shared_ptr<const cue::Program> program, opm_cue_errors** errors) {
  cue::Diagnostics problems = program->errors();
  for (const cue::Instance& instance : program->instances())
    problems.insert(problems.end(), instance.errors.begin(), instance.errors.end());
  if (!problems.empty()) {
    report(errors, program->sources(), std::move(problems), directory);
    return nullptr;
  }
  if (program->instances().empty()) {
    report_message(errors, "no CUE packages or files were named");
    return nullptr;
  }
  return std::make_unique<opm_cue_context>(std::move(modules), std::move(directory), budget_of(budget), std::move(program))
      .release();
}

void report(opm_cue_errors** errors, const opm_cue_context& context, cue::Diagnostics diagnostics) {
  report(errors, context.program->sources(), std::move(diagnostics), context.directory);
}

// A scalar as data; nothing where it is none, or not concrete.
std::optional<data::Value> scalar(opm_cue_value value) {
  cue::Value inside = inner(value);
  if (!inside.valid() || !inside.concrete() || (inside.kind() & cue::kinds::composite) != 0) return std::nullopt;
  auto data = inside.to_data();
  if (!data) return std::nullopt;
  return std::move(*data);
}

template <typename Pick>
bool get_text(opm_cue_value value, opm_cue_text* result, const Pick& pick) {
  return guarded(false, nullptr, [&] {
    std::optional<data::Value> data = scalar(value);
    const std::string* text = data ? pick(*data) : nullptr;
    if (text == nullptr || result == nullptr) return false;
    *result = make_text(*text);
    return true;
  });
}

}  // namespace

// --- errors ---------------------------------------------------------------------------------

size_t opm_cue_errors_count(const opm_cue_errors* errors) { return errors == nullptr ? 0 : errors->entries.size(); }

static const opm_cue_errors::Entry* entry_of(const opm_cue_errors* errors, size_t index) {
  return index < opm_cue_errors_count(errors) ? &errors->entries[index] : nullptr;
}

const char* opm_cue_error_message(const opm_cue_errors* errors, size_t index) {
  const auto* entry = entry_of(errors, index);
  return entry == nullptr ? "" : entry->message.c_str();
}

const char* opm_cue_error_path(const opm_cue_errors* errors, size_t index) {
  const auto* entry = entry_of(errors, index);
  return entry == nullptr ? "" : entry->path.c_str();
}

const char* opm_cue_error_code(const opm_cue_errors* errors, size_t index) {
  const auto* entry = entry_of(errors, index);
  return entry == nullptr ? "" : entry->code.c_str();
}

size_t opm_cue_error_position_count(const opm_cue_errors* errors, size_t index) {
  const auto* entry = entry_of(errors, index);
  return entry == nullptr ? 0 : entry->places.size();
}

opm_cue_position opm_cue_error_position(const opm_cue_errors* errors, size_t index, size_t position) {
  const auto* entry = entry_of(errors, index);
  if (entry == nullptr || position >= entry->places.size()) return {"", 0, 0};
  const opm_cue_errors::Place& place = entry->places[position];
  return {place.file.c_str(), place.line, place.column};
}

const char* opm_cue_errors_text(const opm_cue_errors* errors) { return errors == nullptr ? "" : errors->text.c_str(); }

void opm_cue_errors_free(opm_cue_errors* errors) { std::unique_ptr<opm_cue_errors> ended(errors); }

void opm_cue_text_free(opm_cue_text text) { std::free(text.data); }

// --- contexts -------------------------------------------------------------------------------

opm_cue_context* opm_cue_compile(const char* text, size_t length, const char* name, opm_cue_errors** errors) {
  return opm_cue_compile_within(text, length, name, {}, errors);
}

opm_cue_context* opm_cue_compile_within(const char* text, size_t length, const char* name, opm_cue_budget budget,
                                        opm_cue_errors** errors) {
  return guarded<opm_cue_context*>(nullptr, errors, [&] {
    auto program = cue::Program::from_text(name_of(name), std::string(text_of(text, length)));
    return make_context(nullptr, "", budget, std::move(program), errors);
  });
}

opm_cue_context* opm_cue_load(const opm_cue_load_options* given, opm_cue_errors** errors) {
  return guarded<opm_cue_context*>(nullptr, errors, [&]() -> opm_cue_context* {
    opm_cue_load_options wanted = given == nullptr ? opm_cue_load_options{} : *given;
    cue::load::LoadOptions options;
    std::error_code problem;
    std::filesystem::path folder =
        std::filesystem::absolute(wanted.directory == nullptr ? "." : wanted.directory, problem).lexically_normal();
    if (problem) return report_message(errors, "the working directory is gone"), nullptr;
    options.directory = folder.has_filename() || !folder.has_relative_path() ? folder.string() : folder.parent_path().string();
    for (std::size_t i = 0; i < wanted.tag_count; ++i) options.tags.emplace_back(wanted.tags[i]);
    std::vector<std::string> arguments;
    for (std::size_t i = 0; i < wanted.argument_count; ++i) arguments.emplace_back(wanted.arguments[i]);

    std::shared_ptr<Modules> modules;
    if (wanted.module_cache == nullptr) {
      if (auto users = cue::module::cache_folder(base::real_environment())) modules = std::make_shared<Modules>(*users);
    } else if (*wanted.module_cache != '\0') {
      modules = std::make_shared<Modules>(std::filesystem::absolute(wanted.module_cache, problem).string());
    }
    if (modules) options.resolver = &modules->resolver;
    std::string directory = options.directory;
    auto program = cue::Program::load(arguments, std::move(options));
    return make_context(std::move(modules), std::move(directory), wanted.budget, std::move(program), errors);
  });
}

opm_cue_context* opm_cue_context_again(const opm_cue_context* context) {
  if (context == nullptr) return nullptr;
  return guarded<opm_cue_context*>(nullptr, nullptr, [&] {
    return std::make_unique<opm_cue_context>(context->modules, context->directory, context->budget, context->program).release();
  });
}

void opm_cue_free(opm_cue_context* context) { std::unique_ptr<opm_cue_context> ended(context); }

size_t opm_cue_instance_count(const opm_cue_context* context) {
  return context == nullptr ? 0 : context->program->instances().size();
}

opm_cue_value opm_cue_instance(opm_cue_context* context, size_t index) {
  if (index >= opm_cue_instance_count(context)) return {};
  return guarded(opm_cue_value{}, nullptr, [&] { return outer(context, context->context.instance(index)); });
}

opm_cue_value opm_cue_parse(opm_cue_context* context, opm_cue_format format, const char* text, size_t length,
                            const char* name, opm_cue_errors** errors) {
  return guarded(opm_cue_value{}, errors, [&]() -> opm_cue_value {
    if (context == nullptr) return {};
    if (format == OPM_CUE_FORMAT_CUE) {
      auto value = context->context.compile(text_of(text, length), name_of(name));
      if (value) return outer(context, *value);
      return report(errors, *context, std::move(value.error())), opm_cue_value{};
    }
    const diag::Source* source =
        context->program->mutable_sources().add(name_of(name), std::string(text_of(text, length)));
    if (source == nullptr) return report_message(errors, "the text is too long"), opm_cue_value{};
    cue::Diagnostics problems;
    if (format == OPM_CUE_FORMAT_JSON) {
      auto document = data::read_json(*source);
      if (document) return outer(context, context->context.from_documents({&*document, 1}));
      problems = std::move(document.error());
    } else {
      auto documents = data::read_yaml(*source);
      if (documents && documents->size() == 1) return outer(context, context->context.from_documents(*documents));
      if (documents) return report_message(errors, "expected one YAML document"), opm_cue_value{};
      problems = std::move(documents.error());
    }
    return report(errors, *context, std::move(problems)), opm_cue_value{};
  });
}

opm_cue_value opm_cue_expression(opm_cue_context* context, size_t instance, const char* text, size_t length,
                                 opm_cue_errors** errors) {
  return guarded(opm_cue_value{}, errors, [&]() -> opm_cue_value {
    if (instance >= opm_cue_instance_count(context)) return {};
    auto value = context->context.expression(text_of(text, length), instance);
    if (value) return outer(context, *value);
    return report(errors, *context, std::move(value.error())), opm_cue_value{};
  });
}

// --- values ---------------------------------------------------------------------------------

bool opm_cue_is_valid(opm_cue_value value) { return inner(value).valid(); }

opm_cue_value opm_cue_lookup(opm_cue_value value, const char* path) {
  if (path == nullptr) return {};
  return guarded(opm_cue_value{}, nullptr, [&] { return outer(value.context, inner(value).find(path)); });
}

opm_cue_value opm_cue_field(opm_cue_value value, const char* name) {
  if (name == nullptr) return {};
  return guarded(opm_cue_value{}, nullptr, [&] { return outer(value.context, inner(value).field(name)); });
}

uint32_t opm_cue_kinds(opm_cue_value value) {
  return guarded(std::uint32_t{OPM_CUE_BOTTOM}, nullptr, [&] { return std::uint32_t{inner(value).kind()}; });
}

bool opm_cue_is_concrete(opm_cue_value value) {
  return guarded(false, nullptr, [&] { return inner(value).concrete(); });
}

bool opm_cue_allows(opm_cue_value value, const char* field) {
  return guarded(false, nullptr, [&] { return field != nullptr && inner(value).valid() && inner(value).allows(field); });
}

opm_cue_text opm_cue_path(opm_cue_value value) {
  return guarded(opm_cue_text{}, nullptr, [&] {
    cue::Value inside = inner(value);
    return inside.valid() ? make_text(inside.path()) : opm_cue_text{};
  });
}

bool opm_cue_get_bool(opm_cue_value value, bool* result) {
  return guarded(false, nullptr, [&] {
    std::optional<bool> truth = inner(value).boolean();
    if (!truth || result == nullptr) return false;
    *result = *truth;
    return true;
  });
}

bool opm_cue_get_int64(opm_cue_value value, int64_t* result) {
  return guarded(false, nullptr, [&] {
    cue::Value inside = inner(value);
    std::optional<std::int64_t> number = inside.integer();
    if (!number || result == nullptr || inside.kind() != cue::kinds::integer) return false;
    *result = *number;
    return true;
  });
}

bool opm_cue_get_double(opm_cue_value value, double* result) {
  return guarded(false, nullptr, [&] {
    std::optional<data::Value> data = scalar(value);
    if (!data || !data->is_number() || result == nullptr) return false;
    *result = std::strtod(data->as_number().text.c_str(), nullptr);
    return true;
  });
}

bool opm_cue_get_string(opm_cue_value value, opm_cue_text* result) {
  return get_text(value, result, [](const data::Value& data) { return std::get_if<std::string>(&data.variant); });
}

bool opm_cue_get_bytes(opm_cue_value value, opm_cue_text* result) {
  return get_text(value, result, [](const data::Value& data) { return data.is_bytes() ? &data.as_bytes().bytes : nullptr; });
}

bool opm_cue_get_number(opm_cue_value value, opm_cue_text* result) {
  return get_text(value, result, [](const data::Value& data) { return data.is_number() ? &data.as_number().text : nullptr; });
}

// --- fields and elements --------------------------------------------------------------------

opm_cue_fields* opm_cue_list_fields(opm_cue_value value, unsigned selection) {
  return guarded<opm_cue_fields*>(nullptr, nullptr, [&]() -> opm_cue_fields* {
    cue::Value inside = inner(value);
    if (!inside.valid()) return nullptr;
    auto fields = std::make_unique<opm_cue_fields>();
    fields->context = value.context;
    if (inside.kind() == cue::kinds::list) {
      for (const cue::Value& element : inside.elements()) fields->entries.push_back({.value = element});
    } else if (inside.kind() == cue::kinds::structure) {
      fields->entries = inside.fields(selection & cue::Value::all);
    } else {
      return nullptr;
    }
    return fields.release();
  });
}

static const cue::Value::FieldEntry* entry_of(const opm_cue_fields* fields, size_t index) {
  return fields != nullptr && index < fields->entries.size() ? &fields->entries[index] : nullptr;
}

size_t opm_cue_fields_count(const opm_cue_fields* fields) { return fields == nullptr ? 0 : fields->entries.size(); }

const char* opm_cue_field_name(const opm_cue_fields* fields, size_t index) {
  const auto* entry = entry_of(fields, index);
  return entry == nullptr ? "" : entry->name.c_str();
}

bool opm_cue_field_is_optional(const opm_cue_fields* fields, size_t index) {
  const auto* entry = entry_of(fields, index);
  return entry != nullptr && entry->is_optional;
}

bool opm_cue_field_is_required(const opm_cue_fields* fields, size_t index) {
  const auto* entry = entry_of(fields, index);
  return entry != nullptr && entry->is_required;
}

opm_cue_value opm_cue_field_value(const opm_cue_fields* fields, size_t index) {
  const auto* entry = entry_of(fields, index);
  return entry == nullptr ? opm_cue_value{} : outer(fields->context, entry->value);
}

void opm_cue_fields_free(opm_cue_fields* fields) { std::unique_ptr<opm_cue_fields> ended(fields); }

// --- what to do with them -------------------------------------------------------------------

opm_cue_value opm_cue_unify(opm_cue_value left, opm_cue_value right) {
  if (!opm_cue_is_valid(left) || !opm_cue_is_valid(right) || left.context != right.context) return {};
  return guarded(opm_cue_value{}, nullptr, [&] { return outer(left.context, inner(left).unify(inner(right))); });
}

opm_cue_value opm_cue_fill(opm_cue_value value, const char* path, opm_cue_value filled) {
  if (!opm_cue_is_valid(value) || !opm_cue_is_valid(filled) || value.context != filled.context || path == nullptr) return {};
  return guarded(opm_cue_value{}, nullptr, [&] {
    auto parsed = cue::Path::parse(path);
    if (!parsed) return opm_cue_value{};
    std::pair<cue::Path, cue::Value> one{std::move(*parsed), inner(filled)};
    return outer(value.context, inner(value).fill({&one, 1}));
  });
}

bool opm_cue_validate(opm_cue_value value, bool concrete, opm_cue_errors** errors) {
  return guarded(false, errors, [&] {
    cue::Value inside = inner(value);
    if (!inside.valid()) return report_message(errors, "there is no such value"), false;
    cue::Diagnostics problems = inside.validate({.concrete = concrete});
    if (problems.empty()) problems = value.context->context.exhaustion();
    if (problems.empty()) return true;
    return report(errors, *value.context, std::move(problems)), false;
  });
}

opm_cue_text opm_cue_export(opm_cue_value value, opm_cue_format format, opm_cue_errors** errors) {
  return guarded(opm_cue_text{}, errors, [&]() -> opm_cue_text {
    cue::Value inside = inner(value);
    if (!inside.valid()) return report_message(errors, "there is no such value"), opm_cue_text{};
    if (format == OPM_CUE_FORMAT_CUE) {
      cue::Diagnostics problems = inside.validate({});
      std::string source = problems.empty() ? inside.to_cue({.simplify_labels = true}) : std::string();
      if (problems.empty()) problems = value.context->context.exhaustion();
      if (problems.empty()) return make_text(source);
      return report(errors, *value.context, std::move(problems)), opm_cue_text{};
    }
    bool is_yaml = format == OPM_CUE_FORMAT_YAML;
    auto data = inside.to_data(is_yaml ? base::NumberStyle::yaml : base::NumberStyle::json);
    if (!data) return report(errors, *value.context, std::move(data.error())), opm_cue_text{};
    if (is_yaml) return make_text(data::write_yaml(*data, {.style = data::YamlStyle::cue}));
    return make_text(data::write_json(*data, {.indent = 4, .final_newline = true}));
  });
}
