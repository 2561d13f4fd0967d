#include "cue/eval/worlds.h"

#include "cue/eval/evaluator.h"

namespace opm::cue::eval {

namespace {

bool same_in(const Variation& variation, std::size_t a, std::size_t b) {
  return same_payload(variation.payloads[a], variation.payloads[b], variation.is_number);
}

}  // namespace

const void* payload_of(const Value& value) {
  return value.is_number() ? static_cast<const void*>(value.number.get()) : static_cast<const void*>(value.text.get());
}

bool same_payload(const void* one, const void* other, bool is_number) {
  if (one == other) return true;
  if (is_number) return base::Number::compare(*static_cast<const base::Number*>(one), *static_cast<const base::Number*>(other)) == 0;
  return *static_cast<const std::string_view*>(one) == *static_cast<const std::string_view*>(other);
}

const void* read_variation(const Variation& variation) {
  return variation.worlds != nullptr ? variation.worlds->read(variation) : variation.payloads.front();
}

const void* witness_of(const Variation& variation) {
  return variation.payloads[variation.worlds != nullptr ? variation.worlds->witness() : 0];
}

const void* Worlds::read(const Variation& variation) {
  if (!is_reading_) {
    for (std::size_t world = 0; world < held_.size(); ++world) {
      if (held_[world] && !same_in(variation, world, witness_)) held_[world] = false;
    }
  }
  looked_ = true;
  return variation.payloads[current_];
}

Worlds& Evaluator::open_worlds(std::vector<bool> held, std::size_t witness) {
  all_worlds_.push_back(std::make_unique<Worlds>(std::move(held), witness));
  worlds_ = all_worlds_.back().get();
  return *worlds_;
}

Value Evaluator::make_varying(const Value& like, std::span<const void* const> payloads) {
  Variation made{worlds_, like.is_number(), payloads};
  bool differs = false;
  for (std::size_t world = 0; world < payloads.size() && !differs; ++world) {
    differs = worlds_->holds(world) && !same_in(made, world, worlds_->witness());
  }
  if (differs) return Value::of_variation(like, arena_.make<Variation>(made));
  const void* only = payloads[worlds_->witness()];
  Value value = like;
  if (like.is_number()) value.number = Payload<base::Number>::of(static_cast<const base::Number*>(only));
  else value.text = Payload<std::string_view>::of(static_cast<const std::string_view*>(only));
  return value;
}

Node* Evaluator::in_own_worlds(Node* frozen) {
  if (frozen->base == BaseKind::value) {
    const Variation* variation = frozen->value.variation();
    if (variation == nullptr) return frozen;
    Node* copy = arena_.make<Node>(*frozen);
    copy->value = make_varying(frozen->value, variation->payloads);
    return copy;
  }
  Node* copy = frozen;
  for (std::uint32_t i = 0; i < frozen->arcs.size(); ++i) {
    Node* arc = in_own_worlds(frozen->arcs[i]);
    if (arc == frozen->arcs[i]) continue;
    if (copy == frozen) {
      copy = arena_.make<Node>(*frozen);
      copy->arcs = frozen->arcs.copy(arena_);
    }
    arc->parent = copy;
    copy->arcs[i] = arc;
  }
  return copy;
}

Value Evaluator::in_all_worlds(const std::function<Value()>& compute) {
  Worlds& worlds = *worlds_;
  if (worlds.is_reading()) return compute();
  std::span<const void*> payloads;
  Value own;
  {
    Worlds::Reading reading(worlds, worlds.witness());
    Worlds::Watching watching(worlds);
    own = compute();
    if (!watching.looked()) return own;
    bool is_payload = own.is_number() || own.is_text();
    if (is_payload) {
      payloads = arena_.make_array<const void*>(worlds.size());
      payloads[worlds.witness()] = payload_of(own);
    }
    if (is_payload || own.kind == ValueKind::boolean || own.kind == ValueKind::null) {
      for (std::size_t world = 0; world < worlds.size(); ++world) {
        if (!worlds.holds(world) || world == worlds.witness()) continue;
        worlds.set_current(world);
        Value other = compute();
        bool is_alike = other.kind == own.kind && kinds_of(other) == kinds_of(own) &&
                        (own.kind != ValueKind::boolean || other.boolean_value == own.boolean_value);
        if (!is_alike) worlds.drop(world);
        else if (is_payload) payloads[world] = payload_of(other);
      }
      return is_payload ? make_varying(own, payloads) : own;
    }
  }
  // Errors, structs and lists are made of what all worlds share.
  return compute();
}

}  // namespace opm::cue::eval
