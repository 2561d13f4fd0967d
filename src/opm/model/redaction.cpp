#include "opm/model/redaction.h"

#include <algorithm>
#include <array>

#include "base/digest.h"
#include "data/base64.h"
#include "data/json.h"
#include "opm/model/object_path.h"

namespace opm::model {

namespace {

constexpr std::size_t kShownDigits = 8;

// Of what `kubectl apply` wrote: the whole object, as text.
constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";

std::string text_of(const data::Value& value) {
  if (value.is_string()) return value.as_string();
  if (value.is_bytes()) return value.as_bytes().bytes;
  return data::write_json(value);
}

void mask(data::Value& value) { value.variant = redacted(text_of(value)); }

void mask_encoded(data::Value& value) {
  if (value.is_string()) {
    if (auto decoded = data::decode_base64(value.as_string())) {
      value.variant = redacted(*decoded);
      return;
    }
  }
  mask(value);
}

data::Value* member(data::Value& value, std::string_view key) {
  if (!value.is_map()) return nullptr;
  auto at = std::ranges::find(value.as_map(), key, &data::Member::key);
  return at == value.as_map().end() ? nullptr : &at->value;
}

}  // namespace

std::string redacted(std::string_view secret) {
  return "<redacted sha256:" + base::sha256_hex(secret).substr(0, kShownDigits) + ">";
}

void redact_object(data::Value& object) {
  const data::Value* kind = object.find("kind");
  if (kind == nullptr || !kind->is_string() || kind->as_string() != "Secret") return;
  if (data::Value* content = member(object, "data"); content != nullptr && !content->is_null()) {
    if (!content->is_map()) mask(*content);
    else std::ranges::for_each(content->as_map(), [](data::Member& entry) { mask_encoded(entry.value); });
  }
  if (data::Value* content = member(object, "stringData"); content != nullptr && !content->is_null()) {
    if (!content->is_map()) mask(*content);
    else std::ranges::for_each(content->as_map(), [](data::Member& entry) { mask(entry.value); });
  }
  if (data::Value* metadata = member(object, "metadata")) {
    if (data::Value* annotations = member(*metadata, "annotations")) {
      if (data::Value* applied = member(*annotations, kLastApplied)) mask(*applied);
    }
  }
}

void redact_part(data::Value& object, std::span<const std::string> path) {
  if (data::Value* part = part_of(object, path)) mask(*part);
}

void redact_values(data::Value& values) {
  if (values.is_list()) {
    for (data::Value& element : values.as_list()) redact_values(element);
    return;
  }
  if (!values.is_map()) return;
  bool secret = is_secret(values);
  for (data::Member& entry : values.as_map()) {
    if (!secret) redact_values(entry.value);
    else if (!is_secret_routing(entry.key)) mask(entry.value);
  }
}

bool is_secret(const data::Value& value) {
  const data::Value* mark = value.find("$opm");
  return mark != nullptr && mark->is_string() && mark->as_string() == "secret";
}

bool is_secret_routing(std::string_view field) {
  constexpr std::array<std::string_view, 7> kRouting = {"$opm",   "$secretName", "$dataKey", "description",
                                                        "source", "path",        "remoteKey"};
  return std::ranges::find(kRouting, field) != kRouting.end();
}

}  // namespace opm::model
