#include "run.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "archive_program.h"
#include "check.h"
#include "compare.h"
#include "cue/syntax/parser.h"
#include "debug_text.h"
#include "errors.h"
#include "permute.h"
#include "share.h"

namespace opm::inline_test {

namespace {

struct Case {
  enum class Kind { problem, directive, permute, share } kind;
  std::string name;
  const Record* record = nullptr;
  bool skipped = false;
  std::string why;  // skipped
  PermuteGroup permute;
  ShareGroup share;
};

std::string option_text(const Archive& archive, std::string_view prefix) {
  std::size_t at = archive.comment.find(prefix);
  if (at == std::string::npos || (at > 0 && archive.comment[at - 1] != '\n')) return {};
  std::string_view rest = std::string_view(archive.comment).substr(at + prefix.size());
  rest = rest.substr(0, rest.find('\n'));
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  while (rest.ends_with(' ')) rest.remove_suffix(1);
  return std::string(rest);
}

std::string directive_key(const Directive& directive) {
  std::optional<std::string> at = directive.option("at");
  return at ? directive.name + '\0' + *at : directive.name;
}

bool asserts(const Directive& directive) {
  if (directive.name == "eq") return directive.positional() != nullptr;
  return !directive.name.empty() && directive.name != "debug" && directive.name != "todo" && directive.name != "skip" &&
         directive.name != "permute" && directive.name != "shareID" && directive.name != "desc";
}

}  // namespace

std::vector<const Record*> active_records(const std::vector<Record>& records, const StepPath& path, bool file_level) {
  // Of directives that say the same thing the last counts, and one for our version before others.
  std::vector<std::pair<std::string, const Record*>> active;
  for (const Record& record : records) {
    if (!record.problem.empty() || record.file_level != file_level || !same_path(record.path, path)) continue;
    if (record.directive.is_todo || !record.directive.applies()) continue;
    std::string key = directive_key(record.directive);
    auto found = std::ranges::find(active, key, &std::pair<std::string, const Record*>::first);
    if (found == active.end()) {
      active.emplace_back(key, &record);
    } else if (!record.directive.version.empty() || found->second->directive.version.empty()) {
      found->second = &record;
    }
  }
  std::vector<const Record*> result;
  for (auto& [key, record] : active) result.push_back(record);
  return result;
}

std::optional<std::string> check_directive(Engine& engine, const Subject& root, const Record& record, bool check_positions) {
  const Directive& directive = record.directive;
  Subject actual = record.file_level ? root : engine.find(root, record.path);
  std::string path = path_text(record.path);
  if (directive.name == "err") {
    return check_error({engine, record.base_line, check_positions}, path, actual, directive.error, false);
  }
  if (directive.name == "eq") {
    if (std::optional<std::string> at = directive.option("at")) {
      auto steps = parse_at_path(*at);
      if (!steps) return steps.error();
      actual = engine.find(actual, *steps);
      if (!actual.exists) return fmt::format("at={}: no such field", *at);
    }
    const diag::Source* source = engine.context().program().mutable_sources().add("expected", directive.positional()->text);
    cue::syntax::ParsedExpression parsed = cue::syntax::parse_expression(engine.evaluator().arena(), *source);
    if (!parsed.errors.empty()) return "cannot parse the expected value: " + parsed.errors.front().message;
    return Comparison(engine, record.base_line, check_positions).compare("", *parsed.expression, actual);
  }
  const Argument& first = directive.arguments.front();
  if (directive.name == "closed") {
    bool expected = first.key.empty() || first.value != "false";
    if (engine.is_closed(actual) == expected) return std::nullopt;
    return fmt::format("expected closed={}, got {}", expected, engine.show(actual));
  }
  if (directive.name == "kind") {
    static const std::map<std::string, eval::KindSet, std::less<>> kNames = {
        {"bool", eval::kinds::boolean}, {"int", eval::kinds::integer},       {"float", eval::kinds::floating},
        {"string", eval::kinds::string}, {"bytes", eval::kinds::bytes},      {"struct", eval::kinds::structure},
        {"list", eval::kinds::list},    {"null", eval::kinds::null},         {"top", eval::kinds::top},
        {"_", eval::kinds::top},        {"number", eval::kinds::number},
    };
    eval::KindSet expected = 0;
    std::string_view rest = first.value;
    while (!rest.empty()) {
      std::string_view name = rest.substr(0, rest.find('|'));
      rest.remove_prefix(std::min(rest.size(), name.size() + 1));
      auto kind = kNames.find(name);
      if (kind == kNames.end()) return fmt::format("unknown kind {}", name);
      expected |= kind->second;
    }
    if (engine.kinds(actual) == expected) return std::nullopt;
    return fmt::format("expected kind {}, got {}", first.value, eval::kinds_text(engine.kinds(actual)));
  }
  if (directive.name == "allows") {
    bool expected = first.key.empty() || first.value != "false";
    const Argument* selector = directive.positional();
    if (selector == nullptr) return "allows: no selector";
    eval::KindSet kind = engine.kinds(actual);
    if (kind != eval::kinds::structure && kind != eval::kinds::list) {
      return fmt::format("allows: neither a struct nor a list: {}", engine.show(actual));
    }
    if (engine.allows(actual, selector->raw) == expected) return std::nullopt;
    return fmt::format("expected allows={} of {}, got {}", expected, selector->raw, engine.show(actual));
  }
  if (directive.name == "debugCheck") {
    if (directive.arguments.size() < 2) return std::nullopt;
    std::string got = debug_text(engine, actual);
    if (got == directive.arguments[1].value) return std::nullopt;
    return fmt::format("expected {:?}, got {:?}", directive.arguments[1].value, got);
  }
  return fmt::format("unknown directive {}", directive.name);
}

namespace {

class Run {
 public:
  Run(const Archive& archive, const Progress& progress) : archive_(archive), progress_(progress), syntax_(archive) {}

