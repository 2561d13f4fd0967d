#include <algorithm>
#include <bit>
#include <memory>
#include <mutex>
#include <vector>

#include "cue/eval/evaluator.h"
#include "cue/eval/worlds.h"
#include "cue/program_parts.h"
#include "cue/syntax/literal.h"
#include "cue/value.h"

namespace opm::cue {

using eval::ArcKind;
using eval::BaseKind;
using eval::Node;
using eval::value_node;

struct FrozenParts {
  explicit FrozenParts(const base::NameTable& known) : names(&known), shared_names(known.size()) {}

  base::Name intern(std::string_view text) {
    std::lock_guard lock(mutex);
    return names.intern(text);
  }

  std::mutex mutex;
  std::vector<std::unique_ptr<base::Arena>> arenas;  // those that nobody freezes into just now
  base::NameTable names;
  std::uint32_t shared_names;  // names below this are the same in the contexts whose values are frozen
};

namespace {

// Makes nodes that hold data, and that nobody writes to later. Each thread that does so at the same time has an arena of
// its own.
class NodeMaker {
 public:
  explicit NodeMaker(FrozenParts& parts) : parts_(parts) {
    std::lock_guard lock(parts.mutex);
    if (parts.arenas.empty()) {
      arena_ = std::make_unique<base::Arena>();
    } else {
      arena_ = std::move(parts.arenas.back());
      parts.arenas.pop_back();
    }
  }
  ~NodeMaker() {
    std::lock_guard lock(parts_.mutex);
    parts_.arenas.push_back(std::move(arena_));
  }
  NodeMaker(const NodeMaker&) = delete;
  NodeMaker& operator=(const NodeMaker&) = delete;

  // As many nodes, to be filled, as fields or elements of `owner`.
  std::span<Node> make(std::size_t count) {
    std::span<Node> nodes = arena_->make_array<Node>(count);
    for (Node& node : nodes) {
      node.is_data = true;
      node.is_frozen = true;
      node.is_dynamic = true;
      node.not_rooted = true;
      node.status = eval::Status::finalized;
    }
    return nodes;
  }

  void set_content(Node& owner, BaseKind base, std::span<Node> content) {
    owner.base = base;
    owner.arcs.reserve(*arena_, static_cast<std::uint32_t>(content.size()));
    for (Node& node : content) {
      node.parent = &owner;
      owner.arcs.push(*arena_, &node);
    }
    eval::index_arcs(*arena_, &owner);
  }

  void set_value(Node& node, const eval::Value& value) {
    node.base = BaseKind::value;
    node.value = value;
  }

  eval::Value text(eval::ValueKind kind, std::string_view content, diag::Position position) {
    const auto* kept = arena_->make<std::string_view>(arena_->copy_text(content));
    return kind == eval::ValueKind::string ? eval::Value::of_string(kept, position) : eval::Value::of_bytes(kept, position);
  }
  eval::Value number(const base::Number& number, diag::Position position) {
    return eval::Value::of_number(arena_->make<base::Number>(number), position);
  }

  base::Arena& arena() { return *arena_; }
  base::Name intern(std::string_view text) { return parts_.intern(text); }
  Label string_label(std::string_view text) { return Label::string(intern(text)); }

 private:
  FrozenParts& parts_;
  std::unique_ptr<base::Arena> arena_;
};

// What is concrete of evaluated values.
class Freezer {
 public:
  Freezer(NodeMaker& maker, std::uint32_t shared_names, eval::Evaluator& evaluator)
      : maker_(maker), shared_names_(shared_names), evaluator_(evaluator) {}

  bool left_out() const { return left_out_; }

  // Without evaluating those fields of the value itself that are left out anyway.
  bool freeze_shown(Node* original, Node& frozen) {
    Node* node = evaluator_.settled_struct(original);
    return node != nullptr ? freeze_struct(node, frozen) : freeze(original, frozen);
  }

  // False: it is not concrete.
  bool freeze(Node* original, Node& frozen) {
    evaluator_.finalize(original);
    Node* node = value_node(original);
    while (node->base == BaseKind::disjunction && node->default_count == 1) node = value_node(node->disjuncts[0]);
    switch (node->base) {
      case BaseKind::value: return freeze_scalar(node->value, frozen);
      case BaseKind::list: return freeze_list(node, frozen);
      case BaseKind::structure: return freeze_struct(node, frozen);
      default: return false;
    }
  }

