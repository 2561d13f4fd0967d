#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/number.h"
#include "base/unicode.h"
#include "data/toml.h"

namespace opm::data {
namespace {

struct Node;

// A table while it is being written; its keys can be found at once.
struct Table {
  struct Entry {
    std::string key;
    std::unique_ptr<Node> node;
    diag::Position key_position;
  };
  std::vector<Entry> entries;
  std::unordered_map<std::string, std::size_t> index;
  bool has_header = false;  // [this] was written; it may not be again

  Node* find(const std::string& key);
  Node& add(const std::string& key, diag::Position position);
};

struct Node {
  enum class Kind { value, table, table_list } kind = Kind::value;
  Value value;
  Table table;
  std::vector<std::unique_ptr<Node>> tables;  // of [[name]]
  diag::Position position;
};

Node* Table::find(const std::string& key) {
  auto found = index.find(key);
  return found == index.end() ? nullptr : entries[found->second].node.get();
}

Node& Table::add(const std::string& key, diag::Position position) {
  index.emplace(key, entries.size());
  entries.push_back({key, std::make_unique<Node>(), position});
  return *entries.back().node;
}

struct Key {
  std::string text;
  diag::Position position;
};

class Reader {
 public:
  Reader(const diag::Source& source, const ReadLimits& limits) : source_(source), text_(source.text), limits_(limits) {}

  std::expected<Value, std::vector<diag::Diagnostic>> read() {
    if (text_.size() > limits_.max_bytes) fail("file is larger than " + std::to_string(limits_.max_bytes) + " bytes");
    std::size_t broken = base::find_invalid_utf8(text_);
    if (!failed() && broken != std::string_view::npos) fail_at("invalid UTF-8", broken);
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    root_.position = source_.begin;
    root_.kind = Node::Kind::table;
    current_ = &root_.table;
    while (!failed()) {
      skip_blank_lines();
      if (is_at_end()) break;
      if (peek() == '[')
        read_header();
      else
        read_pair(*current_, current_path_, current_depth_);
      end_line();
    }
    if (failed()) return std::unexpected(std::vector{std::move(*diagnostic_)});
    return finish(root_);
  }