  void run() {
    plan();
    std::vector<std::string> names;
    for (const Case& planned : cases_) names.push_back(planned.name);
    progress_.planned(names);
    if (cases_.empty()) return;
    ArchiveProgram program(archive_);
    if (!program.problem().empty()) {
      for (const Case& planned : cases_) report(planned, "cannot be loaded: " + program.problem());
      return;
    }
    program.context().run([&] {
      Engine engine(program.context());
      Subject root = engine.of(program.context().instance(0).node());
      for (const Case& planned : cases_) {
        if (planned.skipped) {
          progress_.done({planned.name, Verdict::skip, planned.why, text_of(planned)});
        } else {
          report(planned, check(engine, root, planned));
        }
      }
    });
  }

 private:
  void add(Case planned, const std::string& name) {
    int count = ++counts_[name];
    planned.name = count == 1 ? name : fmt::format("{} {}", name, count);
    cases_.push_back(std::move(planned));
  }

  static std::string name_of(const Record& record) {
    std::string name = fmt::format("{} {}", record.file_level ? "(file)" : path_text(record.path), record.directive.name);
    if (std::optional<std::string> at = record.directive.option("at")) name += fmt::format(" at={}", *at);
    return name;
  }

  void plan() {
    const std::vector<Record>& records = syntax_.records();
    for (const Record& record : records) {
      if (record.problem.empty()) continue;
      Case planned{.kind = Case::Kind::problem, .record = &record};
      add(std::move(planned), fmt::format("{} @test", record.file_level ? "(file)" : path_text(record.path)));
    }
    std::string subpath = option_text(archive_, "#subpath:");
    std::vector<std::string> seen;
    std::map<std::string, bool> stopped;  // roots whose rest is skipped
    for (const Record& record : records) {
      if (!record.problem.empty()) continue;
      std::string key = fmt::format("{}{}", record.file_level ? "@" : "", path_text(record.path));
      if (std::ranges::find(seen, key) != seen.end()) continue;
      seen.push_back(key);
      std::string top = record.file_level || record.path.empty() ? "@" : path_text({record.path.front()});
      if (!subpath.empty() && top != subpath && top != "@") continue;
      // CUE's own program passes over what is in a hidden field of the file, so nobody knows whether it holds.
      if (top.starts_with('_')) continue;
      std::vector<const Record*> active = active_records(records, record.path, record.file_level);
      auto has = [&](std::string_view name) {
        return std::ranges::any_of(active, [&](const Record* other) { return other->directive.name == name; });
      };
      if (has("skip")) stopped[top] = true;
      bool is_todo = has("todo");
      for (const Record* each : active) {
        if (!asserts(each->directive)) continue;
        Case planned{.kind = Case::Kind::directive, .record = each};
        planned.skipped = is_todo || stopped[top];
        planned.why = is_todo ? "marked as expected to fail" : "marked to be skipped";
        add(std::move(planned), name_of(*each));
      }
    }
    for (PermuteGroup& group : permute_groups(records)) {
      Case planned{.kind = Case::Kind::permute, .record = group.record, .permute = group};
      std::string top = path_text({group.parent.front()});
      planned.skipped = stopped[top];
      planned.why = "marked to be skipped";
      add(std::move(planned), fmt::format("{} permute", path_text(group.parent)));
    }
    for (ShareGroup& group : share_groups(records)) {
      Case planned{.kind = Case::Kind::share, .share = group};
      add(std::move(planned), fmt::format("{} shareID={}", path_text(group.paths.front()), group.name));
    }
  }

  std::optional<std::string> check(Engine& engine, const Subject& root, const Case& planned) {
    switch (planned.kind) {
      case Case::Kind::problem: return planned.record->problem;
      case Case::Kind::directive: return check_directive(engine, root, *planned.record, true);
      case Case::Kind::permute: return check_permute(archive_, syntax_, planned.permute);
      case Case::Kind::share: return check_share(engine, root, planned.share);
    }
    return std::nullopt;
  }

  static std::string text_of(const Case& planned) { return planned.record != nullptr ? planned.record->directive.text : ""; }

  void report(const Case& planned, const std::optional<std::string>& problem) {
    progress_.done({planned.name, problem ? Verdict::fail : Verdict::pass, problem.value_or(""), text_of(planned)});
  }

  const Archive& archive_;
  const Progress& progress_;
  ArchiveSyntax syntax_;
  std::vector<Case> cases_;
  std::map<std::string, int> counts_;
};

}  // namespace

void run_archive(const Archive& archive, const Progress& progress) { Run(archive, progress).run(); }

}  // namespace opm::inline_test
