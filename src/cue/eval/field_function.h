// A struct that is used as a function, such as the comparator {x: _, y: _, less: x < y}: some fields are given, one is
// asked for. Most are simple enough that nothing has to be unified to know the answer, however often they are asked.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "cue/eval/node.h"

namespace opm::cue::eval {

class Evaluator;

class FieldFunction {
 public:
  FieldFunction(Evaluator& evaluator, const Value& structure, std::span<const std::string_view> parameters,
                std::string_view result);

  // An error is a value here as well.
  Value call(std::span<const Value> arguments);

 private:
  struct Parameter {
    std::string_view name;
    std::vector<const Expression*> constraints;
    Node* arc = nullptr;
  };

  bool prepare(Node* structure, int nesting);
  bool prepare(const compile::Field* field);
  bool takes_as_is(const Expression* constraint, const Value& argument) const;
  Value unify(std::span<const Value> arguments);

  Evaluator& evaluator_;
  Value structure_;
  std::vector<Parameter> parameters_;
  std::string_view result_;
  bool is_simple_ = false;            // nothing has to be unified
  const Expression* body_ = nullptr;  // what the result is
  Scope* scope_ = nullptr;            // in which
  Node* holder_ = nullptr;            // what that stands for: the struct with the arguments
  std::vector<const compile::Field*> types_;  // for parameters to refer to
};

}  // namespace opm::cue::eval
