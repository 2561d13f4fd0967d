#include <fmt/core.h>

#include <optional>
#include <unordered_map>

#include "data/base64.h"
#include "data/duplicates.h"
#include "data/yaml.h"
#include "data/yaml_graph.h"
#include "data/yaml_scalar.h"

namespace opm::data {

using Kind = YamlNode::Kind;

class YamlDocuments::Reader {
 public:
  Reader(const diag::Source& source, const ReadLimits& limits)
      : source_(source), limits_(limits), graphs_(source, limits_) {}

  std::expected<std::optional<Value>, std::vector<diag::Diagnostic>> next() {
    if (auto read = graphs_.next(graph_); !read) return std::unexpected(std::vector{std::move(read.error())});
    if (graph_.nodes.empty()) return std::nullopt;
    total_nodes_ += graph_.nodes.size();
    std::optional<Value> document(std::in_place);
    if (!convert(node(0), *document, 0)) return std::unexpected(std::vector{std::move(*diagnostic_)});
    return document;
  }

 private:
  // Members of a map that came through `<<`.
  struct MergedRange {
    std::size_t begin;
    std::size_t end;
  };

  const YamlNode& node(std::uint32_t index) const { return graph_.nodes[index]; }

  diag::Position position(const YamlNode& node) const { return source_.begin.plus(node.offset); }

  bool fail(const YamlNode& node, std::string_view code, std::string message) {
    diagnostic_ = diag::Diagnostic{
        .code = std::string(code), .message = std::move(message), .positions = {position(node)}};
    return false;
  }

  bool convert(const YamlNode& node, Value& out, unsigned depth) {
    if (alias_depth_ > 0 && !count_alias_node(node)) return false;
    out.position = position(node);
    switch (node.kind) {
      case Kind::scalar:
        return convert_scalar(node, out);
      case Kind::alias: {
        ++alias_depth_;
        bool ok = convert(this->node(node.first), out, depth);
        --alias_depth_;
        out.position = position(node);  // where it is used, not where it was anchored
        return ok;
      }
      case Kind::list:
        return check_depth(node, depth) && convert_list(node, out, depth + 1);
      case Kind::map:
        return check_depth(node, depth) && convert_map(node, out, depth + 1);
    }
    return false;
  }

  bool check_depth(const YamlNode& node, unsigned depth) {
    if (depth < limits_.max_depth) return true;
    return fail(node, "yaml-limit", fmt::format("nested more than {} levels deep", limits_.max_depth));
  }

  bool count_alias_node(const YamlNode& node) {
    ++alias_nodes_;
    ++total_nodes_;
    alias_bytes_ += node.text.size();
    if (alias_nodes_ > limits_.max_alias_nodes) {
      return fail(node, "yaml-limit", fmt::format("aliases expand to more than {} nodes", limits_.max_alias_nodes));
    }
    if (alias_bytes_ > limits_.max_alias_bytes) {
      return fail(node, "yaml-limit", fmt::format("aliases expand to more than {} bytes", limits_.max_alias_bytes));
    }
    if (total_nodes_ > limits_.max_nodes) {
      return fail(node, "yaml-limit", fmt::format("more than {} values", limits_.max_nodes));
    }
    return true;
  }

  bool convert_list(const YamlNode& node, Value& out, unsigned depth) {
    List list;
    for (std::uint32_t item = node.first; item != YamlNode::kNone; item = this->node(item).next) {
      if (!convert(this->node(item), list.emplace_back(), depth)) return false;
    }
    out.variant = std::move(list);
    return true;
  }

  bool convert_map(const YamlNode& node, Value& out, unsigned depth) {
    Map map;
    std::vector<MergedRange> merged;
    if (!add_members(node, map, depth, &merged)) return false;
    if (!merged.empty()) return unite_merged(map, merged, out);
    if (auto duplicate = find_duplicate(map)) return fail_duplicate(map[duplicate->first], map[duplicate->second]);
    out.variant = std::move(map);
    return true;
  }

