// The package regexp.
#include <algorithm>

#include "cue/eval/regular_expression.h"
#include "cue/std/bind.h"
#include "cue/std/packages.h"

namespace opm::cue::standard {
namespace {

using eval::RegularExpression;
using Match = RegularExpression::Match;

constexpr const char* kNoMatch = "no match";

std::string text_of(const RegularExpression::Group& group) { return std::string(group.value_or("")); }

std::vector<std::string> texts(const Match& match) {
  std::vector<std::string> result;
  for (const auto& group : match) result.push_back(text_of(group));
  return result;
}

Result<std::string> find(std::string_view pattern, std::string_view text) {
  auto expression = RegularExpression::compile(pattern);
  if (!expression) return wrong(expression.error());
  auto match = expression->find(text);
  if (!match) return wrong(kNoMatch);
  return text_of(match->front());
}

Result<std::vector<std::string>> find_all(std::string_view pattern, std::string_view text, std::int64_t limit) {
  auto expression = RegularExpression::compile(pattern);
  if (!expression) return wrong(expression.error());
  std::vector<std::string> result;
  for (const Match& match : expression->find_all(text, limit)) result.push_back(text_of(match.front()));
  if (result.empty()) return wrong(kNoMatch);
  return result;
}

Result<std::vector<std::string>> find_submatch(std::string_view pattern, std::string_view text) {
  auto expression = RegularExpression::compile(pattern);
  if (!expression) return wrong(expression.error());
  auto match = expression->find(text);
  if (!match) return wrong(kNoMatch);
  return texts(*match);
}

Result<std::vector<std::vector<std::string>>> find_all_submatch(std::string_view pattern, std::string_view text, std::int64_t limit) {
  auto expression = RegularExpression::compile(pattern);
  if (!expression) return wrong(expression.error());
  std::vector<std::vector<std::string>> result;
  for (const Match& match : expression->find_all(text, limit)) result.push_back(texts(match));
  if (result.empty()) return wrong(kNoMatch);
  return result;
}

// The named groups as a struct, in the order of their names.
Value named_groups(Call& call, const RegularExpression& expression, const Match& match) {
  std::vector<std::pair<std::string, Value>> fields;
  const auto& names = expression.group_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!names[i].empty()) fields.emplace_back(names[i], call.make_string(text_of(match[i])));
  }
  std::sort(fields.begin(), fields.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return call.make_struct(fields);
}

Value find_named_submatch(Call& call) {
  std::string_view pattern = call.string(0), text = call.string(1);
  if (call.failed()) return call.failure();
  auto expression = RegularExpression::compile(pattern);
  if (!expression) return call.error_text(expression.error());
  auto match = expression->find(text);
  if (!match) return call.error(kNoMatch);
  return named_groups(call, *expression, *match);
}

Value find_all_named_submatch(Call& call) {
  std::string_view pattern = call.string(0), text = call.string(1);
  std::int64_t limit = call.int64(2);
  if (call.failed()) return call.failure();
  auto expression = RegularExpression::compile(pattern);
  if (!expression) return call.error_text(expression.error());
  std::vector<Value> result;
  for (const Match& match : expression->find_all(text, limit)) result.push_back(named_groups(call, *expression, match));
  if (result.empty()) return call.error(kNoMatch);
  return call.make_list(result);
}

Result<std::string> replace_all(std::string_view pattern, std::string_view text, std::string_view replacement) {
  auto expression = RegularExpression::compile(pattern);
  if (!expression) return wrong(expression.error());
  auto result = expression->replace_all(text, replacement, kMaxResultBytes);
  if (!result) return wrong("result is too long");
  return *std::move(result);
}

Result<std::string> replace_all_literally(std::string_view pattern, std::string_view text, std::string_view replacement) {
  auto expression = RegularExpression::compile(pattern);
  if (!expression) return wrong(expression.error());
  auto result = expression->replace_all_literally(text, replacement, kMaxResultBytes);
  if (!result) return wrong("result is too long");
  return *std::move(result);
}

Result<bool> is_valid(std::string_view pattern) {
  if (auto complaint = RegularExpression::complaint(pattern)) return wrong(*complaint);
  return true;
}

Result<bool> matches(std::string_view pattern, std::string_view text) {
  auto expression = RegularExpression::compile(pattern);
  if (!expression) return wrong(expression.error());
  return expression->matches(text);
}

}  // namespace

StandardPackage regexp_package() {
  return make_package("regexp", {
    bind<find>("Find"),
    bind<find_all>("FindAll"),
    define("FindAllNamedSubmatch", {kinds::string, kinds::string, kinds::integer}, kinds::list, find_all_named_submatch),
    bind<find_all_submatch>("FindAllSubmatch"),
    define("FindNamedSubmatch", {kinds::string, kinds::string}, kinds::structure, find_named_submatch),
    bind<find_submatch>("FindSubmatch"),
    bind<replace_all>("ReplaceAll"),
    bind<replace_all_literally>("ReplaceAllLiteral"),
    bind<is_valid>("Valid"),
    bind<matches>("Match"),
    bind<RegularExpression::quote>("QuoteMeta"),
  });
}

}  // namespace opm::cue::standard
