// The package list, but for sorting.
#include <algorithm>
#include <unordered_map>

#include "cue/eval/text.h"
#include "cue/std/bind.h"
#include "cue/std/evaluation.h"
#include "cue/std/list_sort.h"
#include "cue/std/packages.h"

namespace opm::cue::standard {
namespace {

using base::Number;
using eval::Node;
using eval::ValueKind;

constexpr std::int64_t kMaxRange = 1'000'000;

// The positions of lines and columns are part of messages, so this is laid out as CUE's own.
constexpr std::string_view kSource = R"(
	Comparer: {
		T:    _
		x:    T
		y:    T
		less: bool
	}
	Ascending: {
		Comparer
		T:    number | string
		x:    T
		y:    T
		less: x < y
	}
	Descending: {
		Comparer
		T:    number | string
		x:    T
		y:    T
		less: x > y
	}
)";

Value make_list(Call& call, std::span<const Value> values) {
  if (values.size() > kMaxResultElements) {
    return call.error("list of more than {} elements", {static_cast<std::int64_t>(kMaxResultElements)});
  }
  return call.make_list(values);
}

// The part of the list from `first` on, `count` elements at most.
Value part_of(Call& call, const std::vector<Value>& elements, std::int64_t first, std::int64_t count) {
  auto size = static_cast<std::int64_t>(elements.size());
  first = std::min(first, size);
  count = std::min(count, size - first);
  return call.make_list(std::span(elements).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count)));
}

Value drop(Call& call) {
  Value failure;
  std::vector<Value> elements = raw_elements(call, call.value(0), failure);
  std::int64_t count = call.int64(1);
  if (failure.is_error()) return failure;
  if (call.failed()) return call.failure();
  if (count < 0) return call.error("negative index");
  return part_of(call, elements, count, static_cast<std::int64_t>(elements.size()));
}

Value take(Call& call) {
  Value failure;
  std::vector<Value> elements = raw_elements(call, call.value(0), failure);
  std::int64_t count = call.int64(1);
  if (failure.is_error()) return failure;
  if (call.failed()) return call.failure();
  if (count < 0) return call.error("negative index");
  return part_of(call, elements, 0, count);
}

Value slice(Call& call) {
  Value failure;
  std::vector<Value> elements = raw_elements(call, call.value(0), failure);
  std::int64_t first = call.int64(1);
  std::int64_t end = call.int64(2);
  if (failure.is_error()) return failure;
  if (call.failed()) return call.failure();
  if (first < 0) return call.error("negative index");
  if (first > end) return call.error("invalid index: {} > {}", {first, end});
  if (end > static_cast<std::int64_t>(elements.size())) return call.error("slice bounds out of range");
  return part_of(call, elements, first, end - first);
}

Value reverse(Call& call) {
  Value failure;
  std::vector<Value> elements = raw_elements(call, call.value(0), failure);
  if (failure.is_error()) return failure;
  std::reverse(elements.begin(), elements.end());
  return call.make_list(elements);
}

Value repeat(Call& call) {
  Value failure;
  std::vector<Value> elements = raw_elements(call, call.value(0), failure);
  std::int64_t count = call.int64(1);
  if (failure.is_error()) return failure;
  if (call.failed()) return call.failure();
  if (count < 0) return call.error("negative count");
  if (count > kMaxRepeatCount) return call.error("count {} exceeds limit of {}", {count, kMaxRepeatCount});
  if (elements.size() * static_cast<std::size_t>(count) > kMaxResultElements) {
    return call.error("list of more than {} elements", {static_cast<std::int64_t>(kMaxResultElements)});
  }
  std::vector<Value> result;
  for (std::int64_t i = 0; i < count; ++i) result.insert(result.end(), elements.begin(), elements.end());
  return call.make_list(result);
}

