#include "share.h"

#include <algorithm>

#include <fmt/format.h>

#include "cue/syntax/parser.h"

namespace opm::inline_test {

namespace syntax = cue::syntax;

namespace {

class Collection {
 public:
  std::vector<ShareGroup> groups;

  void add(const Directive& directive, StepPath path) {
    if (directive.name != "shareID" || !directive.applies()) return;
    const std::string& name = directive.arguments.front().value;
    if (name.empty()) return;
    if (std::optional<std::string> at = directive.option("at")) {
      if (auto steps = parse_at_path(*at)) path.insert(path.end(), steps->begin(), steps->end());
    }
    auto group = std::ranges::find(groups, name, &ShareGroup::name);
    if (group == groups.end()) {
      groups.push_back({name, {}});
      group = groups.end() - 1;
    }
    group->paths.push_back(std::move(path));
  }

  // The fields of an expected struct, and the elements of an expected list that are structs.
  void body(const syntax::Expression& expression, const StepPath& path) {
    if (expression.kind == syntax::NodeKind::struct_literal) {
      for (const syntax::Declaration* declaration : syntax::as<syntax::StructLiteral>(&expression)->elements) {
        if (declaration->kind != syntax::NodeKind::field) continue;
        const auto& field = *syntax::as<syntax::Field>(declaration);
        std::optional<Step> step = label_step(*field.label, "");
        if (!step) continue;
        StepPath child = path;
        child.push_back(*step);
        for (const syntax::Attribute* attribute : field.attributes) read(*attribute, child);
      }
    } else if (expression.kind == syntax::NodeKind::list_literal) {
      std::uint32_t index = 0;
      for (const syntax::Expression* element : syntax::as<syntax::ListLiteral>(&expression)->elements) {
        StepPath child = path;
        child.push_back({Step::Kind::index, {}, {}, index++});
        if (element->kind != syntax::NodeKind::struct_literal) continue;
        for (const syntax::Declaration* declaration : syntax::as<syntax::StructLiteral>(element)->elements) {
          if (declaration->kind == syntax::NodeKind::attribute) read(*syntax::as<syntax::Attribute>(declaration), child);
        }
      }
    }
  }

 private:
  void read(const syntax::Attribute& attribute, const StepPath& path) {
    if (!is_test_attribute(attribute)) return;
    if (auto directive = parse_directive(attribute)) add(*directive, path);
  }
};

}  // namespace

std::vector<ShareGroup> share_groups(const std::vector<Record>& records) {
  Collection collection;
  for (const Record& record : records) {
    const Directive& directive = record.directive;
    if (!record.problem.empty() || !directive.applies()) continue;
    collection.add(directive, record.path);
    if (directive.name != "eq" || directive.arguments.size() < 2) continue;
    diag::SourceMap sources;
    base::Arena arena;
    const diag::Source* source = sources.add("expected", directive.arguments[1].text);
    syntax::ParsedExpression parsed = syntax::parse_expression(arena, *source);
    if (parsed.errors.empty()) collection.body(*parsed.expression, record.path);
  }
  std::erase_if(collection.groups, [](const ShareGroup& group) { return group.paths.size() < 2; });
  return std::move(collection.groups);
}

std::optional<std::string> check_share(Engine& engine, const Subject& root, const ShareGroup& group) {
  eval::Node* first = nullptr;
  for (const StepPath& path : group.paths) {
    Subject subject = engine.find(root, path);
    eval::Node* node = engine.node(subject);
    if (!subject.exists || node == nullptr) return fmt::format("{} does not exist", path_text(path));
    if (first == nullptr) first = node;
    if (node != first) return fmt::format("{} and {} are not one node", path_text(group.paths.front()), path_text(path));
  }
  return std::nullopt;
}

}  // namespace opm::inline_test
