// Tokens and the gaps between them. What stands in a gap is gathered as wishes (a comma, a
// blank, a line break, one level of indentation...) and settled when the next token comes:
// the strongest wish wins, and unless the gap is settled, the source has a say too.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/stack.h"
#include "cue/syntax/ast.h"
#include "cue/syntax/format_columns.h"

namespace opm::cue::syntax {

enum class Gap : std::uint32_t {
  none = 0,
  blank = 1 << 0,
  column = 1 << 1,       // the next token starts a column
  tight = 1 << 2,        // no blank and no column
  settled = 1 << 3,      // whatever stood here in the source does not matter
  comma = 1 << 4,        // behind an element of a list
  closing = 1 << 5,      // a bracket follows: a comma only if it stands on a line of its own
  line_comma = 1 << 6,   // a comma, unless the line ends here
  line = 1 << 7,
  section = 1 << 8,      // a line break that also ends the columns
  empty_line = 1 << 9,
  indent = 1 << 10,      // once the line ends, one level deeper
  outdent = 1 << 11,     // takes the last indent back
};

constexpr Gap operator|(Gap a, Gap b) {
  return static_cast<Gap>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
constexpr Gap without(Gap a, Gap b) {
  return static_cast<Gap>(static_cast<std::uint32_t>(a) & ~static_cast<std::uint32_t>(b));
}
constexpr bool has(Gap a, Gap any_of) {
  return (static_cast<std::uint32_t>(a) & static_cast<std::uint32_t>(any_of)) != 0;
}

// What makes something else of a gap than a blank.
inline constexpr Gap kMoreThanBlank = Gap::column | Gap::comma | Gap::line_comma | Gap::line | Gap::section |
                                      Gap::empty_line | Gap::indent | Gap::outdent;

class TokenWriter {
 public:
  TokenWriter(std::size_t expected_size, unsigned base_indent, unsigned tab_width)
      : out_(expected_size, tab_width), base_indent_(base_indent) {}

  void want(Gap wishes) { gap_ = gap_ | wishes; }
  void unwant(Gap wishes) { gap_ = without(gap_, wishes); }
  // Where the next token stands in the source. Without such a place the wishes stay as they are.
  void place(Spacing spacing) {
    if (spacing != Spacing::none && !has(gap_, Gap::settled)) settle_as_in_source(spacing);
  }
  // Punctuation, an operator or a keyword.
  void symbol(Token token);
  // One that has to stand on the line of the token before it: a line break there would end the
  // expression. Comments that come between go behind it.
  void joined_symbol(Token token);
  void joined_word(std::string_view text, Token token);
  // A literal, name, attribute or any other text. `token` says what kind.
  void word(std::string_view text, Token token) {
    last_ = token;
    flush(text);
  }
  void comment(std::string_view text);
  // Another one on the line below, as it is in the source.
  void next_comment(std::string_view text) {
    deepen(Gap::line);
    out_.append_line(margin(), text);
    ++lines_broken_;
    brace_on_line = false;
  }
  void end_of_file();

  // Takes the innermost indent back at once, not with the next token.
  void close_indent() {
    if (indents_.empty()) return;
    indent_ -= indents_.back();
    indents_.pop_back();
  }
  unsigned lines_broken() const { return lines_broken_; }
  unsigned indent() const { return indent_; }
  unsigned base_indent() const { return base_indent_; }
  bool at_start() const { return out_.empty(); }
  bool past_margin() const { return past_margin_; }
  bool after_comment() const { return after_comment_; }
  Token last() const { return last_; }

  // A brace was opened on the line that is being written.
  bool brace_on_line = false;
  // Line breaks of the source don't count.
  bool flat = false;

  std::string take() { return out_.take(); }

 private:
  // Most gaps are a blank or nothing at all.
  void settle(Gap gap) {
    if (has(gap, kMoreThanBlank)) {
      settle_fully(gap);
    } else if (has(gap, Gap::blank) && !has(gap, Gap::tight)) {
      out_.append(' ');
      past_margin_ = true;
      after_space_ = true;
    }
  }
  void settle_fully(Gap gap);
  void settle_as_in_source(Spacing spacing);
  void flush(std::string_view text) {
    if (gap_ != Gap::none) settle(gap_);
    gap_ = Gap::none;
    after_comment_ = false;
    if (text.empty()) return;
    after_space_ = false;
    past_margin_ = true;
    out_.append(text);
    out_.mark();
  }
  void set_apart_symbol(Token token);
  void join(std::string_view text, Token token, bool needs_blank);
  void deepen(Gap gap) {
    if (has(gap, Gap::outdent) || indents_.empty() || indents_.back()) return;
    indents_.back() = 1;
    ++indent_;
  }
  std::size_t margin() const { return base_indent_ + indent_; }

  ColumnWriter out_;
  unsigned base_indent_;
  unsigned indent_ = 0;
  unsigned lines_broken_ = 0;
  Gap gap_ = Gap::settled;
  Token last_ = Token::illegal;
  bool past_margin_ = false;   // something, if only a tab, stands on the line
  bool after_space_ = false;
  bool after_comment_ = false;
  base::Stack<std::uint8_t> indents_;  // open ones; 1: a line did end since
};

}  // namespace opm::cue::syntax
