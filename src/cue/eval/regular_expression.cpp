#include "cue/eval/regular_expression.h"

#include <re2/re2.h>

#include <algorithm>
#include <charconv>

#include "base/unicode.h"

namespace opm::cue::eval {
namespace {

constexpr std::size_t kMaxPattern = 1 << 20;
constexpr std::int64_t kMaxMemory = 64 << 20;

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

// Go also names groups (?<name>…), which this RE2 does not know, and has no \C.
std::string translate(std::string_view pattern) {
  std::string out;
  bool in_class = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    char c = pattern[i];
    out += c;
    if (c == '\\' && i + 1 < pattern.size()) {
      out += pattern[++i];
      if (pattern[i] == 'Q') {
        std::size_t end = pattern.find("\\E", i);
        std::size_t stop = end == std::string_view::npos ? pattern.size() : end + 2;
        out += pattern.substr(i + 1, stop - i - 1);
        i = stop - 1;
      }
      continue;
    }
    if (in_class) {
      if (c == '[' && pattern.substr(i).starts_with("[:")) {
        // [:alpha:] does not end the class.
        std::size_t end = pattern.find(":]", i + 2);
        if (end != std::string_view::npos) {
          out += pattern.substr(i + 1, end + 1 - i);
          i = end + 1;
        }
      } else if (c == ']') {
        in_class = false;
      }
      continue;
    }
    if (c == '[') {
      in_class = true;
      // A bracket that comes first is a member.
      if (i + 1 < pattern.size() && pattern[i + 1] == '^') out += pattern[++i];
      if (i + 1 < pattern.size() && pattern[i + 1] == ']') out += pattern[++i];
    } else if (pattern.substr(i).starts_with("(?<") && i + 3 < pattern.size() && pattern[i + 3] != '=' && pattern[i + 3] != '!') {
      out += "?P";
      ++i;
    }
  }
  return out;
}

bool has_any_byte_escape(std::string_view pattern) {
  for (std::size_t i = 0; i + 1 < pattern.size(); ++i) {
    if (pattern[i] != '\\') continue;
    if (pattern[i + 1] == 'C') return true;
    if (pattern[i + 1] == 'Q') {
      std::size_t end = pattern.find("\\E", i);
      if (end == std::string_view::npos) return false;
      i = end;
    }
    ++i;
  }
  return false;
}

std::string_view go_wording(RE2::ErrorCode code) {
  switch (code) {
    case RE2::ErrorBadEscape: return "invalid escape sequence";
    case RE2::ErrorBadCharClass: return "invalid character class";
    case RE2::ErrorBadCharRange: return "invalid character class range";
    case RE2::ErrorMissingBracket: return "missing closing ]";
    case RE2::ErrorMissingParen: return "missing closing )";
    case RE2::ErrorUnexpectedParen: return "unexpected )";
    case RE2::ErrorTrailingBackslash: return "trailing backslash at end of expression";
    case RE2::ErrorRepeatArgument: return "missing argument to repetition operator";
    case RE2::ErrorRepeatSize: return "invalid repeat count";
    case RE2::ErrorRepeatOp: return "invalid nested repetition operator";
    case RE2::ErrorBadPerlOp: return "invalid or unsupported Perl syntax";
    case RE2::ErrorBadUTF8: return "invalid UTF-8";
    case RE2::ErrorBadNamedCapture: return "invalid named capture";
    case RE2::ErrorPatternTooLarge: return "expression too large";
    default: return "internal error";
  }
}

std::string parse_error(std::string_view what, std::string_view where) {
  std::string message = "error parsing regexp: ";
  message += what;
  message += ": `";
  message += where;
  message += '`';
  return message;
}

bool is_name_character(char32_t c) { return c == '_' || base::is_letter(c) || base::is_digit(c); }

}  // namespace

RegularExpression::RegularExpression(std::shared_ptr<const re2::RE2> program) : program_(std::move(program)) {
  names_.resize(static_cast<std::size_t>(program_->NumberOfCapturingGroups()) + 1);
  for (const auto& [index, name] : program_->CapturingGroupNames()) names_[static_cast<std::size_t>(index)] = name;
}
RegularExpression::RegularExpression(RegularExpression&&) noexcept = default;
RegularExpression& RegularExpression::operator=(RegularExpression&&) noexcept = default;
RegularExpression::~RegularExpression() = default;

std::expected<std::shared_ptr<const re2::RE2>, std::string> RegularExpression::compile_program(std::string_view pattern) {
  if (pattern.size() > kMaxPattern) return std::unexpected(parse_error("expression too large", ""));
  if (has_any_byte_escape(pattern)) return std::unexpected(parse_error("invalid escape sequence", "\\C"));
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMaxMemory);
  std::string translated = translate(pattern);
  auto program = std::make_shared<const re2::RE2>(piece(translated), options);
  if (!program->ok()) {
    std::string_view where(program->error_arg());
    // RE2 names the translated pattern where it names the whole one.
    if (where == translated) where = pattern;
    return std::unexpected(parse_error(go_wording(program->error_code()), where));
  }
  return program;
}

std::expected<RegularExpression, std::string> RegularExpression::compile(std::string_view pattern) {
  auto program = compile_program(pattern);
  if (!program) return std::unexpected(std::move(program).error());
  return RegularExpression(std::move(*program));
}

std::optional<std::string> RegularExpression::complaint(std::string_view pattern) {
  auto expression = compile(pattern);
  if (expression) return std::nullopt;
  return std::move(expression).error();
}

