// Closedness: which fields a node may have.
//
// Each use of a definition or of close() in a node gets an id and is a requirement:
// every field must have evidence that the definition allows it. What the definition
// brings in carries the id, so a field has evidence if one of its conjuncts does.
// Ids contain each other (a reference within a definition has an id of its own,
// contained in the definition's), and containment counts.
//
// Embedding widens: an embedded definition does not restrict the fields beside it, but
// the literal around it becomes closed. So literals with embeddings and embeddings have
// ids too, ignored as requirements until a definition among them activates the literal.
#include <algorithm>
#include <array>
#include <bit>

#include "cue/eval/evaluator.h"

namespace opm::cue::eval {

namespace {

bool always_allowed(Label label) { return label.is_hidden() || label.is_definition() || !label.valid(); }

bool has_ellipsis(std::span<const Evidence> found) {
  return std::ranges::any_of(found, [](const Evidence& one) { return (one.flags & evidence::ellipsis) != 0; });
}

}  // namespace

ClosingId Evaluator::next_closing_id(Position position) {
  if (closing_.empty()) closing_.push_back({0, {}});
  closing_.push_back({0, position});
  return static_cast<ClosingId>(closing_.size() - 1);
}

void Evaluator::add_link(State& state, ClosingId from, ClosingId to) {
  if (from == 0 || from == to) return;
  // What holds for all that know the id needs no link; one that alternatives share belongs to something else in each of them.
  bool is_own = to >= state.node->first_own_id;
  if (is_own && from < to && closing_[to].parent == 0) {
    closing_[to].parent = from;
    return;
  }
  state.requirements_computed = false;
  state.closing = Closing::unknown;
  state.requirement_sets.clear();
  for (const ClosingLink& link : state.links) {
    if (link.from == from && link.to == to) return;
  }
  state.links.push(arena_, {from, to});
  ++links_epoch_;
}

void Evaluator::update_evidence(State& state, const Provenance& provenance, std::uint8_t flags) {
  // Ids are given out in order: what is new is mostly newer than all that is there.
  if (provenance.id <= state.newest_evidence) {
    for (std::uint32_t i = state.evidence.size(); i-- > 0;) {
      if (state.evidence[i].id != provenance.id) continue;
      state.evidence[i].flags |= flags;
      return;
    }
  }
  add_evidence(state, {provenance.id, provenance.embedding, flags});
}

void Evaluator::add_evidence(State& state, const Evidence& evidence) {
  state.evidence.push(arena_, evidence);
  state.newest_evidence = std::max(state.newest_evidence, evidence.id);
}

Provenance Evaluator::add_reference_requirement(State& state, Position position, Node* target, Provenance provenance,
                                                bool force_ignore) {
  bool closes_outer = provenance.from_definition && provenance.from_embedding && !provenance.opened &&
                      !provenance.conjunction_opened;
  if (closes_outer && !force_ignore) {
    // They are in the order of their ids.
    for (ClosingId outer = provenance.outer; outer != 0;) {
      auto requirement = std::ranges::lower_bound(state.requirements, outer, {}, &Requirement::id);
      if (requirement == state.requirements.end() || requirement->id != outer) break;
      requirement->ignored = false;
      if (target->closed_recursively) requirement->recursive = true;
      outer = requirement->parent < outer ? requirement->parent : 0;
    }
  }

  bool ignored;
  if (force_ignore || provenance.opened) {
    ignored = true;
  } else if (provenance.embedding != 0 || provenance.outer == 0) {
    // Within one embedding, definitions must agree with each other: {#A & #B}.
    ignored = !(provenance.from_definition || target->closed_once || target->closed_recursively);
  } else {
    ignored = provenance.from_embedding;
  }

  ClosingId id = 0;
  std::uint32_t known = place_of(arena_, state.indexes, &StateIndexes::requirements, state.requirements, {target},
                                 [](const Requirement& one) { return PlaceKey{one.target}; });
  if (known < state.requirements.size()) {
    Requirement& requirement = state.requirements[known];
    id = requirement.id;
    if (requirement.ignored && !ignored) {
      requirement.ignored = false;
      requirement.parent = provenance.outer;
      requirement.embedding = provenance.embedding;
    }
  }
  if (id == 0 || provenance.embedding != 0) {
    ClosingId next = next_closing_id(position);
    if (id != 0) add_link(state, next, id);
    id = next;
    state.requirements.push(arena_, {target, id, provenance.outer, provenance.embedding, ignored, RequirementKind::reference,
                                     target->closed_recursively, provenance.conjunction_opened});
  }
  ClosingId source = provenance.id;
  provenance.id = id;
  add_link(state, source, id);
  return provenance;
}

Provenance Evaluator::new_requirement(State& state, Position position, Provenance provenance, RequirementKind kind) {
  ClosingId id = next_closing_id(position);
  add_link(state, provenance.id, id);
  ClosingId parent = provenance.id;
  provenance.id = id;
  if (kind == RequirementKind::embedding) {
    provenance.embedding = id;
  } else {
    provenance.outer = id;
  }
  state.requirements.push(arena_, {nullptr, id, parent, provenance.embedding, true, kind, provenance.from_definition, false});
  return provenance;
}

Provenance Evaluator::inject_embedding(State& state, const Expression* expression, Provenance provenance) {
  if (expression->features.explicit_open) return provenance;
  provenance.from_embedding = true;
  if (expression->kind == compile::ExpressionKind::binary) return provenance;
  return new_requirement(state, expression->position, provenance, RequirementKind::embedding);
}

Provenance Evaluator::split_struct(State& state, const compile::StructExpression* literal, Provenance provenance) {
  if (literal->features.explicit_open) return provenance;
  if (provenance.outer != 0 || provenance.from_embedding || literal->is_file) return provenance;
  return new_requirement(state, literal->position, provenance, RequirementKind::structure);
}

// The state whose links hold for this one: its own, or those of the nearest ancestor that has some. Ancestors may get
// links after a field was looked at early, by a condition say.
State& Evaluator::links_owner(State& state) {
  if (state.links_owner_epoch == links_epoch_) return *state.links_owner;
  State* owner = &state;
  while (owner->links.empty() && owner->node->parent != nullptr && owner->node->parent->state != nullptr) {
    owner = owner->node->parent->state;
    if (owner->links_owner_epoch == links_epoch_) owner = owner->links_owner;
  }
  state.links_owner = owner;
  state.links_owner_epoch = links_epoch_;
  if (owner != &state || owner->links.empty()) return *owner;
  owner->flat_links.clear();
  for (State* s = owner; s != nullptr;) {
    for (const ClosingLink& link : s->links) owner->flat_links.push(arena_, link);
    Node* parent = s->node->parent;
    s = parent != nullptr ? parent->state : nullptr;
  }
  std::sort(owner->flat_links.begin(), owner->flat_links.end(),
            [](const ClosingLink& a, const ClosingLink& b) { return a.to > b.to; });
  return *owner;
}

bool Evaluator::contains_id(State& state, ClosingId node, ClosingId child) {
  if (node == child) return true;
  if (node == 0) return false;
  State& owner = links_owner(state);
  if (!owner.links.empty()) return contains_id_linked(links_owner(owner), node, child);
  // Parents are always older than what they brought in.
  ClosingId id = child;
  while (id > node) id = closing_[id].parent;
  return id == node;
}

bool Evaluator::contains_id_linked(State& owner, ClosingId node, ClosingId child) {
  return std::ranges::binary_search(all_origins(owner, child), node);
}

// Everything that an id was brought in by, sorted. Links can lead back to where they came from, so each origin is
// followed once. Fields of one struct ask for the same.
const std::vector<ClosingId>& Evaluator::all_origins(State& owner, ClosingId child) {
  Origins& known = known_origins_[child % known_origins_.size()];
  if (known.owner == &owner && known.epoch == links_epoch_ && known.child == child) return known.ids;
  known.owner = &owner;
  known.epoch = links_epoch_;
  known.child = child;
  known.ids.clear();
  const ArenaVector<ClosingLink>& links = owner.flat_links;
  origins_.assign(1, child);
  for (std::size_t i = 0; i < origins_.size(); ++i) {
    std::uint32_t cursor = 0;
    for (ClosingId id = origins_[i]; id != 0; id = closing_[id].parent) {
      known.ids.push_back(id);
      while (cursor < links.size() && links[cursor].to > id) ++cursor;
      for (; cursor < links.size() && links[cursor].to == id; ++cursor) {
        ClosingId from = links[cursor].from;
        if (std::ranges::find(origins_, from) == origins_.end()) origins_.push_back(from);
      }
    }
  }
  std::ranges::sort(known.ids);
  return known.ids;
}

// Which of some sets an id comes from within. A walk up from an id meets all of them, as far as it does not come to one that is
// known: fields of a struct have mostly the same ids, or such as come from within each other's. Only one can be in use at a time.
class Evaluator::SetOrigins {
 public:
  // As it is for the fields of the state's node, or the node itself.
  SetOrigins(Evaluator& evaluator, State& state, const ArenaVector<RequirementSet>& sets)
      : evaluator_(evaluator), state_(&state), sets_(sets), stamp_(++evaluator.marked_sets_), words_(sets.size() / 64 + 1) {
    evaluator.id_marks_.resize(std::max<std::size_t>(evaluator.closing_.size(), 1));
    make_room(kFirstKnown);
    clear(kAsking);
    IdMark* marks = evaluator.id_marks_.data();
    for (std::uint32_t i = sets.size(); i-- > 0;) {
      IdMark& mark = marks[sets[i].id];
      mark.stamp = stamp_;
      mark.place = i;
      oldest_ = std::min(oldest_, sets[i].id);
      if (!sets[i].ignored && !sets[i].removed) rows_[i / 64] |= 1ull << (i % 64);
    }
    forget_known();
    use_links();
  }