 private:
  bool freeze_list(Node* node, Node& frozen) {
    std::uint32_t length = 0;
    for (const Node* arc : node->arcs) length += arc->label.is_integer();
    std::span<Node> elements = maker_.make(length);
    std::uint32_t index = 0;
    for (Node* arc : node->arcs) {
      if (!arc->label.is_integer()) continue;
      elements[index].label = Label::integer(index);
      if (!freeze(arc, elements[index])) return false;
      ++index;
    }
    maker_.set_content(frozen, BaseKind::list, elements);
    return true;
  }

  // As comprehensions meet them, which is not the order in which fields are shown.
  bool freeze_struct(Node* node, Node& frozen) {
    std::span<Node> fields = maker_.make(node->arcs.size());
    std::size_t kept = 0;
    for (Node* arc : node->arcs) {
      if (arc->arc != ArcKind::member || arc->label.is_hidden() || arc->label.is_integer()) {
        left_out_ = left_out_ || arc->arc <= ArcKind::required;
      } else if (freeze(arc, fields[kept])) {
        fields[kept++].label = translate(arc->label);
      } else {
        left_out_ = true;
      }
    }
    maker_.set_content(frozen, BaseKind::structure, fields.first(kept));
    return true;
  }

  // Names that the value's context made have other numbers here.
  Label translate(Label label) {
    if (static_cast<std::uint32_t>(label.name()) < shared_names_) return label;
    std::string_view text = evaluator_.names().text(label.name());
    return Label::make(label.kind(), static_cast<std::uint32_t>(maker_.intern(text)));
  }

  bool freeze_scalar(const eval::Value& value, Node& frozen) {
    if (!value.is_concrete_scalar()) return false;
    if (const eval::Variation* variation = value.variation(); variation != nullptr && !is_alone(*variation->worlds)) {
      maker_.set_value(frozen, varying(value, *variation));
      return true;
    }
    if (value.is_text()) maker_.set_value(frozen, maker_.text(value.kind, value.string(), value.position));
    else if (value.is_number()) maker_.set_value(frozen, maker_.number(copied(*value.number), value.position));
    else maker_.set_value(frozen, value);
    return true;
  }

  // In one world nothing varies.
  static bool is_alone(const eval::Worlds& worlds) {
    std::size_t held = 0;
    for (std::size_t i = 0; i < worlds.size() && held < 2; ++i) held += worlds.holds(i);
    return held == 1;
  }

  // In worlds that were dropped it is what it is in the witness: nobody asks.
  eval::Value varying(const eval::Value& value, const eval::Variation& variation) {
    const eval::Worlds& worlds = *variation.worlds;
    auto payloads = maker_.arena().make_array<const void*>(worlds.size());
    for (std::size_t i = 0; i < payloads.size(); ++i) {
      const void* payload = variation.payloads[worlds.holds(i) ? i : worlds.witness()];
      if (variation.is_number) {
        payloads[i] = maker_.number(copied(*static_cast<const base::Number*>(payload)), {}).number.get();
      } else {
        payloads[i] = maker_.text(value.kind, *static_cast<const std::string_view*>(payload), {}).text.get();
      }
    }
    return eval::Value::of_variation(value, maker_.arena().make<eval::Variation>(nullptr, variation.is_number, payloads));
  }

  base::Number copied(const base::Number& number) {
    if (number.is_int()) {
      if (auto small = number.to_int64()) return base::Number::from_int(*small);
    }
    auto parsed = base::Number::parse_decimal(maker_.arena(), number.text());
    if (!parsed) return number;
    return number.is_int() ? *parsed : parsed->as_float();
  }

