#include "cue/std/template_tree.h"

#include <array>
#include <cctype>
#include <cstdlib>

#include "base/unicode.h"

namespace opm::cue::standard {
namespace {

constexpr int kDeepest = 200;
constexpr std::string_view kSpace = " \t\r\n";


// One action is parsed at a time, between its braces.
class Parser {
 public:
  explicit Parser(std::string_view source) : source_(source) {}

  std::expected<TemplateTree, std::string> parse() {
    std::string end = parse_list(tree_.body, 0);
    if (problem_.empty() && !end.empty()) fail("unexpected {{" + end + "}}");
    if (!problem_.empty()) return std::unexpected("template: :" + std::to_string(line_) + ": " + problem_);
    return std::move(tree_);
  }

 private:
  void fail(std::string message) {
    if (problem_.empty()) problem_ = std::move(message);
  }

  // Parses up to an action that ends the list, which it gives: "end", "else", or nothing at
  // the end of the template. What follows the keyword is left to read.
  std::string parse_list(std::vector<TemplateNode>& out, int depth) {
    if (depth > kDeepest) fail("nested too deeply");
    while (problem_.empty()) {
      std::size_t open = source_.find("{{", position_);
      std::string text(source_.substr(position_, open == std::string_view::npos ? open : open - position_));
      for (char character : text) line_ += character == '\n';
      if (trim_next_) text.erase(0, std::min(text.find_first_not_of(kSpace), text.size()));
      trim_next_ = false;
      if (open == std::string_view::npos) {
        position_ = source_.size();
        append_text(out, std::move(text));
        return {};
      }
      position_ = open + 2;
      if (position_ + 1 < source_.size() && source_[position_] == '-' && kSpace.find(source_[position_ + 1]) != std::string_view::npos) {
        text.erase(text.find_last_not_of(kSpace) + 1);
        ++position_;
      }
      append_text(out, std::move(text));
      skip_space();
      if (rest().starts_with("/*")) {
        std::size_t end = source_.find("*/", position_);
        if (end == std::string_view::npos) {
          fail("unclosed comment");
          return {};
        }
        position_ = end + 2;
        close_action();
        continue;
      }
      std::string keyword = peek_word();
      if (keyword == "end" || keyword == "else") {
        position_ += keyword.size();
        return keyword;
      }
      parse_action(out, keyword, depth);
    }
    return {};
  }

  void append_text(std::vector<TemplateNode>& out, std::string text) {
    if (text.empty()) return;
    TemplateNode node;
    node.text = std::move(text);
    out.push_back(std::move(node));
  }

  void parse_action(std::vector<TemplateNode>& out, const std::string& keyword, int depth) {
    TemplateNode node;
    if (keyword == "if" || keyword == "with" || keyword == "range") {
      position_ += keyword.size();
      parse_block(node, keyword, depth);
    } else if (keyword == "break" || keyword == "continue") {
      position_ += keyword.size();
      node.kind = keyword == "break" ? TemplateNode::Kind::leave_loop : TemplateNode::Kind::next_round;
      if (loops_ == 0) fail("{{" + keyword + "}} outside {{range}}");
      close_action();
    } else if (keyword == "define" || keyword == "block") {
      position_ += keyword.size();
      skip_space();
      std::string name = parse_string();
      if (keyword == "block") {
        node.kind = TemplateNode::Kind::call;
        node.text = name;
        node.pipeline = parse_pipeline(false);
      }
      close_action();
      std::vector<TemplateNode> body;
      if (parse_list(body, depth + 1) != "end") fail("unexpected EOF");
      close_action();
      tree_.named[name] = std::move(body);
      if (keyword == "define") return;
    } else if (keyword == "template") {
      position_ += keyword.size();
      skip_space();
      node.kind = TemplateNode::Kind::call;
      node.text = parse_string();
      skip_space();
      if (!at_end()) node.pipeline = parse_pipeline(false);
      close_action();
    } else {
      node.kind = TemplateNode::Kind::action;
      node.pipeline = parse_pipeline(false);
      close_action();
    }
    out.push_back(std::move(node));
  }