  // From now on as it is for another field, which may have links of its own.
  void use(State& state) {
    state_ = &state;
    if (state.links.empty() && !has_own_links_) return;
    has_own_links_ = !state.links.empty();
    forget_known();
    use_links();
  }

  // Calls `visit` with the place of each set that contains the id.
  template <typename Visit>
  void each_containing(ClosingId id, const Visit& visit) {
    each_in(look_up(id), [&](std::uint32_t place) {
      visit(place);
      return true;
    });
  }

  // For the next questions: of many ids each is walked up from once, not once for each set.
  void gather(std::span<const Evidence> found) {
    clear(kAny);
    for (const Evidence& evidence : found) add_row(kAny, look_up(evidence.id));
  }
  bool any_contains(std::uint32_t place) const { return has(kAny, place); }

  // Whether each of the sets that ask for evidence has some in what was gathered, or something that stands in for it.
  bool have_evidence(std::span<const Evidence> found) {
    for (std::size_t i = 0; i < words_; ++i) {
      std::uint64_t lacking = row(kAsking)[i] & ~row(kAny)[i];
      if (lacking == 0) continue;
      if (asked_ > kFewTimes * sets_.size()) return groups_have_evidence(found);
      if (!each_bit(lacking, i, [&](std::uint32_t place) { return has_evidence(place, found); })) return false;
    }
    return true;
  }