  bool fail_duplicate(const Member& second, const Member& first) {
    diagnostic_ = diag::Diagnostic{.code = "duplicate-key",
                                   .message = fmt::format("duplicate key \"{}\"", second.key),
                                   .positions = {second.key_position, first.key_position}};
    return false;
  }

  static bool is_merge_key(const YamlNode& key) {
    return key.kind == Kind::scalar && key.text == "<<" && ((key.is_plain && key.tag.empty()) || key.tag == "!!merge");
  }

  // Adds the members of a map, those that `<<` brings at the place where it stands.
  bool add_members(const YamlNode& map_node, Map& map, unsigned depth, std::vector<MergedRange>* merged) {
    for (std::uint32_t index = map_node.first; index != YamlNode::kNone;) {
      const YamlNode& key = node(index);
      const YamlNode& value = node(key.next);
      index = value.next;
      if (is_merge_key(key)) {
        std::size_t begin = map.size();
        if (!merge(value, map, depth)) return false;
        if (merged != nullptr) merged->push_back({begin, map.size()});
        continue;
      }
      if (alias_depth_ > 0 && !count_alias_node(key)) return false;
      Member& member = map.emplace_back();
      member.key_position = position(key);
      if (!convert_key(key, member.key) || !convert(value, member.value, depth)) return false;
    }
    return true;
  }

  bool merge(const YamlNode& value, Map& map, unsigned depth) {
    if (value.kind == Kind::alias) {
      ++alias_depth_;
      bool ok = count_alias_node(value) && merge(node(value.first), map, depth);
      --alias_depth_;
      return ok;
    }
    if (!check_depth(value, depth)) return false;
    if (value.kind == Kind::map) return add_members(value, map, depth + 1, nullptr);
    if (value.kind == Kind::scalar) {
      return fail(value, "yaml-syntax", "map merge requires map or sequence of maps as the value");
    }
    // The first map of a list wins; what is added last wins in unite_merged.
    std::vector<std::uint32_t> items;
    for (std::uint32_t item = value.first; item != YamlNode::kNone; item = node(item).next) items.push_back(item);
    for (auto item = items.rbegin(); item != items.rend(); ++item) {
      if (!merge(node(*item), map, depth + 1)) return false;
    }
    return true;
  }

  // In a map with `<<` what comes later replaces the value but keeps the place, as CUE has it; a key that the
  // map itself has twice is an error all the same.
  bool unite_merged(Map& map, const std::vector<MergedRange>& merged, Value& out) {
    struct Place {
      std::size_t index;
      bool is_own;
    };
    std::unordered_map<std::string, Place> places;
    Map united;
    auto range = merged.begin();
    for (std::size_t i = 0; i < map.size(); ++i) {
      while (range != merged.end() && i >= range->end) ++range;
      bool is_own = range == merged.end() || i < range->begin;
      auto [place, is_new] = places.emplace(map[i].key, Place{united.size(), is_own});
      if (is_new) {
        united.push_back(std::move(map[i]));
        continue;
      }
      Member& earlier = united[place->second.index];
      if (is_own && place->second.is_own) return fail_duplicate(map[i], earlier);
      place->second.is_own |= is_own;
      earlier.value = std::move(map[i].value);
      earlier.key_position = map[i].key_position;
    }
    out.variant = std::move(united);
    return true;
  }

  bool convert_key(const YamlNode& key, std::string& out) {
    const YamlNode& scalar = key.kind == Kind::alias ? node(key.first) : key;
    if (scalar.kind != Kind::scalar) {
      return fail(key, "yaml-syntax",
                  fmt::format("invalid map key: {}", scalar.kind == Kind::map ? "!!map" : "!!seq"));
    }
    if (key.kind == Kind::alias && !count_alias_node(scalar)) return false;
    Value value;
    if (!convert_scalar(scalar, value)) return false;
    if (value.is_null()) {
      out = "null";
    } else if (value.is_bool()) {
      out = value.as_bool() ? "true" : "false";
    } else if (value.is_number()) {
      if (scalar.text.starts_with('-')) return fail(key, "yaml-syntax", fmt::format("invalid label {}", scalar.text));
      out = yaml_number_key(scalar.text);
    } else {
      out = scalar.text;
    }
    return true;
  }

