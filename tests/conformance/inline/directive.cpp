#include "directive.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/arena.h"
#include "cue/syntax/literal.h"

namespace opm::inline_test {

namespace syntax = cue::syntax;

namespace {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::string unquote(std::string_view text) {
  if (text.size() < 2 || text.front() != text.back()) return std::string(text);
  if (text.front() != '"' && text.front() != '\'' && text.front() != '#') return std::string(text);
  base::Arena arena;
  auto plain = syntax::unquote(arena, text);
  return std::string(plain ? *plain : text);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    std::size_t at = text.find(separator);
    parts.push_back(trim(text.substr(0, at)));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::optional<int> parse_int(std::string_view text) {
  int value = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool strip(std::string_view& text, char open, char close) {
  text = trim(text);
  if (text.size() < 2 || text.front() != open || text.back() != close) return false;
  text = text.substr(1, text.size() - 2);
  return true;
}

std::expected<std::vector<ExpectedPosition>, std::string> parse_positions(std::string_view text) {
  std::vector<ExpectedPosition> positions;
  if (!strip(text, '[', ']')) return std::unexpected(fmt::format("bad pos={}", text));
  for (std::string_view part : split(text, ',')) {
    if (part.empty()) continue;
    std::vector<std::string_view> numbers = split(part, ':');
    if (numbers.size() != 2 && numbers.size() != 3) return std::unexpected(fmt::format("bad position {}", part));
    std::optional<int> column = parse_int(numbers.back());
    std::optional<int> line = parse_int(numbers[numbers.size() - 2]);
    if (!column || !line) return std::unexpected(fmt::format("bad position {}", part));
    positions.push_back({numbers.size() == 3 ? std::string(numbers[0]) : std::string(), *line, *column});
  }
  return positions;
}

std::vector<Argument> arguments_of(const syntax::Attribute& attribute) {
  std::vector<Argument> arguments;
  for (const cue::load::AttributeArgument& argument : cue::load::parse_attribute(attribute).arguments) {
    arguments.push_back(
        {std::string(argument.key), unquote(argument.value), std::string(argument.value), std::string(argument.text)});
  }
  return arguments;
}

std::expected<ErrorExpectation, std::string> parse_error(std::span<const Argument> options) {
  ErrorExpectation expectation;
  for (const Argument& option : options) {
    if (option.key == "code") {
      std::string_view codes = option.value;
      strip(codes, '(', ')');
      for (std::string_view code : split(codes, '|')) expectation.codes.emplace_back(code);
    } else if (option.key == "contains") {
      expectation.contains = option.value;
    } else if (option.key == "at") {
      expectation.at = option.value;
    } else if (option.key == "path") {
      expectation.path = option.value;
    } else if (option.key == "pos") {
      auto positions = parse_positions(option.value);
      if (!positions) return std::unexpected(positions.error());
      expectation.positions = std::move(*positions);
    } else if (option.key == "args") {
      std::string_view list = option.value;
      if (!strip(list, '[', ']')) return std::unexpected(fmt::format("bad args={}", option.value));
      for (std::string_view part : split(list, ',')) {
        if (!part.empty()) expectation.arguments.emplace_back(part);
      }
    } else if (option.key == "suberr") {
      std::string_view body = option.value;
      if (!strip(body, '(', ')')) return std::unexpected(fmt::format("bad suberr={}", option.value));
      std::string text = fmt::format("@test({})", body);
      syntax::Attribute part{};
      part.text = text;
      auto parsed = parse_error(arguments_of(part));
      if (!parsed) return parsed;
      expectation.parts.push_back(std::move(*parsed));
    } else if (option.key.empty()) {
      if (option.value == "any") expectation.any = true;
    } else if (option.key != "hint" && option.key != "p") {
      return std::unexpected(fmt::format("unknown option {}= of err", option.key));
    }
  }
  return expectation;
}

}  // namespace

std::optional<std::string> Directive::option(std::string_view key) const {
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (arguments[i].key == key) return arguments[i].value;
  }
  return std::nullopt;
}

const Argument* Directive::positional() const {
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (arguments[i].key.empty()) return &arguments[i];
  }
  return nullptr;
}

bool is_test_attribute(const syntax::Attribute& attribute) { return cue::load::attribute_name(attribute) == "test"; }

std::expected<Directive, std::string> parse_directive(const syntax::Attribute& attribute) {
  Directive directive;
  directive.text = std::string(attribute.text);
  directive.arguments = arguments_of(attribute);
  const Argument& first = directive.arguments.front();
  directive.name = first.key.empty() ? first.value : first.key;
  if (std::size_t colon = directive.name.rfind(':'); colon != std::string::npos) {
    directive.version = directive.name.substr(colon + 1);
    directive.name.resize(colon);
    directive.is_todo = directive.version == "todo";
  }
  if (directive.name == "err") {
    auto parsed = parse_error(std::span(directive.arguments).subspan(1));
    if (!parsed) return std::unexpected(parsed.error());
    directive.error = std::move(*parsed);
  }
  return directive;
}

std::string path_text(const StepPath& path) {
  std::string text;
  for (const Step& step : path) {
    if (!text.empty()) text += '.';
    switch (step.kind) {
      case Step::Kind::identifier: text += step.name; break;
      case Step::Kind::quoted: {
        bool plain = !step.name.starts_with('#') && !step.name.starts_with('_') && syntax::is_valid_identifier(step.name);
        text += plain ? step.name : syntax::quote(step.name);
        break;
      }
      case Step::Kind::index: text += std::to_string(step.index); break;
    }
  }
  return text;
}

namespace {

Step identifier_step(std::string_view name, std::string_view hidden_package) {
  Step step;
  if (name.starts_with('_')) {
    step.package = hidden_package;
    if (hidden_package.empty()) {
      std::size_t dollar = name.find('$');
      step.package = dollar == std::string_view::npos ? "_" : fmt::format(":{}", name.substr(dollar + 1));
      name = name.substr(0, dollar);
    }
  }
  step.name = name;
  return step;
}

}  // namespace

std::expected<StepPath, std::string> parse_at_path(std::string_view text) {
  StepPath path;
  while (!text.empty()) {
    if (text.starts_with('"')) {
      std::size_t end = text.find('"', 1);
      if (end == std::string_view::npos) return std::unexpected("unterminated string in path");
      Step step;
      step.kind = Step::Kind::quoted;
      step.name = text.substr(1, end - 1);
      path.push_back(std::move(step));
      text.remove_prefix(end + 1);
    } else {
      bool in_brackets = text.starts_with('[');
      if (in_brackets) text.remove_prefix(1);
      std::string_view part = text.substr(0, text.find_first_of(in_brackets ? "]" : ".["));
      text.remove_prefix(std::min(text.size(), part.size() + in_brackets));
      if (std::optional<int> index = parse_int(part)) {
        Step step;
        step.kind = Step::Kind::index;
        step.index = static_cast<std::uint32_t>(*index);
        path.push_back(std::move(step));
      } else {
        path.push_back(identifier_step(part, ""));
      }
    }
    if (text.starts_with('.')) text.remove_prefix(1);
  }
  return path;
}

std::optional<Step> label_step(const syntax::Node& label, std::string_view hidden_package) {
  switch (label.kind) {
    case syntax::NodeKind::alias: return label_step(*syntax::as<syntax::Alias>(&label)->value, hidden_package);
    case syntax::NodeKind::identifier: return identifier_step(syntax::as<syntax::Identifier>(&label)->name, hidden_package);
    case syntax::NodeKind::basic_literal: {
      const auto& literal = *syntax::as<syntax::BasicLiteral>(&label);
      Step step;
      if (literal.token == syntax::Token::integer) {
        std::optional<int> index = parse_int(literal.text);
        if (!index) return std::nullopt;
        step.kind = Step::Kind::index;
        step.index = static_cast<std::uint32_t>(*index);
        return step;
      }
      if (literal.token != syntax::Token::string) {  // a keyword: true, null...
        step.name = literal.text;
        return step;
      }
      step.kind = Step::Kind::quoted;
      step.name = unquote(literal.text);
      return step;
    }
    default: return std::nullopt;
  }
}

}  // namespace opm::inline_test
