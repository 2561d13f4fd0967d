// What the readers of other schema languages have in common when they make CUE: trees with positions
// in the text that was read, imports as they are needed, and comments from prose.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cue/export/builder.h"
#include "diag/diagnostic.h"
#include "diag/source.h"

namespace opm::cue::schema {

using Errors = std::vector<diag::Diagnostic>;

diag::Diagnostic schema_error(std::string message, diag::Position position);
// The errors in the order of their positions, each once.
Errors in_order(Errors errors);

class TreeMaker : public exporting::Builder {
 public:
  using Builder::Builder;

  // Says where a node comes from.
  template <typename T>
  static T* at(diag::Position position, T* node) {
    node->begin = position;
    return node;
  }

  // The same of a struct that is to have braces.
  syntax::StructLiteral* braced(diag::Position position, std::span<syntax::Declaration* const> elements);
  static void set_spacing(syntax::Field& field, syntax::Spacing spacing) {
    field.spacing = field.label->spacing = spacing;
  }

  syntax::Expression* quoted(std::string_view text);
  syntax::Expression* number(std::string_view digits);
  // A label that no expression can be meant to refer to: it is quoted where it would hide what is predeclared or imported.
  syntax::Node* data_label(std::string_view name);
  // `function(argument)` of a package that is imported with that.
  syntax::Expression* imported(std::string_view package, std::string_view name, diag::Position position);
  // Nothing that was made so far is kept.
  void forget_imports() { imports_.clear(); }
  syntax::Identifier* import(std::string_view path, std::string_view name, diag::Position position);
  // As an operand of `&`: alternatives need parentheses there.
  syntax::Expression* conjunction(std::vector<syntax::Expression*> operands);
  syntax::Expression* disjunction(std::span<syntax::Expression* const> operands);
  syntax::Field* data_field(std::string_view name, syntax::Constraint constraint, syntax::Expression* value);
  // `{[pattern]: value}` within a struct.
  syntax::Declaration* pattern(syntax::Expression* pattern, syntax::Expression* value);

  // Prose as comment lines of a readable width.
  std::vector<std::string_view> comment_lines(std::string_view prose);
  void document(syntax::Node& node, std::string_view prose);

  // The declarations as a file of a package, if that has a name. `title` is told above all, or of the package.
  syntax::File* file(const diag::Source& source, std::string_view package_name, std::string_view title,
                     std::vector<syntax::Declaration*> declarations, bool documents_package = false);

 private:
  std::map<std::string, std::string, std::less<>> imports_;  // path -> name
};

// Puts what the file declares below the labels; what it says of itself becomes a comment of the field.
void place_below(base::Arena& arena, syntax::File& file, const std::vector<std::string>& labels);

// Whether it is `_`.
bool is_top(const syntax::Expression* expression);

}  // namespace opm::cue::schema
