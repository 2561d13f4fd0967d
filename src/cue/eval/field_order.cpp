#include "cue/eval/field_order.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <optional>
#include <queue>
#include <unordered_map>
#include <utility>

#include "base/arena.h"

namespace opm::cue::eval {

namespace {

using compile::DeclarationKind;
using compile::ExpressionKind;
using compile::StructExpression;

constexpr std::uint32_t kNone = ~0u;

// One struct literal that was unified into the node.
struct Literal {
  const StructExpression* structure = nullptr;
  Node* data = nullptr;  // or a struct that was evaluated elsewhere
  Position position;  // of the reference that brought it in, or of its last field
  const diag::Source* source = nullptr;
  bool is_explicit = false;  // an operand of `&`
  bool has_dynamic = false;  // some of its computed labels are fields
  std::uint32_t place = kNone;
};

struct Link {
  std::uint32_t index;
  Link* next;
};

// The places of literals that an expression brought in, or that declare it. All of them move to where the expression stands.
struct Group {
  Link* places = nullptr;
  Position position;
  std::uint32_t moved = 0;  // when they did last
};
struct GroupLink {
  const Group* group;
  GroupLink* next;
};

// A field, in the graph of what comes before what.
struct Vertex {
  Label label;
  std::uint32_t literal = kNone;  // that declared it last
  std::uint32_t waits_for = 0;    // how many come right before it
  Node* arc = nullptr;            // null: declared, but not there (an optional field)
  Link* outgoing = nullptr;       // what comes later
  Link* last_outgoing = nullptr;
};

// Keys to values, for a number of keys that is known before. There is one for each struct of a result, and most are
// small: it lives in an arena and is a single array.
template <typename Value>
class Table {
 public:
  Table(base::Arena& arena, std::size_t most_keys)
      : slots_(arena.make_array<Slot>(std::bit_ceil(most_keys + most_keys / 2 + 1))) {}

  // Null: not there.
  Value* find(std::uint64_t key) {
    Slot& slot = slot_of(key);
    return slot.key == key ? &slot.value : nullptr;
  }
  // The key is never 0.
  std::pair<Value*, bool> add(std::uint64_t key) {
    Slot& slot = slot_of(key);
    bool is_new = slot.key != key;
    slot.key = key;
    return {&slot.value, is_new};
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    Value value{};
  };

  Slot& slot_of(std::uint64_t key) {
    std::size_t mask = slots_.size() - 1;
    std::size_t at = (key * 0x9E3779B97F4A7C15u >> 32) & mask;
    while (slots_[at].key != 0 && slots_[at].key != key) at = (at + 1) & mask;
    return slots_[at];
  }

  std::span<Slot> slots_;
};

std::uint64_t key_of(const Expression* expression) { return reinterpret_cast<std::uintptr_t>(expression); }

// How much there will be at most.
struct Extent {
  std::size_t literals = 0;
  std::size_t expressions = 0;
  std::size_t labels = 0;

  explicit Extent(const Node& node) {
    for (const Insertion& insertion : insertions_of(node)) {
      if (insertion.kind == Insertion::Kind::data) {
        ++literals;
        labels += insertion.node->arcs.size();
      } else if (insertion.kind == Insertion::Kind::structure) {
        ++literals;
        std::size_t declarations = static_cast<const StructExpression*>(insertion.expression)->declarations.size();
        expressions += declarations + 1;
        labels += declarations;
      }
    }
    labels += node.arcs.size();
    for (const Node* arc : node.arcs) expressions += arc->conjuncts.size();
  }
};

class FieldOrder {
 public:
  FieldOrder(Evaluator& evaluator, Node* node, const Node* owner)
      : evaluator_(evaluator), node_(node), owner_(owner), extent_(*node),
        by_expression_(arena_, extent_.expressions) {
    literals_.reserve(extent_.literals);
    places_.reserve(extent_.literals);
  }