bool RegularExpression::matches(std::string_view text) const {
  return program_->Match(piece(text), 0, text.size(), RE2::UNANCHORED, nullptr, 0);
}

bool RegularExpression::match_at(std::string_view text, std::size_t start, Match& match) const {
  std::vector<re2::StringPiece> groups(names_.size());
  if (!program_->Match(piece(text), start, text.size(), RE2::UNANCHORED, groups.data(), static_cast<int>(groups.size()))) {
    return false;
  }
  match.clear();
  for (const auto& group : groups) {
    match.push_back(group.data() == nullptr ? Group() : Group(std::string_view(group.data(), group.size())));
  }
  return true;
}

std::optional<RegularExpression::Match> RegularExpression::find(std::string_view text) const {
  Match match;
  if (!match_at(text, 0, match)) return std::nullopt;
  return match;
}

std::vector<RegularExpression::Match> RegularExpression::find_all(std::string_view text, std::int64_t limit) const {
  std::vector<Match> found;
  Match match;
  std::size_t start = 0;
  std::size_t previous_end = std::string_view::npos;
  while ((limit < 0 || static_cast<std::int64_t>(found.size()) < limit) && start <= text.size() && match_at(text, start, match)) {
    std::size_t begin = static_cast<std::size_t>(match[0]->data() - text.data());
    std::size_t end = begin + match[0]->size();
    bool counts = begin != end || begin != previous_end;
    if (begin == end) {
      start = end + std::max<std::size_t>(1, base::decode_utf8(text.substr(end)).size);
    } else {
      start = end;
    }
    previous_end = end;
    if (counts) found.push_back(match);
  }
  return found;
}

template <typename Append>
std::optional<std::string> RegularExpression::replace_each(std::string_view text, std::size_t max_bytes, Append append) const {
  std::string out;
  std::size_t done = 0;
  for (const Match& match : find_all(text, -1)) {
    std::size_t begin = static_cast<std::size_t>(match[0]->data() - text.data());
    out += text.substr(done, begin - done);
    append(out, match);
    if (out.size() > max_bytes) return std::nullopt;
    done = begin + match[0]->size();
  }
  out += text.substr(done);
  return out;
}

std::optional<std::string> RegularExpression::replace_all_literally(std::string_view text, std::string_view replacement,
                                                                    std::size_t max_bytes) const {
  return replace_each(text, max_bytes, [&](std::string& out, const Match&) { out += replacement; });
}

std::optional<std::string> RegularExpression::replace_all(std::string_view text, std::string_view replacement,
                                                          std::size_t max_bytes) const {
  return replace_each(text, max_bytes, [&](std::string& out, const Match& match) { expand(out, replacement, match); });
}

void RegularExpression::expand(std::string& out, std::string_view replacement, const Match& match) const {
  while (!replacement.empty()) {
    std::size_t dollar = replacement.find('$');
    out += replacement.substr(0, dollar);
    if (dollar == std::string_view::npos) return;
    replacement.remove_prefix(dollar + 1);
    if (replacement.starts_with('$')) {
      out += '$';
      replacement.remove_prefix(1);
      continue;
    }
    bool in_braces = replacement.starts_with('{');
    std::string_view rest = replacement.substr(in_braces ? 1 : 0);
    std::size_t size = 0;
    while (size < rest.size()) {
      auto character = base::decode_utf8(rest.substr(size));
      if (!is_name_character(character.value)) break;
      size += character.size;
    }
    if (size == 0 || (in_braces && (size == rest.size() || rest[size] != '}'))) {
      out += '$';  // stands for nothing
      continue;
    }
    std::string_view name = rest.substr(0, size);
    replacement = rest.substr(size + (in_braces ? 1 : 0));
    std::size_t group = match.size();
    bool is_number = std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (is_number) {
      if (std::from_chars(name.data(), name.data() + name.size(), group).ec != std::errc()) group = match.size();
    } else {
      group = static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
    }
    if (group < match.size() && match[group]) out += *match[group];
  }
}

std::string RegularExpression::quote(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (std::string_view("\\.+*?()|[]{}^$").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::expected<TextMatcher, std::string> TextMatcher::compile(std::string_view pattern) {
  TextMatcher matcher;
  matcher.simple_ = SimplePattern::compile(pattern);
  if (matcher.simple_) return matcher;
  auto program = RegularExpression::compile_program(pattern);
  if (!program) return std::unexpected(std::move(program.error()));
  matcher.program_ = std::move(*program);
  return matcher;
}

bool TextMatcher::matches(std::string_view text) const {
  return simple_ ? simple_->matches(text) : re2::RE2::PartialMatch(piece(text), *program_);
}

RegularExpressionCache::Compiled RegularExpressionCache::compile(RegularExpressionCache* cache, std::string_view pattern) {
  // Patterns are written in a program; one that computes them without end should not fill the memory.
  constexpr std::size_t kMost = 4096;
  if (cache != nullptr) {
    std::lock_guard lock(cache->mutex_);
    if (auto known = cache->compiled_.find(std::string(pattern)); known != cache->compiled_.end()) return known->second;
  }
  auto matcher = TextMatcher::compile(pattern);
  if (!matcher) return std::unexpected(std::move(matcher.error()));
  auto compiled = std::make_shared<const TextMatcher>(std::move(*matcher));
  if (cache != nullptr) {
    std::lock_guard lock(cache->mutex_);
    if (cache->compiled_.size() < kMost) cache->compiled_.emplace(pattern, compiled);
  }
  return compiled;
}

}  // namespace opm::cue::eval