Value concat(Call& call) {
  Value failure;
  std::vector<Value> lists = raw_elements(call, call.value(0), failure);
  if (failure.is_error()) return failure;
  std::vector<Value> result;
  for (const Value& list : lists) {
    std::vector<Value> elements = raw_elements(call, list, failure);
    if (failure.is_error()) return failure;
    result.insert(result.end(), elements.begin(), elements.end());
    if (result.size() > kMaxResultElements) break;
  }
  return make_list(call, result);
}

void flatten_into(Call& call, Node* list, std::int64_t depth, unsigned nesting, std::vector<Value>& out) {
  for (Node* arc : list->arcs) {
    if (!arc->label.is_integer() || out.size() > kMaxResultElements) continue;
    Value element = Value::of_node(arc);
    Node* inner = depth != 0 && nesting < 1'000 ? list_node(call, element) : nullptr;
    if (inner == nullptr) {
      Value chosen = call.evaluator().take_default(element);
      out.push_back(chosen.is_error() ? element : chosen);
    } else {
      flatten_into(call, inner, depth - 1, nesting + 1, out);
    }
  }
}

Value flatten(Call& call) {
  std::int64_t depth = call.int64(1);
  if (call.failed()) return call.failure();
  Value failure;
  raw_elements(call, call.value(0), failure);
  if (failure.is_error()) return failure;
  std::vector<Value> result;
  flatten_into(call, list_node(call, call.value(0)), depth, 0, result);
  return make_list(call, result);
}

std::int64_t element_count(Node* list) {
  return std::count_if(list->arcs.begin(), list->arcs.end(), [](Node* arc) { return arc->label.is_integer(); });
}

// The list of a call that counts elements, and its bound.
bool read_count(Call& call, Node*& list, std::int64_t& bound, Value& failure) {
  bound = call.int64(1);
  raw_elements(call, call.value(0), failure);
  if (call.failed()) failure = call.failure();
  if (failure.is_error()) return false;
  list = list_node(call, call.value(0));
  return true;
}

Value min_items(Call& call) {
  Node* list = nullptr;
  std::int64_t bound = 0;
  Value failure;
  if (!read_count(call, list, bound, failure)) return failure;
  std::int64_t count = element_count(list);
  if (count >= bound) return call.make_bool(true);
  const char* format = "len(list) < MinItems({}) ({} < {})";
  return list->list_is_open ? refuse_incomplete(call, format, {bound, count, bound}) : refuse(call, format, {bound, count, bound});
}

Value max_items(Call& call) {
  Node* list = nullptr;
  std::int64_t bound = 0;
  Value failure;
  if (!read_count(call, list, bound, failure)) return failure;
  std::int64_t count = element_count(list);
  if (count <= bound) return call.make_bool(true);
  return refuse(call, "len(list) > MaxItems({}) ({} > {})", {bound, count, bound});
}

// A key that two scalars share if and only if they are equal.
std::string scalar_key(const Value& value) {
  switch (value.kind) {
    case ValueKind::null: return "n";
    case ValueKind::boolean: return value.boolean_value ? "t" : "f";
    case ValueKind::string: return "s" + std::string(value.string());
    case ValueKind::bytes: return "b" + std::string(value.string());
    default: return {};
  }
}

struct EqualPair {
  std::size_t first = 0, second = 0;
  bool is_final = false;
};

// The first two elements that are equal for good; else the last two that are equal so far.
std::optional<EqualPair> find_equal(Call& call, const std::vector<Value>& raw) {
  std::vector<Value> elements;
  for (const Value& element : raw) elements.push_back(plain(call, element));
  // For strings and the like the next equal one is looked up, so that long lists stay quick.
  std::vector<std::size_t> next(elements.size(), 0);
  std::vector<std::size_t> others;
  std::unordered_map<std::string, std::size_t> seen;
  for (std::size_t i = elements.size(); i-- > 0;) {
    std::string key = scalar_key(elements[i]);
    if (key.empty()) continue;
    auto [entry, is_new] = seen.try_emplace(std::move(key), i);
    if (!is_new) next[i] = std::exchange(entry->second, i);
  }
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (scalar_key(elements[i]).empty()) others.push_back(i);
  }
  std::optional<EqualPair> found;
  std::size_t behind = 0;  // the first of the others that comes after i
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (next[i] != 0) return EqualPair{i, next[i], true};
    if (behind >= others.size() || others[behind] != i) continue;
    ++behind;
    for (std::size_t k = behind; k < others.size(); ++k) {
      std::size_t j = others[k];
      if (!same_value(call, raw[i], raw[j])) continue;
      found = EqualPair{i, j, is_final(call, raw[j])};
      if (found->is_final) return found;
    }
  }
  return found;
}

