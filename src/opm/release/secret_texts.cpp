#include "opm/release/secret_texts.h"

#include <algorithm>

#include "data/base64.h"
#include "data/json.h"
#include "opm/model/object_path.h"
#include "opm/model/redaction.h"

namespace opm::release {

namespace {

// Shorter ones would take words out of messages that have nothing to do with them; they are looked for in quotes.
constexpr std::size_t kLongEnough = 5;

void replace_all(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

std::string quoted(const std::string& text) {
  std::string out;
  data::append_json_string(out, text, false);
  return out;
}

}  // namespace

SecretTexts::SecretTexts(const std::vector<render::Resource>& resources) {
  for (const render::Resource& resource : resources) {
    if (resource.kind == "Secret") {
      for (std::string_view part : {"data", "stringData"}) {
        const data::Value* content = resource.object.find(part);
        if (content == nullptr || !content->is_map()) continue;
        for (const data::Member& entry : content->as_map()) {
          if (!entry.value.is_string()) continue;
          add(entry.value.as_string());
          if (auto decoded = data::decode_base64(entry.value.as_string()); decoded && part == "data") add(*decoded);
        }
      }
    }
    for (const std::vector<std::string>& path : resource.secret_parts) {
      const data::Value* value = model::part_of(resource.object, path);
      if (value != nullptr && value->is_string()) add(value->as_string());
    }
  }
  std::ranges::sort(texts_, [](const std::string& a, const std::string& b) { return std::pair(b.size(), a) < std::pair(a.size(), b); });
  texts_.erase(std::ranges::unique(texts_).begin(), texts_.end());
}

void SecretTexts::add(const std::string& text) {
  if (!text.empty()) texts_.push_back(text);
}

std::string SecretTexts::without(std::string message) const {
  for (const std::string& text : texts_) {
    std::string shown = model::redacted(text);
    replace_all(message, quoted(text), quoted(shown));
    if (text.size() >= kLongEnough) replace_all(message, text, shown);
  }
  return message;
}

void SecretTexts::hide(std::vector<Problem>& problems) const {
  for (Problem& problem : problems) {
    problem.message = without(std::move(problem.message));
    problem.advice = without(std::move(problem.advice));
  }
}

void SecretTexts::hide(data::Value& object) const {
  if (object.is_map()) {
    for (data::Member& member : object.as_map()) hide(member.value);
  } else if (object.is_list()) {
    for (data::Value& element : object.as_list()) hide(element);
  } else if (object.is_string()) {
    const std::string& text = object.as_string();
    auto holds = [&](const std::string& secret) {
      return secret.size() >= kLongEnough ? text.find(secret) != std::string::npos : text == secret;
    };
    if (std::ranges::any_of(texts_, holds)) object.variant = model::redacted(text);
  }
}

void SecretTexts::hide(std::vector<std::string>& messages) const {
  for (std::string& message : messages) message = without(std::move(message));
}

}  // namespace opm::release