 private:
  bool failed() const { return diagnostic_.has_value(); }
  bool is_at_end() const { return at_ >= text_.size(); }
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool starts_with(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  diag::Position position(std::size_t offset) const { return source_.begin.plus(static_cast<std::uint32_t>(offset)); }
  diag::Position position() const { return position(at_); }

  void fail_at(std::string message, std::size_t offset) {
    if (failed()) return;
    diagnostic_ = diag::Diagnostic{.code = "toml", .message = std::move(message), .positions = {position(offset)}};
  }
  void fail(std::string message) { fail_at(std::move(message), at_); }

  bool count_node(unsigned depth) {
    if (++nodes_ > limits_.max_nodes) fail("more than " + std::to_string(limits_.max_nodes) + " values");
    if (depth > limits_.max_depth) fail("nested more than " + std::to_string(limits_.max_depth) + " levels deep");
    return !failed();
  }

  void skip_space() {
    while (peek() == ' ' || peek() == '\t') ++at_;
  }
  void skip_comment() {
    if (peek() != '#') return;
    while (!is_at_end() && peek() != '\n') {
      auto character = static_cast<unsigned char>(peek());
      bool is_line_end = character == '\r' && peek(1) == '\n';
      if ((character < 0x20 && character != '\t' && !is_line_end) || character == 0x7F)
        return fail("invalid character in comment");
      ++at_;
    }
  }
  bool skip_line_end() {
    if (peek() == '\r' && peek(1) == '\n') ++at_;
    if (peek() != '\n') return false;
    ++at_;
    return true;
  }
  void skip_blank_lines() {
    do {
      skip_space();
      skip_comment();
    } while (!failed() && skip_line_end());
  }
  void end_line() {
    if (failed()) return;
    skip_space();
    skip_comment();
    if (failed() || is_at_end() || skip_line_end()) return;
    fail("expected newline but got '" + shown_character() + "'");
  }
  std::string shown_character() const {
    base::DecodedCharacter character = base::decode_utf8(text_.substr(at_));
    return std::string(text_.substr(at_, std::max<std::uint32_t>(character.size, 1)));
  }

  static bool is_bare_key(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  }

  // a."b c".d
  std::vector<Key> read_key() {
    std::vector<Key> parts;
    for (;;) {
      skip_space();
      Key key;
      key.position = position();
      if (peek() == '"' || peek() == '\'') {
        key.text = read_single_line_string();
      } else {
        std::size_t start = at_;
        while (is_bare_key(peek())) ++at_;
        if (at_ == start) {
          fail(is_at_end() ? "expected a key, but the document ends there"
                           : "invalid character at start of key: " + shown_character());
        }
        key.text = text_.substr(start, at_ - start);
      }
      if (failed()) return parts;
      parts.push_back(std::move(key));
      skip_space();
      if (peek() != '.') return parts;
      ++at_;
    }
  }

  static std::string path_of(const std::string& prefix, const std::vector<Key>& keys, std::size_t count) {
    std::string path = prefix;
    for (std::size_t i = 0; i < count; ++i) path += (path.empty() ? "" : ".") + keys[i].text;
    return path;
  }

  // The table that all but the last key lead to, made where it is missing.
  Table* descend(Table& from, const std::string& prefix, const std::vector<Key>& keys, unsigned depth) {
    Table* table = &from;
    for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
      if (!count_node(depth + static_cast<unsigned>(i))) return nullptr;
      Node* node = table->find(keys[i].text);
      if (node == nullptr) {
        node = &table->add(keys[i].text, keys[i].position);
        node->kind = Node::Kind::table;
        node->position = keys[i].position;
      }
      if (node->kind == Node::Kind::table_list) {
        table = &node->tables.back()->table;
      } else if (node->kind == Node::Kind::table) {
        table = &node->table;
      } else {
        fail_key("duplicate key: " + path_of(prefix, keys, i + 1), keys[i]);
        return nullptr;
      }
    }
    return table;
  }
  void fail_key(std::string message, const Key& key) {
    fail_at(std::move(message), key.position.value - source_.begin.value);
  }

  void read_header() {
    bool is_list = peek(1) == '[';
    at_ += is_list ? 2 : 1;
    std::vector<Key> keys = read_key();
    if (failed()) return;
    std::string_view closing = is_list ? "]]" : "]";
    if (!starts_with(closing))
      return fail(is_at_end() ? "expected character ] but the document ended here" : "expected character ]");
    at_ += closing.size();
    Table* parent = descend(root_.table, {}, keys, 1);
    if (parent == nullptr) return;
    const Key& last = keys.back();
    current_path_ = path_of({}, keys, keys.size());
    current_depth_ = static_cast<unsigned>(keys.size());
    if (!count_node(current_depth_)) return;
    Node* node = parent->find(last.text);
    if (is_list) {
      if (node == nullptr) {
        node = &parent->add(last.text, last.position);
        node->kind = Node::Kind::table_list;
        node->position = last.position;
      } else if (node->kind != Node::Kind::table_list) {
        return fail_key("cannot redeclare key \"" + current_path_ + "\" as a table array", last);
      }
      node->tables.push_back(std::make_unique<Node>());
      node = node->tables.back().get();
      node->kind = Node::Kind::table;
      node->position = last.position;
    } else if (node == nullptr) {
      node = &parent->add(last.text, last.position);
      node->kind = Node::Kind::table;
      node->position = last.position;
    } else if (node->kind == Node::Kind::table_list) {
      return fail_key("cannot redeclare table array \"" + current_path_ + "\" as a table", last);
    } else if (node->kind == Node::Kind::value || node->table.has_header) {
      return fail_key("duplicate key: " + current_path_, last);
    }
    node->table.has_header = true;
    current_ = &node->table;
  }

