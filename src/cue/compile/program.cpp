#include "cue/compile/program.h"

#include "cue/compile/label_table.h"

namespace opm::cue::compile {

std::string_view operator_text(Operator op) {
  switch (op) {
    case Operator::none: return "";
    case Operator::add: return "+";
    case Operator::subtract: return "-";
    case Operator::multiply: return "*";
    case Operator::divide: return "/";
    case Operator::quo: return "quo";
    case Operator::rem: return "rem";
    case Operator::div: return "div";
    case Operator::mod: return "mod";
    case Operator::logical_and: return "&&";
    case Operator::logical_or: return "||";
    case Operator::equal: return "==";
    case Operator::not_equal: return "!=";
    case Operator::less: return "<";
    case Operator::less_equal: return "<=";
    case Operator::greater: return ">";
    case Operator::greater_equal: return ">=";
    case Operator::match: return "=~";
    case Operator::not_match: return "!~";
    case Operator::logical_not: return "!";
  }
  return "";
}

const Field* StructExpression::find(Label label) const {
  if (table.empty()) {
    for (const Field* field : fields) {
      if (field->label == label) return field;
    }
    return nullptr;
  }
  std::size_t mask = table.size() - 1;
  for (std::size_t slot = label_slot(label, mask); table[slot] != 0; slot = (slot + 1) & mask) {
    const Field* field = fields[table[slot] - 1];
    if (field->label == label) return field;
  }
  return nullptr;
}

}  // namespace opm::cue::compile