 private:
  // Rows of bits, one for each set.
  using Row = std::uint32_t;
  static constexpr Row kAsking = 0;     // those that ask for evidence, as they were at the beginning
  static constexpr Row kAny = 1;        // those that contain any of what was gathered
  static constexpr Row kInside = 2;     // the embeddings that any of it is within
  static constexpr Row kFirstKnown = 3; // those that contain an id
  static constexpr Row kMostRows = 64;
  // As often as all sets may be asked one by one, before that takes longer than to group them.
  static constexpr std::size_t kFewTimes = 2;

  static constexpr std::uint32_t kNone = ~0u;
  static constexpr std::uint32_t kBeside = kNone;       // what is not within the embedding will do
  static constexpr std::uint32_t kNothing = kNone - 1;  // nothing will do

  std::uint64_t* row(Row row) const { return rows_ + row * words_; }
  bool has(Row in, std::uint32_t place) const { return (row(in)[place / 64] >> (place % 64) & 1) != 0; }
  void clear(Row cleared) {
    row(cleared)[0] = 0;
    for (std::size_t i = 1; i < words_; ++i) row(cleared)[i] = 0;
  }
  void add_row(Row to, Row from) {
    for (std::size_t i = 0; i < words_; ++i) row(to)[i] |= row(from)[i];
  }
  // Calls `visit` with each place until it returns false; whether it never did.
  template <typename Visit>
  bool each_in(Row in, const Visit& visit) const {
    for (std::size_t i = 0; i < words_; ++i) {
      if (!each_bit(row(in)[i], i, visit)) return false;
    }
    return true;
  }
  template <typename Visit>
  static bool each_bit(std::uint64_t word, std::size_t place_of_word, const Visit& visit) {
    for (; word != 0; word &= word - 1) {
      if (!visit(static_cast<std::uint32_t>(place_of_word * 64) + static_cast<std::uint32_t>(std::countr_zero(word)))) return false;
    }
    return true;
  }
  void make_room(Row rows) {
    if (evaluator_.set_words_.size() < words_ * rows) evaluator_.set_words_.resize(words_ * rows);
    rows_ = evaluator_.set_words_.data();
  }

