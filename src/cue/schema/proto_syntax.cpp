#include "cue/schema/proto_syntax.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/unicode.h"

namespace opm::cue::schema {
namespace {

constexpr unsigned kMaxDepth = 100;

struct Token {
  enum class Kind : std::uint8_t { end, word, number, string, symbol, comment };
  Kind kind = Kind::end;
  std::string_view text;
  std::uint32_t offset = 0;
  std::uint32_t line = 0, last_line = 0;
};

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  // Nothing: a string or comment has no end.
  std::optional<Token> next() {
    skip_space();
    Token token;
    token.offset = static_cast<std::uint32_t>(at_);
    token.line = token.last_line = line_;
    if (at_ >= text_.size()) return token;
    std::size_t begin = at_;
    char c = text_[at_];
    if (c == '/' && text_.substr(at_).starts_with("//")) {
      token.kind = Token::Kind::comment;
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == '/' && text_.substr(at_).starts_with("/*")) {
      token.kind = Token::Kind::comment;
      std::size_t end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos) return std::nullopt;
      at_ = end + 2;
      line_ += static_cast<std::uint32_t>(std::ranges::count(text_.substr(begin, at_ - begin), '\n'));
      token.last_line = line_;
    } else if (c == '"' || c == '\'') {
      token.kind = Token::Kind::string;
      for (++at_; at_ < text_.size() && text_[at_] != c; ++at_) {
        if (text_[at_] == '\n') return std::nullopt;
        if (text_[at_] == '\\') ++at_;
      }
      if (at_ >= text_.size()) return std::nullopt;
      ++at_;
    } else if (is_word(c) || c == '.') {
      token.kind = c >= '0' && c <= '9' ? Token::Kind::number : Token::Kind::word;
      while (at_ < text_.size() && (is_word(text_[at_]) || text_[at_] == '.')) ++at_;
    } else {
      token.kind = Token::Kind::symbol;
      ++at_;
    }
    token.text = text_.substr(begin, at_ - begin);
    return token;
  }

