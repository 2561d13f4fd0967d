// Large files are read and compiled by several threads: what comes of it has to be the same as from one, to the ids of names.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "cue/compile/compile_fixture.h"
#include "cue/syntax/format.h"
#include "cue/syntax/parse_in_parts.h"

namespace opm::cue::compile {
namespace {

// All that is known of a text.
struct Outcome {
  std::string tree, program;
  std::vector<std::string> errors, names;
  bool operator==(const Outcome&) const = default;
};

std::string told(const diag::Diagnostic& error) {
  std::string text = error.code + " " + error.path + " " + error.message + " " + error.advice;
  for (diag::Position position : error.positions) text += fmt::format(" {}", position.value);
  return text;
}

Outcome outcome(const std::string& text, unsigned threads) {
  Outcome outcome;
  diag::SourceMap sources;
  base::Arena syntax_arena, arena;
  base::NameTable catalog;
  for (const char* known : {"container", "ports", "#config"}) catalog.intern(known);
  base::NameTable names(&catalog);
  std::vector<std::unique_ptr<base::Arena>> more_arenas;
  std::vector<std::unique_ptr<PartMemory>> part_memory;
  syntax::ParsedFile parsed =
      syntax::parse_in_parts(syntax_arena, more_arenas, *sources.add("x.cue", text), {.comments = false}, threads);
  for (const diag::Diagnostic& error : parsed.errors) outcome.errors.push_back(told(error));
  for (const syntax::Declaration* declaration : parsed.file->declarations)
    outcome.tree += fmt::format("{}-{} {} {};", declaration->begin.value, declaration->end.value,
                                static_cast<int>(declaration->spacing), declaration->height);
  if (!parsed.errors.empty()) return outcome;
  outcome.tree += syntax::format(*parsed.file);
  TestEnvironment environment;
  const syntax::File* files[] = {parsed.file};
  CompileResult result = compile_package(arena, names, environment, {"example.com/test", "test", "", files, threads, &part_memory});
  for (const diag::Diagnostic& error : result.errors) outcome.errors.push_back(told(error));
  if (result.package) outcome.program = dump(names, *result.package->files[0]);
  for (std::uint32_t id = 1; id < names.size(); ++id) outcome.names.emplace_back(names.text(base::Name{id}));
  return outcome;
}

constexpr int kMany = 1500;

std::string many(const std::function<std::string(int)>& text) {
  std::string all;
  for (int i = 0; i < kMany; ++i) all += text(i);
  return all;
}

std::string component(int number) {
  return fmt::format(
      "{{\n\t\tstrings.ToUpper\n\t\tcontainer: {{\n\t\t\tname: \"c{0}\", image: #config.image\n"
      "\t\t\tports: http{1}: targetPort: 8080 + {0}\n\t\t}}\n\t\t_own{2}: shapes.#Square & {{side: container.name}}\n"
      "\t\tmany: {{a{0}: 1, b{0}: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: many.a{0}, a{0}: int}}\n\t\tif container.x != _|_ "
      "{{[=~\"y\"]: self{0}: _own{2}.\"side {0}\"}}\n\t}}\n",
      number, number % 7, number % 3);
}

constexpr std::string_view kHead =
    "package test\n\nimport (\n\t\"strings\"\n\t\"example.com/shapes\"\n)\n\n#config: image: string\n";

std::string flat() {
  return std::string(kHead) + many([](int i) { return fmt::format("\n#components: \"c{}\": {}", i, component(i)); });
}

std::string nested() {
  return std::string(kHead) + "#components: {\n" + many([](int i) { return fmt::format("\t\"c{}\": {}", i, component(i)); }) + "}\nlast: 1\n";
}

void expect_same(const std::string& text) {
  Outcome one = outcome(text, 1);
  for (unsigned threads : {2u, 3u, 8u}) {
    Outcome other = outcome(text, threads);
    EXPECT_EQ(other.errors, one.errors) << threads;
    EXPECT_EQ(other.names, one.names) << threads;
    EXPECT_TRUE(other.tree == one.tree) << threads;
    EXPECT_TRUE(other.program == one.program) << threads;
  }
}

TEST(LargeFilesThreads, FieldsOfTheFile) {
  std::string text = flat();
  EXPECT_TRUE(outcome(text, 8).errors.empty());
  EXPECT_FALSE(outcome(text, 8).program.empty());
  expect_same(text);
}

TEST(LargeFilesThreads, FieldsOfOneStruct) {
  std::string text = nested();
  EXPECT_TRUE(outcome(text, 8).errors.empty());
  expect_same(text);
  expect_same("{\n" + many([](int i) { return fmt::format("\"a{0}\": {{\"b\": {0},\n\"c\": [{0}]}},\n", i); }) + "}\n");
}

// Lines that look as if a declaration began there.
TEST(LargeFilesThreads, TextsThatLookLikeDeclarations) {
  expect_same(many([](int i) { return fmt::format("a{0}: \"\"\"\n\tx\n\tb: {{\n\tc: \\({{\nd: {0}\n}}.d)\n\t}}\n\t\"\"\"\n", i); }));
  expect_same("a: \"\"\"\n" + many([](int i) { return fmt::format("b{0}: {{c: 1}}, d: 2 and more of that\n", i); }) + "\"\"\"\n");
  expect_same("a: [\n" + many([](int i) { return fmt::format("{{b: {0},\nc: 1\n}},\n", i); }) + "]\n");
  expect_same("a: (\n" + many([](int i) { return fmt::format("b{0} &\nc &\n\"text of some length {0}\" &\n", i); }) + "1)\n");
  expect_same(many([](int i) { return fmt::format("a{0}: 1 // b: {{\r\n\r\n\t@x(y)\r\nb{0}: a{0}\r\n", i); }) + std::string(40000, '\n'));
}

TEST(LargeFilesThreads, WhatThreadsWouldHaveToShare) {
  expect_same("let shared = {x: 1}\n" + many([](int i) { return fmt::format("field_of_the_file_{0}: shared.x + {0}\n", i); }));
  expect_same("X=\"a b\": 1\n" + many([](int i) { return fmt::format("field_of_the_file_{0}: X + {0}\n", i); }));
  expect_same("X=(y): 1\ny: \"z\"\n" + many([](int i) { return fmt::format("field_of_the_file_{0}: X + {0}\n", i); }));
}

TEST(LargeFilesThreads, Errors) {
  expect_same(flat() + "late: ]\n");
  expect_same(nested() + "late: unknown\n");
  expect_same(flat() + "Late=other: 1\n");
  expect_same(many([](int i) { return fmt::format("field_of_the_file_{0}: unknown{0}\n", i); }));
  expect_same(many([](int i) { return fmt::format("field_of_the_file_{0}: {{{{{{]\n", i); }));
  expect_same("import \"strings\"\n" + many([](int i) { return fmt::format("field_of_the_file_{0}: 1\n", i); }));
  std::string deep = std::string(600, '{') + std::string(600, '}');
  expect_same(flat() + "deep: " + deep + "\n" + flat());
}

}  // namespace
}  // namespace opm::cue::compile