  // The set's place among the sets.
  std::optional<std::uint32_t> find(ClosingId id) const {
    if (id == 0 || id >= evaluator_.id_marks_.size()) return std::nullopt;
    const IdMark& mark = evaluator_.id_marks_[id];
    return mark.stamp == stamp_ && mark.place != kNone ? std::optional(mark.place) : std::nullopt;
  }

  // What may stand in for evidence of a set that has none: something beside the embedding that it is in.
  std::uint32_t outer_of(const RequirementSet& set, std::uint32_t embedding) const {
    if (set.parent == 0) {
      ClosingId around = sets_[embedding].parent;
      return around != 0 && !find(around) ? kNothing : kBeside;
    }
    std::optional<std::uint32_t> outer = find(set.parent);
    // In the same literal: added there on purpose.
    return outer && !sets_[*outer].removed ? *outer : kBeside;
  }

  // Of a set that contains none of what was gathered.
  bool has_evidence(std::uint32_t place, std::span<const Evidence> found) {
    ++asked_;
    const RequirementSet& set = sets_[place];
    std::optional<std::uint32_t> embedding = find(set.embedding);
    if (!embedding) return false;
    auto is_within = [&](const Evidence& one) { return has(look_up(one.embedding), *embedding); };
    if (set.conjunction_opened && set.parent == 0) return std::ranges::none_of(found, is_within);
    std::uint32_t outer = outer_of(set, *embedding);
    if (outer == kNothing) return false;
    return std::ranges::any_of(found, [&](const Evidence& one) {
      return !is_within(one) && (outer == kBeside || has(look_up(one.id), outer));
    });
  }

  // The same for all, where there are many: what is beside an embedding is enough for a whole group, unless it is within that
  // embedding after all.
  bool groups_have_evidence(std::span<const Evidence> found) {
    if (!std::exchange(is_grouped_, true)) group_sets();
    const std::vector<SetLinks>& links = evaluator_.set_links_;
    for (const SetGroup& group : evaluator_.set_groups_) {
      bool suffices = group.outer == kBeside ? !found.empty() : group.outer != kNothing && has(kAny, group.outer);
      for (std::uint32_t i = suffices ? kNone : group.first; i != kNone; i = links[i].next_in_group) {
        if (!has(kAny, i)) return false;
      }
    }
    clear(kInside);
    for (const Evidence& evidence : found) add_row(kInside, look_up(evidence.embedding));
    return each_in(kInside, [&](std::uint32_t embedding) {
      for (std::uint32_t i = links[embedding].first_within; i != kNone; i = links[i].next_within) {
        if (!has(kAny, i) && !has_evidence(i, found)) return false;
      }
      return true;
    });
  }

  // The sets that ask for evidence by what may stand in for it, and by the embedding that they are in.
  void group_sets() {
    evaluator_.set_groups_.clear();
    std::vector<SetLinks>& links = evaluator_.set_links_;
    links.assign(sets_.size(), {kNone, kNone, kNone, kNone});
    std::uint32_t beside = kNone, nothing = kNone;
    each_in(kAsking, [&](std::uint32_t i) {
      const RequirementSet& set = sets_[i];
      std::optional<std::uint32_t> embedding = find(set.embedding);
      if (embedding) {
        links[i].next_within = links[*embedding].first_within;
        links[*embedding].first_within = i;
        if (set.conjunction_opened && set.parent == 0) return true;
      }
      std::uint32_t outer = embedding ? outer_of(set, *embedding) : kNothing;
      std::uint32_t& group = outer == kBeside ? beside : outer == kNothing ? nothing : links[outer].group;
      if (group == kNone) {
        group = static_cast<std::uint32_t>(evaluator_.set_groups_.size());
        evaluator_.set_groups_.push_back({outer, kNone});
      }
      links[i].next_in_group = std::exchange(evaluator_.set_groups_[group].first, i);
      return true;
    });
  }

  void use_links() {
    State& nearest = evaluator_.links_owner(*state_);
    if (nearest.links.empty()) {
      links_ = {};
      return;
    }
    State& owner = evaluator_.links_owner(nearest);
    links_ = owner.flat_links.span();
    oldest_target_ = links_.back().to;
    if (evaluator_.marked_links_owner_ == &owner && evaluator_.marked_links_epoch_ == evaluator_.links_epoch_) return;
    evaluator_.marked_links_owner_ = &owner;
    evaluator_.marked_links_epoch_ = evaluator_.links_epoch_;
    ++evaluator_.marked_links_;
    for (std::uint32_t i = static_cast<std::uint32_t>(links_.size()); i-- > 0;) {
      IdMark& mark = evaluator_.id_marks_[links_[i].to];
      mark.links = evaluator_.marked_links_;
      mark.first_link = i;
    }
  }