  std::vector<Node*> run(KnownOrders* known) {
    collect_literals();
    find_explicit();
    std::vector<std::uint32_t> order = literals_in_order();
    std::vector<Batch> batches = batches_of(order);
    // What has computed fields, or was evaluated elsewhere, hardly ever looks like another.
    if (!dynamic_labels_.empty() || std::ranges::any_of(literals_, &Literal::data)) known = nullptr;
    if (known == nullptr) return sorted_along(batches);
    KnownOrders::Key key = look_along(batches);
    if (const KnownOrders::Order* found = known->find(key)) {
      std::vector<Node*> result(found->size());
      std::ranges::transform(*found, result.begin(), [&](std::uint32_t place) { return node_->arcs[place]; });
      return result;
    }
    std::vector<Node*> result = sorted_along(batches);
    KnownOrders::Order places(result.size());
    // The first vertices are the arcs, in their order.
    std::ranges::transform(result, places.begin(), [&](const Node* arc) { return vertex_of(arc->label); });
    known->add(std::move(key), std::move(places));
    return result;
  }

 private:
  // Literals between which there is no order.
  using Batch = std::span<const std::uint32_t>;

  std::vector<Node*> sorted_along(std::span<const Batch> batches) {
    by_label_.emplace(arena_, extent_.labels);
    vertices_.reserve(node_->arcs.size() * 2);
    for (Node* arc : node_->arcs) {
      std::uint32_t vertex = vertex_of(arc->label);
      if (arc->arc != ArcKind::absent) vertices_[vertex].arc = arc;
    }
    add_edges(batches);
    return sorted();
  }

  // All that add_edges() and sorted() look at.
  KnownOrders::Key look_along(std::span<const Batch> batches) const {
    KnownOrders::Key key;
    key.reserve(1 + extent_.labels + 2 * literals_.size());
    key.push_back(node_->arcs.size());
    for (const Node* arc : node_->arcs)
      key.push_back(std::uint64_t{arc->label.bits} << 1 | (arc->arc == ArcKind::absent ? 1u : 0u));
    for (Batch batch : batches) {
      for (std::uint32_t index : batch) {
        const Literal& literal = literals_[index];
        auto same_source = std::ranges::find(literals_, literal.source, &Literal::source);
        auto source = static_cast<std::uint64_t>(same_source - literals_.begin());
        // Never a label: those are of 32 bits.
        key.push_back(std::uint64_t{1} << 63 | source << 3 | (literal.position.valid() ? 4u : 0u) |
                      (is_explicit(batch) ? 2u : 0u) | (index == batch.front() ? 1u : 0u));
        for (const compile::Declaration& declaration : literal.structure->declarations) {
          if (declaration.kind != DeclarationKind::field) continue;
          key.push_back(static_cast<const compile::Field*>(declaration.expression)->label.bits);
        }
      }
    }
    return key;
  }

  std::uint32_t vertex_of(Label label) {
    auto [vertex, is_new] = by_label_->add(std::uint64_t{label.bits} + 1);
    if (is_new) {
      *vertex = static_cast<std::uint32_t>(vertices_.size());
      vertices_.push_back({.label = label});
    }
    return *vertex;
  }

  // What is the same for all literals that are the same piece of source: the body of a comprehension makes as many
  // as it is gone through.
  struct Place {
    Position position;
    bool is_explicit = false;
    std::uint32_t moved = 0;            // when it came to be there
    const Group* brought_by = nullptr;  // the last group of a reference that it became part of
  };

  void add_place(const Expression* expression, std::uint32_t place) {
    Link*& places = by_expression_.add(key_of(expression)).first->places;
    places = arena_.make<Link>(place, places);
  }
  Link* places_at(const Expression* expression) {
    Group* found = by_expression_.find(key_of(expression));
    return found == nullptr ? nullptr : found->places;
  }
  static bool contains(const Link* links, std::uint32_t index) {
    while (links != nullptr && links->index != index) links = links->next;
    return links != nullptr;
  }

