#include "opm/model/platform_query.h"

#include <fmt/core.h>

#include <algorithm>

#include "cue/syntax/literal.h"
#include "data/build.h"
#include "data/json.h"
#include "opm/model/object_path.h"
#include "opm/model/read.h"

namespace opm::model {

namespace {

constexpr std::size_t kLongest = 4096;  // characters of a filter or path

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_digit(c) || c == '_' || c == '-' || c == '$' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  void skip_blanks() {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  }
  bool at_end() const { return rest_.empty(); }
  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  std::string_view rest() const { return rest_; }

  std::string word() {
    std::size_t end = 0;
    while (end < rest_.size() && is_word(rest_[end])) ++end;
    std::string word(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return word;
  }

  // 'text' or "text", as it stands.
  std::expected<std::string, std::string> quoted() {
    char quote = rest_.front();
    std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) return std::unexpected(fmt::format("a text that begins with {} does not end", quote));
    std::string text(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return text;
  }

  std::expected<std::vector<std::string>, std::string> path() {
    std::vector<std::string> path;
    for (;;) {
      if (take("[")) {
        bool is_text = !rest_.empty() && (rest_.front() == '\'' || rest_.front() == '"');
        auto key = is_text ? quoted() : std::expected<std::string, std::string>(word());
        if (!key) return std::unexpected(key.error());
        if (!is_text && (key->empty() || !std::ranges::all_of(*key, is_digit)))
          return std::unexpected("between [ and ] stands a number or a text in quotes");
        if (!take("]")) return std::unexpected("a [ without its ]");
        path.push_back(std::move(*key));
      } else {
        std::string key = word();
        if (key.empty()) return std::unexpected(fmt::format("a path such as metadata.name is needed{}", before()));
        path.push_back(std::move(key));
      }
      if (take(".")) continue;
      if (!rest_.starts_with("[")) return path;
    }
  }

  std::expected<data::Value, std::string> literal() {
    if (!rest_.empty() && (rest_.front() == '\'' || rest_.front() == '"')) {
      auto text = quoted();
      if (!text) return std::unexpected(text.error());
      return data::text(std::move(*text));
    }
    std::string word = this->word();
    if (word == "true" || word == "false") return data::boolean(word == "true");
    std::string_view digits = word;
    if (digits.starts_with('-')) digits.remove_prefix(1);
    if (digits.empty() || !std::ranges::all_of(digits, is_digit))
      return std::unexpected(fmt::format("a text in quotes, a whole number, true or false is needed{}", before()));
    data::Value number;
    number.variant = data::NumberText{word, true};
    return number;
  }

  std::string before() const { return rest_.empty() ? " at the end" : fmt::format(" before {}", cue::syntax::quote(rest_.substr(0, 20))); }

 private:
  std::string_view rest_;
};

std::string shown(const data::Value& value) { return data::write_json(value); }

// k8s:storage.k8s.io/v1:StorageClass:NAMESPACE:NAME; the catalog's type has seen to it that it is one.
bool read_objects(std::string_view text, PlatformQuery& query) {
  constexpr std::string_view kScheme = "k8s:";
  if (!text.starts_with(kScheme)) return false;
  text.remove_prefix(kScheme.size());
  std::string* parts[] = {&query.api_version, &query.kind, &query.namespace_name};
  for (std::string* part : parts) {
    std::size_t end = std::min(text.find(':'), text.size());
    *part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  query.name = text;
  return !query.api_version.empty() && !query.kind.empty();
}

bool is_about_metadata(const std::vector<std::string>& path) { return path.front() == "metadata"; }

bool reads_content(const PlatformQuery& query) {
  if (query.value.is_null() && !is_about_metadata(query.extract)) return true;
  return std::ranges::any_of(query.filter, [](const PlatformQuery::Condition& condition) { return !is_about_metadata(condition.path); });
}

// Without what the catalog says of it.
std::vector<diag::Position> written_at(const cue::Value& field) {
  std::vector<diag::Position> positions = field.positions();
  const diag::SourceMap& sources = field.context().program().sources();
  std::erase_if(positions, [&](diag::Position position) { return sources.locate(position).file.find("opmodel.dev/core@") != std::string_view::npos; });
  return positions;
}

diag::Diagnostic mistake(std::string path, const cue::Value& at, std::string message, std::string advice = {}) {
  diag::Diagnostic diagnostic;
  diagnostic.code = "platform-query";
  diagnostic.path = std::move(path);
  diagnostic.message = std::move(message);
  diagnostic.advice = std::move(advice);
  diagnostic.positions = written_at(at);
  return diagnostic;
}

}  // namespace

std::expected<std::vector<std::string>, std::string> parse_object_path(std::string_view text) {
  if (text.size() > kLongest) return std::unexpected("it is too long");
  Reader reader(text);
  auto path = reader.path();
  if (path && !reader.at_end()) return std::unexpected(fmt::format("the path ends{}", reader.before()));
  return path;
}

std::expected<std::vector<PlatformQuery::Condition>, std::string> parse_filter(std::string_view text) {
  if (text.size() > kLongest) return std::unexpected("it is too long");
  std::vector<PlatformQuery::Condition> conditions;
  Reader reader(text);
  for (;;) {
    PlatformQuery::Condition condition;
    reader.skip_blanks();
    auto path = reader.path();
    if (!path) return std::unexpected(path.error());
    condition.path = std::move(*path);
    reader.skip_blanks();
    condition.is_equal = reader.take("==");
    if (!condition.is_equal && !reader.take("!=")) return std::unexpected(fmt::format("== or != is needed{}", reader.before()));
    reader.skip_blanks();
    auto literal = reader.literal();
    if (!literal) return std::unexpected(literal.error());
    condition.literal = std::move(*literal);
    conditions.push_back(std::move(condition));
    reader.skip_blanks();
    if (reader.at_end()) return conditions;
    if (!reader.take("&&")) return std::unexpected(fmt::format("&& or the end is needed{}", reader.before()));
  }
}

bool matches(const PlatformQuery& query, const data::Value& object) {
  return std::ranges::all_of(query.filter, [&](const PlatformQuery::Condition& condition) {
    const data::Value* part = part_of(object, condition.path);
    bool is_equal = part != nullptr && data::equal(*part, condition.literal);
    return is_equal == condition.is_equal;
  });
}

PlatformQueries read_platform_queries(const cue::Value& platform) {
  PlatformQueries result;
  cue::Value list = platform.field("queries");
  if (!list.exists()) return result;
  std::size_t index = 0;
  for (const cue::Value& item : list.elements()) {
    std::string at = fmt::format("queries.{}", index++);
    PlatformQuery query;
    query.field = text_of(item, "field");
    std::string objects = text_of(item, "query"), filter = text_of(item, "filter"), extract = text_of(item, "extract");
    query.value = data_of(item, "value");
    query.all = item.field("all").boolean().value_or(false);
    query.optional = item.field("optional").boolean().value_or(false);
    if (query.field.empty() || !read_objects(objects, query)) continue;  // the catalog's type says what is wrong
    query.positions = written_at(item.field("field"));
    auto path = parse_object_path(extract);
    if (!path) {
      result.mistakes.push_back(mistake(at + ".extract", item.field("extract"), path.error()));
      continue;
    }
    query.extract = std::move(*path);
    if (!filter.empty()) {
      auto conditions = parse_filter(filter);
      if (!conditions) {
        result.mistakes.push_back(mistake(at + ".filter", item.field("filter"), conditions.error(), "PATH == 'TEXT', PATH != 'TEXT', several with &&"));
        continue;
      }
      query.filter = std::move(*conditions);
    }
    if (query.kind == "Secret" && query.api_version == "v1" && reads_content(query)) {
      result.mistakes.push_back(mistake(at + ".query", item.field("query"), "of a Secret only the metadata can be asked for",
                                        "what a platform offers is written to a file, and secrets do not belong there"));
      continue;
    }
    query.text = objects;
    if (!filter.empty()) query.text += " where " + filter;
    query.text += query.value.is_null() ? " -> " + extract : " -> " + shown(query.value);
    if (query.all) query.text += " (all)";
    result.queries.push_back(std::move(query));
  }
  return result;
}

}  // namespace opm::model
