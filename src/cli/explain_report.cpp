#include "cli/explain_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "cli/table.h"
#include "data/build.h"
#include "data/yaml.h"
#include "opm/model/provider.h"
#include "opm/render/resource_query.h"
#include "opm/values/text.h"

namespace opm::cli {

namespace {

using render::ResourceOrigins;
using render::FieldOrigin;
using render::OriginRole;
using render::OriginStep;

std::string place_text(const OriginStep& step) {
  if (step.file.empty()) return "given on the command line or by the configuration";
  std::string_view file = step.file;
  if (file.starts_with("./")) file.remove_prefix(2);
  return fmt::format("{}:{}:{}", file, step.line, step.column);
}

// Who says it.
std::string title(const ResourceOrigins& explanation, const OriginStep& step) {
  switch (step.role) {
    case OriginRole::transformer: return fmt::format("transformer {}", model::short_name(explanation.place.transformer));
    case OriginRole::component: return fmt::format("component \"{}\"", explanation.place.component);
    case OriginRole::module: return "module";
    case OriginRole::release: return "release";
    case OriginRole::values: return step.tier.empty() ? "values" : fmt::format("values, {}", step.tier);
    case OriginRole::schema: return step.decides ? "schema, its default" : "schema";
  }
  return {};
}

std::string resource_line(const ResourceOrigins& explanation) {
  std::string text = fmt::format("{} \"{}\"", explanation.kind, explanation.name);
  if (!explanation.namespace_name.empty()) text += fmt::format(" in namespace \"{}\"", explanation.namespace_name);
  return text + fmt::format(", made by {} of component \"{}\"", model::short_name(explanation.place.transformer), explanation.place.component);
}

std::string shortened(std::string text, std::size_t longest = 60) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  if (text.size() <= longest) return text;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

// Of a long line, the part that matters.
std::string quoted(const OriginStep& step) {
  constexpr std::size_t kLongest = 110, kBefore = 20;
  if (step.text.size() <= kLongest || step.text_offset + kBefore <= kLongest) return shortened(step.text, kLongest);
  std::size_t begin = std::min(step.text_offset - kBefore, step.text.size() - kLongest);
  // At a word, so that no character is cut either.
  begin = std::min(step.text.find(' ', begin) + 1, step.text_offset);
  return "… " + shortened(step.text.substr(begin), kLongest);
}

// Lines of a YAML document, each with the field that ends up on it.
class LineFields {
 public:
  explicit LineFields(const ResourceOrigins& explanation) {
    for (const FieldOrigin& field : explanation.fields) fields_[field.path] = &field;
    add(explanation.object);
  }
  std::vector<const FieldOrigin*> lines;  // null: none does

 private:
  void add(const data::Value& value) {
    if (value.is_map() && !value.as_map().empty()) {
      for (const data::Member* member : data::sorted_members(value.as_map())) {
        path_.push_back(member->key);
        bool has_own_line = (member->value.is_map() && !member->value.as_map().empty()) ||
                            (member->value.is_list() && !member->value.as_list().empty());
        if (has_own_line) lines.push_back(nullptr);
        add(member->value);
        path_.pop_back();
      }
    } else if (value.is_list() && !value.as_list().empty()) {
      for (std::size_t i = 0; i < value.as_list().size(); ++i) {
        path_.push_back(std::to_string(i));
        add(value.as_list()[i]);
        path_.pop_back();
      }
    } else {
      auto found = fields_.find(path_);
      lines.push_back(found == fields_.end() ? nullptr : found->second);
      std::string text = data::write_yaml(value, data::kManifestYaml);
      lines.resize(lines.size() + static_cast<std::size_t>(std::ranges::count(text, '\n')) - 1, nullptr);
    }
  }