 private:
  void skip_space() {
    while (at_ < text_.size()) {
      char c = text_[at_];
      if (c == '\n') ++line_;
      else if (c != ' ' && c != '\t' && c != '\r' && c != '\f' && c != '\v' && c != '\xEF' && c != '\xBB' && c != '\xBF') return;
      ++at_;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
};

std::string trimmed_right(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r' || text.back() == '\t')) text.remove_suffix(1);
  return std::string(text);
}

// The lines of a comment without what makes it one.
ProtoComment lines_of(std::string_view text) {
  ProtoComment lines;
  if (text.starts_with("//")) {
    lines.push_back(trimmed_right(text.substr(2)));
    return lines;
  }
  text = text.substr(2, text.size() - 4);
  while (text.starts_with('*')) text.remove_prefix(1);
  for (std::size_t at = 0; at <= text.size();) {
    std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (at > 0) {
      std::size_t star = line.find_first_not_of(" \t");
      if (star != std::string_view::npos && line[star] == '*') line.remove_prefix(star + 1);
    }
    lines.push_back(trimmed_right(line));
    at = end + 1;
  }
  while (!lines.empty() && lines.front().empty()) lines.erase(lines.begin());
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  for (std::string& line : lines) {
    if (!line.empty() && line[0] != ' ' && line[0] != '\t') line = " " + line;
  }
  return lines;
}

class Parser {
 public:
  explicit Parser(const diag::Source& source) : source_(source), lexer_(source.text) { advance(); }

  std::expected<std::vector<ProtoItem>, Errors> run() {
    std::vector<ProtoItem> items = read_items(0, ProtoItem::Kind::syntax);
    if (error_) return std::unexpected(Errors{*error_});
    return items;
  }

 private:
  using Kind = ProtoItem::Kind;

  diag::Position position(const Token& token) const { return source_.begin.plus(token.offset); }

  void fail(std::string message, const Token& token) {
    if (!error_) error_ = schema_error("protobuf: " + std::move(message), position(token));
    token_.kind = Token::Kind::end;
    held_.clear();
  }

  std::string shown(const Token& token) const {
    return token.kind == Token::Kind::end ? "end of file" : "\"" + std::string(token.text) + "\"";
  }

  // To the next token that is no comment; comments on the way are kept.
  void advance() {
    last_line_ = token_.last_line;
    for (;;) {
      auto next = error_ ? Token{} : lexer_.next();
      if (!next) {
        Token here;
        here.offset = token_.offset;
        return fail("text without an end", here);
      }
      if (next->kind != Token::Kind::comment) {
        token_ = *next;
        return;
      }
      held_.push_back(*next);
    }
  }

  bool is(std::string_view text) const { return token_.kind != Token::Kind::string && token_.text == text; }
  bool take(std::string_view text) {
    if (!is(text)) return false;
    advance();
    return true;
  }
  void expect(std::string_view text) {
    if (!take(text)) fail("found " + shown(token_) + " but expected \"" + std::string(text) + "\"", token_);
  }
  std::string word() {
    if (token_.kind != Token::Kind::word) {
      fail("found " + shown(token_) + " but expected a name", token_);
      return {};
    }
    std::string text(token_.text);
    advance();
    return text;
  }
  std::string number() {
    std::string text;
    if (take("-")) text = "-";
    if (token_.kind != Token::Kind::number) {
      fail("found " + shown(token_) + " but expected a number", token_);
      return {};
    }
    text += token_.text;
    advance();
    return text;
  }

  // Comments that stand alone become items; what stands right above the next thing is its own.
  ProtoComment take_comments(std::vector<ProtoItem>& items) {
    ProtoComment current;
    std::uint32_t end_line = 0;
    diag::Position begin;
    auto put_aside = [&] {
      if (current.empty()) return;
      ProtoItem item;
      item.comment = std::exchange(current, {});
      item.position = begin;
      items.push_back(std::move(item));
    };
    for (const Token& token : std::exchange(held_, {})) {
      bool joins = !current.empty() && token.text.starts_with("//") && token.line == end_line + 1;
      if (!joins) {
        put_aside();
        begin = position(token);
      }
      for (std::string& line : lines_of(token.text)) current.push_back(std::move(line));
      end_line = token.last_line;
    }
    if (token_.kind == Token::Kind::end || is("}") || token_.line != end_line + 1) put_aside();
    return current;
  }

  // A comment that begins on the line where the last token ended.
  ProtoComment take_inline_comment() {
    if (held_.empty() || held_.front().line != last_line_) return {};
    ProtoComment comment = lines_of(held_.front().text);
    held_.erase(held_.begin());
    return comment;
  }

  std::vector<ProtoItem> read_items(unsigned depth, Kind within) {
    std::vector<ProtoItem> items;
    if (depth > kMaxDepth) {
      fail("nested too deeply", token_);
      return items;
    }
    for (;;) {
      ProtoComment comment = take_comments(items);
      if (token_.kind == Token::Kind::end) {
        if (depth > 0) fail("a \"}\" is missing", token_);
        return items;
      }
      if (depth > 0 && is("}")) return items;
      if (take(";")) continue;
      ProtoItem item;
      item.comment = std::move(comment);
      item.position = position(token_);
      bool is_kept = within == Kind::enumeration ? read_value(item) : read_item(item, depth, within);
      if (error_) return items;
      item.inline_comment = take_inline_comment();
      if (is_kept) items.push_back(std::move(item));
    }
  }

  // False: it says nothing about data.
  bool read_item(ProtoItem& item, unsigned depth, Kind within) {
    Token first = token_;
    // Fields may have types that are called like what stands here otherwise.
    if (take("syntax") || (depth == 0 && take("edition"))) {
      item.kind = Kind::syntax;
      expect("=");
      item.name = string_text();
      end_statement();
    } else if (take("package")) {
      item.kind = Kind::package;
      item.name = word();
      end_statement();
    } else if (take("import")) {
      item.kind = Kind::import;
      if (!take("public")) take("weak");
      item.name = string_text();
      end_statement();
    } else if (take("option")) {
      item.kind = Kind::option;
      read_option(item);
      end_statement();
    } else if (take("message") || take("group")) {
      item.kind = Kind::message;
      item.name = word();
      read_body(item, depth, Kind::message);
    } else if (take("extend")) {
      item.kind = Kind::extend;
      item.name = word();
      read_body(item, depth, Kind::message);
    } else if (take("enum")) {
      item.kind = Kind::enumeration;
      item.name = word();
      read_body(item, depth, Kind::enumeration);
    } else if (within == Kind::message && take("oneof")) {
      item.kind = Kind::one_of;
      item.name = word();
      read_body(item, depth, Kind::one_of);
    } else if (take("service")) {
      word();
      skip_block();
      return false;
    } else if (within == Kind::message && (take("reserved") || take("extensions"))) {
      while (!error_ && token_.kind != Token::Kind::end && !is(";")) advance();
      end_statement();
      return false;
    } else if (depth == 0) {
      fail("found " + shown(first) + " where a message, enum or option is expected", first);
    } else {
      read_field(item, depth);
    }
    return true;
  }

  void read_body(ProtoItem& item, unsigned depth, Kind within) {
    expect("{");
    if (error_) return;
    item.items = read_items(depth + 1, within);
    expect("}");
  }

  bool read_value(ProtoItem& item) {
    if (take("option")) {
      item.kind = Kind::option;
      read_option(item);
      end_statement();
      return true;
    }
    if (take("reserved")) {
      while (!error_ && token_.kind != Token::Kind::end && !is(";")) advance();
      end_statement();
      return false;
    }
    item.kind = Kind::value;
    item.name = word();
    expect("=");
    item.number = number();
    read_options(item);
    end_statement();
    return true;
  }

  void read_field(ProtoItem& item, unsigned depth) {
    item.kind = Kind::field;
    if (take("repeated")) item.is_repeated = true;
    else if (!take("optional")) take("required");
    if (take("group")) {
      item.kind = Kind::message;
      item.name = word();
      expect("=");
      number();
      read_body(item, depth, Kind::message);
      return;
    }
    item.type = word();
    if (item.type == "map" && take("<")) {
      item.kind = Kind::map;
      item.key_type = word();
      expect(",");
      item.type = word();
      expect(">");
    }
    item.name = word();
    expect("=");
    item.number = number();
    read_options(item);
    end_statement();
  }

  // Some files forget the semicolon, and are read all the same.
  void end_statement() {
    if (take(";")) return;
    if (token_.kind == Token::Kind::end || token_.line > last_line_) return;
    fail("found " + shown(token_) + " but expected \";\"", token_);
  }

  std::string option_name() {
    std::string name;
    while (!error_) {
      if (take("(")) {
        name += "(" + word() + ")";
        expect(")");
      } else if (token_.kind == Token::Kind::word) {
        name += word();
      } else {
        break;
      }
    }
    if (name.empty()) fail("found " + shown(token_) + " but expected the name of an option", token_);
    return name;
  }

  void read_option(ProtoItem& item) {
    ProtoOption option;
    option.position = position(token_);
    option.name = option_name();
    expect("=");
    if (error_) return;
    if (token_.kind == Token::Kind::string) {
      std::uint32_t begin = token_.offset, end = begin;
      option.is_string = true;
      while (token_.kind == Token::Kind::string) {
        end = token_.offset + static_cast<std::uint32_t>(token_.text.size());
        option.text += string_text();
      }
      option.value = source_.text.substr(begin, end - begin);
    } else if (is("{")) {
      std::uint32_t begin = token_.offset;
      skip_block();
      option.value = source_.text.substr(begin, block_end_ - begin);
    } else {
      if (take("-")) option.value = "-";
      option.value += token_.text;
      advance();
    }
    item.options.push_back(std::move(option));
  }

  void read_options(ProtoItem& item) {
    if (!take("[")) return;
    while (!error_ && !is("]")) {
      read_option(item);
      if (!take(",")) break;
    }
    expect("]");
  }

  void skip_block() {
    expect("{");
    for (unsigned open = 1; open > 0 && !error_;) {
      if (token_.kind == Token::Kind::end) return fail("a \"}\" is missing", token_);
      if (is("{")) ++open;
      if (is("}")) --open;
      block_end_ = token_.offset + static_cast<std::uint32_t>(token_.text.size());
      advance();
    }
  }

  std::string string_text() {
    if (token_.kind != Token::Kind::string) {
      fail("found " + shown(token_) + " but expected a string", token_);
      return {};
    }
    std::string_view quoted = token_.text.substr(1, token_.text.size() - 2);
    std::string text;
    for (std::size_t i = 0; i < quoted.size(); ++i) {
      if (quoted[i] != '\\' || i + 1 >= quoted.size()) {
        text += quoted[i];
        continue;
      }
      char c = quoted[++i];
      switch (c) {
        case 'n': text += '\n'; break;
        case 't': text += '\t'; break;
        case 'r': text += '\r'; break;
        default: text += c; break;
      }
    }
    advance();
    return text;
  }

  const diag::Source& source_;
  Lexer lexer_;
  Token token_;
  std::vector<Token> held_;  // comments before the token
  std::uint32_t last_line_ = 0;
  std::uint32_t block_end_ = 0;
  std::optional<diag::Diagnostic> error_;
};

}  // namespace

std::expected<std::vector<ProtoItem>, Errors> parse_proto(const diag::Source& source) { return Parser(source).run(); }

}  // namespace opm::cue::schema
