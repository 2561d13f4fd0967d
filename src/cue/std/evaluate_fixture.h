// What the tests of the standard packages stand on: expressions that become values or
// messages, as text.
#pragma once

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/names.h"
#include "cue/compile/compile.h"
#include "cue/eval/evaluator.h"
#include "cue/eval/predeclared.h"
#include "cue/eval/text.h"
#include "cue/std/standard.h"
#include "cue/syntax/parser.h"
#include "diag/source.h"

namespace opm::cue::standard {

// One file, compiled with the standard packages and evaluated.
class TestProgram : public compile::Environment {
 public:
  explicit TestProgram(std::string text) {
    packages_.push_back(nullptr);
    for (std::string_view path : standard_paths()) {
      const eval::StandardPackage& package = *find_standard_package(path);
      compile::ImportTarget target{compile::ImportTarget::kNone, true, package.path, package.name};
      if (!package.source.empty()) {
        target.package = static_cast<std::uint32_t>(packages_.size());
        packages_.push_back(compile(std::string(package.path), std::string(package.source), package.path));
      }
      targets_.emplace(package.path, target);
    }
    packages_[0] = compile("test.cue", std::move(text), "_");
    if (packages_[0] != nullptr) {
      for (const compile::Package* package : packages_) list_.add(package);
      evaluator_ = std::make_unique<eval::Evaluator>(eval::ProgramView{&list_, &names_, &sources_});
    }
  }

  const compile::ImportTarget* import(std::string_view path) const override {
    auto found = targets_.find(path);
    return found == targets_.end() ? nullptr : &found->second;
  }
  const compile::BuiltinSignature* builtin(std::string_view package, std::string_view name) const override {
    if (package.empty()) return eval::find_predeclared(name);
    return find_standard_function(package, name);
  }

  // A top-level field as text; an error as "error: " and its messages.
  std::string field(std::string_view name) {
    if (evaluator_ == nullptr) return "error: " + problem_;
    eval::Node* root = evaluator_->package_root(0);
    root->lazy_root = false;
    evaluator_->finalize(root);
    eval::Node* node = evaluator_->find_arc(eval::value_node(root), string_label(evaluator_->names(), name));
    if (node == nullptr) return "error: no such field";
    if (const eval::Error* error = worst_below(node)) {
      std::string text = "error";
      for (const diag::Diagnostic& diagnostic : eval::diagnostics(*evaluator_, error)) text += ": " + diagnostic.message;
      return text;
    }
    return eval::value_text(*evaluator_, evaluator_->unwrap(evaluator_->take_default(eval::Value::of_node(node))));
  }

 private:
  const eval::Error* worst_below(eval::Node* node) {
    node = eval::value_node(node);
    if (node->base == eval::BaseKind::error) return node->error;
    return node->child_errors;
  }

  const compile::Package* compile(std::string name, std::string text, std::string_view path) {
    const diag::Source* source = sources_.add(std::move(name), std::move(text));
    syntax::ParsedFile parsed = syntax::parse_file(arena_, *source);
    if (!parsed.errors.empty()) {
      problem_ = parsed.errors.front().message;
      return nullptr;
    }
    auto files = std::make_unique<std::vector<const syntax::File*>>(1, parsed.file);
    compile::CompileResult result = compile::compile_package(arena_, names_, *this, {path, "", "", *files});
    files_.push_back(std::move(files));
    if (result.package == nullptr && !result.errors.empty()) problem_ = result.errors.front().message;
    return result.package;
  }

  base::Arena arena_;
  base::NameTable names_;
  diag::SourceMap sources_;
  std::vector<const compile::Package*> packages_;
  compile::PackageList list_;
  std::vector<std::unique_ptr<std::vector<const syntax::File*>>> files_;
  std::map<std::string, compile::ImportTarget, std::less<>> targets_;
  std::unique_ptr<eval::Evaluator> evaluator_;
  std::string problem_;
};

// The value of an expression that may use the named packages (the compiler refuses imports that nothing uses).
inline std::string evaluate(std::string_view expression, std::initializer_list<std::string_view> imports) {
  std::string text;
  for (std::string_view path : imports) {
    std::string selector = fmt::format("{}.", path.substr(path.rfind('/') + 1));
    if (expression.find(selector) != std::string_view::npos) text += fmt::format("import \"{}\"\n", path);
  }
  text += fmt::format("x: {}\n", expression);
  return TestProgram(std::move(text)).field("x");
}

struct Case {
  std::string_view expression, expected;
};

inline void expect_all(std::initializer_list<std::string_view> imports, std::initializer_list<Case> cases) {
  for (const Case& test : cases) EXPECT_EQ(evaluate(test.expression, imports), test.expected) << test.expression;
}

}  // namespace opm::cue::standard
