#include "cue/syntax/format_tokens.h"

#include <array>

#include "cue/syntax/token_name.h"

namespace opm::cue::syntax {

namespace {

constexpr Gap kAnyLine = Gap::line | Gap::section | Gap::empty_line;

// Symbols that would read as another token if they followed `last` at once.
constexpr bool would_join(Token last, Token next) {
  switch (last) {
    case Token::integer: return next == Token::period;
    case Token::add: return next == Token::add;
    case Token::subtract: return next == Token::subtract;
    case Token::divide: return next == Token::multiply;
    // cue joins these, and does not read again what it wrote: `< -1`, `! =~"x"`.
    case Token::less: return next == Token::subtract || next == Token::match || next == Token::equal;
    case Token::greater:
    case Token::not_:
    case Token::bind: return next == Token::match || next == Token::equal;
    default: return false;
  }
}

constexpr bool is_word(Token token) {
  switch (token) {
    case Token::integer_quotient:
    case Token::integer_remainder:
    case Token::integer_divide:
    case Token::integer_modulo:
    case Token::if_:
    case Token::for_:
    case Token::in:
    case Token::let:
    case Token::try_:
    case Token::else_:
    case Token::fallback:
    case Token::otherwise: return true;
    default: return false;
  }
}

// Literals bring a text of their own.
constexpr std::string_view symbol_text(Token token) {
  return token < Token::bottom ? std::string_view() : token_name(token);
}

struct alignas(32) Symbol {
  std::array<char, 16> text{};
  std::uint8_t size = 0;
  bool is_word = false;
  bool may_join = false;  // others before it, see would_join
  bool is_plain = false;  // neither of these, and has a text

  std::string_view view() const { return {text.data(), size}; }
};

constexpr auto kSymbols = [] {
  std::array<Symbol, static_cast<std::size_t>(Token::otherwise) + 1> symbols;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    Token token = static_cast<Token>(i);
    symbols[i].is_word = is_word(token);
    for (char byte : symbol_text(token)) symbols[i].text[symbols[i].size++] = byte;
    for (std::size_t last = 0; last < symbols.size(); ++last) {
      symbols[i].may_join = symbols[i].may_join || would_join(static_cast<Token>(last), token);
    }
    symbols[i].is_plain = !symbols[i].is_word && !symbols[i].may_join && symbols[i].size > 0;
  }
  return symbols;
}();

}  // namespace

void TokenWriter::settle_as_in_source(Spacing spacing) {
  if (flat && spacing >= Spacing::newline) return;
  Gap gap = gap_;
  switch (spacing) {
    case Spacing::no_space: gap = without(gap, kAnyLine); break;
    case Spacing::blank: gap = without(gap, kAnyLine) | Gap::blank; break;
    case Spacing::newline: gap = gap | Gap::line; break;
    case Spacing::new_section: gap = gap | Gap::empty_line; break;
    case Spacing::none:
    case Spacing::elided: break;
  }
  if (after_comment_) gap = gap | Gap::line;
  settle(gap);
  gap_ = Gap::none;
}

void TokenWriter::symbol(Token token) {
  const Symbol& symbol = kSymbols[static_cast<std::size_t>(token)];
  if (!symbol.is_plain) return set_apart_symbol(token);
  last_ = token;
  if (gap_ != Gap::none) settle(gap_);
  gap_ = Gap::none;
  after_comment_ = false;
  after_space_ = false;
  past_margin_ = true;
  out_.append(symbol.text, symbol.size);
  out_.mark();
}

// One that may need a blank before it.
void TokenWriter::set_apart_symbol(Token token) {
  const Symbol& symbol = kSymbols[static_cast<std::size_t>(token)];
  bool needs_space = symbol.is_word ? last_ != Token::illegal : symbol.may_join && would_join(last_, token);
  if (needs_space && !after_space_) want(Gap::blank);
  last_ = token;
  if (gap_ != Gap::none) settle(gap_);
  gap_ = symbol.is_word ? Gap::blank : Gap::none;
  after_comment_ = false;
  if (symbol.size == 0) return;
  after_space_ = false;
  past_margin_ = true;
  out_.append(symbol.text, symbol.size);
  out_.mark();
}

void TokenWriter::joined_symbol(Token token) {
  if (!after_comment_) {
    symbol(token);
    return;
  }
  const Symbol& symbol = kSymbols[static_cast<std::size_t>(token)];
  join(symbol.view(), token, symbol.is_word);
}

void TokenWriter::joined_word(std::string_view text, Token token) {
  if (after_comment_) {
    join(text, token, true);
  } else {
    word(text, token);
  }
}

void TokenWriter::join(std::string_view text, Token token, bool needs_blank) {
  if (needs_blank || (has(gap_, Gap::blank) && !has(gap_, Gap::tight))) out_.insert_at_mark(" ");
  out_.insert_at_mark(text);
  last_ = token;
  if (has(gap_, Gap::indent)) indents_.push_back(0);
  if (has(gap_, Gap::outdent)) close_indent();
  gap_ = Gap::line;  // it still ends behind the comment
}

void TokenWriter::comment(std::string_view text) {
  last_ = Token::comment;
  if (gap_ != Gap::none) settle(gap_);
  gap_ = Gap::none;
  after_space_ = false;
  past_margin_ = true;
  out_.append(text);
  after_comment_ = true;
}

void TokenWriter::end_of_file() {
  gap_ = Gap::line;
  flush({});
}

void TokenWriter::settle_fully(Gap gap) {
  if (has(gap, Gap::comma) && (has(gap, kAnyLine) || !has(gap, Gap::closing))) {
    if (after_comment_) {
      out_.insert_at_mark(",");
    } else {
      out_.append(',');
      out_.mark();
    }
    past_margin_ = true;
  }
  if (has(gap, Gap::indent)) indents_.push_back(0);
  if (has(gap, Gap::outdent)) close_indent();
  if (has(gap, kAnyLine)) {
    deepen(gap);
    if (has(gap, Gap::empty_line)) {
      out_.end_section(margin(), 1);
    } else if (has(gap, Gap::section)) {
      out_.end_section(margin(), 0);
    } else {
      out_.end_line(margin());
    }
    ++lines_broken_;
    brace_on_line = false;
    past_margin_ = margin() > 0;
  } else if (has(gap, Gap::line_comma)) {
    out_.append(", ");
    past_margin_ = true;
  } else if (has(gap, Gap::tight)) {
    return;
  } else if (has(gap, Gap::column)) {
    out_.stop();
    past_margin_ = true;
  } else if (has(gap, Gap::blank)) {
    out_.append(' ');
    past_margin_ = true;
  } else {
    return;
  }
  after_space_ = true;
}

}  // namespace opm::cue::syntax
