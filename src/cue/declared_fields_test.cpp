#include "cue/declared_fields.h"

#include <gtest/gtest.h>

#include "base/file_system.h"

namespace opm::cue {
namespace {

bool is_added(std::string_view file) { return file.ends_with("added.cue"); }

// A package with #config, and with values that #config takes because another file declares them to be part of it.
struct Package {
  Package(const std::string& declarations, const std::string& value)
      : files{{"/m/cue.mod/module.cue", "module: \"a.b/c@v0\"\nlanguage: version: \"v0.15.0\"\n"},
              {"/m/x.cue", "package x\n#Closed: {a?: int, b?: {c: int}}\n" + declarations + "\n"},
              {"/m/added.cue", "package x\n#config: _\n#config: values\nvalues: " + value + "\nfull: #config\n"}} {
    LoadRequest request;
    request.options.directory = "/m";
    request.options.files = &files;
    std::vector<LoadRequest> requests;
    requests.push_back(std::move(request));
    context.emplace(Program::load(std::move(requests)));
    root = context->instance(0);
    EXPECT_TRUE(root.field("full").validate({.concrete = true}).empty()) << declarations << " with " << value;
  }

  bool is_seen() const { return declares_fields_of(root.find("#config"), is_added, root.field("full")); }
  bool is_so() const { return root.find("#config").without_files(is_added).unify(root.field("values")).validate().empty(); }

  base::MemoryFileSystem files;
  std::optional<Context> context;
  Value root;
};

void expect_seen(const std::string& declarations, const std::string& value) {
  Package package(declarations, value);
  EXPECT_TRUE(package.is_so()) << declarations << " with " << value;
  EXPECT_TRUE(package.is_seen()) << declarations << " with " << value;
}

void expect_not_seen(const std::string& declarations, const std::string& value) {
  EXPECT_FALSE(Package(declarations, value).is_seen()) << declarations << " with " << value;
}

TEST(DeclaredFields, AreSeen) {
  expect_seen("#config: {a: int, b?: string}", "{a: 1}");
  expect_seen("#config: {a: int, b: {c: string, d?: int}}", "{a: 1, b: {c: \"x\", d: 2}}");
  expect_seen("#config: a: int\n#config: b: c: int\n#config: b: d: int", "{a: 1, b: {c: 1, d: 2}}");
  expect_seen("#config: flags: [string]: bool", "flags: {x: true, y: false}");
  expect_seen("#config: list: [...string]", "list: [\"x\"]");
  expect_seen("#config: {a: int, d: *1 | int}", "a: 1");
}

TEST(DeclaredFields, OfDefinitionsAreTheirOwn) {
  expect_seen("#config: x: #Closed", "x: {a: 1, b: c: 1}");
  expect_seen("#config: x: #Closed & {a: 1}", "x: {a: 1, b: c: 1}");

}

TEST(DeclaredFields, OthersAreNot) {
  expect_not_seen("#config: {a: int}", "{a: 1, z: 1}");
  expect_not_seen("#config: {a: int, b: {c: int}}", "{a: 1, b: {c: 1, z: 2}}");
  expect_not_seen("#config: by: [string]: {c: int}", "by: x: {c: 1, z: 2}");
  expect_not_seen("#config: list: [...{c: int}]", "list: [{c: 1, z: 2}]");
}

TEST(DeclaredFields, WhatTakesEvaluationIsNotSeen) {
  expect_not_seen("#config: {a: int, ...}", "{a: 1, z: 1}");
  expect_not_seen("#config: {a: int, if a == 1 {b: int}}", "{a: 1, b: 1}");
  expect_not_seen("#config: x: _other\n_other: a: int", "x: a: 1");
  expect_not_seen("#config: {[=~\"^x\"]: int}", "x1: 1");
  expect_not_seen("#config: x: {a: int, b: \"x\"} | {a: int, b: \"y\"}", "x: {a: 1, b: \"x\"}");
}

}  // namespace
}  // namespace opm::cue