  std::map<std::vector<std::string>, const FieldOrigin*> fields_;
  std::vector<std::string> path_;
};

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

void print_origin(Output& out, const ResourceOrigins& explanation, const FieldOrigin& field, bool with_color) {
  std::string_view strong = with_color ? "\x1b[1m" : "", place = with_color ? "\x1b[36m" : "", end = with_color ? "\x1b[0m" : "";
  out.print("{}{}: {}{}\n", strong, render::part_text(field.path, explanation.object), values::value_text(field.value), end);
  out.print("  {}\n", resource_line(explanation));
  for (const OriginStep& step : field.steps) {
    out.print("\n  {} {}{}\n", step.decides ? "*" : " ", title(explanation, step),
              step.path.empty() ? std::string() : fmt::format(": {}", step.path));
    out.print("      {}{}{}\n", place, place_text(step), end);
    if (!step.text.empty()) out.print("      | {}\n", quoted(step));
  }
  if (field.steps.empty()) out.write("\n    where it comes from is not known\n");
}

void print_origins(Output& out, const ResourceOrigins& explanation) {
  out.print("{}\n\n", resource_line(explanation));
  std::vector<std::vector<std::string>> rows{{"FIELD", "VALUE", "COMES FROM"}};
  for (const FieldOrigin& field : explanation.fields) {
    const OriginStep* origin = field.origin();
    rows.push_back({render::part_text(field.path, explanation.object), shortened(values::value_text(field.value)),
                    origin == nullptr ? "" : place_text(*origin)});
  }
  out.write(format_table(rows));
}

void print_annotated(Output& out, const ResourceOrigins& explanation) {
  std::string text = data::write_yaml(explanation.object, data::kManifestYaml);
  std::vector<const FieldOrigin*> fields = LineFields(explanation).lines;
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.find('\n', at);
    lines.push_back(std::string_view(text).substr(at, end - at));
    at = end + 1;
  }
  constexpr std::size_t kWidest = 60;  // longer lines don't push the comments of the others to the right
  std::size_t width = 0;
  for (std::string_view line : lines) {
    if (std::size_t length = characters(line); length <= kWidest) width = std::max(width, length);
  }
  out.print("# {}\n", resource_line(explanation));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const OriginStep* origin = i < fields.size() && fields[i] != nullptr ? fields[i]->origin() : nullptr;
    out.write(lines[i]);
    if (origin != nullptr) {
      std::size_t length = characters(lines[i]);
      out.print("{}# {}", std::string(length < width ? width - length + 2 : 2, ' '), place_text(*origin));
    }
    out.write("\n");
  }
}

data::Value explanation_data(const ResourceOrigins& explanation) {
  data::List fields;
  for (const FieldOrigin& field : explanation.fields) {
    data::List steps;
    for (const OriginStep& step : field.steps) {
      data::Value entry = data::map({{"role", data::text(std::string(render::role_name(step.role)))}, {"decides", data::boolean(step.decides)}});
      if (!step.path.empty()) data::set(entry, "path", data::text(step.path));
      if (!step.tier.empty()) data::set(entry, "tier", data::text(step.tier));
      if (!step.file.empty()) {
        data::set(entry, "file", data::text(step.file.starts_with("./") ? step.file.substr(2) : step.file));
        data::set(entry, "line", data::integer(step.line));
        data::set(entry, "column", data::integer(step.column));
      }
      if (!step.text.empty()) data::set(entry, "text", data::text(step.text));
      steps.push_back(std::move(entry));
    }
    fields.push_back(data::map({{"path", data::text(render::part_text(field.path, explanation.object))},
                                {"value", field.value},
                                {"steps", data::list(std::move(steps))}}));
  }
  data::Value resource = data::map({{"apiVersion", data::text(explanation.api_version)}, {"kind", data::text(explanation.kind)}});
  if (!explanation.namespace_name.empty()) data::set(resource, "namespace", data::text(explanation.namespace_name));
  data::set(resource, "name", data::text(explanation.name));
  return data::map({{"resource", std::move(resource)},
                    {"component", data::text(explanation.place.component)},
                    {"transformer", data::text(explanation.place.transformer)},
                    {"fields", data::list(std::move(fields))}});
}

}  // namespace opm::cli
