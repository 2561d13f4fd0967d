#include "cue/std/text_template.h"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <vector>

#include "base/unicode.h"
#include "cue/std/bind.h"
#include "cue/std/template_tree.h"
#include "data/json.h"

namespace opm::cue::standard {
namespace {

constexpr int kDeepestCall = 200;
constexpr std::uint64_t kMostSteps = 50'000'000;

// A part of the data or something made on the way; null: there is no such value.
using Item = std::shared_ptr<const data::Value>;

Item make(data::Value::Variant variant) {
  auto value = std::make_shared<data::Value>();
  value->variant = std::move(variant);
  return value;
}
Item make_number(std::int64_t number) { return make(data::NumberText{std::to_string(number), true}); }

// Floats are written with an exponent where it is very small or large.
std::string float_text(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "+Inf" : "-Inf";
  char buffer[400];
  double magnitude = std::fabs(number);
  bool scientific = magnitude != 0 && (magnitude < 1e-4 || magnitude >= 1e21);
  auto end = std::to_chars(buffer, buffer + sizeof buffer, number, scientific ? std::chars_format::scientific : std::chars_format::fixed);
  return std::string(buffer, end.ptr);
}

std::string number_text(const data::NumberText& number) {
  return number.is_integer ? number.text : float_text(std::strtod(number.text.c_str(), nullptr));
}

// As a template prints it.
void append_text(std::string& out, const data::Value& value) {
  if (value.is_null()) {
    out += "<nil>";
  } else if (value.is_bool()) {
    out += value.as_bool() ? "true" : "false";
  } else if (value.is_number()) {
    out += number_text(value.as_number());
  } else if (value.is_string()) {
    out += value.as_string();
  } else if (value.is_bytes()) {
    out += '[';
    for (std::size_t i = 0; i < value.as_bytes().bytes.size(); ++i) {
      if (i > 0) out += ' ';
      out += std::to_string(static_cast<unsigned char>(value.as_bytes().bytes[i]));
    }
    out += ']';
  } else if (value.is_list()) {
    out += '[';
    for (std::size_t i = 0; i < value.as_list().size(); ++i) {
      if (i > 0) out += ' ';
      append_text(out, value.as_list()[i]);
    }
    out += ']';
  } else {
    out += "map[";
    bool is_first = true;
    for (const data::Member* member : data::sorted_members(value.as_map())) {
      if (!is_first) out += ' ';
      is_first = false;
      out += member->key + ":";
      append_text(out, member->value);
    }
    out += ']';
  }
}

std::string text_of(const Item& item) {
  if (item == nullptr) return "<no value>";
  std::string text;
  append_text(text, *item);
  return text;
}

bool is_true(const Item& item) {
  if (item == nullptr || item->is_null()) return false;
  if (item->is_bool()) return item->as_bool();
  if (item->is_number()) return std::strtod(item->as_number().text.c_str(), nullptr) != 0;
  if (item->is_string()) return !item->as_string().empty();
  if (item->is_bytes()) return !item->as_bytes().bytes.empty();
  if (item->is_list()) return !item->as_list().empty();
  return !item->as_map().empty();
}

std::string escape_html(std::string_view text) {
  std::string out;
  for (char character : text) {
    switch (character) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '\'': out += "&#39;"; break;
      case '"': out += "&#34;"; break;
      case '\0': out += "\uFFFD"; break;
      default: out += character;
    }
  }
  return out;
}

std::string escape_query(std::string_view text) {
  std::string out;
  for (char character : text) {
    auto byte = static_cast<unsigned char>(character);
    if (std::isalnum(byte) || character == '-' || character == '_' || character == '.' || character == '~') out += character;
    else if (character == ' ') out += '+';
    else out += fmt::format("%{:02X}", byte);
  }
  return out;
}

std::string escape_script(std::string_view text) {
  std::string out;
  for (char character : text) {
    switch (character) {
      case '\\': out += "\\\\"; break;
      case '\'': out += "\\'"; break;
      case '"': out += "\\\""; break;
      case '<': out += "\\u003C"; break;
      case '>': out += "\\u003E"; break;
      case '&': out += "\\u0026"; break;
      case '=': out += "\\u003D"; break;
      default:
        if (static_cast<unsigned char>(character) < 0x20) out += fmt::format("\\u{:04X}", static_cast<unsigned>(character));
        else out += character;
    }
  }
  return out;
}

// printf with Go's verbs.
std::string formatted(std::string_view format, std::span<const Item> arguments) {
  std::string out;
  std::size_t next = 0;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      out += format[i];
      continue;
    }
    std::string flags;
    std::size_t width = 0;
    int precision = -1;
    for (++i; i < format.size() && std::string_view("+-# 0").find(format[i]) != std::string_view::npos; ++i) flags += format[i];
    for (; i < format.size() && std::isdigit(static_cast<unsigned char>(format[i])); ++i) {
      width = std::min<std::size_t>(width * 10 + static_cast<std::size_t>(format[i] - '0'), 100'000);
    }
    if (i < format.size() && format[i] == '.') {
      precision = 0;
      for (++i; i < format.size() && std::isdigit(static_cast<unsigned char>(format[i])); ++i) {
        precision = std::min(precision * 10 + (format[i] - '0'), 1'000);
      }
    }
    if (i >= format.size()) return out + "%!(NOVERB)";
    char verb = format[i];
    if (verb == '%') {
      out += '%';
      continue;
    }
    if (next >= arguments.size()) {
      out += fmt::format("%!{}(MISSING)", verb);
      continue;
    }
    const Item& item = arguments[next++];
    bool is_number = item != nullptr && item->is_number();
    bool is_integer = is_number && item->as_number().is_integer;
    double real = is_number ? std::strtod(item->as_number().text.c_str(), nullptr) : 0;
    std::string text;
    switch (verb) {
      case 'd':
        text = is_integer ? item->as_number().text : fmt::format("%!d({})", text_of(item));
        break;
      case 'x':
      case 'X':
      case 'o':
      case 'b':
        if (is_integer) {
          long long whole = std::strtoll(item->as_number().text.c_str(), nullptr, 10);
          text = verb == 'x' ? fmt::format("{:x}", whole) : verb == 'X' ? fmt::format("{:X}", whole)
                 : verb == 'o' ? fmt::format("{:o}", whole) : fmt::format("{:b}", whole);
        } else {
          for (char character : text_of(item)) {
            text += verb == 'X' ? fmt::format("{:02X}", static_cast<unsigned char>(character))
                                : fmt::format("{:02x}", static_cast<unsigned char>(character));
          }
        }
        break;
      case 'f':
      case 'F': text = is_integer || !is_number ? fmt::format("%!f({})", text_of(item)) : fmt::format("{:.{}f}", real, precision < 0 ? 6 : precision); break;
      case 'e': text = is_integer || !is_number ? fmt::format("%!e({})", text_of(item)) : fmt::format("{:.{}e}", real, precision < 0 ? 6 : precision); break;
      case 'g': text = is_integer || !is_number ? fmt::format("%!g({})", text_of(item)) : precision < 0 ? float_text(real) : fmt::format("{:.{}g}", real, precision); break;
      case 'q': {
        data::Value quoted;
        quoted.variant = text_of(item);
        text = data::write_json(quoted);
        break;
      }
      case 'c':
        if (is_integer) base::append_utf8(text, static_cast<char32_t>(std::strtol(item->as_number().text.c_str(), nullptr, 10)));
        break;
      case 's':
      case 'v':
      case 't':
        text = text_of(item);
        if (verb == 's' && precision >= 0 && text.size() > static_cast<std::size_t>(precision)) text.resize(static_cast<std::size_t>(precision));
        if (verb == 's' && item != nullptr && !item->is_string() && !item->is_list() && !item->is_map()) text = fmt::format("%!s({})", text);
        break;
      default: text = fmt::format("%!{}({})", verb, text_of(item));
    }
    if (flags.find('+') != std::string::npos && is_number && !text.starts_with('-')) text.insert(0, 1, '+');
    if (text.size() < width) {
      std::size_t missing = width - text.size();
      bool zeros = flags.find('0') != std::string::npos && flags.find('-') == std::string::npos && is_number;
      if (flags.find('-') != std::string::npos) text.append(missing, ' ');
      else if (zeros) text.insert(text.starts_with('-') || text.starts_with('+') ? 1 : 0, missing, '0');
      else text.insert(0, missing, ' ');
    }
    out += text;
  }
  for (; next < arguments.size(); ++next) out += fmt::format("%!(EXTRA {})", text_of(arguments[next]));
  return out;
}

class Execution {
 public:
  Execution(const TemplateTree& tree, Item root) : tree_(tree) { variables_.push_back({"", std::move(root)}); }

