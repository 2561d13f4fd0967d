#include "opm/values/read.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/path.h"
#include "cue/load/decode.h"
#include "opm/values/text.h"

namespace opm::values {

namespace {

// What the readers of data allow.
constexpr std::size_t kDeepest = 1000;

diag::Diagnostic problem(std::string code, std::string message, std::string advice = {}) {
  diag::Diagnostic diagnostic;
  diagnostic.code = std::move(code);
  diagnostic.message = std::move(message);
  diagnostic.advice = std::move(advice);
  return diagnostic;
}

std::string shown_path(const FieldPath& path) {
  return path.empty() ? std::string(kValuesField) : fmt::format("{}.{}", kValuesField, path_text(path));
}

bool is_cycle(std::string_view message) { return message.starts_with("cycle"); }

class Reader {
 public:
  explicit Reader(Tier tier) : tier_(tier) {}
  cue::Diagnostics errors;

  Tree read(const cue::Value& value, bool is_default) {
    Tree tree;
    tree.tier = tier_;
    // Where the field stands, not what it refers to.
    if (std::vector<diag::Position> positions = value.positions(); !positions.empty()) tree.position = positions.front();
    if (path_.size() > kDeepest) {
      errors.push_back(problem("too-deep", fmt::format("values are nested more than {} levels deep", kDeepest)));
      return tree;
    }
    if (value.has_default()) {
      is_default = true;
      if (tier_ == Tier::author) report_marker(tree.position);
    }
    if (value.kind() == cue::kinds::structure) {
      tree.is_struct = true;
      for (const cue::Value::FieldEntry& entry : value.fields()) {
        if (entry.is_required) {
          report("field is required but not present", tree.position);
          continue;
        }
        path_.push_back(entry.value.label());
        tree.fields.push_back({entry.value.label(), read(entry.value, is_default)});
        path_.pop_back();
      }
      return tree;
    }
    tree.is_default = is_default;
    if (auto data = value.to_data()) {
      tree.leaf = std::move(*data);
      if (!tree.leaf.position.valid()) tree.leaf.position = tree.position;
    } else {
      for (const diag::Diagnostic& error : data.error()) {
        report(error.message, tree.position);
        if (is_cycle(error.message)) break;  // it is the same one from wherever it is seen
      }
    }
    return tree;
  }

 private:
  void report_marker(diag::Position position) {
    diag::Diagnostic error = problem(
        "default-marker", "default markers (*) are not allowed in the values of the " + tier_label(Tier::author),
        "write the value alone: what the author sets is the default of the other tiers");
    add(std::move(error), position);
  }

  void report(const std::string& why, diag::Position position) {
    if (is_cycle(why)) {
      diag::Diagnostic error =
          problem("cycle", fmt::format("the value of the {} depends on itself: {}", tier_label(tier_), why), "write a value");
      return add(std::move(error), position);
    }
    std::string_view advice = tier_ == Tier::platform ? "write a value to lock the field, or *value | _ to give it a default"
                                                      : "write a value";
    diag::Diagnostic error =
        problem("not-concrete", fmt::format("the value of the {} is not concrete: {}", tier_label(tier_), why), std::string(advice));
    add(std::move(error), position);
  }

  void add(diag::Diagnostic error, diag::Position position) {
    error.path = shown_path(path_);
    if (position.valid()) error.positions.push_back(position);
    errors.push_back(std::move(error));
  }

