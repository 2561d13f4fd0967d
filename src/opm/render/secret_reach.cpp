#include "opm/render/secret_reach.h"

#include <string>

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
      if (depth > kReach || in_list) report(path, in_list, mark->position);
      return;
    }
    for (const data::Member& member : value.as_map()) {
      visit(member.value, path + "." + cue::syntax::quote_label(member.key), depth + 1, in_list);
    }
  }

 private:
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

constexpr int kDeepest = 100;
// Shorter ones would take words out of messages that have nothing to do with them.
constexpr std::size_t kShortest = 4;

void collect_secrets(const cue::Value& value, int depth, std::vector<std::string>& texts) {
  if (depth > kDeepest) return;
  cue::Value mark = value.field("$opm");
  if (mark.exists() && mark.string() == "secret") {
    for (std::string_view field : {"value", "content"}) {
      cue::Value text = value.field(field);
      if (!text.exists()) continue;
      if (auto secret = text.string(); secret && secret->size() >= kShortest) {
        texts.emplace_back(*secret);
      } else {
        // In a message about it, a value with a conflict stands as it was written.
        for (const diag::Diagnostic& error : text.errors()) texts.push_back(error.message);
      }
    }
    return;
  }
  for (const cue::Value::FieldEntry& entry : value.fields()) collect_secrets(entry.value, depth + 1, texts);
  for (const cue::Value& element : value.elements()) collect_secrets(element, depth + 1, texts);
}

}  // namespace

namespace {

void hide_texts(const std::vector<std::string>& texts, std::string& message) {
  for (const std::string& secret : texts) {
    for (std::size_t at = message.find(secret); at != std::string::npos; at = message.find(secret, at + 1))
      message.replace(at, secret.size(), "<redacted>");
  }
}

}  // namespace

void hide_secrets(const cue::Value& values, std::vector<Problem>& problems) {
  if (problems.empty() || !values.exists()) return;
  std::vector<std::string> texts;
  collect_secrets(values, 0, texts);
  for (Problem& problem : problems) {
    hide_texts(texts, problem.diagnostic.message);
    for (diag::Note& note : problem.diagnostic.notes) hide_texts(texts, note.message);
  }
}

void hide_secrets(const cue::Value& values, std::vector<DumpedFile>& dump) {
  if (dump.empty() || !values.exists()) return;
  std::vector<std::string> texts;
  collect_secrets(values, 0, texts);
  std::size_t count = texts.size();
  for (std::size_t i = 0; i < count; ++i) {
    std::string quoted = cue::syntax::quote(texts[i]);
    texts.push_back(quoted.substr(1, quoted.size() - 2));
  }
  for (DumpedFile& file : dump) hide_texts(texts, file.content);
}

std::vector<Problem> unreachable_secrets(const data::Value& values) {
  Walk walk;
  walk.visit(values, "values", 0, false);
  return std::move(walk.problems);
}

}  // namespace opm::render