  std::expected<std::string, std::string> run() {
    Item root = variables_.front().value;
    walk(tree_.body, root);
    if (!problem_.empty()) return std::unexpected("template: :1: executing \"\" at " + problem_);
    return std::move(out_);
  }

 private:
  enum class Flow { on, leave_loop, next_round };
  struct Variable {
    std::string name;
    Item value;
  };

  Item fail(std::string message) {
    if (problem_.empty()) problem_ = std::move(message);
    return nullptr;
  }
  bool may_go_on() {
    if (++steps_ > kMostSteps || out_.size() > kMaxResultBytes) fail("<template>: it takes too long or makes too much");
    return problem_.empty();
  }

  Flow walk(const std::vector<TemplateNode>& nodes, const Item& dot) {
    for (const TemplateNode& node : nodes) {
      if (!may_go_on()) return Flow::on;
      Flow flow = visit(node, dot);
      if (flow != Flow::on) return flow;
    }
    return Flow::on;
  }

  Flow visit(const TemplateNode& node, const Item& dot) {
    std::size_t known = variables_.size();
    Flow flow = Flow::on;
    switch (node.kind) {
      case TemplateNode::Kind::text: out_ += node.text; return flow;
      case TemplateNode::Kind::leave_loop: return Flow::leave_loop;
      case TemplateNode::Kind::next_round: return Flow::next_round;
      case TemplateNode::Kind::action: {
        Item value = evaluate(node.pipeline, dot);
        if (problem_.empty() && node.pipeline.variables.empty()) out_ += text_of(value);
        return flow;  // what it declares is seen by those after it
      }
      case TemplateNode::Kind::conditional:
      case TemplateNode::Kind::with: {
        Item value = evaluate(node.pipeline, dot);
        if (!problem_.empty()) break;
        bool is_with = node.kind == TemplateNode::Kind::with;
        flow = is_true(value) ? walk(node.body, is_with ? value : dot) : walk(node.otherwise, dot);
        break;
      }
      case TemplateNode::Kind::range: flow = range(node, dot); break;
      case TemplateNode::Kind::call: call(node, dot); break;
    }
    variables_.resize(known);
    return flow;
  }