  NodeMaker& maker_;
  std::uint32_t shared_names_;
  eval::Evaluator& evaluator_;
  bool left_out_ = false;
};

// Readers cap how deeply data nests.
void freeze_data(NodeMaker& maker, const data::Value& data, Node& frozen) {
  if (data.is_list()) {
    std::span<Node> elements = maker.make(data.as_list().size());
    for (std::size_t i = 0; i < elements.size(); ++i) {
      elements[i].label = Label::integer(static_cast<std::uint32_t>(i));
      freeze_data(maker, data.as_list()[i], elements[i]);
    }
    maker.set_content(frozen, BaseKind::list, elements);
  } else if (data.is_map()) {
    std::span<Node> fields = maker.make(data.as_map().size());
    for (std::size_t i = 0; i < fields.size(); ++i) {
      fields[i].label = maker.string_label(data.as_map()[i].key);
      freeze_data(maker, data.as_map()[i].value, fields[i]);
    }
    maker.set_content(frozen, BaseKind::structure, fields);
  } else if (data.is_string()) {
    maker.set_value(frozen, maker.text(eval::ValueKind::string, data.as_string(), data.position));
  } else if (data.is_bytes()) {
    maker.set_value(frozen, maker.text(eval::ValueKind::bytes, data.as_bytes().bytes, data.position));
  } else if (data.is_number()) {
    auto number = base::Number::parse_decimal(maker.arena(), data.as_number().text);
    if (!number) return;
    maker.set_value(frozen, maker.number(data.as_number().is_integer ? *number : number->as_float(), data.position));
  } else {
    maker.set_value(frozen, data.is_bool() ? eval::Value::boolean(data.as_bool(), data.position) : eval::Value::null(data.position));
  }
}

// Data of the same shape, one for each world, as one that varies.
class Weaver {
 public:
  Weaver(NodeMaker& maker, std::span<const Node* const> worlds) : maker_(maker), own_(worlds.size()) {
    for (std::size_t i = 1; i < worlds.size(); ++i) own_[i] = worlds[i] == worlds[i - 1] ? own_[i - 1] + 1 : 0;
  }

  // False: more differs than texts and numbers.
  bool weave(std::span<const Node* const> worlds, Node& woven) {
    const Node& first = *worlds.front();
    auto is_alike = [&](const Node* other) { return other->base == first.base && other->arcs.size() == first.arcs.size(); };
    if (!std::ranges::all_of(worlds, is_alike)) return false;
    if (first.base == BaseKind::value) return weave_values(worlds, woven);
    std::span<Node> content = maker_.make(first.arcs.size());
    std::vector<const Node*> parts(worlds.size());
    for (std::uint32_t i = 0; i < first.arcs.size(); ++i) {
      Label label = first.arcs[i]->label;
      std::ranges::transform(worlds, parts.begin(), [&](const Node* world) { return world->arcs[i]; });
      if (!std::ranges::all_of(parts, [&](const Node* part) { return part->label == label; })) return false;
      if (!weave(parts, content[i])) return false;
      content[i].label = label;
    }
    maker_.set_content(woven, first.base, content);
    return true;
  }

 private:
  bool weave_values(std::span<const Node* const> worlds, Node& woven) {
    const eval::Value& first = worlds.front()->value;
    auto is_alike = [&](const Node* world) {
      const eval::Value& value = world->value;
      return value.kind == first.kind && eval::kinds_of(value) == eval::kinds_of(first) &&
             (value.kind != eval::ValueKind::boolean || value.boolean_value == first.boolean_value);
    };
    if (!std::ranges::all_of(worlds, is_alike)) return false;
    bool is_number = first.is_number();
    if (!is_number && !first.is_text()) {
      maker_.set_value(woven, first);
      return true;
    }
    std::vector<const void*> payloads(worlds.size());
    for (std::size_t i = 0; i < worlds.size(); ++i) {
      payloads[i] = payload(worlds[i]->value, own_[i]);
      if (payloads[i] == nullptr) return false;
    }
    auto is_first = [&](const void* other) { return eval::same_payload(payloads.front(), other, is_number); };
    if (first.variation() == nullptr && std::ranges::all_of(payloads, is_first)) {
      maker_.set_value(woven, first);
    } else {
      auto kept = maker_.arena().copy(std::span<const void* const>(payloads));
      maker_.set_value(woven, eval::Value::of_variation(first, maker_.arena().make<eval::Variation>(nullptr, is_number, kept)));
    }
    return true;
  }

  // Nothing: it has no such world.
  static const void* payload(const eval::Value& value, std::size_t world) {
    if (const eval::Variation* variation = value.variation())
      return world < variation->payloads.size() ? variation->payloads[world] : nullptr;
    return eval::payload_of(value);
  }

  NodeMaker& maker_;
  std::vector<std::size_t> own_;  // by world: which world of its own a value is to be read in
};

class ShapeHash {
 public:
  std::size_t result = 0;

  void add(const Node& node) {
    add(static_cast<std::size_t>(node.base));
    if (node.base == BaseKind::value) {
      add(eval::kinds_of(node.value));
      if (node.value.kind == eval::ValueKind::boolean) add(node.value.boolean_value ? 1 : 2);
      return;
    }
    for (const Node* part : node.arcs) {
      add((static_cast<std::size_t>(part->label.name()) << 4) + static_cast<std::size_t>(part->label.kind()));
      add(*part);
    }
    add(node.arcs.size());
  }

