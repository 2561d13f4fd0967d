#include "cue/std/list_sort.h"

#include <algorithm>
#include <array>

#include "cue/eval/field_function.h"
#include "cue/std/evaluation.h"

namespace opm::cue::standard {
namespace {

class Comparator {
 public:
  Comparator(Call& call, const Value& value) : call_(call), function_(call.evaluator(), value, kParameters, "less") {
    eval::Node* node = struct_node(call, value);
    auto& evaluator = call.evaluator();
    exists_ = node != nullptr && evaluator.find_arc(node, string_label(evaluator.names(), "less")) != nullptr;
  }

  // Without a field `less` it compares nothing.
  bool exists() const { return exists_; }
  const Value& failure() const { return failure_; }

  // The comparator unified with {x: a, y: b}. After a failure everything counts as less.
  bool less(const Value& a, const Value& b) {
    if (failure_.is_error()) return true;
    const Value arguments[] = {a, b};
    Value result = function_.call(arguments);
    if (result.kind == eval::ValueKind::boolean) return result.boolean_value;
    failure_ = result.is_error() ? result
                                 : call_.error("cannot use {} (type {}) as bool", {result, Argument::of_kinds(eval::kinds_of(result))});
    return true;
  }

 private:
  static constexpr std::string_view kParameters[] = {"x", "y"};

  Call& call_;
  eval::FieldFunction function_;
  Value failure_;
  bool exists_ = false;
};

// Merge sort: stable, and whatever a comparator answers it ends and stays in bounds.
void sort_range(std::span<Value> values, std::span<Value> spare, Comparator& comparator) {
  if (values.size() < 2 || comparator.failure().is_error()) return;
  std::size_t half = values.size() / 2;
  sort_range(values.first(half), spare.first(half), comparator);
  sort_range(values.subspan(half), spare.subspan(half), comparator);
  std::copy(values.begin(), values.end(), spare.begin());
  std::size_t left = 0, right = half;
  for (Value& slot : values) {
    bool take_right = right < spare.size() && (left == half || comparator.less(spare[right], spare[left]));
    slot = take_right ? spare[right++] : spare[left++];
  }
}

}  // namespace

Value sort_list(Call& call) {
  Value failure;
  std::vector<Value> elements = raw_elements(call, call.value(0), failure);
  if (failure.is_error()) return failure;
  Comparator comparator(call, call.value(1));
  if (!comparator.exists()) return call.error("field not found: less");
  std::vector<Value> spare(elements.size());
  sort_range(elements, spare, comparator);
  if (comparator.failure().is_error()) return comparator.failure();
  return call.make_list(elements);
}

Value is_sorted_list(Call& call) {
  Value failure;
  std::vector<Value> elements = raw_elements(call, call.value(0), failure);
  if (failure.is_error()) return failure;
  Comparator comparator(call, call.value(1));
  if (!comparator.exists()) return call.make_bool(true);
  for (std::size_t i = elements.size(); i-- > 1;) {
    if (comparator.less(elements[i], elements[i - 1])) return call.make_bool(false);
  }
  return call.make_bool(true);
}

std::vector<std::string> sort_strings(const std::vector<std::string_view>& texts) {
  std::vector<std::string> sorted(texts.begin(), texts.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

bool is_sorted_strings(const std::vector<std::string_view>& texts) { return std::is_sorted(texts.begin(), texts.end()); }

}  // namespace opm::cue::standard