  Flow range(const TemplateNode& node, const Item& dot) {
    TemplatePipeline source = node.pipeline;
    source.variables.clear();
    Item value = evaluate(source, dot);
    if (!problem_.empty()) return Flow::on;
    std::vector<std::pair<Item, Item>> rounds;
    if (value != nullptr && value->is_list()) {
      for (std::size_t i = 0; i < value->as_list().size(); ++i) {
        rounds.emplace_back(make_number(static_cast<std::int64_t>(i)), Item(value, &value->as_list()[i]));
      }
    } else if (value != nullptr && value->is_map()) {
      for (const data::Member* member : data::sorted_members(value->as_map())) {
        rounds.emplace_back(make(member->key), Item(value, &member->value));
      }
    } else if (value != nullptr && value->is_number() && value->as_number().is_integer) {
      std::int64_t count = std::strtoll(value->as_number().text.c_str(), nullptr, 10);
      for (std::int64_t i = 0; i < std::min<std::int64_t>(count, 10'000'000); ++i) rounds.emplace_back(make_number(i), make_number(i));
    } else if (value != nullptr && !value->is_null()) {
      fail("<range>: range can't iterate over " + text_of(value));
      return Flow::on;
    }
    if (rounds.empty()) return walk(node.otherwise, dot);
    for (const auto& [key, element] : rounds) {
      if (!may_go_on()) break;
      std::size_t known = variables_.size();
      const std::vector<std::string>& names = node.pipeline.variables;
      if (names.size() == 2) set(names[0], key, node.pipeline.declares);
      if (!names.empty()) set(names.back(), element, node.pipeline.declares);
      Flow flow = walk(node.body, element);
      if (node.pipeline.declares || variables_.size() > known) variables_.resize(known);
      if (flow == Flow::leave_loop) break;
    }
    return Flow::on;
  }