 private:
  void add(std::size_t part) { result = (std::rotl(result, 5) ^ part) * 0x9e3779b97f4a7c15u; }
};

class SourceWriter {
 public:
  explicit SourceWriter(const base::NameTable& names) : names_(names) {}
  std::string text;

  void write(const Node& node, std::size_t indent) {
    if (node.base == BaseKind::list || node.base == BaseKind::structure) return write_content(node, indent);
    switch (node.value.kind) {
      case eval::ValueKind::null: text += "null"; break;
      case eval::ValueKind::boolean: text += node.value.boolean_value ? "true" : "false"; break;
      case eval::ValueKind::number: text += node.value.number->text(); break;
      case eval::ValueKind::string: text += syntax::quote(node.value.string()); break;
      case eval::ValueKind::bytes: text += syntax::quote_bytes(node.value.string()); break;
      default: text += "_"; break;
    }
  }

 private:
  void write_content(const Node& node, std::size_t indent) {
    bool is_list = node.base == BaseKind::list;
    text += is_list ? '[' : '{';
    for (const Node* part : node.arcs) {
      text += '\n';
      text.append(indent + 1, '\t');
      if (!is_list) {
        std::string_view name = label_text(names_, part->label);
        text += part->label.is_definition() ? std::string(name) : syntax::quote_label(name);
        text += ": ";
      }
      write(*part, indent + 1);
      if (is_list) text += ',';
    }
    if (!node.arcs.empty()) {
      text += '\n';
      text.append(indent, '\t');
    }
    text += is_list ? ']' : '}';
  }

  const base::NameTable& names_;
};

}  // namespace

std::string Frozen::source(Handle frozen) const {
  SourceWriter writer(parts_->names);
  writer.write(*frozen, 0);
  return std::move(writer.text);
}

Frozen::Frozen(std::shared_ptr<const Program> program)
    : program_(std::move(program)), parts_(std::make_unique<FrozenParts>(program_->parts().names)) {}

Frozen::Frozen(const Frozen* base) : program_(base->program_), parts_(std::make_unique<FrozenParts>(base->parts_->names)) {}

Frozen::~Frozen() = default;

const base::NameTable& Frozen::names() const { return parts_->names; }

Frozen::Handle Frozen::freeze(const Value& value) { return freeze(value, false); }
Frozen::Handle Frozen::freeze_whole(const Value& value) { return freeze(value, true); }

Frozen::Handle Frozen::freeze(const Value& value, bool whole) {
  Handle result = nullptr;
  if (!value.valid()) return result;
  value.context().run([&] {
    NodeMaker maker(*parts_);
    Freezer freezer(maker, parts_->shared_names, value.context().evaluator());
    Node& node = maker.make(1)[0];
    bool is_concrete = whole ? freezer.freeze(value.node(), node) : freezer.freeze_shown(value.node(), node);
    if (is_concrete && !(whole && freezer.left_out())) result = &node;
  });
  return result;
}

Frozen::Handle Frozen::freeze(const data::Value& data) {
  NodeMaker maker(*parts_);
  Node& node = maker.make(1)[0];
  freeze_data(maker, data, node);
  return &node;
}

Frozen::Handle Frozen::varying(std::span<const Handle> worlds) {
  NodeMaker maker(*parts_);
  Node& node = maker.make(1)[0];
  return Weaver(maker, worlds).weave(worlds, node) ? &node : nullptr;
}

std::size_t Frozen::shape(Handle frozen) const {
  ShapeHash hash;
  hash.add(*frozen);
  return hash.result;
}

Frozen::Handle Frozen::structure(std::span<const std::pair<std::string_view, Handle>> fields) {
  NodeMaker maker(*parts_);
  std::span<Node> nodes = maker.make(fields.size());
  std::lock_guard lock(parts_->mutex);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto& [name, value] = fields[i];
    nodes[i] = *value;
    nodes[i].label = name.starts_with('#') ? identifier_label(parts_->names, name, "_") : string_label(parts_->names, name);
  }
  Node& result = maker.make(1)[0];
  maker.set_content(result, BaseKind::structure, nodes);
  return &result;
}

}  // namespace opm::cue