  void read_pair(Table& into, const std::string& prefix, unsigned depth) {
    std::vector<Key> keys = read_key();
    if (failed()) return;
    if (peek() != '=')
      return fail(is_at_end() ? "expected = after a key, but the document ends there" : "expected = after a key");
    ++at_;
    skip_space();
    Table* table = descend(into, prefix, keys, depth + 1);
    if (table == nullptr) return;
    const Key& last = keys.back();
    if (table->find(last.text) != nullptr)
      return fail_key("duplicate key: " + path_of(prefix, keys, keys.size()), last);
    Node node;
    read_value(node, depth + static_cast<unsigned>(keys.size()));
    if (!failed()) table->add(last.text, last.position) = std::move(node);
  }

  void read_value(Node& node, unsigned depth) {
    node.position = position();
    node.value.position = node.position;
    if (!count_node(depth)) return;
    switch (peek()) {
      case '[':
        return read_list(node, depth);
      case '{':
        return read_inline_table(node, depth);
      case '"':
      case '\'':
        node.value.variant = read_string();
        return;
      case 't':
        return read_word("true", true, node);
      case 'f':
        return read_word("false", false, node);
      default:
        return read_number_or_date(node);
    }
  }

  void read_word(std::string_view word, bool value, Node& node) {
    if (!starts_with(word)) return fail("expected '" + std::string(word) + "'");
    at_ += word.size();
    node.value.variant = value;
  }

  void read_list(Node& node, unsigned depth) {
    ++at_;
    List list;
    for (;;) {
      skip_blank_lines();
      if (failed()) return;
      if (peek() == ']') break;
      Node item;
      read_value(item, depth + 1);
      if (failed()) return;
      list.push_back(finish(item));
      skip_blank_lines();
      if (failed()) return;
      if (peek() == ']') break;
      if (peek() != ',')
        return fail(is_at_end() ? "array is incomplete" : "expected , or ] but got '" + shown_character() + "'");
      ++at_;
    }
    ++at_;
    node.value.variant = std::move(list);
  }

  void read_inline_table(Node& node, unsigned depth) {
    ++at_;
    node.kind = Node::Kind::table;
    skip_space();
    if (peek() == '}') {
      ++at_;
      return;
    }
    for (;;) {
      read_pair(node.table, {}, depth + 1);
      if (failed()) return;
      skip_space();
      if (peek() == '}') break;
      if (peek() != ',')
        return fail(is_at_end() ? "inline table is incomplete" : "expected , or } but got '" + shown_character() + "'");
      ++at_;
    }
    ++at_;
  }

  std::string read_string() {
    if (starts_with("\"\"\"") || starts_with("'''")) return read_multi_line_string();
    return read_single_line_string();
  }

  std::string read_single_line_string() {
    char quote = peek();
    ++at_;
    std::string result;
    for (;;) {
      auto character = static_cast<unsigned char>(peek());
      if (is_at_end() || character == '\n') {
        fail(quote == '"' ? "basic string not terminated by \"" : "literal string not terminated by '");
        return result;
      }
      if (peek() == quote) {
        ++at_;
        return result;
      }
      if ((character < 0x20 && character != '\t') || character == 0x7F) {
        fail("invalid character in string");
        return result;
      }
      if (quote == '"' && character == '\\')
        read_escape(result);
      else
        result += text_[at_++];
      if (failed()) return result;
    }
  }

  std::string read_multi_line_string() {
    std::string closing(text_.substr(at_, 3));
    bool has_escapes = closing[0] == '"';
    at_ += 3;
    skip_line_end();
    std::string result;
    while (!failed()) {
      if (is_at_end()) {
        fail("multiline string not terminated by " + closing);
        break;
      }
      if (starts_with(closing)) {
        at_ += 3;
        // Up to two more quotes belong to the text.
        for (int i = 0; i < 2 && peek() == closing[0]; ++i) result += text_[at_++];
        break;
      }
      auto character = static_cast<unsigned char>(peek());
      bool is_control = character < 0x20 && character != '\t' && character != '\n' && character != '\r';
      if (is_control || character == 0x7F) {
        fail("invalid character in string");
      } else if (has_escapes && character == '\\') {
        if (!skip_line_continuation()) read_escape(result);
      } else if (character == '\r' && peek(1) == '\n') {
        ++at_;
      } else {
        result += text_[at_++];
      }
    }
    return result;
  }

