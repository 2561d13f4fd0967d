// The package struct.
#include "cue/std/bind.h"
#include "cue/std/evaluation.h"
#include "cue/std/packages.h"

namespace opm::cue::standard {
namespace {

using eval::ArcKind;
using eval::Node;

struct FieldCount {
  std::int64_t members = 0;
  std::int64_t possible = 0;  // declared optional or required
  bool is_open = false;
};

bool count_fields(Call& call, FieldCount& count, std::int64_t& bound, Value& failure) {
  bound = call.int64(1);
  Node* node = struct_node(call, call.value(0));
  if (node == nullptr) {
    Value value = plain(call, call.value(0));
    failure = value.is_error() ? value : call.incomplete("non-concrete struct for argument 0");
    return false;
  }
  if (call.failed()) {
    failure = call.failure();
    return false;
  }
  call.evaluator().materialize_optionals(node);
  for (Node* arc : node->arcs) {
    if (!arc->label.is_string() || arc->arc == ArcKind::absent) continue;
    ++(arc->arc == ArcKind::member ? count.members : count.possible);
  }
  bool has_pattern = !patterns_of(*node).empty();
  count.is_open = node->has_ellipsis || has_pattern || !call.evaluator().is_closed_struct(node);
  return true;
}

Value min_fields(Call& call) {
  FieldCount count;
  std::int64_t bound = 0;
  Value failure;
  if (!count_fields(call, count, bound, failure)) return failure;
  if (count.members >= bound) return call.make_bool(true);
  const char* format = "len(fields) < MinFields({}) ({} < {})";
  bool may_grow = count.is_open || count.members + count.possible >= bound;
  return may_grow ? refuse_incomplete(call, format, {bound, count.members, bound})
                  : refuse(call, format, {bound, count.members, bound});
}

Value max_fields(Call& call) {
  FieldCount count;
  std::int64_t bound = 0;
  Value failure;
  if (!count_fields(call, count, bound, failure)) return failure;
  if (count.members <= bound) return call.make_bool(true);
  return refuse(call, "len(fields) > MaxFields({}) ({} > {})", {bound, count.members, bound});
}

}  // namespace

StandardPackage struct_package() {
  return make_package("struct", {
    define("MinFields", {kinds::structure, kinds::integer}, kinds::boolean, min_fields),
    define("MaxFields", {kinds::structure, kinds::integer}, kinds::boolean, max_fields),
  });
}

}  // namespace opm::cue::standard
