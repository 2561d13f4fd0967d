// What a template is parsed into.
#pragma once

#include <expected>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "data/tree.h"

namespace opm::cue::standard {

struct TemplatePipeline;

struct TemplateOperand {
  enum class Kind { dot, variable, function, literal, nil, pipeline } kind = Kind::dot;
  std::string name;                 // variable or function
  std::vector<std::string> fields;  // looked up one after the other
  data::Value literal;
  std::shared_ptr<TemplatePipeline> pipeline;
};

struct TemplateCommand {
  std::vector<TemplateOperand> operands;  // the first may be a function, the others its arguments
};

struct TemplatePipeline {
  std::vector<std::string> variables;  // set to the result, or to key and element in a range
  bool declares = false;               // := rather than =
  std::vector<TemplateCommand> commands;
};

struct TemplateNode {
  enum class Kind { text, action, conditional, range, with, call, leave_loop, next_round } kind = Kind::text;
  std::string text;  // text, or the name of the template called
  TemplatePipeline pipeline;
  std::vector<TemplateNode> body;
  std::vector<TemplateNode> otherwise;
};

struct TemplateTree {
  std::vector<TemplateNode> body;
  std::map<std::string, std::vector<TemplateNode>, std::less<>> named;
};

std::expected<TemplateTree, std::string> parse_template(std::string_view source);

}  // namespace opm::cue::standard
