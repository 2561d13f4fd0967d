#include "opm/model/object_path.h"

#include <charconv>
#include <utility>

namespace opm::model {

namespace {

const data::Value* element(const data::List& list, const std::string& key) {
  std::size_t index = 0;
  const char* end = key.data() + key.size();
  auto [read, error] = std::from_chars(key.data(), end, index);
  return error == std::errc() && read == end && index < list.size() ? &list[index] : nullptr;
}

}  // namespace

const data::Value* part_of(const data::Value& object, std::span<const std::string> path) {
  const data::Value* at = &object;
  for (std::size_t i = 0; i < path.size() && at != nullptr; ++i) {
    at = at->is_list() ? element(at->as_list(), path[i]) : at->find(path[i]);
  }
  return at;
}

data::Value* part_of(data::Value& object, std::span<const std::string> path) {
  return const_cast<data::Value*>(part_of(std::as_const(object), path));
}

}  // namespace opm::model