  bool convert_scalar(const YamlNode& node, Value& out) {
    if (node.tag.empty()) {
      if (!node.is_plain) {
        out.variant = std::string(node.text);
        return true;
      }
      return convert_resolved(node, resolve_yaml_plain(node.text), out);
    }
    return convert_tagged(node, out);
  }

  bool convert_resolved(const YamlNode& node, YamlKind kind, Value& out) {
    switch (kind) {
      case YamlKind::null:
        out.variant = std::monostate{};
        return true;
      case YamlKind::boolean:
        out.variant = node.text[0] == 't' || node.text[0] == 'T';
        return true;
      case YamlKind::integer:
      case YamlKind::floating: {
        auto number = read_yaml_number(node.text, kind);
        if (!number) return fail(node, "yaml-syntax", number.error());
        out.variant = std::move(*number);
        return true;
      }
      case YamlKind::not_finite:
        return fail(node, "yaml-syntax", fmt::format("\"{}\" is not a finite number", node.text));
      case YamlKind::merge:
        return fail(node, "yaml-syntax", "cannot unmarshal tag \"!!merge\"");
      case YamlKind::false_octal:
      case YamlKind::string:
        out.variant = std::string(node.text);
        return true;
    }
    return false;
  }

  bool convert_tagged(const YamlNode& node, Value& out) {
    if (node.tag == "!!str" || node.tag == "!!timestamp") {
      out.variant = std::string(node.text);
      return true;
    }
    if (node.tag == "!!binary") {
      auto bytes = decode_base64(node.text);
      if (!bytes) return fail(node, "yaml-syntax", "!!binary value contains invalid base64 data");
      out.variant = Bytes{std::move(*bytes)};
      return true;
    }
    if (node.tag == "!!int") return convert_resolved(node, YamlKind::integer, out);
    YamlKind resolved = resolve_yaml_plain(node.text);
    if (node.tag == "!!float") {
      return convert_resolved(node, resolved == YamlKind::not_finite ? resolved : YamlKind::floating, out);
    }
    if (node.tag == "!!bool" || node.tag == "!!null") {
      YamlKind wanted = node.tag == "!!bool" ? YamlKind::boolean : YamlKind::null;
      if (resolved == wanted) return convert_resolved(node, wanted, out);
      return fail(node, "yaml-syntax", fmt::format("cannot decode \"{}\" as {}", node.text, node.tag));
    }
    return fail(node, "yaml-syntax", fmt::format("cannot unmarshal tag \"{}\"", node.tag));
  }

  const diag::Source& source_;
  const ReadLimits limits_;
  YamlGraphReader graphs_;
  YamlGraph graph_;              // of the document that is being read
  std::size_t total_nodes_ = 0;  // of all documents
  std::size_t alias_nodes_ = 0;
  std::size_t alias_bytes_ = 0;
  unsigned alias_depth_ = 0;
  std::optional<diag::Diagnostic> diagnostic_;
};

YamlDocuments::YamlDocuments(const diag::Source& source, const ReadLimits& limits)
    : reader_(std::make_unique<Reader>(source, limits)) {}
YamlDocuments::~YamlDocuments() = default;
YamlDocuments::YamlDocuments(YamlDocuments&&) noexcept = default;

std::expected<std::optional<Value>, std::vector<diag::Diagnostic>> YamlDocuments::next() { return reader_->next(); }

std::expected<std::vector<Value>, std::vector<diag::Diagnostic>> read_yaml(const diag::Source& source,
                                                                           const ReadLimits& limits) {
  YamlDocuments documents(source, limits);
  std::vector<Value> values;
  for (;;) {
    auto document = documents.next();
    if (!document) return std::unexpected(std::move(document.error()));
    if (!*document) return values;
    values.push_back(std::move(**document));
  }
}

}  // namespace opm::data
