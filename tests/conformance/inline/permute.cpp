#include "permute.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "check.h"

namespace opm::inline_test {

namespace syntax = cue::syntax;

namespace {

struct Place {
  std::string file;
  std::vector<const syntax::Field*> fields;  // those that change places
};

bool has_name(const syntax::Field& field, const std::string& name) {
  std::optional<Step> step = label_step(*field.label, "_");
  return step && path_text({*step}) == name;
}

// The struct literal at the path, in the first file that has two of the fields there.
std::optional<Place> find_place(const ArchiveSyntax& archive, const PermuteGroup& group) {
  for (const SourceFile& file : archive.files()) {
    std::span<syntax::Declaration* const> declarations = file.syntax->declarations;
    bool found = true;
    for (const Step& step : group.parent) {
      const syntax::StructLiteral* literal = nullptr;
      for (const syntax::Declaration* declaration : declarations) {
        if (declaration->kind != syntax::NodeKind::field) continue;
        const auto& field = *syntax::as<syntax::Field>(declaration);
        if (!has_name(field, path_text({step}))) continue;
        if (field.value->kind == syntax::NodeKind::struct_literal) literal = syntax::as<syntax::StructLiteral>(field.value);
        break;
      }
      found = literal != nullptr;
      if (!found) break;
      declarations = literal->elements;
    }
    if (!found) continue;
    Place place;
    place.file = file.name;
    for (const syntax::Declaration* declaration : declarations) {
      if (declaration->kind != syntax::NodeKind::field) continue;
      const auto* field = syntax::as<syntax::Field>(declaration);
      bool wanted = group.fields.empty() || std::ranges::any_of(group.fields, [&](const std::string& name) {
        return has_name(*field, name);
      });
      if (wanted) place.fields.push_back(field);
    }
    if (place.fields.size() >= 2) return place;
  }
  return std::nullopt;
}

// The file's text with the fields in another order, each at the place of the one it takes over.
std::string reordered(const std::string& text, const diag::SourceMap& sources, const Place& place, const std::vector<std::size_t>& order) {
  std::string result;
  std::size_t from = 0;
  auto begin = [&](std::size_t i) { return sources.locate(place.fields[i]->begin).offset; };
  auto length = [&](std::size_t i) { return place.fields[i]->end.value - place.fields[i]->begin.value; };
  for (std::size_t i = 0; i < order.size(); ++i) {
    result += text.substr(from, begin(i) - from);
    result += text.substr(begin(order[i]), length(order[i]));
    from = begin(i) + length(i);
  }
  return result + text.substr(from);
}

std::optional<std::string> check_order(const Archive& archive, const ArchiveSyntax& syntax, const PermuteGroup& group) {
  ArchiveProgram program(archive);
  if (!program.problem().empty()) return std::nullopt;
  std::optional<std::string> problem;
  program.context().run([&] {
    Engine engine(program.context());
    Subject root = engine.of(program.context().instance(0).node());
    for (const Record& record : syntax.records()) {
      if (problem || !record.problem.empty() || record.file_level || !starts_with(record.path, group.parent)) continue;
      std::vector<const Record*> active = active_records(syntax.records(), record.path, false);
      if (std::ranges::find(active, &record) == active.end()) continue;
      const std::string& name = record.directive.name;
      bool counts = name == "err" || name == "closed" || name == "kind" || name == "allows" ||
                    (name == "eq" && record.directive.positional() != nullptr);
      if (!counts) continue;
      if (auto wrong = check_directive(engine, root, record, false)) {
        problem = fmt::format("{} {}: {}", path_text(record.path), name, *wrong);
      }
    }
  });
  return problem;
}

}  // namespace

std::vector<PermuteGroup> permute_groups(const std::vector<Record>& records) {
  std::vector<PermuteGroup> groups;
  auto group_of = [&](const StepPath& parent) -> PermuteGroup* {
    auto found = std::ranges::find_if(groups, [&](const PermuteGroup& group) { return same_path(group.parent, parent); });
    return found == groups.end() ? nullptr : &*found;
  };
  for (const Record& record : records) {
    const Directive& directive = record.directive;
    if (!record.problem.empty() || record.file_level || directive.name != "permute" || !directive.applies()) continue;
    if (record.is_declaration) {
      if (group_of(record.path) == nullptr) groups.push_back({record.path, {}, &record});
      continue;
    }
    if (record.path.size() < 2) continue;
    StepPath parent(record.path.begin(), record.path.end() - 1);
    PermuteGroup* group = group_of(parent);
    if (group == nullptr) {
      groups.push_back({parent, {}, &record});
      group = &groups.back();
    } else if (group->record->is_declaration) {
      continue;
    }
    group->fields.push_back(path_text({record.path.back()}));
  }
  return groups;
}

std::optional<std::string> check_permute(const Archive& archive, const ArchiveSyntax& syntax, const PermuteGroup& group) {
  std::optional<Place> place = find_place(syntax, group);
  if (!place) return std::nullopt;
  auto file = std::ranges::find(archive.files, place->file, &ArchiveFile::name);
  std::vector<std::size_t> order(place->fields.size());
  std::iota(order.begin(), order.end(), 0);
  std::size_t count = 1;
  while (std::next_permutation(order.begin(), order.end())) {
    ++count;
    Archive changed = archive;
    changed.files[static_cast<std::size_t>(file - archive.files.begin())].text =
        reordered(file->text, syntax.sources(), *place, order);
    std::optional<std::string> problem = check_order(changed, syntax, group);
    if (!problem) continue;
    std::string names;
    for (std::size_t i : order) {
      std::optional<Step> step = label_step(*place->fields[i]->label, "_");
      names += (names.empty() ? "" : ", ") + (step ? path_text({*step}) : "(" + std::to_string(i) + ")");
    }
    return fmt::format("in the order [{}]: {}", names, *problem);
  }
  std::optional<std::string> expected = group.record->directive.option("count");
  if (expected && !expected->empty() && *expected != std::to_string(count)) {
    return fmt::format("expected {} orders, got {}", *expected, count);
  }
  return std::nullopt;
}

}  // namespace opm::inline_test
