#include "records.h"

#include <fmt/format.h>

namespace opm::inline_test {

namespace syntax = cue::syntax;

namespace {

class Extraction {
 public:
  Extraction(const syntax::File& file, const diag::SourceMap& sources, const std::string& name)
      : sources_(sources), name_(name) {
    hidden_package_ = file.package_name().empty() ? "_" : fmt::format(":{}", file.package_name());
  }
  std::vector<Record> records;

  void file(const syntax::File& file) {
    for (const syntax::Declaration* declaration : file.declarations) {
      if (declaration->kind != syntax::NodeKind::attribute) continue;
      const auto& attribute = *syntax::as<syntax::Attribute>(declaration);
      Record record;
      record.file_level = true;
      record.base_line = line(attribute.begin);
      add(attribute, std::move(record));
    }
    for (const syntax::Declaration* declaration : file.declarations) {
      if (declaration->kind == syntax::NodeKind::field) field(*syntax::as<syntax::Field>(declaration), {});
    }
  }

 private:
  int line(diag::Position position) const { return static_cast<int>(sources_.locate(position).line); }

  void add(const syntax::Attribute& attribute, Record record) {
    if (!is_test_attribute(attribute)) return;
    auto directive = parse_directive(attribute);
    if (directive) {
      record.directive = std::move(*directive);
    } else {
      record.problem = directive.error();
      record.directive.text = std::string(attribute.text);
    }
    record.file = name_;
    records.push_back(std::move(record));
  }

  void field(const syntax::Field& field, const StepPath& parent) {
    std::optional<Step> step = label_step(*field.label, hidden_package_);
    if (!step) {
      dynamic_field(field, parent);
      return;
    }
    StepPath path = parent;
    path.push_back(std::move(*step));
    for (const syntax::Attribute* attribute : field.attributes) {
      Record record;
      record.path = path;
      record.base_line = line(field.begin);
      add(*attribute, std::move(record));
    }
    const syntax::Expression* value = field.value;
    if (value->kind == syntax::NodeKind::alias) value = syntax::as<syntax::Alias>(value)->value;
    if (value->kind == syntax::NodeKind::struct_literal) structure(*syntax::as<syntax::StructLiteral>(value), path);
  }

  void structure(const syntax::StructLiteral& literal, const StepPath& path) {
    for (const syntax::Declaration* declaration : literal.elements) {
      if (declaration->kind == syntax::NodeKind::field) field(*syntax::as<syntax::Field>(declaration), path);
      if (declaration->kind != syntax::NodeKind::attribute) continue;
      Record record;
      record.path = path;
      record.is_declaration = true;
      record.base_line = line(literal.left_brace);
      add(*syntax::as<syntax::Attribute>(declaration), std::move(record));
    }
  }

  // Only shareID can say which field it means (at=).
  void dynamic_field(const syntax::Field& field, const StepPath& parent) {
    for (const syntax::Attribute* attribute : field.attributes) {
      if (!is_test_attribute(*attribute)) continue;
      auto directive = parse_directive(*attribute);
      if (!directive || directive->name != "shareID") continue;
      std::optional<std::string> at = directive->option("at");
      if (!at || at->empty() || at->find_first_not_of("0123456789") == std::string::npos) continue;
      Record record;
      record.path = parent;
      record.base_line = line(attribute->begin);
      add(*attribute, std::move(record));
    }
  }

  const diag::SourceMap& sources_;
  const std::string& name_;
  std::string hidden_package_;
};

}  // namespace

std::vector<Record> extract_records(const syntax::File& file, const diag::SourceMap& sources, const std::string& name) {
  Extraction extraction(file, sources, name);
  extraction.file(file);
  return std::move(extraction.records);
}

bool starts_with(const StepPath& path, const StepPath& prefix) {
  if (path.size() < prefix.size()) return false;
  return same_path(StepPath(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(prefix.size())), prefix);
}

bool same_path(const StepPath& a, const StepPath& b) { return a.size() == b.size() && path_text(a) == path_text(b); }

}  // namespace opm::inline_test
