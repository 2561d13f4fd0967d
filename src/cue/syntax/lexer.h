// Text to tokens. A token is a view of the source; nothing is allocated but for the
// rare text that has carriage returns to take out. Commas that CUE allows to be left
// out at the end of a line come out as tokens too, marked automatic.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/stack.h"
#include "cue/syntax/ast.h"
#include "cue/syntax/syntax_errors.h"
#include "cue/syntax/token_name.h"

namespace opm::cue::syntax {

struct LexedToken {
  Token kind = Token::illegal;
  Spacing spacing = Spacing::none;
  bool after_comma = false;  // behind a comma that is in the source
  bool automatic = false;    // a comma that is not
  std::uint32_t offset = 0;
  std::uint32_t end = 0;
  std::uint32_t line = 0;  // from 1
  std::string_view text;   // of literals, identifiers, keywords, comments, attributes
};

bool is_literal(Token token);
bool is_keyword(Token token);
// The keyword that `text` is, else Token::identifier.
Token keyword_or_identifier(std::string_view text);

class Lexer {
 public:
  Lexer(base::Arena& arena, const diag::Source& source, bool keep_comments, SyntaxErrors& errors);

  void scan(LexedToken& token);

  // Behind the comment `token`: takes those that stand on the very next lines. The line of `token` becomes that of the last.
  void scan_following_comments(LexedToken& token, base::Stack<Comment>& comments);

  // When the closing parenthesis of an interpolated expression was the last token
  // scanned: the rest of the string, from that parenthesis up to its end or up to and
  // with the next opening one.
  struct StringPart {
    std::string_view text;
    bool continues = false;
  };
  StringPart resume_interpolation();

  // From here on there are no more tokens.
  void stop();

  // The next token is to be the one at `offset`, which is the first of its line, and what is before it is not looked at.
  void begin_at(std::uint32_t offset);
  // Goes on where `other` is, which began with `first`, the token that this lexer has come to as `here`.
  void go_on_from(const Lexer& other, const LexedToken& first, const LexedToken& here);
  bool is_in_string() const { return !quotes_.empty(); }
  // Whether the byte follows the last token at once. True has to be trusted only where nobody has looked further.
  bool is_at(char byte) const { return *cursor_ == byte; }
  std::uint32_t offset() const { return static_cast<std::uint32_t>(cursor_ - begin_); }

 private:
  struct Quote {
    char character = 0;
    bool multiline = false;
    bool has_lines = false;    // `indent` is set
    std::uint32_t hashes = 0;
    std::uint32_t start = 0;   // of the whole literal
    std::string_view indent;   // white space that all lines of the text begin with
  };

  void scan_identifier_tail();
  void scan_long_identifier_tail();
  void scan_number(LexedToken& token, bool after_point);
  void scan_mantissa(int base);
  void scan_operator(LexedToken& token, char first);
  [[gnu::cold]] void scan_illegal(LexedToken& token, const char* start);
  void scan_underscore(LexedToken& token, const char* start);
  void scan_quoted(LexedToken& token, const char* start, std::uint32_t hashes);
  // The text behind the opening quotes, or behind an interpolation.
  StringPart scan_string(const char* start, Quote quote, bool continuation);
  StringPart scan_line_string(const char* start, Quote& quote);
  StringPart scan_multiline_string(const char* start, Quote& quote, bool continuation);
  StringPart open_interpolation(const char* start, const Quote& quote);
  bool closes(const char* at, const Quote& quote) const;
  const char* behind_closing_line(const char*& at, const Quote& quote) const;
  // Behind a backslash; true when it opens an interpolation.
  bool scan_escape(const Quote& quote);
  void note_indent(Quote& quote, std::string_view indent);
  void scan_attribute(LexedToken& token, const char* start);
  void skip_plain_tokens(std::string& closers);
  void scan_attribute_body();
  void skip_broken_interpolation();

  const char* behind_run(const char* at, char byte) const;
  const char* end_of_line(const char* at) const;
  std::string_view without_returns(std::string_view text) { return has_returns_ ? remove_returns(text) : text; }
  [[gnu::cold]] std::string_view remove_returns(std::string_view text);
  std::string_view text_from(const char* start) const {
    return {start, static_cast<std::size_t>(cursor_ - start)};
  }
  std::uint32_t offset_of(const char* at) const { return static_cast<std::uint32_t>(at - begin_); }
  bool at_end() const { return cursor_ >= end_; }
  [[gnu::cold]] void error(const char* at, std::string message);

  base::Arena& arena_;
  SyntaxErrors& errors_;
  const Position begin_position_;
  const char* begin_;
  const char* cursor_;
  const char* end_;  // there a zero byte stands
  std::uint32_t line_ = 1;
  std::uint32_t breaks_ = 0;  // line breaks since the last token
  bool blanks_ = false;       // blanks since the last token
  bool insert_comma_ = false;
  bool had_comma_ = false;
  bool in_attribute_ = false;
  const bool keep_comments_;
  const bool has_returns_;  // carriage returns, somewhere
  std::vector<Quote> quotes_;  // strings whose interpolations are open
};

}  // namespace opm::cue::syntax