  void forget_known() {
    known_stamp_ = ++evaluator_.marked_known_;
    row_count_ = kFirstKnown;
  }

  // The row of the sets that contain the id.
  Row look_up(ClosingId id) {
    IdMark& mark = evaluator_.id_marks_[id];
    if (mark.known == known_stamp_) return mark.row;
    if (row_count_ == kMostRows) forget_known();
    Row made = row_count_++;
    make_room(row_count_);
    clear(made);
    walk(id, made);
    if (mark.stamp != stamp_) mark.place = kNone;
    mark.stamp = stamp_;
    mark.known = known_stamp_;
    mark.row = made;
    return made;
  }

  // Links can lead back to where they came from, so each origin is followed once. Parents are always older than what they
  // brought in.
  void walk(ClosingId id, Row to) {
    const ClosingOrigin* closing = evaluator_.closing_.data();
    IdMark* marks = evaluator_.id_marks_.data();
    std::uint32_t stamp = stamp_;
    // Whether there is more to be found further up.
    auto note = [&](const IdMark& mark) {
      if (mark.known == known_stamp_) {
        add_row(to, mark.row);
        return false;
      }
      if (mark.place != kNone) row(to)[mark.place / 64] |= 1ull << (mark.place % 64);
      return true;
    };
    if (links_.empty()) {
      for (ClosingId at = id, end = std::max<ClosingId>(oldest_, 1); at >= end; at = closing[at].parent) {
        if (marks[at].stamp == stamp && !note(marks[at])) return;
      }
      return;
    }
    std::uint32_t walk = ++evaluator_.marking_walk_;
    ClosingId end = std::max<ClosingId>(std::min(oldest_, oldest_target_), 1);
    std::uint32_t linked = evaluator_.marked_links_;
    std::vector<ClosingId>& origins = evaluator_.origins_;
    origins.assign(1, id);
    for (std::size_t i = 0; i < origins.size(); ++i) {
      for (ClosingId at = origins[i]; at >= end; at = closing[at].parent) {
        IdMark& mark = marks[at];
        if (mark.walk == walk) break;
        mark.walk = walk;
        if (mark.stamp == stamp && !note(mark)) break;
        if (mark.links != linked) continue;
        for (std::size_t link = mark.first_link; link < links_.size() && links_[link].to == at; ++link) {
          origins.push_back(links_[link].from);
        }
      }
    }
  }

  Evaluator& evaluator_;
  State* state_;
  const ArenaVector<RequirementSet>& sets_;
  std::uint32_t stamp_;
  std::size_t words_;  // of a row
  std::uint64_t* rows_ = nullptr;
  ClosingId oldest_ = ~ClosingId{0};
  std::span<const ClosingLink> links_;
  ClosingId oldest_target_ = 0;
  bool has_own_links_ = false;
  bool is_grouped_ = false;
  std::size_t asked_ = 0;  // how many sets that lacked evidence were asked
  std::uint32_t known_stamp_ = 0;
  Row row_count_ = kFirstKnown;
};

ClosingId Evaluator::parent_ellipsis(State& state, const RequirementSet& set, std::span<const Evidence> found) {
  for (const Evidence& evidence : found) {
    if ((evidence.flags & evidence::ellipsis) == 0) continue;
    if (contains_id(state, set.id, evidence.id)) return evidence.id;
  }
  return 0;
}

// A requirement whose conjuncts here are all `_` or end in `...` asks for nothing more.
void Evaluator::filter_top(State& state, ArenaVector<RequirementSet>& sets, std::span<const Evidence> parent_evidence) {
  constexpr std::uint8_t kWaives = evidence::top | evidence::open_validator;
  bool any_ellipsis = has_ellipsis(parent_evidence);
  bool any_waives = std::ranges::any_of(state.evidence, [](const Evidence& found) { return (found.flags & kWaives) != 0; });
  if (sets.empty() || (!any_ellipsis && !any_waives)) return;
  struct Found {
    std::uint8_t flags = 0;
    bool any = false;
  };
  std::array<Found, 32> few;
  std::vector<Found> many;
  std::span<Found> found_in(few.data(), std::min<std::size_t>(few.size(), sets.size()));
  if (sets.size() > few.size()) {
    many.resize(sets.size());
    found_in = many;
  }
  SetOrigins origins(*this, state, sets);
  for (const Evidence& found : state.evidence) {
    origins.each_containing(found.id, [&](std::uint32_t i) {
      found_in[i].any = true;
      std::uint8_t own = found.flags;
      if (found.id < sets[i].id) own &= static_cast<std::uint8_t>(~evidence::structure);
      found_in[i].flags |= own;
    });
  }
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < sets.size(); ++i) {
    std::uint8_t flags = found_in[i].flags;
    if ((flags & kWaives) == 0 && !any_ellipsis) {
      if (kept != i) sets[kept] = sets[i];
      ++kept;
      continue;
    }
    RequirementSet set = sets[i];
    bool has_any = found_in[i].any;
    if (((flags & evidence::top) && !(flags & evidence::structure)) || (flags & evidence::open_validator)) continue;
    if (any_ellipsis && !(has_any && set.kind != RequirementKind::structure)) {
      ClosingId id = parent_ellipsis(state, set, parent_evidence);
      if (id != 0) {
        if (!has_any) {
          set.removed = true;
        } else {
          bool any = false;
          for (const Evidence& found : state.evidence) any = any || contains_id(state, id, found.id);
          if (!any) set.removed = true;
        }
      }
    }
    sets[kept++] = set;
  }
  sets.truncate(kept);
}

