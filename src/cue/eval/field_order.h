// In which order the fields of a struct are shown. Fields keep the order in which a struct
// literal declares them; literals that are unified without an `&` between them (embeddings,
// several declarations of one field) follow each other as they stand in the source; between
// the two sides of an `&` there is no order. What all that leaves open, and whatever
// contradicts itself, goes by name.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "cue/eval/evaluator.h"

namespace opm::cue::eval {

// Orders that were found, for those who ask for many: structs that look alike, as elements of a list do, are put in order
// once. It is about one evaluator's nodes.
class KnownOrders {
 public:
  // All that an order depends on, and the places of the arcs in that order.
  using Key = std::vector<std::uint64_t>;
  using Order = std::vector<std::uint32_t>;

  // Null: not known.
  const Order* find(const Key& key) const {
    auto found = orders_.find(key);
    return found == orders_.end() ? nullptr : &found->second;
  }
  void add(Key key, Order order) {
    if (orders_.size() < kMost) orders_.emplace(std::move(key), std::move(order));
  }

 private:
  struct Hash {
    std::size_t operator()(const Key& key) const {
      std::uint64_t hash = key.size();
      for (std::uint64_t word : key) hash = (hash ^ word) * 0x9E3779B97F4A7C15u ^ hash >> 29;
      return hash;
    }
  };
  static constexpr std::size_t kMost = 1024;

  std::unordered_map<Key, Order, Hash> orders_;
};

// The arcs of a finalized node, those that are absent left out. `owner` is the node whose value this is,
// where that is another: it holds the conjuncts.
std::vector<Node*> fields_in_order(Evaluator& evaluator, Node* node, const Node* owner = nullptr,
                                   KnownOrders* known = nullptr);

}  // namespace opm::cue::eval