  void collect_literals() {
    Table<std::uint32_t> place_of(arena_, extent_.literals);
    for (const Insertion& insertion : insertions_of(*node_)) {
      if (insertion.kind == Insertion::Kind::data) literals_.push_back({.data = insertion.node});
      if (insertion.kind != Insertion::Kind::structure) continue;
      Literal literal{.structure = static_cast<const StructExpression*>(insertion.expression)};
      auto [place, is_new] = place_of.add(key_of(literal.structure));
      if (is_new) *place = static_cast<std::uint32_t>(places_.size());
      literal.place = *place;
      literals_.push_back(literal);
      if (!is_new) continue;
      places_.push_back({.position = literal.structure->position});
      add_place(literal.structure, literal.place);
      for (const compile::Declaration& declaration : literal.structure->declarations)
        add_place(declaration.expression, literal.place);
    }
    for (const Node* arc : node_->arcs) {
      for (const Conjunct& conjunct : arc->conjuncts) {
        if (conjunct.expression != nullptr) place_literals(conjunct, arc->label);
      }
    }
    move_groups();
    for (Literal& literal : literals_) {
      if (literal.place != kNone) literal.position = places_[literal.place].position;
      literal.source = source_at(literal.position);
      if (literal.structure == nullptr || !literal.structure->has_dynamic) continue;
      literal.has_dynamic =
          std::ranges::any_of(literal.structure->declarations, [&](const compile::Declaration& declaration) {
            return declaration.kind == DeclarationKind::dynamic && dynamic_labels_.contains(declaration.expression);
          });
    }
  }

  // Literals are mostly of the same file as the one before.
  const diag::Source* source_at(Position position) {
    bool is_same = last_source_ != nullptr && position.value >= last_source_->begin.value &&
                   position.value - last_source_->begin.value <= last_source_->text.size();
    if (!is_same) last_source_ = evaluator_.program().sources->find(position);
    return last_source_;
  }

  // A literal stands where its field does, or where the reference is that brought it in. The
  // struct that embeds the reference is then at the same place, so that neither comes first.
  void place_literals(const Conjunct& conjunct, Label label) {
    const Expression* declaration = conjunct.expression;
    if (declaration->kind == ExpressionKind::dynamic_field) dynamic_labels_[declaration].push_back(label);
    Link* brought = places_at(declaration);
    if (brought == nullptr) return;
    ++moves_;
    for (Link* link = brought; link != nullptr; link = link->next) move(places_[link->index], declaration->position, moves_);
    const ReferenceStep* step = conjunct.provenance.steps;
    if (step == nullptr) return;
    while (step->next != nullptr) step = step->further != nullptr ? step->further : step->next;
    Group& there = *by_expression_.add(key_of(step->reference)).first;
    for (Link* link = brought; link != nullptr; link = link->next) {
      if (std::exchange(places_[link->index].brought_by, &there) != &there) there.places = arena_.make<Link>(link->index, there.places);
    }
    if (!step->reference->position.valid()) return;
    if (there.moved == 0) moved_groups_ = arena_.make<GroupLink>(&there, moved_groups_);
    there.position = step->reference->position;
    there.moved = ++moves_;
  }

  static void move(Place& place, Position position, std::uint32_t when) {
    if (place.moved > when) return;
    place.position = position;
    place.moved = when;
  }

  // What a group's places are told for each field that comes the same way is done once, when all have come.
  void move_groups() {
    for (const GroupLink* moved = moved_groups_; moved != nullptr; moved = moved->next) {
      const Group& group = *moved->group;
      for (Link* link = group.places; link != nullptr; link = link->next) move(places_[link->index], group.position, group.moved);
    }
  }

  static const Expression* value_of(const Expression* expression) {
    switch (expression->kind) {
      case ExpressionKind::field: return static_cast<const compile::Field*>(expression)->value;
      case ExpressionKind::pattern: return static_cast<const compile::Pattern*>(expression)->value;
      case ExpressionKind::dynamic_field: return static_cast<const compile::DynamicField*>(expression)->value;
      default: return expression;
    }
  }