  void parse_block(TemplateNode& node, const std::string& keyword, int depth) {
    bool is_range = keyword == "range";
    node.kind = is_range             ? TemplateNode::Kind::range
                : keyword == "with" ? TemplateNode::Kind::with
                                    : TemplateNode::Kind::conditional;
    node.pipeline = parse_pipeline(is_range);
    close_action();
    loops_ += is_range;
    std::string end = parse_list(node.body, depth + 1);
    loops_ -= is_range;
    if (end == "else") {
      skip_space();
      std::string chained = peek_word();
      if (chained == "if" || chained == "with") {
        // {{else if}} is a block within the other branch that shares its {{end}}.
        position_ += chained.size();
        TemplateNode inner;
        if (depth > kDeepest) fail("nested too deeply");
        parse_block(inner, chained, depth + 1);
        node.otherwise.push_back(std::move(inner));
        return;
      }
      close_action();
      end = parse_list(node.otherwise, depth + 1);
    }
    if (end != "end") fail(end.empty() ? "unexpected EOF" : "unexpected {{" + end + "}}");
    close_action();
  }

  std::string_view rest() const { return source_.substr(position_); }
  void skip_space() {
    while (position_ < source_.size() && kSpace.find(source_[position_]) != std::string_view::npos) {
      line_ += source_[position_] == '\n';
      ++position_;
    }
  }
  bool at_end() {
    skip_space();
    return position_ >= source_.size() || rest().starts_with("}}") || rest().starts_with("-}}");
  }
  void close_action() {
    if (!problem_.empty()) return;
    skip_space();
    if (rest().starts_with("-}}")) {
      trim_next_ = true;
      ++position_;
    }
    if (!rest().starts_with("}}")) {
      fail(position_ >= source_.size() ? "unclosed action" : "unexpected \"" + std::string(rest().substr(0, 1)) + "\" in command");
      return;
    }
    position_ += 2;
  }

  std::string peek_word() const {
    std::size_t end = position_;
    while (end < source_.size()) {
      auto character = base::decode_utf8(source_.substr(end));
      if (!character.valid || !(base::is_letter(character.value) || base::is_digit(character.value) || character.value == '_')) break;
      end += character.size;
    }
    return std::string(source_.substr(position_, end - position_));
  }

  std::string parse_string() {
    if (rest().empty() || (rest()[0] != '"' && rest()[0] != '`')) {
      fail("unexpected token where a name in quotes is expected");
      return {};
    }
    return quoted(rest()[0]);
  }

  std::string quoted(char quote) {
    std::string text;
    for (++position_; position_ < source_.size(); ++position_) {
      char character = source_[position_];
      if (character == quote) {
        ++position_;
        return text;
      }
      if (character == '\n' && quote != '`') break;
      if (character != '\\' || quote == '`') {
        text += character;
        continue;
      }
      if (++position_ >= source_.size()) break;
      switch (source_[position_]) {
        case 'n': text += '\n'; break;
        case 't': text += '\t'; break;
        case 'r': text += '\r'; break;
        case 'a': text += '\a'; break;
        case 'b': text += '\b'; break;
        case 'f': text += '\f'; break;
        case 'v': text += '\v'; break;
        case 'x': append_code(text, 2); break;
        case 'u': append_code(text, 4); break;
        case 'U': append_code(text, 8); break;
        default: text += source_[position_];
      }
    }
    fail("unterminated quoted string");
    return text;
  }
  void append_code(std::string& text, std::size_t digits) {
    std::string hexadecimal(source_.substr(position_ + 1, digits));
    if (hexadecimal.size() != digits || hexadecimal.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) {
      fail("invalid syntax in a quoted string");
      return;
    }
    position_ += digits;
    unsigned long code = std::stoul(hexadecimal, nullptr, 16);
    if (digits == 2) text += static_cast<char>(code);
    else base::append_utf8(text, static_cast<char32_t>(code));
  }

  TemplatePipeline parse_pipeline(bool is_range, int depth = 0) {
    TemplatePipeline pipeline;
    parse_variables(pipeline, is_range);
    for (;;) {
      TemplateCommand command;
      if (depth > kDeepest) fail("nested too deeply");
      while (problem_.empty() && !at_end() && rest()[0] != '|' && rest()[0] != ')') command.operands.push_back(parse_operand(depth));
      if (!problem_.empty()) return pipeline;
      if (command.operands.empty()) {
        fail(pipeline.commands.empty() ? "missing value for command" : "missing value for pipeline");
        return pipeline;
      }
      pipeline.commands.push_back(std::move(command));
      skip_space();
      if (!rest().starts_with("|")) return pipeline;
      ++position_;
    }
  }

  // $x := or $i, $x :=
  void parse_variables(TemplatePipeline& pipeline, bool is_range) {
    std::size_t saved = position_;
    for (;;) {
      skip_space();
      if (!rest().starts_with("$")) break;
      ++position_;
      pipeline.variables.push_back(peek_word());
      position_ += pipeline.variables.back().size();
      skip_space();
      if (rest().starts_with(":=") || rest().starts_with("=")) {
        pipeline.declares = rest()[0] == ':';
        position_ += pipeline.declares ? 2 : 1;
        if (pipeline.variables.size() > (is_range ? 2u : 1u)) fail("too many declarations in command");
        return;
      }
      if (!rest().starts_with(",") || !is_range) break;
      ++position_;
    }
    pipeline.variables.clear();
    position_ = saved;
  }

