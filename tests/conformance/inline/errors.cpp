#include "errors.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cue/eval/text.h"

namespace opm::inline_test {

using Problem = std::optional<std::string>;

namespace {

// Whether `text` contains what a printf-like format would give, whatever the arguments.
bool contains_formatted(std::string_view text, std::string_view format) {
  std::vector<std::string_view> pieces;
  std::size_t start = 0;
  for (std::size_t at = 0; at < format.size(); ++at) {
    if (format[at] != '%' || at + 1 >= format.size()) continue;
    pieces.push_back(format.substr(start, at - start));
    ++at;
    while (at < format.size() && std::string_view("+-# 0123456789.").find(format[at]) != std::string_view::npos) ++at;
    start = std::min(at + 1, format.size());
  }
  if (pieces.empty()) return false;
  pieces.push_back(format.substr(start));
  std::size_t at = 0;
  for (std::string_view piece : pieces) {
    at = text.find(piece, at);
    if (at == std::string_view::npos) return false;
    at += piece.size();
  }
  return true;
}

bool contains(std::string_view text, const std::string& expected) {
  return expected.empty() || text.find(expected) != std::string_view::npos || contains_formatted(text, expected);
}

std::string relative(std::string_view path, std::string_view field) {
  if (field.empty()) return std::string(path);
  if (path == field) return {};
  if (path.starts_with(field) && path.substr(field.size()).starts_with('.')) return std::string(path.substr(field.size() + 1));
  return std::string(path);
}

bool path_matches(const std::string& expected, const std::string& path, const std::string& field) {
  return expected.empty() || path == expected || relative(path, field) == expected;
}

// The name of a file in its archive.
std::string_view archive_name(std::string_view file) {
  if (file.starts_with("./")) return file.substr(2);
  std::size_t slash = file.find('/', 1);
  return file.starts_with('/') && slash != std::string_view::npos ? file.substr(slash + 1) : file;
}

Problem check_positions(const ErrorCheck& check, const std::vector<diag::Position>& positions,
                        const std::vector<ExpectedPosition>& expected) {
  auto describe = [&] {
    std::string wanted;
    for (const ExpectedPosition& position : expected) {
      std::string line = position.file.empty() ? std::to_string(check.base_line + position.line)
                                               : fmt::format("{}:{}", position.file, position.line);
      wanted += fmt::format("{}{}:{}", wanted.empty() ? "" : " ", line, position.column);
    }
    return fmt::format("positions: expected [{}], got [{}]", wanted, check.engine.show_positions(positions));
  };
  if (positions.size() != expected.size()) return describe();
  std::vector<bool> used(positions.size());
  for (const ExpectedPosition& wanted : expected) {
    bool found = false;
    for (std::size_t i = 0; i < positions.size() && !found; ++i) {
      if (used[i]) continue;
      diag::Location location = check.engine.context().program().sources().locate(positions[i]);
      int line = wanted.file.empty() ? check.base_line + wanted.line : wanted.line;
      if (!wanted.file.empty() && archive_name(location.file) != wanted.file) continue;
      if (static_cast<int>(location.line) != line || static_cast<int>(location.column) != wanted.column) continue;
      used[i] = true;
      found = true;
    }
    if (!found) return describe();
  }
  return std::nullopt;
}

// The arguments of a message are part of it, however it was put together.
Problem check_arguments(const std::vector<std::string>& expected, const std::string& message) {
  for (const std::string& argument : expected) {
    if (message.find(argument) == std::string::npos) return fmt::format("args: expected {:?} in {:?}", argument, message);
  }
  return std::nullopt;
}

Problem check_properties(const ErrorCheck& check, const Subject& actual, const ErrorExpectation& expected) {
  const eval::Error* error = check.engine.error(actual);
  if (error == nullptr) return fmt::format("expected an error, got {}", check.engine.show(actual));
  std::string code(eval::error_code_text(error->code));
  std::ranges::replace(code, ' ', '_');
  if (!expected.codes.empty() && std::ranges::find(expected.codes, code) == expected.codes.end()) {
    return fmt::format("expected error code {}, got {}", fmt::join(expected.codes, "|"), check.engine.show(actual));
  }
  std::string message = check.engine.message(actual);
  if (!contains(message, expected.contains)) {
    return fmt::format("expected a message that contains {:?}, got {:?}", expected.contains, message);
  }
  return std::nullopt;
}

bool has_error_below(const ErrorCheck& check, const Subject& actual, const ErrorExpectation& expected) {
  if (!check_properties(check, actual, expected) && !check_arguments(expected.arguments, check.engine.message(actual))) return true;
  for (const FieldView& field : check.engine.fields(actual)) {
    if (field.label.is_regular() && field.arc == eval::ArcKind::member && has_error_below(check, field.value, expected)) return true;
  }
  return false;
}

bool part_matches(const ErrorCheck& check, const ErrorView& error, const ErrorExpectation& expected, const std::string& field) {
  std::string message = error.path.empty() ? error.message : error.path + ": " + error.message;
  if (!contains(message, expected.contains) || !path_matches(expected.path, error.path, field)) return false;
  if (check_arguments(expected.arguments, error.message)) return false;
  if (!expected.positions || expected.positions->empty() || !check.check_positions) return true;
  return !check_positions(check, error.positions, *expected.positions);
}

Problem check_parts(const ErrorCheck& check, const std::string& path, const Subject& actual, const ErrorExpectation& expected) {
  std::vector<ErrorView> errors = check.engine.errors(actual);
  if (errors.size() > 1 && errors.front().is_header) errors.erase(errors.begin());
  if (errors.size() != expected.parts.size()) {
    return fmt::format("suberr: expected {} errors, got {}: {}", expected.parts.size(), errors.size(), check.engine.show(actual));
  }
  std::vector<bool> used(errors.size());
  std::vector<bool> matched(expected.parts.size());
  // Those with positions first: they say more.
  for (bool with_positions : {true, false}) {
    for (std::size_t i = 0; i < expected.parts.size(); ++i) {
      const ErrorExpectation& part = expected.parts[i];
      if (matched[i] || (part.positions && !part.positions->empty()) != with_positions) continue;
      for (std::size_t j = 0; j < errors.size() && !matched[i]; ++j) {
        if (used[j] || !part_matches(check, errors[j], part, path)) continue;
        used[j] = true;
        matched[i] = true;
        if (part.positions && check.check_positions) {
          if (Problem problem = check_positions(check, errors[j].positions, *part.positions)) return problem;
        }
      }
    }
  }
  for (std::size_t i = 0; i < expected.parts.size(); ++i) {
    if (matched[i]) continue;
    // Say what is wrong with the one that was probably meant.
    for (const ErrorView& error : errors) {
      if (!expected.parts[i].positions || !contains(error.message, expected.parts[i].contains)) continue;
      if (Problem problem = check_positions(check, error.positions, *expected.parts[i].positions)) return "suberr: " + *problem;
    }
    return fmt::format("suberr: none matches {:?} path={} args=[{}]: {}", expected.parts[i].contains, expected.parts[i].path,
                       fmt::join(expected.parts[i].arguments, ", "), check.engine.show(actual));
  }
  return std::nullopt;
}

}  // namespace

Problem check_error(const ErrorCheck& check, const std::string& path, const Subject& actual, const ErrorExpectation& expected,
                    bool nested) {
  Engine& engine = check.engine;
  if (!expected.at.empty() && !nested) {
    auto at = parse_at_path(expected.at);
    if (!at) return at.error();
    Subject part = engine.find(actual, *at);
    if (!part.exists) return fmt::format("at={}: no such field in {}", expected.at, engine.show(actual));
    ErrorExpectation there = expected;
    there.at.clear();
    there.any = false;
    return check_error(check, path.empty() ? path_text(*at) : path + "." + path_text(*at), part, there, false);
  }
  if (expected.any) {
    if (has_error_below(check, actual, expected)) return std::nullopt;
    return fmt::format("expected an error with code {} and {:?} below, got {}", fmt::join(expected.codes, "|"), expected.contains,
                       engine.show(actual));
  }
  if (Problem problem = check_properties(check, actual, expected)) return problem;
  std::vector<ErrorView> errors = engine.errors(actual);
  if (errors.empty()) return "the error has no text";
  if (!nested) {
    if (!path_matches(expected.path, errors.front().path, path)) {
      return fmt::format("error path: expected {:?}, got {:?}", expected.path, relative(errors.front().path, path));
    }
    if (Problem problem = check_arguments(expected.arguments, engine.message(actual))) return problem;
  }
  if (expected.positions && check.check_positions) {
    if (Problem problem = check_positions(check, errors.front().positions, *expected.positions)) {
      return fmt::format("{} of {:?}", *problem, engine.message(actual));
    }
  }
  if (!nested && !expected.parts.empty()) return check_parts(check, path, actual, expected);
  return std::nullopt;
}

}  // namespace opm::inline_test
