// Whether plain data is an instance of a definition, seen from the compiled program, without evaluating anything. That
// is many times faster than to unify the two, and most data is right. Only a part of the language is understood, the
// one that schemas are written in: where it says no, the data may be right all the same, and the evaluator has to say.
#pragma once

#include <cstdint>
#include <vector>

#include "cue/compile/program.h"
#include "cue/eval/node.h"
#include "data/tree.h"

namespace opm::cue::eval {

class Evaluator;

class InstanceCheck {
 public:
  explicit InstanceCheck(Evaluator& evaluator) : evaluator_(evaluator) {}

  // Yes: unifying the data with the definition gives no error, and a concrete value.
  bool accepts(Node* definition, const data::Value& value);

 private:
  // An expression and where it stands: so many scopes below the file of a package.
  struct Place {
    const Expression* expression = nullptr;
    Node* package = nullptr;
    std::uint32_t depth = 0;
  };
  struct Part {
    const compile::StructExpression* literal;
    Node* package;
    std::uint32_t depth;  // within the literal
  };

  static bool value_of(Node* definition, Place& place);
  bool follow(Place& place);
  bool collect_parts(const Place& place, std::vector<Part>& parts);
  bool accepts(Place place, const data::Value& value);
  bool accepts_map(const Place& place, const data::Value& value);
  bool accepts_list(const Place& place, const data::Value& value);
  bool accepts_one_of(const Place& place, const data::Value& value);
  bool accepts_bound(const compile::Bound& bound, const data::Value& value);
  bool cannot_be(Place place, KindSet kind);
  bool is_complete(const std::vector<Part>& parts, const data::Value& value);

  Evaluator& evaluator_;
  int nesting_ = 0;
};

}  // namespace opm::cue::eval
