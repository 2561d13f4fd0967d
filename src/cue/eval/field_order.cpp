#include "cue/eval/field_order.h"

#include <algorithm>
#include <deque>
#include <queue>
#include <unordered_map>

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

// A field, in the graph of what comes before what.
struct Vertex {
  Label label;
  Node* arc = nullptr;                  // null: declared, but not there (an optional field)
  std::uint32_t literal = kNone;        // that declared it last
  std::vector<std::uint32_t> outgoing;  // what comes later
};

class FieldOrder {
 public:
  FieldOrder(Evaluator& evaluator, Node* node, const Node* owner) : evaluator_(evaluator), node_(node), owner_(owner) {}

  std::vector<Node*> run() {
    for (Node* arc : node_->arcs) {
      std::uint32_t vertex = vertex_of(arc->label);
      if (arc->arc != ArcKind::absent) vertices_[vertex].arc = arc;
    }
    collect_literals();
    find_explicit();
    add_edges();
    return sorted();
  }

 private:
  std::uint32_t vertex_of(Label label) {
    auto [found, is_new] = by_label_.try_emplace(label, static_cast<std::uint32_t>(vertices_.size()));
    if (is_new) vertices_.push_back({label, nullptr, kNone, {}});
    return found->second;
  }

  // What is the same for all literals that are the same piece of source: the body of a comprehension makes as many
  // as it is gone through.
  struct Place {
    Position position;
    bool is_explicit = false;
  };

  void collect_literals() {
    std::unordered_map<const Expression*, std::uint32_t> place_of;
    for (const Insertion& insertion : insertions_of(*node_)) {
      if (insertion.kind == Insertion::Kind::data) literals_.push_back({.data = insertion.node});
      if (insertion.kind != Insertion::Kind::structure) continue;
      Literal literal{.structure = static_cast<const StructExpression*>(insertion.expression)};
      auto [found, is_new] = place_of.try_emplace(literal.structure, static_cast<std::uint32_t>(places_.size()));
      literal.place = found->second;
      literals_.push_back(literal);
      if (!is_new) continue;
      places_.push_back({.position = literal.structure->position});
      by_expression_[literal.structure].push_back(literal.place);
      for (const compile::Declaration& declaration : literal.structure->declarations) {
        by_expression_[declaration.expression].push_back(literal.place);
      }
    }
    for (const Node* arc : node_->arcs) {
      for (const Conjunct& conjunct : arc->conjuncts) {
        if (conjunct.expression != nullptr) place_literals(conjunct, arc->label);
      }
    }
    for (Literal& literal : literals_) {
      if (literal.place != kNone) literal.position = places_[literal.place].position;
      literal.source = evaluator_.program().sources->find(literal.position);
      if (literal.structure == nullptr || !literal.structure->has_dynamic) continue;
      literal.has_dynamic =
          std::ranges::any_of(literal.structure->declarations, [&](const compile::Declaration& declaration) {
            return declaration.kind == DeclarationKind::dynamic && dynamic_labels_.contains(declaration.expression);
          });
    }
  }

  // A literal stands where its field does, or where the reference is that brought it in. The
  // struct that embeds the reference is then at the same place, so that neither comes first.
  void place_literals(const Conjunct& conjunct, Label label) {
    const Expression* declaration = conjunct.expression;
    if (declaration->kind == ExpressionKind::dynamic_field) dynamic_labels_[declaration].push_back(label);
    auto found = by_expression_.find(declaration);
    if (found == by_expression_.end()) return;
    for (std::uint32_t place : found->second) places_[place].position = declaration->position;
    const ReferenceStep* step = conjunct.provenance.steps;
    if (step == nullptr) return;
    while (step->next != nullptr) step = step->next;
    std::vector<std::uint32_t> brought = found->second;  // a copy: the table may grow
    std::vector<std::uint32_t>& there = by_expression_[step->reference];
    for (std::uint32_t place : brought) {
      if (std::ranges::find(there, place) == there.end()) there.push_back(place);
    }
    if (!step->reference->position.valid()) return;
    for (std::uint32_t place : there) places_[place].position = step->reference->position;
  }

  static const Expression* value_of(const Expression* expression) {
    switch (expression->kind) {
      case ExpressionKind::field: return static_cast<const compile::Field*>(expression)->value;
      case ExpressionKind::pattern: return static_cast<const compile::Pattern*>(expression)->value;
      case ExpressionKind::dynamic_field: return static_cast<const compile::DynamicField*>(expression)->value;
      default: return expression;
    }
  }

