#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "compare.h"

namespace opm::inline_test {

namespace syntax = cue::syntax;
using eval::ArcKind;
using eval::BaseKind;
using eval::Node;
using eval::Value;
using eval::ValueKind;
using syntax::NodeKind;

namespace {

struct ExpectedField {
  std::string name;
  Label label;
  ArcKind arc = ArcKind::member;
  bool final = false;   // compare with the default
  bool ignore = false;  // may be anything, or nothing
  std::optional<ErrorExpectation> error;
  const syntax::Expression* value = nullptr;
  std::vector<std::string_view> attributes;
};

struct ExpectedStruct {
  std::vector<ExpectedField> fields;
  std::vector<const syntax::Field*> patterns;
  std::vector<const syntax::LetClause*> lets;
  std::vector<const syntax::Expression*> embeddings;
  std::optional<ErrorExpectation> error;  // of the struct itself
  bool in_order = false;
  bool all_final = false;
  bool has_bottom = false;
};

std::string join(const std::string& path, std::string_view step) {
  return path.empty() ? std::string(step) : fmt::format("{}.{}", path, step);
}

Mismatch at(const std::string& path, std::string text) { return path.empty() ? text : fmt::format("{}: {}", path, text); }

ArcKind arc_of(syntax::Constraint constraint) {
  switch (constraint) {
    case syntax::Constraint::optional: return ArcKind::optional;
    case syntax::Constraint::required: return ArcKind::required;
    default: return ArcKind::member;
  }
}

ExpectedField read_field(Engine& engine, const syntax::Field& field, const Step& step, std::set<std::string>& shared) {
  ExpectedField expected;
  expected.name = path_text({step});
  expected.label = engine.label(step);
  expected.arc = arc_of(field.constraint);
  expected.value = field.value;
  for (const syntax::Attribute* attribute : field.attributes) {
    if (!is_test_attribute(*attribute)) {
      expected.attributes.push_back(attribute->text);
      continue;
    }
    auto directive = parse_directive(*attribute);
    if (!directive) continue;
    if (directive->name == "final") expected.final = true;
    if (directive->name == "ignore") expected.ignore = true;
    if (directive->name == "err") expected.error = directive->error;
    // Only the first of a group of shared fields is compared; the others are it.
    if (directive->name == "shareID" && !shared.insert(directive->arguments.front().value).second) expected.ignore = true;
  }
  return expected;
}

ExpectedStruct read_struct(Engine& engine, const syntax::StructLiteral& literal) {
  ExpectedStruct expected;
  std::set<std::string> shared;
  for (const syntax::Declaration* declaration : literal.elements) {
    switch (declaration->kind) {
      case NodeKind::attribute: {
        const auto& attribute = *syntax::as<syntax::Attribute>(declaration);
        if (!is_test_attribute(attribute)) break;
        auto directive = parse_directive(attribute);
        if (!directive) break;
        if (directive->name == "checkOrder") expected.in_order = true;
        if (directive->name == "final") expected.all_final = true;
        if (directive->name == "err") expected.error = directive->error;
        break;
      }
      case NodeKind::let_clause: expected.lets.push_back(syntax::as<syntax::LetClause>(declaration)); break;
      case NodeKind::field: {
        const auto& field = *syntax::as<syntax::Field>(declaration);
        if (field.label->kind == NodeKind::list_literal) {
          expected.patterns.push_back(&field);
        } else if (std::optional<Step> step = label_step(*field.label, "")) {
          expected.fields.push_back(read_field(engine, field, *step, shared));
        }
        break;
      }
      case NodeKind::embedding: {
        const syntax::Expression* embedded = syntax::as<syntax::Embedding>(declaration)->expression;
        expected.embeddings.push_back(embedded);
        expected.has_bottom = expected.has_bottom || embedded->kind == NodeKind::bottom;
        break;
      }
      default: break;
    }
  }
  return expected;
}

}  // namespace

Mismatch Comparison::embedding(const std::string& path, const Expression& expected, const Subject& actual) {
  if (expected.kind == NodeKind::list_literal) return list(path, *syntax::as<syntax::ListLiteral>(&expected), actual);
  std::optional<Value> scalar = engine_.terminal(actual);
  return compare(path, expected, scalar ? engine_.of(*scalar) : actual);
}

Mismatch Comparison::structure(const std::string& path, const syntax::StructLiteral& literal, const Subject& actual) {
  ExpectedStruct expected = read_struct(engine_, literal);
  for (const Expression* embedded : expected.embeddings) {
    if (Mismatch mismatch = embedding(path, *embedded, actual)) return mismatch;
  }
  if (expected.embeddings.empty()) {
    std::optional<Value> scalar = engine_.terminal(actual);
    bool means_struct = scalar && scalar->kind == ValueKind::basic_type &&
                        (scalar->type_kinds == eval::kinds::structure || scalar->type_kinds == eval::kinds::list);
    if (scalar && !means_struct) return at(path, fmt::format("expected a struct, got {}", engine_.show(actual)));
    Node* node = engine_.node(actual);
    if (node != nullptr) engine_.evaluator().materialize_optionals(node);
    if (node != nullptr && node->base == BaseKind::error && node->arcs.size() == 0) {
      return at(path, fmt::format("expected a struct, got {}", engine_.show(actual)));
    }
  }
  ErrorCheck check{engine_, base_line_, check_positions_};
  if (expected.error) {
    if (auto problem = check_error(check, path, actual, *expected.error, true)) return at(path, *problem);
  }
  // With an embedded _|_ only the error counts; the rest of the struct is there for the reader.
  if (expected.has_bottom) return std::nullopt;

  for (const ExpectedField& field : expected.fields) {
    Subject child = engine_.field(actual, field.label, field.arc);
    std::string field_path = join(path, field.name);
    if (!child.exists) {
      if (field.ignore) continue;
      return at(path, fmt::format("no field {} in {}", field.name, engine_.show(actual)));
    }
    if (field.error) {
      if (auto problem = check_error(check, field_path, child, *field.error, true)) return at(field_path, *problem);
      continue;
    }
    if (field.ignore) continue;
    Mismatch mismatch = field.final || expected.all_final ? same_value(field_path, *field.value, engine_.with_default(child))
                                                          : compare(field_path, *field.value, child);
    if (mismatch) return mismatch;
    if (Mismatch attributes = field_attributes(field_path, field.attributes, child)) return attributes;
  }

  std::vector<std::string> order;
  bool is_closed = engine_.is_closed(actual);
  for (const FieldView& field : engine_.fields(actual)) {
    std::string name = cue::selector_text(engine_.evaluator().names(), field.label);
    order.push_back(name);
    if (!expected.embeddings.empty() && field.label.is_integer()) continue;
    if (is_closed && field.arc == ArcKind::optional && engine_.error(field.value) != nullptr) continue;
    bool seen = std::ranges::any_of(expected.fields, [&](const ExpectedField& wanted) {
      return wanted.label == field.label && wanted.arc == field.arc;
    });
    if (seen) continue;
    std::string_view mark = field.arc == ArcKind::optional ? "?" : field.arc == ArcKind::required ? "!" : "";
    return at(path, fmt::format("unexpected field {}{}: {}", name, mark, engine_.show(field.value)));
  }
  if (expected.in_order) {
    std::vector<std::string> wanted;
    for (const ExpectedField& field : expected.fields) wanted.push_back(field.name);
    if (wanted != order) {
      std::string text = "expected the order";
      for (const std::string& name : wanted) text += " " + name;
      text += ", got";
      for (const std::string& name : order) text += " " + name;
      return at(path, text);
    }
  }
  if (!expected.patterns.empty()) {
    if (Mismatch mismatch = pattern_constraints(path, expected.patterns, actual)) return mismatch;
  }
  for (const syntax::LetClause* let : expected.lets) {
    std::optional<Subject> value = engine_.let_value(actual, let->name->name);
    if (!value) return at(path, fmt::format("no let {}", let->name->name));
    if (Mismatch mismatch = compare(join(path, fmt::format("let {}", let->name->name)), *let->value, *value)) return mismatch;
  }
  return std::nullopt;
}

Mismatch Comparison::pattern_constraints(const std::string& path, std::span<const syntax::Field* const> expected,
                                         const Subject& actual) {
  std::vector<PatternView> patterns = engine_.patterns(actual);
  if (patterns.size() != expected.size()) {
    std::string shown;
    for (const PatternView& pattern : patterns) {
      shown += fmt::format(" [{}]: {}", engine_.show(pattern.pattern), engine_.show(pattern.value));
    }
    return at(path, fmt::format("expected {} pattern constraints, got {}:{}", expected.size(), patterns.size(), shown));
  }
  for (const syntax::Field* field : expected) {
    const auto& label = *syntax::as<syntax::ListLiteral>(field->label);
    if (label.elements.size() != 1) return at(path, "a pattern has one element");
    const Expression* wanted = label.elements[0];
    if (wanted->kind == NodeKind::alias) wanted = syntax::as<syntax::Alias>(wanted)->value;
    auto found = std::ranges::find_if(patterns, [&](const PatternView& pattern) { return !compare(path, *wanted, pattern.pattern); });
    if (found == patterns.end()) {
      return at(path, fmt::format("no constraint has the pattern at {}", engine_.show_positions({wanted->begin})));
    }
    if (Mismatch mismatch = compare(join(path, "[pattern]"), *field->value, found->value)) return mismatch;
  }
  return std::nullopt;
}

Mismatch Comparison::field_attributes(const std::string& path, std::span<const std::string_view> expected,
                                      const Subject& actual) {
  std::vector<std::string> found = engine_.attributes(actual);
  for (std::string_view wanted : expected) {
    auto place = std::ranges::find(found, wanted);
    if (place == found.end()) return at(path, fmt::format("no attribute {}", wanted));
    found.erase(place);
  }
  if (!found.empty()) return at(path, fmt::format("unexpected attribute {}", found.front()));
  return std::nullopt;
}

}  // namespace opm::inline_test