Value unique_items(Call& call) {
  Value failure;
  std::vector<Value> elements = raw_elements(call, call.value(0), failure);
  if (failure.is_error()) return failure;
  auto pair = find_equal(call, elements);
  if (!pair) return call.make_bool(true);
  auto first = static_cast<std::int64_t>(pair->first);
  auto second = static_cast<std::int64_t>(pair->second);
  Value shown = plain(call, elements[pair->first]);
  if (shown.is_concrete_scalar()) {
    const char* format = "equal value ({}) at position {} and {}";
    Argument silent = Argument::silent(shown);
    return pair->is_final ? refuse(call, format, {silent, first, second}) : refuse_incomplete(call, format, {silent, first, second});
  }
  const char* format = "equal values at position {} and {}";
  return pair->is_final ? refuse(call, format, {first, second}) : refuse_incomplete(call, format, {first, second});
}

Value contains(Call& call) {
  Value failure;
  std::vector<Value> elements = raw_elements(call, call.value(0), failure);
  if (failure.is_error()) return failure;
  const Value& wanted = call.value(1);
  return call.make_bool(std::any_of(elements.begin(), elements.end(),
                                    [&](const Value& element) { return same_value(call, wanted, element); }));
}

Value match_n(Call& call) {
  Value failure;
  std::vector<Value> elements = raw_elements(call, call.value(0), failure);
  if (failure.is_error()) return failure;
  const Value& wanted = call.value(1);
  const Value& schema = call.value(2);
  std::int64_t count = 0;
  for (const Value& element : elements) {
    Value both = call.evaluator().unify_values(schema, element);
    if (!both.is_error() && shortcomings(call, both, Demand::final) == nullptr) ++count;
  }
  if (!call.evaluator().unify_values(wanted, call.make_int(count)).is_error()) return call.make_bool(true);
  return refuse(call, "{} matches {} list items, want {}", {schema, count, wanted});
}

bool read_numbers(Call& call, std::vector<Number>& numbers, Value& failure) {
  std::vector<Value> elements = raw_elements(call, call.value(0), failure);
  if (failure.is_error()) return false;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    Value element = plain(call, elements[i]);
    auto index = static_cast<std::int64_t>(i);
    if (element.is_number()) {
      numbers.push_back(*element.number);
      continue;
    }
    KindSet kind_set = eval::kinds_of(element);
    if (element.is_error()) {
      failure = element;
    } else if ((kind_set & kinds::number) == 0) {
      failure = call.error("invalid list element {} in argument 0 to call: cannot use value {} ({}) as number",
                           {index, element, Argument::of_kinds(kind_set)});
    } else {
      failure = call.incomplete("non-concrete value {} for element {} of number list argument 0", {element, index});
    }
    return false;
  }
  return true;
}

using Combine = std::optional<Number> (*)(base::Arena&, const Number&, const Number&);

Value fold(Call& call, const std::vector<Number>& numbers, std::int64_t start, Combine combine, Number& out) {
  out = Number::from_int(start);
  for (const Number& number : numbers) {
    auto next = combine(call.arena(), number, out);
    if (!next) return call.error("exponent out of range");
    out = *next;
  }
  return {};
}