  Tier tier_;
  FieldPath path_;
};

// Cycles have no place of their own; what they are in has.
void locate(const cue::Value& values, diag::Diagnostic& error) {
  std::string_view below = error.path;
  if (below.starts_with("values.")) below.remove_prefix(std::string_view("values.").size());
  auto path = cue::Path::parse(below);
  if (!path) return;
  cue::Value at = values;
  for (const cue::Path::Element& element : path->elements) {
    cue::Path step;
    step.elements.push_back(element);
    cue::Value next = at.find(step);
    if (!next.exists()) break;
    at = next;
    if (std::vector<diag::Position> positions = at.positions(); !positions.empty()) error.positions = {positions.front()};
  }
}

Reading failed(diag::Diagnostic error, diag::Position position = {}) {
  if (position.valid()) error.positions.push_back(position);
  Reading reading;
  reading.errors.push_back(std::move(error));
  return reading;
}

std::string_view kind_name(const data::Value& value) {
  if (value.is_null()) return "null";
  if (value.is_bool()) return "a boolean";
  if (value.is_number()) return "a number";
  if (value.is_list()) return "a list";
  return "text";
}

bool is_tab(const diag::SourceMap& sources, diag::Position position) {
  std::string_view line = sources.line_text(position);
  std::size_t column = sources.locate(position).column;
  return column > 0 && column <= line.size() && line[column - 1] == '\t';
}

Reading read_data_file(cue::Context& context, const ValuesFile& file, const base::FileSystem& files) {
  cue::load::DataFile data;
  data.path = file.path;
  data.files = &files;
  auto type = cue::load::file_type(std::string(base::base_name(file.path)), {});
  if (!type) return failed(problem("no-values", fmt::format("{}: {}", file.shown, type.error())));
  data.type = *type;
  auto documents = cue::load::decode(data, file.shown, context.program().mutable_sources());
  if (!documents) {
    const diag::SourceMap& sources = context.program().sources();
    for (diag::Diagnostic& error : documents.error()) {
      if (error.advice.empty() && !error.positions.empty() && is_tab(sources, error.positions.front()))
        error.advice = "YAML is indented with spaces; there is a tab";
    }
    return {std::nullopt, std::move(documents.error())};
  }
  auto is_empty = [](const data::Value& document) { return document.is_null(); };
  if (std::ranges::all_of(*documents, is_empty))
    return failed(problem("no-values", fmt::format("{} is empty: it has no values", file.shown)));
  if (documents->size() > 1)
    return failed(problem("no-values", fmt::format("{} has {} documents; values are one", file.shown, documents->size())),
                  (*documents)[1].position);
  const data::Value& whole = documents->front();
  const data::Value* inner = whole.find(kValuesField);
  const data::Value& values = inner != nullptr ? *inner : whole;
  if (!values.is_map())
    return failed(problem("no-values", fmt::format("{} has {} where values are expected", file.shown, kind_name(values)),
                          "values are fields: \"name: value\""),
                  values.position);
  return {tree_of(values, file.tier), {}};
}

// The nearest folder from the file up that has cue.mod; empty: none.
std::string module_of(const base::FileSystem& files, const std::string& path) {
  for (std::string at = base::parent_path(path);; at = base::parent_path(at)) {
    if (files.status(base::join_path(at, "cue.mod/module.cue"))) return at;
    if (at == base::parent_path(at)) return {};
  }
}

}  // namespace

bool is_values_file(std::string_view path) {
  return path.ends_with(".cue") || path.ends_with(".yaml") || path.ends_with(".yml") || path.ends_with(".json");
}

std::vector<cue::LoadRequest> values_requests(std::span<const ValuesFile> files, const cue::load::LoadOptions& like) {
  std::vector<cue::LoadRequest> requests;
  const base::FileSystem& disk = like.files != nullptr ? *like.files : base::real_file_system();
  for (const ValuesFile& file : files) {
    if (!file.is_cue()) continue;
    cue::LoadRequest request;
    request.options.directory = like.directory;
    request.options.files = like.files;
    request.options.resolver = like.resolver;
    request.options.comments = false;
    request.options.all_standard_packages = false;
    request.options.module_root = module_of(disk, file.path);
    if (request.options.module_root.empty()) request.options.module_root = like.module_root;
    request.arguments.push_back(file.path);
    requests.push_back(std::move(request));
  }
  return requests;
}

diag::Diagnostic no_values_field(const std::string& shown) {
  return problem("no-values", fmt::format("{} has no field \"{}\"", shown, kValuesField),
                 fmt::format("a CUE file holds its values in a field \"{}\"", kValuesField));
}

Reading read_values(const cue::Value& values, Tier tier) {
  Reading reading;
  reading.errors = values.validate();
  for (diag::Diagnostic& error : reading.errors) {
    if (error.positions.empty()) locate(values, error);
    if (error.path.empty()) error.path = kValuesField;
    else if (error.path != kValuesField && !error.path.starts_with("values.")) error.path = fmt::format("{}.{}", kValuesField, error.path);
  }
  if (!reading.errors.empty()) return reading;
  if (values.kind() != cue::kinds::structure) {
    std::vector<diag::Position> positions = values.positions();
    diag::Diagnostic error = problem("no-values", fmt::format("the values of the {} are no struct", tier_label(tier)),
                                     "values are fields: \"name: value\"");
    error.path = kValuesField;
    return failed(std::move(error), positions.empty() ? diag::Position{} : positions.back());
  }
  Reader reader(tier);
  Tree tree = reader.read(values, false);
  reading.errors = std::move(reader.errors);
  if (reading.errors.empty()) reading.tree = std::move(tree);
  return reading;
}

Reading read_values_file(cue::Context& context, const ValuesFile& file, std::optional<std::size_t> instance,
                         const base::FileSystem& files) {
  if (!instance) return read_data_file(context, file, files);
  const cue::Instance& loaded = context.program().instances()[*instance];
  if (!loaded.errors.empty()) return {std::nullopt, loaded.errors};
  cue::Value values = context.instance(*instance).field(kValuesField);
  if (!values.exists()) return failed(no_values_field(file.shown));
  return read_values(values, file.tier);
}

}  // namespace opm::values