  void call(const TemplateNode& node, const Item& dot) {
    auto found = tree_.named.find(node.text);
    if (found == tree_.named.end()) {
      fail("<{{template}}>: template \"" + node.text + "\" not defined");
      return;
    }
    Item argument = node.pipeline.commands.empty() ? nullptr : evaluate(node.pipeline, dot);
    if (!problem_.empty()) return;
    if (++depth_ > kDeepestCall) {
      fail("<{{template}}>: exceeded maximum template depth (" + std::to_string(kDeepestCall) + ")");
      return;
    }
    std::vector<Variable> saved = std::exchange(variables_, {Variable{"", argument}});
    walk(found->second, argument);
    variables_ = std::move(saved);
    --depth_;
  }

  void set(const std::string& name, const Item& value, bool declares) {
    if (!declares) {
      for (std::size_t i = variables_.size(); i-- > 0;) {
        if (variables_[i].name != name) continue;
        variables_[i].value = value;
        return;
      }
      fail("<$" + name + ">: undefined variable \"$" + name + "\"");
      return;
    }
    variables_.push_back({name, value});
  }

  Item evaluate(const TemplatePipeline& pipeline, const Item& dot) {
    Item value;
    for (std::size_t i = 0; i < pipeline.commands.size() && problem_.empty(); ++i) {
      value = command(pipeline.commands[i], dot, i > 0, value);
    }
    if (problem_.empty()) {
      for (const std::string& name : pipeline.variables) set(name, value, pipeline.declares);
    }
    return value;
  }

  Item command(const TemplateCommand& command, const Item& dot, bool has_last, const Item& last) {
    const TemplateOperand& first = command.operands.front();
    if (first.kind != TemplateOperand::Kind::function) {
      if (command.operands.size() > 1 || has_last) {
        return fail("<" + (first.fields.empty() ? std::string(".") : "." + first.fields.back()) + ">: can't give argument to non-function");
      }
      return operand(first, dot);
    }
    std::vector<Item> arguments;
    for (std::size_t i = 1; i < command.operands.size() && problem_.empty(); ++i) {
      // and, or: what comes after the answer is not looked at.
      if (i > 1 && first.name == "and" && !is_true(arguments.back())) return arguments.back();
      if (i > 1 && first.name == "or" && is_true(arguments.back())) return arguments.back();
      arguments.push_back(operand(command.operands[i], dot));
    }
    if (has_last) arguments.push_back(last);
    if (!problem_.empty()) return nullptr;
    return function(first.name, arguments);
  }

  Item operand(const TemplateOperand& operand, const Item& dot) {
    Item value;
    switch (operand.kind) {
      case TemplateOperand::Kind::dot: value = dot; break;
      case TemplateOperand::Kind::nil: return make(std::monostate{});
      case TemplateOperand::Kind::literal: return std::make_shared<data::Value>(operand.literal);
      case TemplateOperand::Kind::function: {
        TemplateCommand alone;
        alone.operands.push_back(operand);
        return command(alone, dot, false, nullptr);
      }
      case TemplateOperand::Kind::pipeline: value = evaluate(*operand.pipeline, dot); break;
      case TemplateOperand::Kind::variable: {
        const Variable* found = nullptr;
        for (const Variable& variable : variables_) {
          if (variable.name == operand.name) found = &variable;
        }
        if (found == nullptr) return fail("<$" + operand.name + ">: undefined variable \"$" + operand.name + "\"");
        value = found->value;
        break;
      }
    }
    for (const std::string& field : operand.fields) {
      if (!problem_.empty()) return nullptr;
      if (value == nullptr || value->is_null()) {
        return fail("<." + field + ">: nil data; no entry for key \"" + field + "\"");
      }
      if (!value->is_map()) return fail("<." + field + ">: can't evaluate field " + field + " in type " + type_name(*value));
      const data::Value* found = value->find(field);
      value = found != nullptr ? Item(value, found) : nullptr;
    }
    return value;
  }

