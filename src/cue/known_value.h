// What one context found out, for others of the same program: a field that takes long to evaluate, and comes to the same
// wherever it is evaluated, is evaluated once.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cue/value.h"

namespace opm::cue {

// The hidden field of a struct with that name ("_name"), whatever package it belongs to; invalid: there is none, or several.
// It is not evaluated.
Value hidden_field(const Value& structure, std::string_view name);

// The names of all fields that a struct has ("name", "#name", "_name"), in no order. Nothing below is evaluated for that. Nothing:
// it is no struct, or something is wrong with it already.
std::optional<std::vector<std::string>> settled_names(const Value& structure);

// From now on the field is what it was found to be elsewhere: the value under a handle that its context can thaw. False: it is
// being evaluated already, and nothing was changed.
bool take_over(const Value& field, Frozen::Handle known);

// For a struct of which all is validated elsewhere: what refers to it, and adds nothing, neither evaluates it as a whole nor
// validates it again.
void take_as_checked(const Value& structure);

// For a field ("name" or "#name") of a struct that was unified with a thawed one: where nothing but `_` and muted declarations
// are said of it beside the thawed value, it is that value, and what is below is not looked at again.
void take_as_thawed(const Value& structure, std::string_view field);

}  // namespace opm::cue
