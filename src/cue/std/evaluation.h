// What functions on lists, structs and schemas need of the evaluator beyond a Call.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "cue/eval/evaluator.h"
#include "cue/std/bind.h"
#include "data/tree.h"

namespace opm::cue::standard {

// Finalized, its default taken, scalars unwrapped.
Value plain(Call& call, const Value& value);
// The list or struct that the value is, or null.
eval::Node* list_node(Call& call, const Value& value);
eval::Node* struct_node(Call& call, const Value& value);
// The elements as they are, with what makes them still open to unification; an error
// value in `failure` where it is no list.
std::vector<Value> raw_elements(Call& call, const Value& list, Value& failure);
// Equal as CUE's functions compare: an int and a float are different, as are null and
// a struct; hidden fields and definitions do not count.
bool same_value(Call& call, const Value& a, const Value& b);
// Whether it can't become more specific.
bool is_final(Call& call, const Value& value);

enum class Demand {
  consistent,  // no conflict
  final,       // and required fields are there
  concrete,    // and everything is concrete
};
// The errors of a value combined into one, or null.
const eval::Error* shortcomings(Call& call, const Value& value, Demand demand);
// The same of a document that was read from a text and is to fit a schema. Where it does not, `read_again` makes an
// expression of it that knows where in the text what stands; null if it can't.
const eval::Error* misfit(Call& call, const data::Value& document, const Value& schema, Demand demand,
                          const std::function<const compile::Expression*()>& read_again);

enum class TextForm { json, yaml, decoded };
// A value as data for one of the text forms (or for no text at all), which differ in how they write numbers
// and in what they say of incomplete values; false and a failure of the call if it is none.
bool to_data(Call& call, const Value& value, TextForm form, data::Value& out, Value& failure);

}  // namespace opm::cue::standard
