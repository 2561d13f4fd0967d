#include "opm/model/read.h"

namespace opm::model {

std::string text_of(const cue::Value& value, std::string_view field) {
  cue::Value found = value.field(field);
  if (!found.exists()) return {};
  return std::string(found.string().value_or(std::string_view()));
}

data::Value data_of(const cue::Value& value, std::string_view field) {
  cue::Value found = value.field(field);
  if (!found.exists()) return {};
  auto data = found.to_data();
  return data ? std::move(*data) : data::Value{};
}

}  // namespace opm::model