  // A backslash at the end of a line joins it with the next text.
  bool skip_line_continuation() {
    std::size_t end = at_ + 1;
    while (end < text_.size() && (text_[end] == ' ' || text_[end] == '\t' || text_[end] == '\r')) ++end;
    if (end >= text_.size() || text_[end] != '\n') return false;
    at_ = std::min(text_.find_first_not_of(" \t\r\n", end), text_.size());
    return true;
  }

  void read_escape(std::string& result) {
    std::size_t start = at_++;
    char kind = peek();
    ++at_;
    switch (kind) {
      case 'b':
        result += '\b';
        return;
      case 't':
        result += '\t';
        return;
      case 'n':
        result += '\n';
        return;
      case 'f':
        result += '\f';
        return;
      case 'r':
        result += '\r';
        return;
      case 'e':
        result += '\x1B';
        return;
      case '"':
        result += '"';
        return;
      case '\\':
        result += '\\';
        return;
      case 'u':
      case 'U':
        break;
      default:
        return fail_at("invalid escaped character", start);
    }
    std::size_t digits = kind == 'u' ? 4 : 8;
    char32_t value = 0;
    for (std::size_t i = 0; i < digits; ++i, ++at_) {
      char c = peek();
      unsigned digit = c >= '0' && c <= '9'   ? static_cast<unsigned>(c - '0')
                       : c >= 'a' && c <= 'f' ? static_cast<unsigned>(c - 'a') + 10
                       : c >= 'A' && c <= 'F' ? static_cast<unsigned>(c - 'A') + 10
                                              : 16;
      if (digit == 16) return fail_at("invalid escaped character", start);
      value = value * 16 + digit;
    }
    bool is_surrogate = value >= 0xD800 && value <= 0xDFFF;
    if (value > base::kLastCharacter || is_surrogate) return fail_at("invalid escaped character", start);
    base::append_utf8(result, value);
  }

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  void read_number_or_date(Node& node) {
    std::size_t start = at_;
    auto is_part = [&](char c) { return is_bare_key(c) || c == '+' || c == '.' || c == ':'; };
    while (is_part(peek())) ++at_;
    std::string_view word = text_.substr(start, at_ - start);
    if (word.empty()) {
      return fail(is_at_end() ? "expected value, not eof" : "expected value, not '" + shown_character() + "'");
    }
    bool is_date = word.size() >= 10 && is_digit(word[0]) && word[4] == '-' && word[7] == '-';
    bool is_time = word.size() >= 5 && is_digit(word[0]) && word[2] == ':';
    if (is_date && word.size() == 10 && peek() == ' ' && is_digit(peek(1)) && is_digit(peek(2)) && peek(3) == ':') {
      ++at_;
      while (is_part(peek())) ++at_;
      word = text_.substr(start, at_ - start);
    }
    if (is_date || is_time) {
      if (!is_valid_date_or_time(word, is_date)) return fail_at("invalid date or time " + std::string(word), start);
      node.value.variant = std::string(word);
      return;
    }
    read_number(word, start, node);
  }

