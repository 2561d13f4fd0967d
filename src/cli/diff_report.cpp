#include "cli/diff_report.h"

#include <fmt/core.h>
#include <stdlib.h>

#include <filesystem>
#include <sstream>

#include "base/file_writer.h"
#include "base/path.h"
#include "base/process.h"
#include "base/text_diff.h"
#include "data/build.h"
#include "data/json.h"
#include "data/yaml.h"

namespace opm::cli {

namespace {

using release::DifferenceKind;
using release::FieldChange;
using release::ObjectDifference;

struct Paint {
  bool on = false;
  std::string_view red() const { return on ? "\x1b[31m" : ""; }
  std::string_view green() const { return on ? "\x1b[32m" : ""; }
  std::string_view yellow() const { return on ? "\x1b[33m" : ""; }
  std::string_view cyan() const { return on ? "\x1b[36m" : ""; }
  std::string_view end() const { return on ? "\x1b[0m" : ""; }
};

bool is_structure(const data::Value& value) { return value.is_map() || value.is_list(); }
bool is_long_text(const data::Value& value) {
  return value.is_string() && value.as_string().find('\n') != std::string::npos;
}

// Each line behind the indent and the mark.
void append_lines(std::string& out, std::string_view text, std::string_view indent, std::string_view mark,
                  std::string_view color, std::string_view end) {
  while (!text.empty()) {
    std::size_t line = std::min(text.find('\n'), text.size());
    out += fmt::format("{}{}{}{}{}\n", indent, color, mark, text.substr(0, line), end);
    text.remove_prefix(std::min(line + 1, text.size()));
  }
}

std::string plain(const data::Value& value) { return data::write_json(value, {.sort_keys = true}); }

void append_side(std::string& out, const std::optional<data::Value>& value, std::string_view mark,
                 std::string_view color, std::string_view end) {
  if (!value) return;
  std::string text = is_structure(*value)   ? data::write_yaml(*value, data::kManifestYaml)
                     : is_long_text(*value) ? value->as_string()
                                            : plain(*value);
  append_lines(out, text, "      ", mark, color, end);
}

void append_text_change(std::string& out, const FieldChange& change, const Paint& paint) {
  std::string hunks = base::unified_diff("before", change.before->as_string(), "after", change.after->as_string());
  std::istringstream lines(hunks);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    if (++number <= 3) continue;  // its head names files
    std::string_view color = line.starts_with('+')    ? paint.green()
                             : line.starts_with('-')  ? paint.red()
                             : line.starts_with("@@") ? paint.cyan()
                                                      : std::string_view{};
    out += fmt::format("      {}{}{}\n", color, line, color.empty() ? "" : paint.end());
  }
}

void append_change(std::string& out, const FieldChange& change, const Paint& paint) {
  bool both = change.before && change.after;
  if (both && change.before->is_string() && change.after->is_string() &&
      (is_long_text(*change.before) || is_long_text(*change.after))) {
    out += fmt::format("    {}:\n", change.path);
    return append_text_change(out, change, paint);
  }
  auto is_short = [](const std::optional<data::Value>& value) {
    return !value || (!is_long_text(*value) && (!is_structure(*value) || plain(*value).size() <= 60));
  };
  if (is_short(change.before) && is_short(change.after)) {
    out += fmt::format("    {}: ", change.path);
    if (change.before) out += fmt::format("{}{}{}", paint.red(), plain(*change.before), paint.end());
    if (both) out += " → ";
    if (change.after) out += fmt::format("{}{}{}", paint.green(), plain(*change.after), paint.end());
    out += both ? "\n" : change.before ? " (removed)\n" : " (added)\n";
    return;
  }
  out += fmt::format("    {}:\n", change.path);
  append_side(out, change.before, "- ", paint.red(), paint.end());
  append_side(out, change.after, "+ ", paint.green(), paint.end());
}

std::string component_text(const release::Entry& entry) {
  return entry.component.empty() ? std::string{} : fmt::format(" (component {})", entry.component);
}

data::Value json_side(const std::optional<data::Value>& value) { return value ? *value : data::Value{}; }

}  // namespace