  void mark_explicit(const Expression* whole) {
    std::vector<const Expression*> waiting;
    while (whole->kind == ExpressionKind::unify) {
      const auto* both = static_cast<const compile::Unify*>(whole);
      for (const Expression* operand : {both->left, both->right}) {
        waiting.push_back(operand);
        for (Link* link = places_at(operand); link != nullptr; link = link->next) places_[link->index].is_explicit = true;
      }
      while (!waiting.empty() && waiting.back()->kind != ExpressionKind::unify) waiting.pop_back();
      if (waiting.empty()) return;
      whole = waiting.back();
      waiting.pop_back();
    }
  }

  void find_explicit() {
    // One of several disjuncts is a value of its own, which no conjunct stands for.
    for (const Conjunct& conjunct : owner_->is_disjunct ? std::span<const Conjunct>() : owner_->conjuncts.span()) {
      if (conjunct.expression != nullptr) mark_explicit(value_of(conjunct.expression));
    }
    for (const Literal& literal : literals_) {
      if (literal.structure == nullptr || !literal.structure->has_embedding) continue;
      for (const compile::Declaration& declaration : literal.structure->declarations) {
        if (declaration.kind == DeclarationKind::embedding) mark_explicit(declaration.expression);
      }
    }
    for (Literal& literal : literals_) literal.is_explicit = literal.place != kNone && places_[literal.place].is_explicit;
  }

  // By file and place in it; what stands nowhere comes last.
  static bool is_before(const Literal& a, const Literal& b) {
    if (a.position != b.position) {
      if (!a.position.valid() || !b.position.valid()) return a.position.valid();
      if (a.source != b.source && a.source != nullptr && b.source != nullptr && a.source->path != b.source->path) {
        return a.source->path < b.source->path;
      }
      return a.position < b.position;
    }
    return !a.has_dynamic && b.has_dynamic;
  }

  bool is_explicit(Batch batch) const { return batch.size() > 1 || literals_[batch.front()].is_explicit; }

