#include "data/yaml_graph.h"

#include <fmt/core.h>
#include <yaml.h>

#include <optional>
#include <string>
#include <unordered_map>

#include "base/unicode.h"

namespace opm::data {

namespace {

// The scanner looks at every open flow collection for every token in it. This bounds
// the product, so that a large file of deep brackets ends in an error and not in a wait.
constexpr std::uint64_t kFlowBudget = 100'000'000;
// Directives are compared pairwise.
constexpr std::size_t kMaxTagDirectives = 100;

class Parser {
 public:
  Parser() { ok_ = yaml_parser_initialize(&parser_) != 0; }
  ~Parser() {
    if (ok_) yaml_parser_delete(&parser_);
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  bool ok() const { return ok_; }
  yaml_parser_t* get() { return &parser_; }

 private:
  yaml_parser_t parser_;
  bool ok_;
};

class Event {
 public:
  explicit Event(yaml_parser_t* parser) { ok_ = yaml_parser_parse(parser, &event_) != 0; }
  ~Event() {
    if (ok_) yaml_event_delete(&event_);
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  bool ok() const { return ok_; }
  const yaml_event_t& operator*() const { return event_; }

 private:
  yaml_event_t event_;
  bool ok_;
};

std::string_view as_text(const yaml_char_t* text) {
  return text == nullptr ? std::string_view{} : std::string_view(reinterpret_cast<const char*>(text));
}

// The parser counts characters, positions are bytes. Marks come in order, with small
// steps back, so this walks the text once.
class OffsetCursor {
 public:
  explicit OffsetCursor(std::string_view text) : text_(text), is_ascii_(base::is_ascii(text)) {}

  std::size_t byte_offset(std::size_t character) {
    if (is_ascii_) return std::min(character, text_.size());
    for (; character_ > character; --character_) {
      do {
        --byte_;
      } while ((static_cast<unsigned char>(text_[byte_]) & 0xC0) == 0x80);
    }
    while (character_ < character && byte_ < text_.size()) {
      ++byte_;
      while (byte_ < text_.size() && (static_cast<unsigned char>(text_[byte_]) & 0xC0) == 0x80) ++byte_;
      ++character_;
    }
    return byte_;
  }

 private:
  std::string_view text_;
  bool is_ascii_;
  std::size_t character_ = 0;
  std::size_t byte_ = 0;
};

std::size_t count_tag_directives(std::string_view text) {
  std::size_t count = text.starts_with("%TAG") ? 1 : 0;
  for (std::size_t at = text.find("\n%TAG"); at != std::string_view::npos; at = text.find("\n%TAG", at + 1)) ++count;
  return count;
}

}  // namespace

class YamlGraphReader::Builder {
 public:
  Builder(const diag::Source& source, const ReadLimits& limits)
      : source_(source), limits_(limits), cursor_(source.text) {}

  std::expected<void, diag::Diagnostic> next(YamlGraph& document) {
    document.nodes.clear();
    document.arena.reset();
    graph_ = &document;
    if ((started_ || start()) && read_document()) return {};
    return std::unexpected(std::move(*diagnostic_));
  }

 private:
  struct Open {
    std::uint32_t node;
    std::uint32_t last_child;
    bool is_flow;
  };

  bool fail(std::string_view code, std::string message, std::size_t offset) {
    diagnostic_ = diag::Diagnostic{.code = std::string(code),
                                   .message = std::move(message),
                                   .positions = {source_.begin.plus(static_cast<std::uint32_t>(offset))}};
    return false;
  }

  bool check_source() {
    if (source_.text.size() > limits_.max_bytes) {
      return fail("yaml-limit", fmt::format("file is larger than {} bytes", limits_.max_bytes), 0);
    }
    if (base::find_invalid_utf8(source_.text) != std::string_view::npos) {
      std::size_t offset = base::find_invalid_utf8(source_.text);
      return fail("yaml-syntax", "invalid UTF-8", offset == std::string::npos ? 0 : offset);
    }
    if (count_tag_directives(source_.text) > kMaxTagDirectives) {
      return fail("yaml-limit", fmt::format("more than {} %TAG directives", kMaxTagDirectives), 0);
    }
    return true;
  }

