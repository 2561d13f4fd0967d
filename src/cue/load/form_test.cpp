#include "cue/load/form.h"

#include <gtest/gtest.h>

#include <fmt/core.h>

#include "cue/syntax/parser.h"

namespace opm::cue::load {
namespace {

std::string wrong(std::string text, Form form) {
  diag::SourceMap sources;
  base::Arena arena;
  const diag::Source& source = *sources.add("x.cue", std::move(text));
  syntax::ParsedFile parsed = syntax::parse_file(arena, source);
  std::string all;
  for (const diag::Diagnostic& error : check_form(*parsed.file, form)) {
    diag::Location place = sources.locate(error.positions.front());
    all += fmt::format("{}:{}: {}\n", place.line, place.column, error.message);
  }
  return all;
}

TEST(Form, DataIsPlain) {
  EXPECT_EQ(wrong("a: 4\nb: {c: -1, \"d\": [true, null, 'x']}\nb: e: 1\n", Form::data), "");
  EXPECT_EQ(wrong("a: 4\nb: {c: a}\n", Form::data), "2:8: references not allowed in data mode\n");
  EXPECT_EQ(wrong("a: 1 + 2\n#b: 3\n[string]: 4\nc: >5\nd: *6 | 7\n", Form::data),
            "1:4: expressions not allowed in data mode\n2:1: definitions not allowed in data mode\n"
            "3:1: optional fields not allowed in data mode\n4:4: constraints not allowed in data mode\n"
            "5:4: expressions not allowed in data mode\n");
}

TEST(Form, GraphsMayRefer) {
  EXPECT_EQ(wrong("a: 4\nb: {c: a}\n", Form::graph), "");
  EXPECT_EQ(wrong("a: b + 1\n", Form::graph), "1:4: expressions not allowed in graph mode\n");
  EXPECT_EQ(wrong("#a: b + 1\n", Form::schema), "");
}

}  // namespace
}  // namespace opm::cue::load
