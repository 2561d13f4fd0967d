// One program, evaluated by many contexts at once: nothing that they share is written to.
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "cue/value.h"
#include "data/json.h"

namespace opm::cue {
namespace {

constexpr unsigned kThreads = 8;

// Something of everything: imports, patterns, regular expressions, disjunctions, comprehensions,
// calls, interpolation, big numbers, errors.
constexpr const char* kText = R"cue(
import (
	"encoding/json"
	"list"
	"regexp"
	"strings"
)
#Port: {name: string, number: >0 & <65536, protocol: *"TCP" | "UDP"}
#Service: {
	name:   =~"^[a-z]+$"
	labels: [string]: string
	ports: [Name=string]: #Port & {name: *Name | string}
	if ports.http != _|_ {url: "http://\(name):\(ports.http.number)"}
	extra: null | {text: string}
}
#Upper: {in: string, out: strings.ToUpper(in)}
services: [string]: #Service
services: {for n in ["web", "api", "db"] {(n): {
	name: n
	labels: app: (#Upper & {in: n}).out
	ports: http: number: 8080 + len(n)
	extra: *null | {text: "x"}
}}}
sorted: list.Sort([for k, v in services {v.url}], list.Ascending)
found:  regexp.FindAll("[a-z]+", strings.Join(sorted, ","), -1)
text:   json.Marshal(services.web)
big:    123456789012345678901234567890 * 987654321098765432109876543210
)cue";

template <typename Work>
void in_threads(const Work& work) {
  std::vector<std::jthread> threads;
  for (unsigned number = 0; number < kThreads; ++number) threads.emplace_back([&work, number] { work(number); });
}

TEST(EvaluationThreads, ContextsOfOneProgramGiveTheSame) {
  auto program = Program::from_text("x.cue", kText);
  ASSERT_TRUE(program->instances().front().errors.empty());
  std::vector<std::string> results(kThreads);
  in_threads([&](unsigned number) {
    Context context(program);
    auto data = context.instance(0).to_data();
    results[number] = data ? data::write_json(*data, {}) : data.error().front().message;
  });
  EXPECT_NE(results[0].find("http://api:8083"), std::string::npos) << results[0];
  for (const std::string& result : results) EXPECT_EQ(result, results[0]);
}

TEST(EvaluationThreads, EachContextFillsAndAsksOnItsOwn) {
  auto program = Program::from_text("x.cue", kText);
  std::vector<std::string> results(kThreads);
  in_threads([&](unsigned number) {
    Context context(program);
    // Expressions and values of one's own add names and sources while others read them.
    auto port = context.compile("{number: " + std::to_string(9000 + number) + "}", "mine");
    auto path = Path::parse("services.web.ports.mine" + std::to_string(number));
    if (!port || !path) return;
    std::pair<Path, Value> filling[] = {{*path, *port}};
    Value filled = context.instance(0).fill(filling);
    auto sum = context.expression("services.web.ports.http.number + " + std::to_string(number), 0);
    if (!sum || !filled.validate().empty()) return;
    results[number] = filled.find("services.web.ports.mine" + std::to_string(number) + ".name").to_cue() +
                      std::to_string(sum->integer().value_or(0)) +
                      (filled.find("services.web").allows("nmae") ? " open" : " closed");
  });
  for (unsigned number = 0; number < kThreads; ++number) {
    EXPECT_EQ(results[number],
              "\"mine" + std::to_string(number) + "\"\n" + std::to_string(8083 + number) + " closed");
  }
}

TEST(EvaluationThreads, ErrorsAreFoundAndLocatedByAll) {
  auto program = Program::from_text("x.cue", "#D: {port: int}\na: #D & {prot: 1}\nb: \"x\" & \"y\"\nc: 1 & (2 | 3)\n");
  std::vector<std::string> results(kThreads);
  in_threads([&](unsigned number) {
    Context context(program);
    for (const diag::Diagnostic& error : context.instance(0).validate({.concrete = true})) {
      results[number] += error.path + ": " + error.message;
      for (diag::Position position : error.positions) {
        results[number] += " " + std::to_string(program->sources().locate(position).line);
      }
      results[number] += "\n";
    }
  });
  EXPECT_NE(results[0].find("a.prot: field not allowed"), std::string::npos) << results[0];
  for (const std::string& result : results) EXPECT_EQ(result, results[0]);
}

}  // namespace
}  // namespace opm::cue
