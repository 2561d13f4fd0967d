#include "opm/render/secret_reach.h"

#include <string>
#include <string_view>

#include "cue/syntax/literal.h"
#include "opm/render/problems.h"

namespace opm::render {

namespace {

constexpr int kReach = 3;

class Walk {
 public:
  std::vector<Problem> problems;

  void visit(const data::Value& value, const std::string& path, int depth, bool in_list) {
    if (value.is_list()) {
      for (std::size_t i = 0; i < value.as_list().size(); ++i)
        visit(value.as_list()[i], path + "[" + std::to_string(i) + "]", depth + 1, true);
      return;
    }
    if (!value.is_map()) return;
    if (const data::Value* mark = value.find("$opm"); mark != nullptr && mark->is_string() && mark->as_string() == "secret") {
      if (depth > kReach || in_list) report(path, in_list, written_at(value, *mark));
      return;
    }
    for (const data::Member& member : value.as_map()) {
      visit(member.value, path + "." + cue::syntax::quote_label(member.key), depth + 1, in_list);
    }
  }

 private:
  // The mark often stands in the schema only.
  static diag::Position written_at(const data::Value& secret, const data::Value& mark) {
    for (std::string_view field : {"value", "path"}) {
      if (const data::Value* given = secret.find(field); given != nullptr && given->position.valid()) return given->position;
    }
    return mark.position;
  }

  void report(const std::string& path, bool in_list, diag::Position position) {
    Problem problem = make_problem(
        ProblemKind::invalid, "unreachable-secret",
        in_list ? "a secret in a list is not found, and would be rendered in clear"
                : "a secret this deep is not found, and would be rendered in clear",
        "keep secrets in fields, at most three levels below values");
    problem.diagnostic.path = path;
    if (position.valid()) problem.diagnostic.positions.push_back(position);
    problems.push_back(std::move(problem));
  }
};

}  // namespace

std::vector<Problem> unreachable_secrets(const data::Value& values) {
  Walk walk;
  walk.visit(values, "values", 0, false);
  return std::move(walk.problems);
}

}  // namespace opm::render