  void find_explicit() {
    std::vector<const Expression*> waiting;
    // One of several disjuncts is a value of its own, which no conjunct stands for.
    for (const Conjunct& conjunct : owner_->is_disjunct ? std::span<const Conjunct>() : owner_->conjuncts.span()) {
      if (conjunct.expression != nullptr) waiting.push_back(value_of(conjunct.expression));
    }
    for (const Literal& literal : literals_) {
      if (literal.structure == nullptr) continue;
      for (const compile::Declaration& declaration : literal.structure->declarations) {
        if (declaration.kind == DeclarationKind::embedding) waiting.push_back(declaration.expression);
      }
    }
    while (!waiting.empty()) {
      const Expression* expression = waiting.back();
      waiting.pop_back();
      if (expression->kind != ExpressionKind::unify) continue;
      const auto* both = static_cast<const compile::Unify*>(expression);
      for (const Expression* operand : {both->left, both->right}) {
        waiting.push_back(operand);
        auto found = by_expression_.find(operand);
        if (found == by_expression_.end()) continue;
        for (std::uint32_t place : found->second) places_[place].is_explicit = true;
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

  using Batch = std::vector<std::uint32_t>;
  bool is_explicit(const Batch& batch) const { return batch.size() > 1 || literals_[batch.front()].is_explicit; }

  // Literals between which there is no order.
  std::vector<Batch> batches() const {
    Batch order(literals_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) { return is_before(literals_[a], literals_[b]); });
    std::vector<Batch> result;
    Batch batch;
    auto finish = [&] {
      if (batch.empty()) return;
      bool joins = !result.empty() && is_explicit(batch) && is_explicit(result.back()) &&
                   literals_[batch.front()].source == literals_[result.back().front()].source;
      if (joins) result.back().insert(result.back().end(), batch.begin(), batch.end());
      else result.push_back(batch);
      batch.clear();
    };
    for (std::uint32_t index : order) {
      const Literal& literal = literals_[index];
      bool fits = batch.empty() || (literals_[batch.front()].position == literal.position && !literal.has_dynamic);
      if (!fits) finish();
      batch.push_back(index);
    }
    finish();
    return result;
  }

  void add_edges() {
    std::vector<std::uint32_t> previous;
    const diag::Source* source = nullptr;
    for (const Batch& batch : batches()) {
      bool explicit_batch = is_explicit(batch);
      const diag::Source* own = literals_[batch.front()].source;
      if (own != source) previous.clear();
      source = own;
      std::vector<std::uint32_t> next;
      for (std::uint32_t index : batch) {
        literals_[index].is_explicit = explicit_batch;
        std::vector<std::uint32_t> ends = add_literal(previous, index);
        next.insert(next.end(), ends.begin(), ends.end());
      }
      previous = std::move(next);
    }
  }

  // The labels that a literal declares, in order.
  std::vector<Label> labels_of(const Literal& literal) {
    std::vector<Label> labels;
    if (literal.data != nullptr) {
      for (const Node* arc : literal.data->arcs) labels.push_back(arc->label);
      return labels;
    }
    for (const compile::Declaration& declaration : literal.structure->declarations) {
      if (declaration.kind == DeclarationKind::field) {
        labels.push_back(static_cast<const compile::Field*>(declaration.expression)->label);
      } else if (declaration.kind == DeclarationKind::dynamic) {
        auto found = dynamic_labels_.find(declaration.expression);
        if (found == dynamic_labels_.end() || found->second.empty()) continue;
        labels.push_back(found->second.front());
        found->second.pop_front();
      }
    }
    return labels;
  }

  std::vector<std::uint32_t> add_literal(std::vector<std::uint32_t> previous, std::uint32_t index) {
    const Literal& literal = literals_[index];
    for (Label label : labels_of(literal)) {
      std::uint32_t vertex = vertex_of(label);
      std::uint32_t before = vertices_[vertex].literal;
      if (before == index) continue;
      bool in_same_file = before != kNone && literals_[before].source == literal.source;
      if (!literal.is_explicit && literal.position.valid() && in_same_file) continue;
      vertices_[vertex].literal = index;
      for (std::uint32_t from : previous) {
        std::vector<std::uint32_t>& outgoing = vertices_[from].outgoing;
        if (std::ranges::find(outgoing, vertex) == outgoing.end()) outgoing.push_back(vertex);
      }
      previous.assign(1, vertex);
    }
    return previous;
  }

  // Fields that contradictory orders tie together; found by Tarjan's algorithm, without recursion.
  struct Component {
    std::vector<std::uint32_t> vertices;
    std::uint32_t waits_for = 0;
  };

  std::vector<std::uint32_t> find_components(std::vector<Component>& components) const {
    std::size_t count = vertices_.size();
    std::vector<std::uint32_t> component(count, kNone), index(count, kNone), low(count, 0), next(count, 0);
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
        if (next[at] < vertices_[at].outgoing.size()) {
          std::uint32_t to = vertices_[at].outgoing[next[at]];
          if (index[to] == kNone) {
            path.push_back(to);
            continue;
          }
          if (on_stack[to]) low[at] = std::min(low[at], low[to]);
          ++next[at];
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

  bool is_less_by_name(std::uint32_t a, std::uint32_t b) const {
    Label left = vertices_[a].label, right = vertices_[b].label;
    if (left.is_integer() || right.is_integer()) {
      if (left.is_integer() && right.is_integer()) return left.index() < right.index();
      return left.is_integer();
    }
    return evaluator_.names().text(left.name()) < evaluator_.names().text(right.name());
  }

  std::vector<Node*> sorted() {
    std::vector<Component> components;
    std::vector<std::uint32_t> component = find_components(components);
    auto by_name = [&](std::uint32_t a, std::uint32_t b) { return is_less_by_name(a, b); };
    std::vector<std::vector<std::uint32_t>> later(components.size());
    for (std::uint32_t i = 0; i < vertices_.size(); ++i) {
      for (std::uint32_t to : vertices_[i].outgoing) {
        if (component[to] == component[i]) continue;
        later[component[i]].push_back(component[to]);
        ++components[component[to]].waits_for;
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
  std::vector<Literal> literals_;
  std::vector<Place> places_;
  std::unordered_map<const Expression*, std::vector<std::uint32_t>> by_expression_;  // places, of literals and references
  std::unordered_map<const Expression*, std::deque<Label>> dynamic_labels_;
  std::vector<Vertex> vertices_;
  std::unordered_map<Label, std::uint32_t> by_label_;
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

std::vector<Node*> fields_in_order(Evaluator& evaluator, Node* node, const Node* owner) {
  bool needs_sorting = !insertions_of(*node).empty() && !is_in_order(*node);
  if (needs_sorting) return FieldOrder(evaluator, node, owner != nullptr ? owner : node).run();
  std::vector<Node*> fields;
  for (Node* arc : node->arcs) {
    if (arc->arc != ArcKind::absent) fields.push_back(arc);
  }
  return fields;
}

}  // namespace opm::cue::eval
