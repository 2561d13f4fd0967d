// What a value that is printed by itself needs of what is around it. A field that refers to another one says nothing
// once that is out of sight: so what is referred to comes along, in a `let` beside the value, or in place of the reference.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "cue/eval/evaluator.h"

namespace opm::cue::exporting {

class Pivot {
 public:
  struct Target {
    eval::Node* node = nullptr;
    Target* around = nullptr;   // the outermost node above it that is referred to, too
    std::string name;           // of the `let`, where it is outside of the value and nothing around it is referred to
    std::string import_path;    // of the package that it is in, if that is another one
    bool is_definition = false;  // closed: it has to stand in a definition
    int uses = 0;
    bool is_included = false;   // part of the value that is printed
    bool needs_let = false;
  };

  using UniqueName = std::function<std::string(std::string_view)>;
  // `with_imports`: what other packages hold comes along, too, unless they are standard ones.
  Pivot(eval::Evaluator& evaluator, eval::Node* root, bool with_imports, const UniqueName& unique_name);

  // What the reference leads to; null where it can stand as it is.
  Target* target_of(const compile::Expression* reference) const;
  // In the order in which they were met.
  std::deque<Target>& targets() { return targets_; }

  // The labels that lead to the target from what is around it; none where the reference is too short to be replaced.
  static std::vector<Label> path_within(const Target& target, const compile::Expression* reference);
  static int uses_of(const Target& target) { return outermost(target).uses; }

 private:
  static const Target& outermost(const Target& target);
  void visit_conjuncts(eval::Node* node);
  void visit(const compile::Expression* expression, eval::Scope* scope);
  void visit_struct(const compile::StructExpression& literal, eval::Scope* scope);
  void visit_comprehension(const compile::Comprehension& comprehension, eval::Scope* scope);
  void visit_reference(const compile::Expression* reference, eval::Scope* scope);
  void include(eval::Node* node);
  Target& target(eval::Node* node);
  // A scope that stands for a literal which is only read: nothing is found in it.
  eval::Scope* unknown_scope(eval::Scope* up, const compile::StructExpression* literal = nullptr);

  eval::Evaluator& evaluator_;
  eval::Node* nothing_;
  eval::Node* visiting_ = nullptr;
  bool with_imports_;
  std::deque<Target> targets_;
  std::unordered_map<const eval::Node*, Target*> by_node_;
  std::unordered_map<const compile::Expression*, Target*> by_reference_;
  std::vector<std::pair<const compile::Expression*, eval::Scope*>> visited_;
  int depth_ = 0;
};

}  // namespace opm::cue::exporting