// What closes the node, without making the sets. Within a definition that refers to itself each level has the requirements of
// all levels before, but the innermost of them asks for most: what it allows all others do.
Closing Evaluator::closing(State& state) {
  if (state.closing != Closing::unknown) return state.closing;
  Node* parent = state.node->parent;
  State* around = parent != nullptr && !state.drop_parent_requirements ? parent->state : nullptr;
  Closing outer = around != nullptr ? closing(*around) : Closing::nothing;
  state.narrowest_requirement = around != nullptr ? around->narrowest_requirement : 0;
  state.closing = closing_within(state, outer);
  return state.closing;
}

// The same if that is what closes the struct around. Leaves alone, as it is said by the sets, whatever is waived (`...`, `_`,
// embeddings) and what is closed at one level only.
Closing Evaluator::closing_within(State& state, Closing outer) {
  bool has_own = std::ranges::any_of(state.requirements, [](const Requirement& requirement) { return !requirement.ignored; });
  if (!has_own && outer == Closing::nothing) return Closing::nothing;
  Node* node = state.node;
  if (outer == Closing::sets || (node->parent != nullptr && always_allowed(node->label))) return Closing::sets;
  constexpr std::uint8_t kWaives = evidence::ellipsis | evidence::top | evidence::open_validator;
  for (const Evidence& found : state.evidence) {
    if ((found.flags & kWaives) != 0) return Closing::sets;
  }
  if (node->parent != nullptr && node->parent->state != nullptr && has_ellipsis(node->parent->state->evidence.span())) {
    return Closing::sets;
  }
  if (!links_owner(state).links.empty()) return Closing::sets;
  ClosingId narrowest = outer == Closing::narrowest ? state.narrowest_requirement : 0;
  for (const Requirement& own : state.requirements) {
    if (own.ignored) continue;
    bool is_plain = own.kind == RequirementKind::reference && own.recursive && own.parent == 0 && own.embedding == 0 &&
                    !own.conjunction_opened && !own.target->closed_once;
    if (!is_plain || (narrowest != 0 && !contains_id(state, narrowest, own.id))) return Closing::sets;
    narrowest = own.id;
  }
  state.narrowest_requirement = narrowest;
  return Closing::narrowest;
}

