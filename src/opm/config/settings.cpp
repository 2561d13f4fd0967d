#include "opm/config/settings.h"

#include <fmt/core.h>

#include <span>

#include "base/path.h"
#include "base/suggestion.h"

namespace opm::config {
namespace {

constexpr std::string_view kApiWarnings[] = {"warn", "debug", "suppress"};

class Reader {
 public:
  Reader(const diag::SourceMap& sources, const std::string& folder) : sources_(sources), folder_(folder) {}

  // A field of a struct and what to do with its value.
  struct Field {
    std::string_view name;
    std::function<void(const data::Member&, const std::string& path)> read;
  };

  void read(const data::Value& value, const std::string& path, std::span<const Field> fields) {
    if (!value.is_map()) return fail(path, "this has to be a struct", value.position);
    for (const data::Member& member : value.as_map()) {
      std::string inner = path + "." + member.key;
      const Field* known = nullptr;
      base::Suggestion near(member.key);
      for (const Field& field : fields) {
        if (field.name == member.key) known = &field;
        near.consider(field.name);
      }
      if (known != nullptr) {
        known->read(member, inner);
        continue;
      }
      std::string advice;
      if (!near.best().empty()) {
        advice = fmt::format("did you mean \"{}\"?", near.best());
      } else {
        for (const Field& field : fields) advice += (advice.empty() ? "there are: " : ", ") + std::string(field.name);
      }
      fail(inner, "there is no such setting", place_of(member), std::move(advice));
    }
  }

  auto text(Setting<std::string>& into) {
    return [this, &into](const data::Member& member, const std::string& path) {
      if (!member.value.is_string()) return fail(path, "this has to be a string", place_of(member));
      into = {member.value.as_string(), origin(member)};
    };
  }

  auto boolean(Setting<bool>& into) {
    return [this, &into](const data::Member& member, const std::string& path) {
      if (!member.value.is_bool()) return fail(path, "this has to be true or false", place_of(member));
      into = {member.value.as_bool(), origin(member)};
    };
  }

  auto choice(Setting<std::string>& into, std::span<const std::string_view> choices) {
    return [this, &into, choices](const data::Member& member, const std::string& path) {
      for (std::string_view one : choices) {
        if (!member.value.is_string() || member.value.as_string() != one) continue;
        into = {std::string(one), origin(member)};
        return;
      }
      std::string all;
      for (std::string_view one : choices) all += fmt::format("{}\"{}\"", all.empty() ? "" : ", ", one);
      fail(path, "this has to be one of " + all, place_of(member));
    };
  }

  void fail(const std::string& path, std::string message, diag::Position position, std::string advice = {}) {
    diag::Diagnostic error;
    error.code = "config";
    error.path = path;
    error.message = std::move(message);
    if (position.valid()) error.positions.push_back(position);
    error.advice = std::move(advice);
    errors.push_back(std::move(error));
  }

  cue::Diagnostics errors;

 private:
  static diag::Position place_of(const data::Member& member) {
    return member.key_position.valid() ? member.key_position : member.value.position;
  }
  Origin origin(const data::Member& member) const { return origin_of(place_of(member), sources_, folder_); }

  const diag::SourceMap& sources_;
  const std::string& folder_;
};

}  // namespace

Origin origin_of(diag::Position position, const diag::SourceMap& sources, const std::string& folder) {
  diag::Location location = sources.locate(position);
  std::string path(location.file);
  if (!path.empty() && !base::is_absolute_path(path)) path = base::join_path(folder, path);
  return {OriginKind::file, std::move(path), location.line, location.column};
}

cue::Diagnostics take_settings(const data::Value& data, const diag::SourceMap& sources, const std::string& folder,
                               Configuration& into) {
  Reader reader(sources, folder);
  using Field = Reader::Field;
  const Field of_log_kubernetes[] = {{"apiWarnings", reader.choice(into.api_warnings, kApiWarnings)}};
  const Field of_log[] = {
      {"timestamps", reader.boolean(into.timestamps)},
      {"kubernetes", [&](const data::Member& member, const std::string& path) {
         reader.read(member.value, path, of_log_kubernetes);
       }}};
  const Field of_kubernetes[] = {{"kubeconfig", reader.text(into.kubeconfig)},
                                 {"context", reader.text(into.context)},
                                 {"namespace", reader.text(into.namespace_name)}};
  const Field of_config[] = {
      {"registry", reader.text(into.registry)},
      {"providers", [](const data::Member&, const std::string&) {}},  // read apart, as they are no plain data
      {"kubernetes",
       [&](const data::Member& member, const std::string& path) { reader.read(member.value, path, of_kubernetes); }},
      {"log", [&](const data::Member& member, const std::string& path) { reader.read(member.value, path, of_log); }}};
  reader.read(data, "config", of_config);
  return std::move(reader.errors);
}

}  // namespace opm::config