std::string diff_text(const release::DiffResult& diff, bool with_color) {
  Paint paint{with_color};
  std::string out;
  std::size_t added = 0, changed = 0, orphaned = 0, unchanged = 0;
  for (const ObjectDifference& object : diff.objects) {
    std::string name = release::display_name(object.entry.object);
    switch (object.kind) {
      case DifferenceKind::added:
        ++added;
        out += fmt::format("{}+ {}{}{}\n", paint.green(), name, component_text(object.entry), paint.end());
        append_lines(out, data::write_yaml(object.after, data::kManifestYaml), "    ", "", paint.green(), paint.end());
        break;
      case DifferenceKind::changed:
        ++changed;
        out += fmt::format("{}~ {}{}{}\n", paint.yellow(), name, component_text(object.entry), paint.end());
        for (const FieldChange& change : object.changes) append_change(out, change, paint);
        break;
      case DifferenceKind::orphaned:
        ++orphaned;
        out += fmt::format("{}- {}{}: no longer rendered, would be pruned{}\n", paint.red(), name,
                           component_text(object.entry), paint.end());
        break;
      case DifferenceKind::unchanged:
        ++unchanged;
        break;
    }
  }
  if (!diff.differs()) return {};
  out += fmt::format("{} added, {} changed, {} orphaned, {} unchanged\n", added, changed, orphaned, unchanged);
  return out;
}

data::Value diff_tree(const release::DiffResult& diff) {
  data::List objects;
  std::map<std::string_view, std::int64_t> counts{{"added", 0}, {"changed", 0}, {"orphaned", 0}, {"unchanged", 0}};
  for (const ObjectDifference& object : diff.objects) {
    ++counts[release::name_of(object.kind)];
    data::List changes;
    for (const FieldChange& change : object.changes) {
      changes.push_back(data::map({{"path", data::text(change.path)},
                                   {"before", json_side(change.before)},
                                   {"after", json_side(change.after)}}));
    }
    data::Value item = data::map({{"difference", data::text(std::string(release::name_of(object.kind)))},
                                  {"apiVersion", data::text(release::api_version(object.entry))},
                                  {"kind", data::text(object.entry.object.kind)},
                                  {"namespace", data::text(object.entry.object.namespace_name)},
                                  {"name", data::text(object.entry.object.name)},
                                  {"component", data::text(object.entry.component)}});
    if (object.kind == DifferenceKind::changed) data::set(item, "changes", data::list(std::move(changes)));
    if (object.kind == DifferenceKind::added) data::set(item, "object", object.after);
    objects.push_back(std::move(item));
  }
  data::Value summary = data::map();
  for (const auto& [name, count] : counts) data::set(summary, name, data::integer(count));
  return data::map({{"objects", data::list(std::move(objects))}, {"summary", std::move(summary)}});
}

std::string diff_json(const release::DiffResult& diff) {
  return data::write_json(diff_tree(diff), {.indent = 2, .final_newline = true});
}

std::optional<ExitCode> external_diff(Session& session, const std::string& program, const release::DiffResult& diff) {
  if (!diff.differs()) return std::nullopt;
  std::error_code error;
  std::string pattern = (std::filesystem::temp_directory_path(error) / "opm-diff-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    session.err.print("error: cannot make a folder for the differences\n");
    return ExitCode::invalid;
  }
  std::string before = base::join_path(pattern, "LIVE"), after = base::join_path(pattern, "MERGED");
  auto write = [&](const std::string& folder, const ObjectDifference& object, const data::Value& value) {
    if (value.is_null()) return true;
    // Never one that begins with a dot: programs would not see it.
    std::string name = fmt::format("{}.{}.{}.{}", release::api_version(object.entry), object.entry.object.kind,
                                   object.entry.object.namespace_name, object.entry.object.name);
    for (char& c : name) c = c == '/' ? '.' : c == ':' ? '_' : c;
    return base::real_file_writer()
        .write_file(base::join_path(folder, name), data::write_yaml(value, data::kManifestYaml))
        .has_value();
  };
  bool written = base::real_file_writer().make_directories(before).has_value() &&
                 base::real_file_writer().make_directories(after).has_value();
  for (const ObjectDifference& object : diff.objects)
    written = written && write(before, object, object.before) && write(after, object, object.after);
  std::vector<std::string> words;
  std::istringstream stream(program);
  for (std::string word; stream >> word;) words.push_back(word);
  words.push_back(before);
  words.push_back(after);
  std::optional<ExitCode> code;
  auto result = written ? base::run_process(words) : std::unexpected(base::FileError{});
  if (!result) {
    session.err.print("error: cannot run \"{}\", which KUBECTL_EXTERNAL_DIFF names\n", program);
    code = ExitCode::invalid;
  } else {
    session.out.write(result->out);
    session.err.write(result->err);
    if (result->exit_code > 1) code = ExitCode::invalid;
  }
  std::filesystem::remove_all(pattern, error);
  return code;
}

}  // namespace opm::cli