ArenaVector<RequirementSet>& Evaluator::requirement_sets(State& state) {
  if (state.requirements_computed) return state.requirement_sets;
  ArenaVector<RequirementSet>& sets = state.requirement_sets;
  sets.clear();
  Node* parent = state.node->parent;
  State* parent_state = parent != nullptr && !state.drop_parent_requirements ? parent->state : nullptr;
  ClosingId newest = 0;
  if (parent_state != nullptr) {
    const ArenaVector<RequirementSet>& inherited_sets = requirement_sets(*parent_state);
    sets.reserve(arena_, inherited_sets.size() + state.requirements.size());
    for (RequirementSet set : inherited_sets) {
      if (set.once) set.ignored = true;
      sets.push(arena_, set);
      newest = std::max(newest, set.id);
    }
  }
  std::uint32_t inherited = sets.size();
  for (const Requirement& requirement : state.requirements) {
    if (requirement.ignored && requirement.kind == RequirementKind::reference) continue;
    // Mostly it is newer than all that the struct around has.
    auto is_it = [&](const RequirementSet& set) { return set.id == requirement.id; };
    if (requirement.id <= newest && std::ranges::any_of(sets, is_it)) continue;
    newest = std::max(newest, requirement.id);
    bool once = false;
    if (requirement.kind != RequirementKind::embedding) {
      once = requirement.target != nullptr && requirement.target->closed_once;
      if (!requirement.ignored && !requirement.recursive) once = true;
    }
    sets.push(arena_, {requirement.id, requirement.parent, requirement.embedding, requirement.kind, once,
                       requirement.ignored, false, requirement.conjunction_opened});
    if (requirement.parent != 0 && !requirement.ignored) {
      ClosingId outer = requirement.parent;
      for (std::uint32_t i = inherited; i-- > 0 && outer != 0;) {
        RequirementSet& set = sets[i];
        if (set.id != outer) continue;
        set.once = set.ignored ? !requirement.recursive : (set.once && !requirement.recursive);
        set.ignored = false;
        outer = set.parent;
      }
    }
  }
  if (always_allowed(state.node->label) && parent != nullptr) {
    SetOrigins origins(*this, state, sets);
    origins.gather(state.evidence.span());
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < sets.size(); ++i) {
      if (origins.any_contains(i)) sets[kept++] = sets[i];
    }
    sets.truncate(kept);
  }
  std::span<const Evidence> parent_evidence;
  if (parent != nullptr && parent->state != nullptr) parent_evidence = parent->state->evidence.span();
  spend(sets.size());
  filter_top(state, sets, parent_evidence);
  state.requirements_computed = true;
  return state.requirement_sets;
}

const Error* Evaluator::not_allowed_error(Node* arc) {
  std::vector<Position> positions;
  for (const Conjunct& conjunct : arc->conjuncts) {
    if (conjunct.expression != nullptr && conjunct.expression->position.valid()) {
      positions.push_back(conjunct.expression->position);
    } else if (conjunct.expression == nullptr) {
      Position position = conjunct.node != nullptr ? conjunct.node->value.position : conjunct.value.position;
      if (position.valid()) positions.push_back(position);
    }
  }
  std::vector<Position> unique;
  for (Position position : positions) {
    if (std::find(unique.begin(), unique.end(), position) == unique.end()) unique.push_back(position);
  }
  // A validator beside the fields is part of what they must comply with.
  Position check;
  if (arc->parent != nullptr && arc->parent->state != nullptr && !arc->parent->state->checks.empty()) {
    check = arc->parent->state->checks.span().back().value.position;
  }
  Node* saved = std::exchange(current_, arc);
  Error* error = copy_error(*make_error(ErrorCode::evaluation, check, "field not allowed"));
  current_ = saved;
  error->from_close_check = true;
  error->positions = arena_.copy(unique);
  return error;
}

namespace {

// What a field has evidence of.
struct FieldEvidence {
  const Node* around = nullptr;
  std::span<const Evidence> found;
  bool has_links = false;
};

// As fields of one literal mostly have.
bool is_same(const FieldEvidence& a, const FieldEvidence& b) {
  return !a.has_links && !b.has_links && a.around == b.around &&
         std::ranges::equal(a.found, b.found, [](const Evidence& one, const Evidence& other) {
           return one.id == other.id && one.embedding == other.embedding;
         });
}

}  // namespace

// Of a field that was evaluated without a state its conjuncts say it.
PlainEvidence Evaluator::plain_evidence(const Node& arc) {
  PlainEvidence evidence;
  if (!arc.is_plain || arc.state != nullptr) return evidence;
  for (const Conjunct& conjunct : arc.conjuncts) {
    evidence.found[evidence.count++] = {conjunct.provenance.id, conjunct.provenance.embedding, 0};
  }
  return evidence;
}

void Evaluator::check_closedness(State& state) {
  if (const Error* errors = refused_fields(state, true)) add_child_error(state, errors);
}

// Whether a node that was asked for while something around it may still add to it has a field that is not allowed by what is
// known: who asks takes it that nothing will change that.
bool Evaluator::refuses_so_far(Node* node) {
  node = disjunct_node(node);
  if (node->status != Status::finalized || node->state == nullptr || !node->state->closing_deferred) return false;
  if (node->base != BaseKind::structure && node->base != BaseKind::list) return false;
  if (std::ranges::any_of(node->arcs, [&](Node* arc) { return arc->arc <= ArcKind::required && refuses_so_far(arc); })) return true;
  State& state = *node->state;
  auto forget = [&] {
    state.requirements_computed = false;
    state.closing = Closing::unknown;
  };
  forget();
  bool refuses = refused_fields(state, false) != nullptr;
  forget();
  return refuses;
}

