// Trees made by hand, and a look into those that came from elsewhere, where any part may be missing or of another kind.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "data/tree.h"

namespace opm::data {

Value text(std::string text);
Value integer(std::int64_t number);
Value boolean(bool value);
Value list(List items = {});
Value map(std::initializer_list<std::pair<std::string_view, Value>> members = {});

// In place of the member with that key, or after the others. What is no map becomes one.
void set(Value& map, std::string_view key, Value value);
// Whether it was there.
bool erase(Value& map, std::string_view key);

// What stands at the end of the keys; empty where that is no text, or nothing is there.
std::string_view text_at(const Value& value, std::initializer_list<std::string_view> keys);
// Likewise for whole numbers.
std::int64_t integer_at(const Value& value, std::initializer_list<std::string_view> keys, std::int64_t otherwise = 0);

}  // namespace opm::data