  static std::string type_name(const data::Value& value) {
    if (value.is_bool()) return "bool";
    if (value.is_number()) return value.as_number().is_integer ? "int" : "float64";
    if (value.is_string()) return "string";
    if (value.is_bytes()) return "[]uint8";
    return value.is_list() ? "[]interface {}" : "map[string]interface {}";
  }

  Item function(const std::string& name, const std::vector<Item>& arguments) {
    auto needs = [&](std::size_t least) {
      if (arguments.size() >= least) return true;
      fail("<" + name + ">: wrong number of args for " + name + ": want at least " + std::to_string(least) + " got " +
           std::to_string(arguments.size()));
      return false;
    };
    if (name == "and" || name == "or") {
      if (!needs(1)) return nullptr;
      for (const Item& argument : arguments) {
        if (is_true(argument) == (name == "or")) return argument;
      }
      return arguments.back();
    }
    if (name == "not") return needs(1) ? make(!is_true(arguments[0])) : nullptr;
    if (name == "len") return needs(1) ? length(arguments[0]) : nullptr;
    if (name == "index") return needs(1) ? index(arguments) : nullptr;
    if (name == "slice") return needs(1) ? slice(arguments) : nullptr;
    if (name == "printf") {
      if (!needs(1)) return nullptr;
      if (arguments[0] == nullptr || !arguments[0]->is_string()) return fail("<printf>: wrong type for value; expected string");
      return make(formatted(arguments[0]->as_string(), std::span(arguments).subspan(1)));
    }
    if (name == "eq" || name == "ne" || name == "lt" || name == "le" || name == "gt" || name == "ge") {
      return needs(2) ? compare(name, arguments) : nullptr;
    }
    std::string text;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      // print puts spaces between operands when neither is a string, println always.
      auto is_string = [&](std::size_t at) { return arguments[at] != nullptr && arguments[at]->is_string(); };
      if (i > 0 && (name == "println" || (!is_string(i) && !is_string(i - 1)))) text += ' ';
      text += text_of(arguments[i]);
    }
    if (name == "println") text += '\n';
    if (name == "html") text = escape_html(text);
    if (name == "js") text = escape_script(text);
    if (name == "urlquery") text = escape_query(text);
    return make(std::move(text));
  }

  Item length(const Item& item) {
    if (item != nullptr && item->is_string()) return make_number(static_cast<std::int64_t>(item->as_string().size()));
    if (item != nullptr && item->is_bytes()) return make_number(static_cast<std::int64_t>(item->as_bytes().bytes.size()));
    if (item != nullptr && item->is_list()) return make_number(static_cast<std::int64_t>(item->as_list().size()));
    if (item != nullptr && item->is_map()) return make_number(static_cast<std::int64_t>(item->as_map().size()));
    return fail("<len>: error calling len: len of " + (item == nullptr || item->is_null() ? "nil pointer" : "type " + type_name(*item)));
  }

  bool position(const Item& item, std::size_t limit, std::size_t& out) {
    if (item == nullptr || !item->is_number() || !item->as_number().is_integer) {
      fail("<index>: error calling index: cannot index slice/array with type " + (item == nullptr ? "nil" : type_name(*item)));
      return false;
    }
    std::int64_t number = std::strtoll(item->as_number().text.c_str(), nullptr, 10);
    if (number < 0 || static_cast<std::uint64_t>(number) > limit) {
      fail("<index>: error calling index: index out of range: " + std::to_string(number));
      return false;
    }
    out = static_cast<std::size_t>(number);
    return true;
  }

