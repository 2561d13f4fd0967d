#include "kube/object.h"

#include <charconv>

namespace opm::kube {

GroupVersion parse_group_version(std::string_view api_version) {
  std::size_t slash = api_version.find('/');
  if (slash == std::string_view::npos) return {"", std::string(api_version)};
  return {std::string(api_version.substr(0, slash)), std::string(api_version.substr(slash + 1))};
}

std::string text_at(const data::Value& object, std::initializer_list<std::string_view> path) {
  const data::Value* found = object.find_path(path);
  return found != nullptr && found->is_string() ? found->as_string() : std::string();
}

std::optional<std::int64_t> number_at(const data::Value& object, std::initializer_list<std::string_view> path) {
  const data::Value* found = object.find_path(path);
  if (found == nullptr || !found->is_number()) return std::nullopt;
  const std::string& text = found->as_number().text;
  std::int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string api_version_of(const data::Value& object) { return text_at(object, {"apiVersion"}); }
std::string kind_of(const data::Value& object) { return text_at(object, {"kind"}); }
std::string name_of(const data::Value& object) { return text_at(object, {"metadata", "name"}); }
std::string namespace_of(const data::Value& object) { return text_at(object, {"metadata", "namespace"}); }
std::string uid_of(const data::Value& object) { return text_at(object, {"metadata", "uid"}); }
std::string resource_version_of(const data::Value& object) { return text_at(object, {"metadata", "resourceVersion"}); }

std::optional<Condition> condition_of(const data::Value& object, std::string_view type) {
  const data::Value* conditions = object.find_path({"status", "conditions"});
  if (conditions == nullptr || !conditions->is_list()) return std::nullopt;
  for (const data::Value& condition : conditions->as_list())
    if (text_at(condition, {"type"}) == type)
      return Condition{std::string(type), text_at(condition, {"status"}), text_at(condition, {"reason"}),
                       text_at(condition, {"message"})};
  return std::nullopt;
}

}  // namespace opm::kube