  bool start() {
    started_ = true;
    if (!check_source()) return false;
    if (!parser_.ok()) return fail("yaml-limit", "out of memory", 0);
    yaml_parser_set_encoding(parser_.get(), YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(parser_.get(), reinterpret_cast<const unsigned char*>(source_.text.data()),
                                 source_.text.size());
    return true;
  }

  bool read_document() {
    while (!ended_) {
      Event event(parser_.get());
      if (!event.ok()) return fail_in_parser(*parser_.get());
      if ((*event).type == YAML_DOCUMENT_END_EVENT) return true;
      if ((*event).type == YAML_STREAM_END_EVENT) ended_ = true;
      else if (!handle(*event)) return false;
    }
    return true;
  }

  bool fail_in_parser(const yaml_parser_t& parser) {
    std::string message = parser.problem == nullptr ? "out of memory" : parser.problem;
    if (parser.error == YAML_READER_ERROR) {
      return fail("yaml-syntax", message, std::min(parser.problem_offset, source_.text.size()));
    }
    std::size_t offset = cursor_.byte_offset(parser.problem_mark.index);
    if (parser.context != nullptr) message += fmt::format(" ({})", parser.context);
    return fail("yaml-syntax", message, offset);
  }

  bool handle(const yaml_event_t& event) {
    switch (event.type) {
      case YAML_DOCUMENT_START_EVENT:
        anchors_.clear();
        return true;
      case YAML_SCALAR_EVENT:
        return add_scalar(event);
      case YAML_SEQUENCE_START_EVENT:
        return open(event, YamlNode::Kind::list, event.data.sequence_start.anchor, event.data.sequence_start.tag,
                    event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE);
      case YAML_MAPPING_START_EVENT:
        return open(event, YamlNode::Kind::map, event.data.mapping_start.anchor, event.data.mapping_start.tag,
                    event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE);
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT:
        if (open_.back().is_flow) --flow_depth_;
        open_.pop_back();
        return true;
      case YAML_ALIAS_EVENT:
        return add_alias(event);
      default:
        return true;
    }
  }

  // Appends a node to the innermost open collection, if there is one.
  bool add(const yaml_event_t& event, YamlNode node) {
    node.offset = static_cast<std::uint32_t>(cursor_.byte_offset(event.start_mark.index));
    if (node_count_++ >= limits_.max_nodes) {
      return fail("yaml-limit", fmt::format("more than {} values", limits_.max_nodes), node.offset);
    }
    flow_cost_ += flow_depth_;
    if (flow_cost_ > kFlowBudget) {
      return fail("yaml-limit", "flow collections are nested too deeply for a file of this size", node.offset);
    }
    auto index = static_cast<std::uint32_t>(graph_->nodes.size());
    if (!open_.empty()) {
      Open& parent = open_.back();
      if (parent.last_child == YamlNode::kNone) {
        graph_->nodes[parent.node].first = index;
      } else {
        graph_->nodes[parent.last_child].next = index;
      }
      parent.last_child = index;
    }
    graph_->nodes.push_back(node);
    return true;
  }

  void set_anchor(const yaml_char_t* anchor) {
    if (anchor == nullptr) return;
    anchors_[std::string(as_text(anchor))] = static_cast<std::uint32_t>(graph_->nodes.size() - 1);
  }

  std::string_view short_tag(const yaml_char_t* tag) {
    constexpr std::string_view kPrefix = "tag:yaml.org,2002:";
    std::string_view text = as_text(tag);
    if (text.empty() || text == "!") return {};
    if (!text.starts_with(kPrefix)) return graph_->arena.copy_text(text);
    return graph_->arena.copy_text(fmt::format("!!{}", text.substr(kPrefix.size())));
  }

  bool add_scalar(const yaml_event_t& event) {
    const auto& scalar = event.data.scalar;
    YamlNode node;
    node.kind = YamlNode::Kind::scalar;
    node.is_plain = scalar.style == YAML_PLAIN_SCALAR_STYLE;
    node.text = graph_->arena.copy_text({reinterpret_cast<const char*>(scalar.value), scalar.length});
    node.tag = short_tag(scalar.tag);
    if (!add(event, node)) return false;
    set_anchor(scalar.anchor);
    return true;
  }

  bool open(const yaml_event_t& event, YamlNode::Kind kind, const yaml_char_t* anchor, const yaml_char_t* tag,
            bool is_flow) {
    YamlNode node;
    node.kind = kind;
    node.tag = short_tag(tag);
    if (!add(event, node)) return false;
    if (open_.size() >= limits_.max_depth) {
      return fail("yaml-limit", fmt::format("nested more than {} levels deep", limits_.max_depth),
                  graph_->nodes.back().offset);
    }
    set_anchor(anchor);
    open_.push_back({static_cast<std::uint32_t>(graph_->nodes.size() - 1), YamlNode::kNone, is_flow});
    if (is_flow) ++flow_depth_;
    return true;
  }

  bool add_alias(const yaml_event_t& event) {
    YamlNode node;
    node.kind = YamlNode::Kind::alias;
    node.text = graph_->arena.copy_text(as_text(event.data.alias.anchor));
    if (!add(event, node)) return false;
    std::size_t offset = graph_->nodes.back().offset;
    auto anchor = anchors_.find(std::string(node.text));
    if (anchor == anchors_.end()) {
      return fail("yaml-syntax", fmt::format("unknown anchor '{}' referenced", node.text), offset);
    }
    for (const Open& ancestor : open_) {
      if (ancestor.node == anchor->second) {
        return fail("yaml-syntax", fmt::format("anchor '{}' value contains itself", node.text), offset);
      }
    }
    graph_->nodes.back().first = anchor->second;
    return true;
  }

  const diag::Source& source_;
  const ReadLimits& limits_;
  OffsetCursor cursor_;
  YamlGraph* graph_ = nullptr;
  std::vector<Open> open_;
  std::unordered_map<std::string, std::uint32_t> anchors_;
  std::uint64_t flow_depth_ = 0;
  std::uint64_t flow_cost_ = 0;
  std::optional<diag::Diagnostic> diagnostic_;
  Parser parser_;
  bool started_ = false;
  bool ended_ = false;
  std::size_t node_count_ = 0;  // of all documents
};

YamlGraphReader::YamlGraphReader(const diag::Source& source, const ReadLimits& limits)
    : builder_(std::make_unique<Builder>(source, limits)) {}
YamlGraphReader::~YamlGraphReader() = default;
YamlGraphReader::YamlGraphReader(YamlGraphReader&&) noexcept = default;

std::expected<void, diag::Diagnostic> YamlGraphReader::next(YamlGraph& document) { return builder_->next(document); }

}  // namespace opm::data
