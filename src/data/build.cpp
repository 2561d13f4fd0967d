#include "data/build.h"

#include <algorithm>
#include <charconv>

namespace opm::data {

Value text(std::string text) {
  Value value;
  value.variant = std::move(text);
  return value;
}

Value integer(std::int64_t number) {
  Value value;
  value.variant = NumberText{std::to_string(number), true};
  return value;
}

Value boolean(bool truth) {
  Value value;
  value.variant = truth;
  return value;
}

Value list(List items) {
  Value value;
  value.variant = std::move(items);
  return value;
}

Value map(std::initializer_list<std::pair<std::string_view, Value>> members) {
  Map result;
  result.reserve(members.size());
  for (const auto& [key, member] : members) result.push_back({std::string(key), member, {}});
  Value value;
  value.variant = std::move(result);
  return value;
}

void set(Value& target, std::string_view key, Value value) {
  if (!target.is_map()) target.variant = Map{};
  for (Member& member : target.as_map()) {
    if (member.key != key) continue;
    member.value = std::move(value);
    return;
  }
  target.as_map().push_back({std::string(key), std::move(value), {}});
}

bool erase(Value& target, std::string_view key) {
  return target.is_map() && std::erase_if(target.as_map(), [&](const Member& member) { return member.key == key; }) > 0;
}

std::string_view text_at(const Value& value, std::initializer_list<std::string_view> keys) {
  const Value* found = value.find_path(keys);
  return found != nullptr && found->is_string() ? std::string_view(found->as_string()) : std::string_view{};
}

std::int64_t integer_at(const Value& value, std::initializer_list<std::string_view> keys, std::int64_t otherwise) {
  const Value* found = value.find_path(keys);
  if (found == nullptr || !found->is_number()) return otherwise;
  const std::string& digits = found->as_number().text;
  std::int64_t number = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc{} && end == digits.data() + digits.size() ? number : otherwise;
}

}  // namespace opm::data