  void parse_fields(TemplateOperand& operand) {
    while (rest().starts_with(".")) {
      ++position_;
      std::string name = peek_word();
      if (name.empty()) {
        fail("unexpected <.> in operand");
        return;
      }
      position_ += name.size();
      operand.fields.push_back(std::move(name));
    }
  }

  TemplateOperand parse_operand(int depth) {
    TemplateOperand operand;
    char first = rest()[0];
    if (first == '.') {
      std::string_view after = rest().substr(1);
      if (!after.empty() && after[0] >= '0' && after[0] <= '9') {
        parse_number(operand);
        return operand;
      }
      ++position_;
      std::string name = peek_word();
      position_ += name.size();
      if (!name.empty()) {
        operand.fields.push_back(std::move(name));
        parse_fields(operand);
      }
    } else if (first == '$') {
      ++position_;
      operand.kind = TemplateOperand::Kind::variable;
      operand.name = peek_word();
      position_ += operand.name.size();
      parse_fields(operand);
    } else if (first == '(') {
      ++position_;
      operand.kind = TemplateOperand::Kind::pipeline;
      operand.pipeline = std::make_shared<TemplatePipeline>(parse_pipeline(false, depth + 1));
      skip_space();
      if (!rest().starts_with(")")) fail("unclosed left paren");
      else ++position_;
      parse_fields(operand);
    } else if (first == '"' || first == '`') {
      operand.kind = TemplateOperand::Kind::literal;
      operand.literal.variant = quoted(first);
    } else if (first == '\'') {
      operand.kind = TemplateOperand::Kind::literal;
      auto character = base::decode_utf8(quoted('\''));
      operand.literal.variant = data::NumberText{std::to_string(static_cast<unsigned long>(character.value)), true};
    } else if ((first >= '0' && first <= '9') || first == '-' || first == '+') {
      parse_number(operand);
    } else {
      std::string word = peek_word();
      if (word.empty()) {
        fail("unexpected \"" + std::string(1, first) + "\" in operand");
        return operand;
      }
      position_ += word.size();
      if (word == "true" || word == "false") {
        operand.kind = TemplateOperand::Kind::literal;
        operand.literal.variant = word == "true";
      } else if (word == "nil") {
        operand.kind = TemplateOperand::Kind::nil;
      } else {
        operand.kind = TemplateOperand::Kind::function;
        operand.name = word;
        static constexpr std::array<std::string_view, 18> kFunctions = {
            "and", "or", "not", "len", "index", "slice", "print", "printf", "println", "html", "js", "urlquery",
            "eq",  "ne", "lt",  "le",  "gt",    "ge"};
        bool is_known = false;
        for (std::string_view known : kFunctions) is_known = is_known || known == word;
        if (!is_known) fail("function \"" + word + "\" not defined");
      }
    }
    return operand;
  }

  void parse_number(TemplateOperand& operand) {
    std::size_t end = position_ + 1;
    while (end < source_.size() && (std::isalnum(static_cast<unsigned char>(source_[end])) || source_[end] == '.' || source_[end] == '_' ||
                                    ((source_[end] == '-' || source_[end] == '+') && (source_[end - 1] == 'e' || source_[end - 1] == 'E')))) {
      ++end;
    }
    std::string text(source_.substr(position_, end - position_));
    std::erase(text, '_');
    if (text.starts_with('+')) text.erase(0, 1);
    char* stop = nullptr;
    bool is_integer = text.find_first_of(".eEpP") == std::string::npos || text.find("0x") != std::string::npos;
    long long whole = is_integer ? std::strtoll(text.c_str(), &stop, 0) : 0;
    if (!is_integer) std::strtod(text.c_str(), &stop);
    if (*stop != '\0') fail("bad number syntax: \"" + text + "\"");
    operand.kind = TemplateOperand::Kind::literal;
    operand.literal.variant = data::NumberText{is_integer ? std::to_string(whole) : text, is_integer};
    position_ = end;
  }

  std::string_view source_;
  std::size_t position_ = 0;
  std::size_t line_ = 1;
  bool trim_next_ = false;
  int loops_ = 0;
  TemplateTree tree_;
  std::string problem_;
};

}  // namespace

std::expected<TemplateTree, std::string> parse_template(std::string_view source) { return Parser(source).parse(); }

}  // namespace opm::cue::standard