Value sum(Call& call) {
  std::vector<Number> numbers;
  Value failure;
  if (!read_numbers(call, numbers, failure)) return failure;
  Number result;
  failure = fold(call, numbers, 0, Number::add, result);
  return failure.is_error() ? failure : make_decimal(call, result);
}

Value product(Call& call) {
  std::vector<Number> numbers;
  Value failure;
  if (!read_numbers(call, numbers, failure)) return failure;
  Number result;
  failure = fold(call, numbers, 1, Number::multiply, result);
  return failure.is_error() ? failure : make_decimal(call, result);
}

Value average(Call& call) {
  std::vector<Number> numbers;
  Value failure;
  if (!read_numbers(call, numbers, failure)) return failure;
  if (numbers.empty()) return call.error("empty list");
  Number result;
  failure = fold(call, numbers, 0, Number::add, result);
  if (failure.is_error()) return failure;
  auto quotient = Number::divide(call.arena(), result, Number::from_int(static_cast<std::int64_t>(numbers.size())));
  return quotient ? make_decimal(call, *quotient) : call.error("exponent out of range");
}

// The first of the numbers that is the greatest (sign 1) or the least (sign -1).
template <int sign>
Value extreme(Call& call) {
  std::vector<Number> numbers;
  Value failure;
  if (!read_numbers(call, numbers, failure)) return failure;
  if (numbers.empty()) return call.error("empty list");
  Number best = numbers.front();
  for (const Number& number : numbers) {
    auto order = Number::compare(number, best);
    if (sign > 0 ? order > 0 : order < 0) best = number;
  }
  return make_decimal(call, best);
}

Value range(Call& call) {
  Number at = call.number(0), limit = call.number(1), step = call.number(2);
  if (call.failed()) return call.failure();
  if (step.is_zero()) return call.error("step must be non zero");
  auto order = Number::compare(at, limit);
  if (step.sign() > 0 && order > 0) return call.error("end must be greater than start when step is positive");
  if (step.sign() < 0 && order < 0) return call.error("end must be less than start when step is negative");
  std::vector<Value> values;
  for (;;) {
    order = Number::compare(at, limit);
    if (step.sign() > 0 ? order >= 0 : order <= 0) break;
    if (values.size() == static_cast<std::size_t>(kMaxRange)) return call.error("range of more than {} elements", {kMaxRange});
    values.push_back(make_decimal(call, at));
    auto next = Number::add(call.arena(), step, at);
    if (!next) return call.error("exponent out of range");
    at = *next;
  }
  return call.make_list(values);
}

}  // namespace

StandardPackage list_package() {
  constexpr KindSet list = kinds::list, integer = kinds::integer, number = kinds::number, any = kinds::top, boolean = kinds::boolean;
  return make_package("list", {
    define("Drop", {list, integer}, list, drop),
    define("FlattenN", {any, integer}, list, flatten),
    define("Repeat", {list, integer}, list, repeat),
    define("Concat", {list}, list, concat),
    define("Take", {list, integer}, list, take),
    define("Slice", {list, integer, integer}, list, slice),
    define("Reverse", {list}, list, reverse),
    define("MinItems", {list, integer}, boolean, min_items),
    define("MaxItems", {list, integer}, boolean, max_items),
    define("UniqueItems", {list}, boolean, unique_items),
    define("Contains", {list, any}, boolean, contains),
    define_on_schemas("MatchN", {list, any, any}, boolean, match_n),
    define("Avg", {list}, number, average),
    define("Max", {list}, number, extreme<1>),
    define("Min", {list}, number, extreme<-1>),
    define("Product", {list}, number, product),
    define("Range", {number, number, number}, list, range),
    define("Sum", {list}, number, sum),
    define("Sort", {list, any}, list, sort_list),
    define("SortStable", {list, any}, list, sort_list),
    bind<sort_strings>("SortStrings"),
    define("IsSorted", {list, any}, boolean, is_sorted_list),
    bind<is_sorted_strings>("IsSortedStrings"),
  }, kSource);
}

}  // namespace opm::cue::standard
