// Several worlds in one evaluation: a scalar may be another one in each of them, an environment's namespace say, and what
// does not depend on such a scalar is evaluated once for all. Everything is evaluated as it is in one of them, the
// witness. A varying scalar can be passed on, and computed with in all worlds at once; a decision that depends on it
// (a condition, an alternative, whether two values agree) has to come out alike in all of them. Worlds in which it would
// not are dropped: the result says nothing about those. What just looks at a varying scalar keeps the worlds in which it
// is the same as in the witness. So the result holds in the worlds that are left, whoever forgot about worlds.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "cue/eval/value.h"

namespace opm::cue::eval {

class Worlds;

// The payloads of one scalar: texts or numbers, in each world of the same kind.
struct Variation {
  Worlds* worlds;  // null: it is frozen, and of none of them
  bool is_number;
  std::span<const void* const> payloads;  // by world; those of dropped worlds are not to be used
};

// What a text or number that does not vary holds, and whether two of them are the same.
const void* payload_of(const Value& value);
bool same_payload(const void* one, const void* other, bool is_number);

class Worlds {
 public:
  Worlds(std::vector<bool> held, std::size_t witness) : held_(std::move(held)), witness_(witness), current_(witness) {}

  std::size_t size() const { return held_.size(); }
  std::size_t witness() const { return witness_; }
  bool holds(std::size_t world) const { return held_[world]; }
  void drop(std::size_t world) { held_[world] = false; }

  const void* read(const Variation& variation);

  // The answer to a question about scalars, in all worlds that are left.
  template <typename Question>
  bool decide(Question question) {
    if (is_reading_) return question();
    Reading reading(*this, witness_);
    bool answer = question();
    for (std::size_t world = 0; world < held_.size(); ++world) {
      if (!held_[world] || world == witness_) continue;
      current_ = world;
      if (question() != answer) held_[world] = false;
    }
    return answer;
  }

  // As long as it lives, scalars are what they are in that world, and no world is dropped for looking at them. Nothing
  // that is kept may depend on it; evaluation, which keeps what it finds, puts it aside (Evaluating).
  class Reading {
   public:
    Reading(Worlds& worlds, std::size_t world)
        : worlds_(worlds), was_reading_(std::exchange(worlds.is_reading_, true)), saved_(std::exchange(worlds.current_, world)) {}
    ~Reading() {
      worlds_.is_reading_ = was_reading_;
      worlds_.current_ = saved_;
    }
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;

   private:
    Worlds& worlds_;
    bool was_reading_;
    std::size_t saved_;
  };
  class Evaluating {
   public:
    explicit Evaluating(Worlds* worlds) : worlds_(worlds != nullptr && worlds->is_reading_ ? worlds : nullptr) {
      if (worlds_ == nullptr) return;
      worlds_->is_reading_ = false;
      saved_ = std::exchange(worlds_->current_, worlds_->witness_);
    }
    ~Evaluating() {
      if (worlds_ == nullptr) return;
      worlds_->is_reading_ = true;
      worlds_->current_ = saved_;
    }
    Evaluating(const Evaluating&) = delete;
    Evaluating& operator=(const Evaluating&) = delete;

   private:
    Worlds* worlds_;
    std::size_t saved_ = 0;
  };

  bool is_reading() const { return is_reading_; }
  void set_current(std::size_t world) { current_ = world; }

  // Whether anything that varies was looked at since it was made.
  class Watching {
   public:
    explicit Watching(Worlds& worlds) : worlds_(worlds), before_(std::exchange(worlds.looked_, false)) {}
    ~Watching() { worlds_.looked_ = worlds_.looked_ || before_; }
    Watching(const Watching&) = delete;
    Watching& operator=(const Watching&) = delete;
    bool looked() const { return worlds_.looked_; }

   private:
    Worlds& worlds_;
    bool before_;
  };

 private:
  std::vector<bool> held_;
  std::size_t witness_;
  std::size_t current_;
  bool is_reading_ = false;
  bool looked_ = false;
};

}  // namespace opm::cue::eval