  std::vector<std::uint32_t> literals_in_order() const {
    std::vector<std::uint32_t> order(literals_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    auto by_place = [&](std::uint32_t a, std::uint32_t b) { return is_before(literals_[a], literals_[b]); };
    if (!std::ranges::is_sorted(order, by_place)) std::ranges::stable_sort(order, by_place);
    return order;
  }

  // Neighbours in `order`.
  std::vector<Batch> batches_of(std::span<const std::uint32_t> order) const {
    std::vector<Batch> result;
    std::size_t first = 0;
    auto finish = [&](std::size_t last) {
      Batch batch = order.subspan(first, last - first);
      bool joins = !result.empty() && is_explicit(batch) && is_explicit(result.back()) &&
                   literals_[batch.front()].source == literals_[result.back().front()].source;
      if (joins) result.back() = {result.back().data(), result.back().size() + batch.size()};
      else result.push_back(batch);
      first = last;
    };
    for (std::size_t at = 1; at < order.size(); ++at) {
      const Literal& literal = literals_[order[at]];
      bool fits = literals_[order[first]].position == literal.position && !literal.has_dynamic;
      if (!fits) finish(at);
    }
    if (!order.empty()) finish(order.size());
    return result;
  }

  void add_edges(std::span<const Batch> batches) {
    std::vector<std::uint32_t> previous, next;
    const diag::Source* source = nullptr;
    for (Batch batch : batches) {
      bool explicit_batch = is_explicit(batch);
      const diag::Source* own = literals_[batch.front()].source;
      if (own != source) previous.clear();
      source = own;
      next.clear();
      for (std::uint32_t index : batch) {
        literals_[index].is_explicit = explicit_batch;
        std::uint32_t end = add_literal(previous, index);
        if (end != kNone) next.push_back(end);
        else next.insert(next.end(), previous.begin(), previous.end());
      }
      std::swap(previous, next);
    }
  }

  void add_edge(std::uint32_t from, std::uint32_t to) {
    Vertex& vertex = vertices_[from];
    if (contains(vertex.outgoing, to)) return;
    Link* link = arena_.make<Link>(to, nullptr);
    (vertex.outgoing == nullptr ? vertex.outgoing : vertex.last_outgoing->next) = link;
    vertex.last_outgoing = link;
    ++vertices_[to].waits_for;
  }

  // The last of its fields that comes behind the others; kNone: none does.
  std::uint32_t add_literal(std::span<const std::uint32_t> previous, std::uint32_t index) {
    const Literal& literal = literals_[index];
    std::uint32_t end = kNone;
    auto add_label = [&](Label label) {
      std::uint32_t vertex = vertex_of(label);
      std::uint32_t before = vertices_[vertex].literal;
      if (before == index) return;
      bool in_same_file = before != kNone && literals_[before].source == literal.source;
      if (!literal.is_explicit && literal.position.valid() && in_same_file) return;
      vertices_[vertex].literal = index;
      if (end != kNone) {
        add_edge(end, vertex);
      } else {
        for (std::uint32_t from : previous) add_edge(from, vertex);
      }
      end = vertex;
    };
    if (literal.data != nullptr) {
      for (const Node* arc : literal.data->arcs) add_label(arc->label);
      return end;
    }
    for (const compile::Declaration& declaration : literal.structure->declarations) {
      if (declaration.kind == DeclarationKind::field) {
        add_label(static_cast<const compile::Field*>(declaration.expression)->label);
      } else if (declaration.kind == DeclarationKind::dynamic) {
        auto found = dynamic_labels_.find(declaration.expression);
        if (found == dynamic_labels_.end() || found->second.empty()) continue;
        add_label(found->second.front());
        found->second.pop_front();
      }
    }
    return end;
  }

  bool is_less_by_name(std::uint32_t a, std::uint32_t b) const {
    Label left = vertices_[a].label, right = vertices_[b].label;
    if (left.is_integer() || right.is_integer()) {
      if (left.is_integer() && right.is_integer()) return left.index() < right.index();
      return left.is_integer();
    }
    return evaluator_.names().text(left.name()) < evaluator_.names().text(right.name());
  }

  // Whatever waits for nothing any more, by name. Where orders contradict each other, some wait for ever.
  std::vector<Node*> sorted() {
    auto is_later = [&](std::uint32_t a, std::uint32_t b) { return is_less_by_name(b, a); };
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, decltype(is_later)> ready(is_later);
    std::vector<std::uint32_t> waits_for(vertices_.size());
    for (std::uint32_t i = 0; i < vertices_.size(); ++i) {
      waits_for[i] = vertices_[i].waits_for;
      if (waits_for[i] == 0) ready.push(i);
    }
    std::vector<Node*> result;
    result.reserve(node_->arcs.size());
    std::size_t taken = 0;
    for (; !ready.empty(); ++taken) {
      const Vertex& vertex = vertices_[ready.top()];
      ready.pop();
      if (vertex.arc != nullptr) result.push_back(vertex.arc);
      for (const Link* to = vertex.outgoing; to != nullptr; to = to->next) {
        if (--waits_for[to->index] == 0) ready.push(to->index);
      }
    }
    return taken == vertices_.size() ? result : sorted_by_component();
  }

  // Fields that contradictory orders tie together; found by Tarjan's algorithm, without recursion.
  struct Component {
    std::vector<std::uint32_t> vertices;
    std::uint32_t waits_for = 0;
  };

  std::vector<std::uint32_t> find_components(std::vector<Component>& components) const {
    std::size_t count = vertices_.size();
    std::vector<std::uint32_t> component(count, kNone), index(count, kNone), low(count, 0);
    std::vector<const Link*> next(count);
    for (std::size_t i = 0; i < count; ++i) next[i] = vertices_[i].outgoing;
    std::vector<std::uint32_t> stack, path;
    std::vector<bool> on_stack(count, false);
    std::uint32_t counter = 0;
    for (std::uint32_t start = 0; start < count; ++start) {
      if (index[start] != kNone) continue;
      path.push_back(start);
      while (!path.empty()) {
        std::uint32_t at = path.back();
        if (index[at] == kNone) {
          index[at] = low[at] = counter++;
          stack.push_back(at);
          on_stack[at] = true;
        }
        if (next[at] != nullptr) {
          std::uint32_t to = next[at]->index;
          if (index[to] == kNone) {
            path.push_back(to);
            continue;
          }
          if (on_stack[to]) low[at] = std::min(low[at], low[to]);
          next[at] = next[at]->next;
          continue;
        }
        path.pop_back();
        if (low[at] != index[at]) continue;
        Component made;
        while (true) {
          std::uint32_t member = stack.back();
          stack.pop_back();
          on_stack[member] = false;
          component[member] = static_cast<std::uint32_t>(components.size());
          made.vertices.push_back(member);
          if (member == at) break;
        }
        components.push_back(std::move(made));
      }
    }
    return component;
  }

  std::vector<Node*> sorted_by_component() {
    std::vector<Component> components;
    std::vector<std::uint32_t> component = find_components(components);
    auto by_name = [&](std::uint32_t a, std::uint32_t b) { return is_less_by_name(a, b); };
    std::vector<std::vector<std::uint32_t>> later(components.size());
    for (std::uint32_t i = 0; i < vertices_.size(); ++i) {
      for (const Link* to = vertices_[i].outgoing; to != nullptr; to = to->next) {
        if (component[to->index] == component[i]) continue;
        later[component[i]].push_back(component[to->index]);
        ++components[component[to->index]].waits_for;
      }
    }
    for (Component& group : components) std::ranges::sort(group.vertices, by_name);
    auto is_later = [&](std::uint32_t a, std::uint32_t b) {
      return std::ranges::lexicographical_compare(components[b].vertices, components[a].vertices, by_name);
    };
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, decltype(is_later)> ready(is_later);
    for (std::uint32_t i = 0; i < components.size(); ++i) {
      if (components[i].waits_for == 0) ready.push(i);
    }
    std::vector<Node*> result;
    while (!ready.empty()) {
      std::uint32_t at = ready.top();
      ready.pop();
      for (std::uint32_t vertex : components[at].vertices) {
        if (vertices_[vertex].arc != nullptr) result.push_back(vertices_[vertex].arc);
      }
      for (std::uint32_t to : later[at]) {
        if (--components[to].waits_for == 0) ready.push(to);
      }
    }
    return result;
  }

  Evaluator& evaluator_;
  Node* node_;
  const Node* owner_;
  Extent extent_;
  base::Arena arena_;
  std::vector<Literal> literals_;
  std::vector<Place> places_;
  Table<Group> by_expression_;  // places, of literals and references
  GroupLink* moved_groups_ = nullptr;
  std::uint32_t moves_ = 0;  // how often literals were put somewhere
  std::unordered_map<const Expression*, std::deque<Label>> dynamic_labels_;
  std::vector<Vertex> vertices_;
  std::optional<Table<std::uint32_t>> by_label_;
  const diag::Source* last_source_ = nullptr;
};

// One literal and nothing else: its fields were made in the order in which it declares them.
bool is_in_order(const Node& node) {
  if (node.arcs.size() < 2) return true;
  std::span<const Insertion> insertions = insertions_of(node);
  if (insertions.size() != 1) return false;
  const Insertion& insertion = insertions[0];
  if (insertion.kind != Insertion::Kind::structure) return false;
  std::uint32_t next = 0;
  for (const compile::Field* field : static_cast<const StructExpression*>(insertion.expression)->fields) {
    if (next < node.arcs.size() && node.arcs[next]->label == field->label) ++next;
  }
  return next == node.arcs.size();
}

}  // namespace

std::vector<Node*> fields_in_order(Evaluator& evaluator, Node* node, const Node* owner, KnownOrders* known) {
  bool needs_sorting = !insertions_of(*node).empty() && !is_in_order(*node);
  if (needs_sorting) return FieldOrder(evaluator, node, owner != nullptr ? owner : node).run(known);
  std::vector<Node*> fields;
  for (Node* arc : node->arcs) {
    if (arc->arc != ArcKind::absent) fields.push_back(arc);
  }
  return fields;
}

}  // namespace opm::cue::eval
