#include <utility>

#include "base/json_string.h"
#include "data/base64.h"
#include "data/json.h"

namespace opm::data {

namespace {

class JsonWriter {
 public:
  explicit JsonWriter(const JsonWriteOptions& options) : options_(options) {}

  std::string write(const Value& value) {
    append(value, 0);
    if (options_.final_newline) out_.push_back('\n');
    return std::move(out_);
  }

 private:
  void append(const Value& value, std::size_t level) {
    if (value.is_null()) {
      out_ += "null";
    } else if (value.is_bool()) {
      out_ += value.as_bool() ? "true" : "false";
    } else if (value.is_number()) {
      out_ += value.as_number().text;
    } else if (value.is_string()) {
      append_json_string(out_, value.as_string(), options_.escape_html);
    } else if (value.is_bytes()) {
      out_.push_back('"');
      append_base64(out_, value.as_bytes().bytes);
      out_.push_back('"');
    } else if (value.is_list()) {
      append_list(value.as_list(), level);
    } else {
      append_map(value.as_map(), level);
    }
  }

  void new_line(std::size_t level) {
    if (options_.indent == 0) return;
    out_.push_back('\n');
    out_.append(level * options_.indent, ' ');
  }

  void append_list(const List& list, std::size_t level) {
    out_.push_back('[');
    bool first = true;
    for (const Value& item : list) {
      if (!first) out_.push_back(',');
      first = false;
      new_line(level + 1);
      append(item, level + 1);
    }
    if (!first) new_line(level);
    out_.push_back(']');
  }

  void append_member(const Member& member, bool first, std::size_t level) {
    if (!first) out_.push_back(',');
    new_line(level);
    append_json_string(out_, member.key, options_.escape_html);
    out_ += options_.indent == 0 ? ":" : ": ";
    append(member.value, level);
  }

  void append_map(const Map& map, std::size_t level) {
    out_.push_back('{');
    bool first = true;
    if (options_.sort_keys) {
      for (const Member* member : sorted_members(map)) append_member(*member, std::exchange(first, false), level + 1);
    } else {
      for (const Member& member : map) append_member(member, std::exchange(first, false), level + 1);
    }
    if (!first) new_line(level);
    out_.push_back('}');
  }

  const JsonWriteOptions& options_;
  std::string out_;
};

}  // namespace

void append_json_string(std::string& out, std::string_view text, bool escape_html) {
  base::append_json_string(out, text, escape_html);
}

std::string write_json(const Value& value, const JsonWriteOptions& options) { return JsonWriter(options).write(value); }

}  // namespace opm::data
