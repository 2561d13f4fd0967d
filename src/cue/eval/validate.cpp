#include "cue/eval/validate.h"

#include <algorithm>
#include <cstdint>
#include <unordered_set>

namespace opm::cue::eval {

namespace {

// Which nodes were seen. There are many, and they are looked for once each.
class NodeSet {
 public:
  // Whether it is new.
  bool insert(const Node* node) {
    if (2 * (size_ + 1) > table_.size()) grow();
    const Node*& place = find(node);
    if (place == node) return false;
    place = node;
    ++size_;
    return true;
  }

 private:
  const Node*& find(const Node* node) {
    std::size_t at = (reinterpret_cast<std::uintptr_t>(node) / alignof(Node)) * 0x9E3779B97F4A7C15u >> 20;
    for (;; ++at) {
      const Node*& place = table_[at & (table_.size() - 1)];
      if (place == nullptr || place == node) return place;
    }
  }

  void grow() {
    std::vector<const Node*> before(std::max<std::size_t>(64, 4 * table_.size()));
    before.swap(table_);
    for (const Node* node : before) {
      if (node != nullptr) find(node) = node;
    }
  }

  std::vector<const Node*> table_;
  std::size_t size_ = 0;
};

class Validation {
 public:
  Validation(Evaluator& evaluator, const ValidateOptions& options) : evaluator_(evaluator), options_(options) {}
  std::vector<const Error*> errors;

  // What nobody sees from outside is left as it is: a struct that is evaluated as far as its fields go.
  void visit_regular_fields(Node* node) {
    evaluator_.settle(node);
    Node* target = value_node(node);
    State* state = target->state;
    bool is_plain = target->status != Status::finalized && target->base != BaseKind::disjunction && state != nullptr &&
                    state->open_tasks == 0 && state->is_struct && state->errors == nullptr && state->checks.empty();
    if (!is_plain) {
      visit(node);
      return;
    }
    for (std::uint32_t i = 0; i < target->arcs.size(); ++i) {
      Node* arc = target->arcs[i];
      if (!arc->label.is_regular() || arc->arc != ArcKind::member) continue;
      evaluator_.finalize(arc);
      evaluator_.check_deferred(arc);
    }
    path_.push_back(target);
    entered_.push_back(target);
    visit_arcs(target);
    entered_.pop_back();
    path_.pop_back();
  }

  void visit(Node* original) {
    Node* node = value_node(original);
    if (node->is_checked && node != original) return;
    evaluator_.finalize(node);
    node = value_node(node);
    if (!evaluator_.spend()) return;
    // Most nodes are scalars.
    if (node->base == BaseKind::value && node->arcs.empty() && (!asks_for_concrete() || evaluator_.is_concrete(node->value))) return;
    // A node that holds itself, through whatever it shares, has no end. One that is come to from the struct around it was
    // not come to like that before, or that struct had been met again already.
    bool is_from_around = !path_.empty() && node->parent == path_.back();
    const std::vector<Node*>& before = is_from_around ? entered_ : path_;
    if (std::find(before.begin(), before.end(), node) != before.end()) {
      Error* error = evaluator_.copy_error(*evaluator_.make_error(ErrorCode::structural_cycle, {}, "structural cycle"));
      error->node = original;
      add(error);
      return;
    }
    // What several fields share is looked at once for all of them.
    bool is_elsewhere = node != original && original->label.valid();
    if (is_elsewhere && in_definition_ == 0 && !visited_.insert(node)) return;
    bool shares = is_elsewhere && original->base == BaseKind::forward && original->is_shared;
    sharing_ += shares;
    if (!is_from_around) entered_.push_back(node);
    path_.push_back(node);
    fields_.push_back(original);
    visit_value(original, node);
    fields_.pop_back();
    path_.pop_back();
    if (!is_from_around) entered_.pop_back();
    sharing_ -= shares;
  }

 private:
  bool asks_for_concrete() const { return options_.concrete && in_definition_ == 0; }

  void visit_value(Node* original, Node* node) {
    if (node->base == BaseKind::error) {
      const Error* error = node->error;
      bool counts = true;
      if (error->code == ErrorCode::cycle) {
        bool is_final = options_.final && in_definition_ == 0;
        counts = asks_for_concrete() || is_final || options_.disallow_cycles || options_.report_incomplete;
      }
      if (error->code == ErrorCode::incomplete) counts = asks_for_concrete() || options_.report_incomplete;
      if (error->is_child_error && node->arcs.size() > 0) {
        std::size_t before = errors.size();
        std::size_t dismissed_before = dismissed_;
        visit_arcs(node);
        // What a field that is only required would be does not matter as long as nobody provides it.
        if (has_unprovided_error(node)) ++dismissed_;
        if (errors.size() == before && dismissed_ == dismissed_before && counts) add(error);
        return;
      }
      // The struct that holds itself tells that already, where it is.
      bool is_told = options_.to_be_shown && error->is_child_error && error->parts.empty() &&
                     error->code == ErrorCode::structural_cycle;
      if (counts && !is_told) add(error);
      // What is in a field that may not be there does not matter, nor what is in one without an alternative left.
      bool is_unwanted = (error->from_close_check || error->is_disjunction) && !error->is_child_error;
      if (is_unwanted || (!error->is_child_error && !has_child_errors(node))) return;
    } else if (asks_for_concrete()) {
      Node* chosen = node;
      while (chosen->base == BaseKind::disjunction && chosen->default_count == 1) chosen = value_node(chosen->disjuncts[0]);
      if (!evaluator_.is_concrete(Value::of_node(chosen))) {
        Value shown = chosen->base == BaseKind::value ? chosen->value : Value::of_node(chosen);
        // Alternatives stand in many places, none of which is that of the whole.
        Argument argument = chosen->base == BaseKind::disjunction ? Argument::silent(shown) : Argument(shown);
        Error* error = evaluator_.copy_error(*evaluator_.make_error(ErrorCode::incomplete, {}, "incomplete value {}", {argument}));
        error->node = original;
        add_with_sharing(error, false);
        // What the alternatives have in common is no value as long as none is chosen.
        if (chosen->base == BaseKind::disjunction) return;
      }
      node = chosen;
    }
    visit_arcs(node);
  }