// What is wrong with fields that may not be there; null if there are none.
const Error* Evaluator::refused_fields(State& state, bool marks_them) {
  Node* node = state.node;
  if (node->arcs.empty()) return nullptr;
  // Where a field is wrong, CUE does not look whether another may be there at all.
  if (node->base == BaseKind::error && !node->error->from_close_check &&
      !(reports_all_errors_ && node->error->is_child_error)) {
    return nullptr;
  }
  Closing what = closing(state);
  if (what == Closing::nothing) return nullptr;
  bool one_suffices = what == Closing::narrowest && !state.requirements_computed;
  ArenaVector<RequirementSet>& base = one_suffices ? state.requirement_sets : requirement_sets(state);
  if (one_suffices) {
    base.clear();
    base.push(arena_, {state.narrowest_requirement, 0, 0, RequirementKind::reference, false, false, false, false});
  }
  if (base.empty()) return nullptr;
  bool any_active = false;
  bool any_ellipsis = has_ellipsis(state.evidence.span());
  for (RequirementSet& set : base) {
    if (any_ellipsis && parent_ellipsis(state, set, state.evidence.span()) != 0) set.removed = true;
    any_active = any_active || (!set.ignored && !set.removed);
  }
  if (!any_active) return nullptr;

  const Error* errors = nullptr;
  FieldEvidence allowed;  // of the last field that may be there
  std::array<PlainEvidence, 2> plain;  // of that one, and of the one that is looked at
  bool is_second = false;
  SetOrigins origins(*this, state, base);
  for (Node* original : node->arcs) {
    if (always_allowed(original->label)) continue;
    Node* arc = disjunct_node(original);
    if (arc->base == BaseKind::error && !arc->error->from_close_check) continue;
    FieldEvidence field{.around = arc->parent};
    if (arc->state != nullptr) {
      field.found = arc->state->evidence.span();
      field.has_links = !arc->state->links.empty();
    } else {
      plain[is_second] = plain_evidence(*arc);
      if (plain[is_second].count == 0) continue;
      field.found = plain[is_second].span();
    }
    if (allowed.around != nullptr && is_same(field, allowed)) continue;
    origins.use(arc->state != nullptr ? *arc->state : state);
    origins.gather(field.found);
    if (origins.have_evidence(field.found)) {
      allowed = field;
      if (arc->state == nullptr) is_second = !is_second;
      continue;
    }
    if (original->arc == ArcKind::optional || original->arc == ArcKind::absent) continue;
    const Error* error = not_allowed_error(original);
    if (marks_them) set_base_error(value_node(original) == arc ? arc : original, error);
    errors = combine(errors, error);
  }
  return errors;
}

// As the API asks it of a finalized node.
bool Evaluator::accepts(Node* node, Label label) {
  if (label.is_definition() || label.is_hidden()) return true;
  node = value_node(node);
  if (node->base == BaseKind::disjunction) {
    for (Node* disjunct : node->disjuncts) {
      if (accepts(disjunct, label)) return true;
    }
    return false;
  }
  if (label.is_integer()) {
    if (node->base == BaseKind::list) {
      std::uint32_t count = 0;
      for (Node* arc : node->arcs) count += arc->label.is_integer();
      return label.index() < count || node->list_is_open;
    }
    return (kinds_of(Value::of_node(node)) & kinds::list) != 0;
  }
  KindSet kind_set = kinds_of(Value::of_node(node));
  if (!(kind_set & kinds::structure)) {
    bool was_struct = node->state != nullptr && node->state->has_struct;
    if (kind_set != kinds::bottom || !was_struct) return false;
  }
  if (node->has_ellipsis || !is_closed_struct(node)) return true;
  if (Node* arc = find_arc(node, label); arc != nullptr && arc->arc != ArcKind::absent) return true;
  if (find_optional(node, label) != nullptr) return true;
  for (const PatternConstraint& pattern : patterns_of(*node)) {
    if (matches_pattern(pattern.pattern, label)) return true;
  }
  return false;
}

bool Evaluator::is_closed_struct(Node* node) {
  if (node->base == BaseKind::forward) return node->closed_recursively && !node->has_ellipsis;
  if (node->base != BaseKind::structure && node->base != BaseKind::disjunction &&
      !(node->base == BaseKind::error && node->state != nullptr && node->state->is_struct)) {
    return false;
  }
  return node->closed_recursively || node->closed_once;
}

}  // namespace opm::cue::eval
