// The package encoding/csv.
#include "cue/std/bind.h"
#include "cue/std/evaluation.h"
#include "cue/std/packages.h"
#include "data/json.h"

namespace opm::cue::standard {
namespace {

using Rows = std::vector<std::vector<std::string>>;

// What a reader would take for something else is quoted.
bool needs_quotes(std::string_view field) {
  if (field.empty()) return false;
  if (field == "\\.") return true;
  if (field.find_first_of(",\"\r\n") != std::string_view::npos) return true;
  return base::is_space(base::decode_utf8(field).value);
}

void append_field(std::string& out, std::string_view field) {
  if (!needs_quotes(field)) {
    out += field;
    return;
  }
  out += '"';
  for (char character : field) {
    if (character == '"') out += '"';
    out += character;
  }
  out += '"';
}

Value encode(Call& call) {
  Value failure;
  std::vector<Value> rows = raw_elements(call, call.value(0), failure);
  if (failure.is_error()) return failure;
  std::string out;
  for (const Value& row : rows) {
    std::vector<Value> columns = raw_elements(call, row, failure);
    if (failure.is_error()) return failure;
    bool is_first = true;
    for (const Value& column : columns) {
      if (!is_first) out += ',';
      is_first = false;
      Value value = plain(call, column);
      if (value.is_string()) {
        append_field(out, value.string());
        continue;
      }
      data::Value tree;
      if (!to_data(call, column, TextForm::json, tree, failure)) return failure;
      append_field(out, data::write_json(tree));
    }
    out += '\n';
    if (out.size() > kMaxResultBytes) return call.error("result is too long");
  }
  return call.make_string(out);
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<Rows> read() {
    Rows rows;
    while (position_ < text_.size()) {
      if (skip_empty_line()) continue;
      std::vector<std::string> row;
      std::int64_t start = line_;
      for (bool more = true; more;) {
        std::string field;
        bool is_quoted = text_.substr(position_).starts_with('"');
        if (auto problem = is_quoted ? quoted(field, start) : bare(field); !problem.empty()) return wrong(problem);
        row.push_back(std::move(field));
        more = position_ < text_.size() && text_[position_] == ',';
        if (more) ++position_;
      }
      end_line();
      if (!rows.empty() && rows.front().size() != row.size()) {
        return wrong("record on line " + std::to_string(start) + ": wrong number of fields");
      }
      rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  bool at_line_end() const {
    return position_ >= text_.size() || text_[position_] == '\n' || text_.substr(position_).starts_with("\r\n") ||
           text_.substr(position_) == "\r";
  }
  void end_line() {
    if (position_ < text_.size() && text_[position_] == '\r') ++position_;
    if (position_ < text_.size()) ++position_;
    ++line_;
  }
  bool skip_empty_line() {
    if (!at_line_end()) return false;
    end_line();
    return true;
  }
  std::size_t column() const {
    std::size_t start = position_ == 0 ? std::string_view::npos : text_.rfind('\n', position_ - 1);
    return position_ - (start == std::string_view::npos ? 0 : start + 1) + 1;
  }
  std::string place() const { return "line " + std::to_string(line_) + ", column " + std::to_string(column()); }

  std::string bare(std::string& field) {
    while (!at_line_end() && text_[position_] != ',') {
      if (text_[position_] == '"') return "parse error on " + place() + ": bare \" in non-quoted field";
      field += text_[position_++];
    }
    return {};
  }
  std::string quoted(std::string& field, std::int64_t start) {
    ++position_;
    for (;;) {
      if (position_ >= text_.size()) {
        std::string where = start == line_ ? "parse error on " : "record on line " + std::to_string(start) + "; parse error on ";
        return where + place() + ": extraneous or missing \" in quoted-field";
      }
      char character = text_[position_];
      if (character == '"') {
        ++position_;
        if (position_ < text_.size() && text_[position_] == '"') {
          field += '"';
          ++position_;
          continue;
        }
        if (at_line_end() || text_[position_] == ',') return {};
        --position_;
        return "parse error on " + place() + ": extraneous or missing \" in quoted-field";
      }
      // Line ends within a field are those of Unix.
      if (text_.substr(position_).starts_with("\r\n")) ++position_;
      if (text_[position_] == '\n') ++line_;
      field += text_[position_++];
    }
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::int64_t line_ = 1;
};

Result<Rows> decode(BytesView text) { return Reader(text.bytes).read(); }

}  // namespace

StandardPackage csv_package() {
  return make_package("encoding/csv", {
    define("Encode", {kinds::top}, kinds::string, encode),
    bind<decode>("Decode"),
  });
}

}  // namespace opm::cue::standard
