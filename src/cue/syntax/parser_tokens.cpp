// The parser's handling of tokens, comments and errors.
#include <fmt/core.h>

#include <algorithm>

#include "cue/syntax/parser_state.h"

namespace opm::cue::syntax {

namespace {

// A message must stay readable whatever the source has in it.
std::string_view shortened(std::string_view text) {
  constexpr std::size_t kLongest = 200;
  return text.substr(0, kLongest);
}

}  // namespace

Parser::Parser(NotBegun, base::Arena& arena, const diag::Source& source, const ParseOptions& options)
    : arena_(arena),
      source_(source),
      options_(options),
      errors_(source),
      lexer_(arena, source, options.comments, errors_),
      comments_(arena) {}

Parser::Parser(base::Arena& arena, const diag::Source& source, const ParseOptions& options)
    : Parser(NotBegun{}, arena, source, options) {
  errors_.check_encoding();
  next();
}

void Parser::scan_next() {
  if (has_peeked_) {
    token_ = peeked_;
    has_peeked_ = false;
  } else {
    lexer_.scan(token_);
  }
}

void Parser::peek() {
  lexer_.scan(peeked_);
  has_peeked_ = true;
}

void Parser::next() {
  comments_.before_token();
  if (!token_.automatic) last_end_ = token_.end;
  std::uint32_t previous_line = token_.line;
  scan_next();
  comments_.after_token();
  if (token_.kind == Token::comment) take_comments(previous_line);
}

void Parser::take_comments(std::uint32_t previous_line) {
  CommentGroup* group = nullptr;
  std::uint32_t end_line = 0;
  std::uint32_t current_line = token_.line;
  if (previous_line == current_line) {
    group = take_comment_group(previous_line, 0, end_line);
    // Nothing follows on the line: the comment is about what it stands behind.
    if (token_.line != end_line) group->is_line = true;
  }
  bool on_own_lines = false;
  while (token_.kind == Token::comment) {
    if (group) comments_.add(group);
    group = take_comment_group(previous_line, 1, end_line);
    on_own_lines = true;
    previous_line = current_line;
    current_line = token_.line;
  }
  if (on_own_lines && end_line + 1 == token_.line && token_.kind != Token::end_of_file) {
    group->is_doc = true;
    comments_.set_lead(group);
  } else {
    comments_.add(group);
  }
}

// Comments with no token and no more than `gap` line breaks between them.
CommentGroup* Parser::take_comment_group(std::uint32_t previous_line, std::uint32_t gap, std::uint32_t& end_line) {
  comment_lines_.clear();
  end_line = token_.line;
  Spacing spacing = end_line == previous_line       ? Spacing::blank
                    : end_line == previous_line + 1 ? Spacing::newline
                                                    : Spacing::new_section;
  while (token_.kind == Token::comment && token_.line <= end_line + gap) {
    end_line = token_.line;
    comment_lines_.push_back({position_of(token_.offset), token_.text, token_.spacing});
    if (gap > 0 && !has_peeked_) {
      lexer_.scan_following_comments(token_, comment_lines_);
      end_line = token_.line;
    }
    scan_next();
  }
  comment_lines_.front().spacing = spacing;
  CommentGroup* group = arena_.make<CommentGroup>();
  group->comments = arena_.copy(comment_lines_.view());
  return group;
}

Mark Parser::expect(Token kind) {
  Mark found;
  if (at(kind)) {
    found = mark();
  } else {
    error_expected(fmt::format("'{}'", token_name(kind)));
  }
  next();
  return found;
}

Mark Parser::expect_closing(Token kind, std::string_view context) {
  if (!at(kind) && at_automatic_comma()) {
    error_here(fmt::format("missing ',' before newline in {}", context));
    next();
  }
  return expect(kind);
}

void Parser::expect_comma() {
  switch (token_.kind) {
    case Token::comma: next(); break;
    case Token::right_parenthesis:
    case Token::right_brace:
    case Token::end_of_file: break;
    default:
      error_expected("','");
      skip_to_comma();
      break;
  }
}

bool Parser::at_comma(std::string_view context, std::initializer_list<Token> followers) {
  if (at(Token::comma)) return true;
  if (std::ranges::find(followers, token_.kind) != followers.end()) return false;
  error_here(fmt::format("missing ',' in {}", context));
  return true;
}

void Parser::miss_declaration_comma() {
  if (at_comma("struct literal", {Token::right_brace, Token::end_of_file})) next();
}

// To where the next element of the same list, struct or file may begin, over brackets
// that are opened and closed on the way.
void Parser::skip_to_comma() {
  unsigned open = 0;
  for (; !at(Token::end_of_file); next()) {
    switch (token_.kind) {
      case Token::left_brace:
      case Token::left_bracket:
      case Token::left_parenthesis: ++open; break;
      case Token::right_brace:
      case Token::right_bracket:
      case Token::right_parenthesis:
        if (open == 0) return;
        --open;
        break;
      case Token::comma:
        if (open == 0) return;
        break;
      default: break;
    }
  }
}

void Parser::error(std::uint32_t offset, std::string message) {
  if (given_up_) return;
  errors_.add_grammatical(offset, std::move(message));
  if (errors_.exhausted()) give_up();
}

void Parser::error_expected(std::string_view what) {
  if (given_up_) return;
  if (at_automatic_comma()) {
    error_here(fmt::format("expected {}, found newline", what));
  } else if (is_literal(token_.kind)) {
    error_here(fmt::format("expected {}, found '{}' {}", what, token_name(token_.kind), shortened(token_.text)));
  } else {
    error_here(fmt::format("expected {}, found '{}'", what, token_name(token_.kind)));
  }
}

// From here on all that the productions see is the end of the file, which makes each
// of them return.
void Parser::give_up() {
  given_up_ = true;
  lexer_.stop();
  has_peeked_ = false;
  token_.kind = Token::end_of_file;
  token_.automatic = false;
}

void Parser::enter() {
  if (++depth_ > options_.max_depth) too_deep(options_.max_depth);
}

void Parser::too_deep(std::uint32_t limit) {
  if (given_up_) return;
  errors_.add_fatal(token_.offset, fmt::format("expression exceeds maximum nesting depth of {}", limit));
  give_up();
}

}  // namespace opm::cue::syntax