  Item index(const std::vector<Item>& arguments) {
    Item value = arguments[0];
    for (std::size_t i = 1; i < arguments.size(); ++i) {
      if (value == nullptr || value->is_null()) return fail("<index>: error calling index: index of untyped nil");
      if (value->is_map()) {
        const Item& key = arguments[i];
        if (key == nullptr || !key->is_string()) return fail("<index>: error calling index: value has type " + (key ? type_name(*key) : "nil") + "; should be string");
        const data::Value* found = value->find(key->as_string());
        value = found != nullptr ? Item(value, found) : nullptr;
      } else if (value->is_list()) {
        std::size_t at = 0;
        if (!position(arguments[i], value->as_list().empty() ? 0 : value->as_list().size() - 1, at)) return nullptr;
        if (at >= value->as_list().size()) return fail("<index>: error calling index: index out of range: " + std::to_string(at));
        value = Item(value, &value->as_list()[at]);
      } else {
        return fail("<index>: error calling index: can't index item of type " + type_name(*value));
      }
    }
    return value;
  }

  Item slice(const std::vector<Item>& arguments) {
    const Item& value = arguments[0];
    bool is_string = value != nullptr && value->is_string();
    if (!is_string && (value == nullptr || !value->is_list())) return fail("<slice>: error calling slice: can't slice this");
    std::size_t size = is_string ? value->as_string().size() : value->as_list().size();
    std::size_t low = 0;
    std::size_t high = size;
    if (arguments.size() > 1 && !position(arguments[1], size, low)) return nullptr;
    if (arguments.size() > 2 && !position(arguments[2], size, high)) return nullptr;
    if (low > high) return fail(fmt::format("<slice>: error calling slice: invalid slice index: {} > {}", low, high));
    if (is_string) return make(value->as_string().substr(low, high - low));
    const data::List& list = value->as_list();
    return make(data::List(list.begin() + static_cast<std::ptrdiff_t>(low), list.begin() + static_cast<std::ptrdiff_t>(high)));
  }

  Item compare(const std::string& name, const std::vector<Item>& arguments) {
    const Item& left = arguments[0];
    if (name == "eq" || name == "ne") {
      bool found = false;
      for (std::size_t i = 1; i < arguments.size(); ++i) {
        const Item& right = arguments[i];
        bool has_both = left != nullptr && right != nullptr;
        if (has_both && !left->is_null() && !right->is_null()) {
          bool comparable = left->variant.index() == right->variant.index() && !left->is_list() && !left->is_map();
          if (!comparable) return fail("<" + name + ">: error calling " + name + ": incompatible types for comparison");
        }
        found = found || (has_both ? data::equal(*left, *right) : left == right);
      }
      return make(found == (name == "eq"));
    }
    const Item& right = arguments[1];
    int order = 0;
    if (left != nullptr && right != nullptr && left->is_number() && right->is_number()) {
      double a = std::strtod(left->as_number().text.c_str(), nullptr);
      double b = std::strtod(right->as_number().text.c_str(), nullptr);
      order = a < b ? -1 : a > b ? 1 : 0;
    } else if (left != nullptr && right != nullptr && left->is_string() && right->is_string()) {
      order = left->as_string().compare(right->as_string());
    } else {
      return fail("<" + name + ">: error calling " + name + ": incompatible types for comparison");
    }
    return make(name == "lt" ? order < 0 : name == "le" ? order <= 0 : name == "gt" ? order > 0 : order >= 0);
  }

  const TemplateTree& tree_;
  std::vector<Variable> variables_;
  std::string out_;
  std::string problem_;
  std::uint64_t steps_ = 0;
  int depth_ = 0;
};

}  // namespace

std::expected<std::string, std::string> execute_template(std::string_view source, const data::Value& data) {
  auto tree = parse_template(source);
  if (!tree) return std::unexpected(tree.error());
  return Execution(*tree, Item(std::shared_ptr<void>(), &data)).run();
}

}  // namespace opm::cue::standard
