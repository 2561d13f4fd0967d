// What the compiler's tests stand on: packages to import, and texts that become
// programs (as dump.h writes them) or lists of errors.
#pragma once

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/joined.h"
#include "cue/compile/compile.h"
#include "cue/compile/dump.h"
#include "cue/syntax/parser.h"

namespace opm::cue::compile {

// Standard packages with a few functions, and one package of a module.
class TestEnvironment : public Environment {
 public:
  const ImportTarget* import(std::string_view path) const override {
    auto found = std::ranges::find(targets_, path, &ImportTarget::path);
    return found == targets_.end() ? nullptr : &*found;
  }
  const BuiltinSignature* builtin(std::string_view package, std::string_view name) const override {
    for (const BuiltinSignature& builtin : builtins_) {
      if (builtin.package == package && builtin.name == name) return &builtin;
    }
    return nullptr;
  }

 private:
  std::vector<ImportTarget> targets_ = {
      {ImportTarget::kNone, true, "strings", "strings"},
      {ImportTarget::kNone, true, "encoding/json", "json"},
      {4, true, "time", "time"},
      {7, false, "example.com/shapes", "shapes"},
  };
  std::vector<BuiltinSignature> builtins_ = {
      {"", "len"},     {"", "close"},          {"", "and"},   {"", "or"},   {"", "div"},
      {"", "error"},   {"", "matchN"},         {"", "mod"},   {"", "quo"},  {"", "rem"},
      {"", "matchIf"}, {"strings", "ToUpper"}, {"time", "Parse"}, {"encoding/json", "Marshal"},
  };
};

class CompileTest : public ::testing::Test {
 protected:
  CompileResult compile(const std::vector<std::string>& texts, std::string_view version = "") {
    std::vector<const syntax::File*> files;
    for (const std::string& text : texts) {
      const diag::Source* source = sources_.add(fmt::format("{}.cue", files.size()), text);
      syntax::ParsedFile parsed = syntax::parse_file(syntax_arena_, *source);
      for (const diag::Diagnostic& problem : parsed.errors) ADD_FAILURE() << text << ": " << problem.message;
      files.push_back(parsed.file);
    }
    PackageInput input{"example.com/test", "test", version, files};
    return compile_package(arena_, names_, environment_, input);
  }

  // The program of one file, or its errors.
  std::string program(const std::string& text, std::string_view version = "") {
    CompileResult result = compile({text}, version);
    if (result.package) return dump(names_, *result.package->files[0]);
    return base::joined(told(result.errors), "; ");
  }

  std::vector<std::string> told(const std::vector<diag::Diagnostic>& errors) {
    std::vector<std::string> lines;
    for (const diag::Diagnostic& problem : errors) {
      diag::Location at = sources_.locate(problem.positions.empty() ? Position() : problem.positions[0]);
      std::string path = problem.path.empty() ? "" : problem.path + ": ";
      std::string advice = problem.advice.empty() ? "" : " (" + problem.advice + ")";
      lines.push_back(fmt::format("{}:{}: {}{}{}", at.line, at.column, path, problem.message, advice));
    }
    return lines;
  }

  std::vector<std::string> errors(const std::string& text, std::string_view version = "") {
    CompileResult result = compile({text}, version);
    EXPECT_EQ(result.package == nullptr, !result.errors.empty());
    return told(result.errors);
  }

  std::string expression(const std::string& text, const std::string& package = "") {
    std::vector<const syntax::File*> files;
    if (!package.empty()) {
      files.push_back(syntax::parse_file(syntax_arena_, *sources_.add("package.cue", package)).file);
    }
    PackageInput input{"example.com/test", "test", "", files};
    const diag::Source* source = sources_.add("expression", text);
    syntax::ParsedExpression parsed = syntax::parse_expression(syntax_arena_, *source);
    EXPECT_TRUE(parsed.errors.empty()) << text;
    CompiledExpression result =
        compile_expression(arena_, names_, environment_, package.empty() ? nullptr : &input, *parsed.expression);
    if (result.expression) return dump(names_, *result.expression);
    return base::joined(told(result.errors), "; ");
  }

  const StructExpression* file(const std::string& text) {
    CompileResult result = compile({text});
    EXPECT_TRUE(result.package) << base::joined(told(result.errors), "; ");
    return result.package ? result.package->files[0] : nullptr;
  }

  base::Arena syntax_arena_, arena_;
  base::NameTable names_;
  diag::SourceMap sources_;
  TestEnvironment environment_;
};

}  // namespace opm::cue::compile
