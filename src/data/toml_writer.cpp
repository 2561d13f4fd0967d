#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/core.h>

#include "data/toml.h"

namespace opm::data {

namespace {

bool is_bare_key(std::string_view key) {
  auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !key.empty() && std::ranges::all_of(key, is_plain);
}

bool is_control(char c) {
  auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t') || byte == 0x7F;
}

// As it stands between single quotes, where that can be.
std::string quoted(std::string_view text) {
  bool is_literal = std::ranges::none_of(text, [](char c) { return c == '\'' || is_control(c); });
  if (is_literal) return fmt::format("'{}'", text);
  std::string out = "\"";
  for (char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\b': out += "\\b"; break;
      case '\f': out += "\\f"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (is_control(c)) out += fmt::format("\\u{:04X}", static_cast<unsigned char>(c));
        else out.push_back(c);
    }
  }
  return out + "\"";
}

std::string key_text(std::string_view key) { return is_bare_key(key) ? std::string(key) : quoted(key); }

// TOML has integers of 64 bits and floating point numbers; what is larger is kept as text.
std::string number_text(const NumberText& number) {
  if (number.is_integer) {
    std::int64_t whole = 0;
    auto [end, error] = std::from_chars(number.text.data(), number.text.data() + number.text.size(), whole);
    bool fits = error == std::errc() && end == number.text.data() + number.text.size();
    return fits ? number.text : quoted(number.text);
  }
  double real = 0;
  auto [end, error] = std::from_chars(number.text.data(), number.text.data() + number.text.size(), real);
  if (error != std::errc() || !std::isfinite(real)) return quoted(number.text);
  std::array<char, 512> digits{};
  auto written = std::to_chars(digits.data(), digits.data() + digits.size(), real, std::chars_format::fixed);
  if (written.ec != std::errc()) return number.text;
  std::string text(digits.data(), written.ptr);
  if (text.find('.') == text.npos) text += ".0";
  return text;
}

class TomlWriter {
 public:
  std::expected<std::string, std::string> write(const Value& value) {
    if (value.is_map()) write_table(value.as_map(), "");
    else write_inline(value);
    if (has_null_) return std::unexpected("TOML has no null");
    return std::move(out_);
  }

 private:
  static bool is_array_of_tables(const Value& value) {
    return value.is_list() && !value.as_list().empty() &&
           std::ranges::all_of(value.as_list(), [](const Value& element) { return element.is_map(); });
  }
  static bool is_table(const Value& value) { return value.is_map() || is_array_of_tables(value); }

  // Plain members first: behind the header of a table everything belongs to that.
  void write_table(const Map& map, const std::string& path) {
    std::vector<const Member*> members = sorted_members(map);
    bool needs_gap = false;
    for (const Member* member : members) {
      if (is_table(member->value) || member->value.is_null()) continue;
      out_ += key_text(member->key) + " = ";
      write_inline(member->value);
      out_ += "\n";
      needs_gap = true;
    }
    for (const Member* member : members) {
      if (!is_table(member->value)) continue;
      if (std::exchange(needs_gap, true)) out_ += "\n";
      std::string below = path.empty() ? key_text(member->key) : path + "." + key_text(member->key);
      if (member->value.is_map()) {
        out_ += "[" + below + "]\n";
        write_table(member->value.as_map(), below);
        continue;
      }
      bool is_first = true;
      for (const Value& element : member->value.as_list()) {
        if (!std::exchange(is_first, false)) out_ += "\n";
        out_ += "[[" + below + "]]\n";
        write_table(element.as_map(), below);
      }
    }
  }

  void write_inline(const Value& value) {
    if (value.is_null()) {
      has_null_ = true;
    } else if (value.is_bool()) {
      out_ += value.as_bool() ? "true" : "false";
    } else if (value.is_number()) {
      out_ += number_text(value.as_number());
    } else if (value.is_string()) {
      out_ += quoted(value.as_string());
    } else if (value.is_bytes()) {
      std::string_view separator = "[";
      for (char byte : value.as_bytes().bytes) {
        out_ += fmt::format("{}{}", separator, static_cast<unsigned char>(byte));
        separator = ", ";
      }
      out_ += separator == "[" ? "[]" : "]";
    } else if (value.is_list()) {
      out_ += "[";
      for (std::size_t i = 0; i < value.as_list().size(); ++i) {
        if (i > 0) out_ += ", ";
        write_inline(value.as_list()[i]);
      }
      out_ += "]";
    } else {
      std::string_view separator = "";
      out_ += "{";
      for (const Member* member : sorted_members(value.as_map())) {
        if (member->value.is_null()) continue;
        out_ += fmt::format("{}{} = ", separator, key_text(member->key));
        write_inline(member->value);
        separator = ", ";
      }
      out_ += "}";
    }
  }

  std::string out_;
  bool has_null_ = false;
};

}  // namespace

std::expected<std::string, std::string> write_toml(const Value& value) { return TomlWriter().write(value); }

}  // namespace opm::data