  static bool is_valid_date_or_time(std::string_view text, bool has_date) {
    auto number = [&](std::size_t at, std::size_t length, int low, int high) {
      int value = 0;
      if (at + length > text.size()) return false;
      for (std::size_t i = at; i < at + length; ++i) {
        if (!is_digit(text[i])) return false;
        value = value * 10 + (text[i] - '0');
      }
      return value >= low && value <= high;
    };
    auto character = [&](std::size_t at, std::string_view any) {
      return at < text.size() && any.find(text[at]) != std::string_view::npos;
    };
    std::size_t at = 0;
    if (has_date) {
      if (!number(0, 4, 0, 9999) || !number(5, 2, 1, 12) || !number(8, 2, 1, 31)) return false;
      if (text.size() == 10) return true;
      if (!character(10, "Tt ")) return false;
      at = 11;
    }
    if (!number(at, 2, 0, 23) || !character(at + 2, ":") || !number(at + 3, 2, 0, 59)) return false;
    at += 5;
    if (character(at, ":")) {
      if (!number(at + 1, 2, 0, 60)) return false;
      at += 3;
    }
    if (character(at, ".")) {
      std::size_t digits = ++at;
      while (at < text.size() && is_digit(text[at])) ++at;
      if (at == digits) return false;
    }
    if (at == text.size()) return true;
    if (!has_date) return false;
    if (character(at, "Zz")) return at + 1 == text.size();
    return character(at, "+-") && number(at + 1, 2, 0, 23) && character(at + 3, ":") && number(at + 4, 2, 0, 59) &&
           at + 6 == text.size();
  }

  void read_number(std::string_view word, std::size_t start, Node& node) {
    auto illegal = [&] { fail_at("illegal number start \"" + std::string(word) + "\"", start); };
    std::string_view digits = word;
    bool is_negative = digits.starts_with('-');
    bool has_sign = is_negative || digits.starts_with('+');
    if (has_sign) digits.remove_prefix(1);
    if (digits.empty() || !is_digit(digits[0])) return illegal();
    bool has_prefix =
        digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'o' || digits[1] == 'b');
    if (has_prefix && has_sign) return illegal();
    std::string plain;
    for (std::size_t i = 0; i < digits.size(); ++i) {
      if (digits[i] != '_') {
        plain += digits[i];
        continue;
      }
      bool is_between = i > 0 && i + 1 < digits.size() && digits[i - 1] != '_' && digits[i + 1] != '_';
      if (!is_between) return illegal();
    }
    if (!has_prefix) plain.erase(0, std::min(plain.find_first_not_of('0'), plain.size() - 1));
    if (!is_digit(plain[0])) plain.insert(0, "0");
    bool is_integer = has_prefix || plain.find_first_of(".eE") == std::string::npos;
    base::Arena arena;
    auto number = has_prefix ? base::Number::parse_literal(arena, plain) : base::Number::parse_decimal(arena, plain);
    if (!number) return illegal();
    std::string text = has_prefix ? number->text() : plain;
    if (is_negative) text.insert(0, "-");
    node.value.variant = NumberText{std::move(text), is_integer};
  }

  // The tree for good; the node is used up.
  static Value finish(Node& node) {
    if (node.kind == Node::Kind::value) return std::move(node.value);
    Value value;
    value.position = node.position;
    if (node.kind == Node::Kind::table) {
      Map map;
      map.reserve(node.table.entries.size());
      for (Table::Entry& entry : node.table.entries)
        map.push_back({std::move(entry.key), finish(*entry.node), entry.key_position});
      value.variant = std::move(map);
    } else {
      List list;
      for (auto& table : node.tables) list.push_back(finish(*table));
      value.variant = std::move(list);
    }
    return value;
  }

  const diag::Source& source_;
  std::string_view text_;
  const ReadLimits& limits_;
  std::size_t at_ = 0;
  std::size_t nodes_ = 0;
  Node root_;
  Table* current_ = nullptr;  // that lines without a header before them go to
  std::string current_path_;  // its name, for messages
  unsigned current_depth_ = 0;
  std::optional<diag::Diagnostic> diagnostic_;
};

}  // namespace

std::expected<Value, std::vector<diag::Diagnostic>> read_toml(const diag::Source& source, const ReadLimits& limits) {
  return Reader(source, limits).read();
}

}  // namespace opm::data