  // Something below is wrong for good.
  static bool has_child_errors(const Node* node) {
    return node->child_errors != nullptr && !node->child_errors->is_incomplete();
  }

  static bool has_unprovided_error(const Node* node) {
    return std::ranges::any_of(node->arcs, [](Node* arc) {
      return arc->arc == ArcKind::required && value_node(arc)->base == BaseKind::error;
    });
  }

  void visit_arcs(Node* node) {
    for (std::uint32_t i = 0; i < node->arcs.size(); ++i) {
      Node* arc = node->arcs[i];
      if (arc->arc == ArcKind::required && options_.final && in_definition_ == 0) {
        std::vector<Position> positions;
        // Where it is required, not where it is only spoken of.
        for (const Conjunct& conjunct : arc->conjuncts) {
          if (conjunct.expression == nullptr || conjunct.expression->kind != compile::ExpressionKind::field) continue;
          const auto& field = static_cast<const compile::Field&>(*conjunct.expression);
          if (field.field_kind == compile::FieldKind::required) positions.push_back(field.position);
        }
        Error* error = evaluator_.copy_error(
            *evaluator_.make_error(ErrorCode::incomplete, {}, "field is required but not present"));
        error->node = arc;
        error->positions = evaluator_.arena().copy(positions);
        add_with_sharing(error, true);
        continue;
      }
      if (arc->arc != ArcKind::member) continue;
      if (!options_.all_errors && !errors.empty()) return;
      if (arc->label.is_regular()) {
        visit(arc);
      } else if (!(options_.only_regular && path_.size() == 1)) {
        ++in_definition_;
        visit(arc);
        --in_definition_;
      }
    }
  }

  // Tells through which references it was come by, and where that is: not where it is written.
  void add_with_sharing(Error* error, bool is_below) {
    if (sharing_ == 0) {
      add(error);
      return;
    }
    std::vector<Position> positions;
    Node* place = nullptr;
    auto go_to = [&](const Node* field) {
      Node* made = evaluator_.arena().make<Node>();
      made->label = field->label;
      made->parent = place != nullptr ? place : field->parent;
      place = made;
    };
    for (Node* field : fields_) {
      if (place != nullptr || field->label.valid()) go_to(field);
      if (field->base != BaseKind::forward || !field->is_shared || !field->label.valid() || field->conjuncts.empty()) continue;
      std::vector<Position> written;
      evaluator_.append_value_positions(written, Value::of_node(field));
      // Where several conjuncts share one value CUE names the second.
      if (!written.empty()) positions.push_back(written[written.size() > 1 ? 1 : 0]);
    }
    if (is_below) go_to(error->node);
    error->node = place;
    add(evaluator_.with_positions(error, positions));
  }

  void add(const Error* error) {
    if (!error->parts.empty() && !error->is_disjunction) {
      for (const Error* part : error->parts) add(part);
      return;
    }
    if (known_.insert(error).second) errors.push_back(error);
  }

  Evaluator& evaluator_;
  const ValidateOptions& options_;
  int in_definition_ = 0;
  std::vector<Node*> path_;
  std::vector<Node*> entered_;  // those of path_ that were not come to from the struct around them
  std::vector<Node*> fields_;  // whose values those of path_ are
  int sharing_ = 0;                  // how many of them share what is written elsewhere
  std::size_t dismissed_ = 0;        // nodes whose errors are those of fields that are not there
  NodeSet visited_;
  std::unordered_set<const Error*> known_;
};

}  // namespace

std::vector<const Error*> validate(Evaluator& evaluator, Node* node, const ValidateOptions& wanted) {
  ValidateOptions options = wanted;
  if (options.to_be_shown) {
    evaluator.finalize(node);
    options.final = value_node(node)->base == BaseKind::error;
  }
  Validation validation(evaluator, options);
  if (options.only_regular) validation.visit_regular_fields(node);
  else validation.visit(node);
  // Half of an evaluation is wrong about everything but that.
  if (evaluator.exhausted()) return {evaluator.exhausted_error()};
  // What is wrong for good hides what is only incomplete, and that hides cycles.
  auto weight = [](const Error* error) {
    if (error->code == ErrorCode::cycle) return 2;
    return error->code == ErrorCode::incomplete ? 1 : 0;
  };
  int worst = 2;
  for (const Error* error : validation.errors) worst = std::min(worst, weight(error));
  std::erase_if(validation.errors, [&](const Error* error) { return weight(error) > worst; });
  return std::move(validation.errors);
}

}  // namespace opm::cue::eval
