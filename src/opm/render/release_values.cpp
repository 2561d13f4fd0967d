#include "opm/render/release_values.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "cue/syntax/literal.h"
#include "opm/values/merge.h"

namespace opm::render {

namespace {

// Where a field is named; the last of several places, which is where a struct was last written.
diag::Position named_at(const cue::Value& value) {
  std::vector<diag::Position> positions = value.positions();
  return positions.empty() ? diag::Position{} : positions.back();
}

bool is_struct(const cue::Value& value) { return value.kind() == cue::kinds::structure; }

// Values as data with positions, as far as they are given: what is only constrained is not. False: it is not given.
bool take_given(const cue::Value& value, data::Value& out) {
  if (!is_struct(value)) {
    auto data = value.to_data();
    if (!data) return false;
    diag::Position position = data->position;
    out = std::move(*data);
    if (!position.valid()) out.position = named_at(value);
    return true;
  }
  data::Map map;
  for (const cue::Value::FieldEntry& entry : value.fields()) {
    data::Member member;
    if (!take_given(entry.value, member.value)) continue;
    member.key = entry.value.label();
    member.key_position = named_at(entry.value);
    map.push_back(std::move(member));
  }
  out.variant = std::move(map);
  out.position = named_at(value);
  return true;
}

data::Value given(const cue::Value& value) {
  data::Value result;
  if (value.exists()) take_given(value, result);
  if (!result.is_map()) result.variant = data::Map{};
  return result;
}

// [...string] is an empty list, and says what a list that takes its place has to be like.
bool is_open_list(const cue::Value& value) {
  if (value.kind() != cue::kinds::list || !value.elements().empty()) return false;
  auto longer = value.context().compile("[_]");
  return longer && !value.unify(*longer).has_error();
}

bool is_open(const cue::Value& leaf, Taking taking) {
  if (taking == Taking::choices && (leaf.has_default() || is_open_list(leaf))) return true;
  return !leaf.to_data();
}

bool has_open(const cue::Value& value, Taking taking) {
  if (!is_struct(value)) return is_open(value, taking);
  for (const cue::Value::FieldEntry& entry : value.fields()) {
    if (has_open(entry.value, taking)) return true;
  }
  return false;
}

// Of `offered`, what is about something that `value` leaves open or says nothing of.
data::Value taken(const cue::Value& value, const data::Value& offered, Taking taking) {
  data::Value result;
  data::Map map;
  for (const data::Member& member : offered.as_map()) {
    cue::Value field = value.field(member.key);
    data::Member kept{member.key, {}, member.key_position};
    if (!field.exists()) {
      // Patterns and optional fields may.
      if (taking == Taking::constraints) continue;
      kept.value = member.value;
    } else if (is_struct(field)) {
      if (!member.value.is_map()) continue;
      kept.value = taken(field, member.value, taking);
      if (kept.value.as_map().empty()) continue;
    } else if (is_open(field, taking)) {
      kept.value = member.value;
    } else {
      continue;
    }
    map.push_back(std::move(kept));
  }
  result.variant = std::move(map);
  result.position = offered.position;
  return result;
}

// What the value says of fields that it does not have: by patterns, or as optional fields.
cue::Value with_unknowns(const cue::Value& value, const std::set<std::string>& names) {
  std::string text = "{";
  for (const std::string& name : names) text += fmt::format("{}: _, ", cue::syntax::quote_label(name));
  auto added = value.context().compile(text + "}");
  return added ? value.unify(*added) : cue::Value{};
}

// Below `path`, what is not given as data. `instead`: what takes the place of what the value gives.
void find_open(const cue::Value& value, const data::Value* instead, const cue::Path& path, Constraints& out) {
  if (!is_struct(value)) {
    if (is_open(value, Taking::constraints)) out.emplace_back(path, value);
    return;
  }
  if (instead != nullptr && !instead->is_map()) return;
  for (const cue::Value::FieldEntry& entry : value.fields()) {
    std::string label = entry.value.label();
    find_open(entry.value, instead == nullptr ? nullptr : instead->find(label), path.child(label), out);
  }
}

// Whether fields that the value does not have would be constrained if it had them.
bool constrains_more(const cue::Value& value, const data::Value& given, const std::string& path, std::set<std::string>& unbounded) {
  std::set<std::string> names;
  for (const data::Member& member : given.as_map()) {
    std::string at = path + "." + cue::syntax::quote_label(member.key);
    cue::Value field = value.field(member.key);
    if (!field.exists()) {
      if (!unbounded.contains(at)) names.insert(member.key);
    } else if (is_struct(field) && member.value.is_map() && constrains_more(field, member.value, at, unbounded)) {
      return true;
    }
  }
  if (names.empty()) return false;
  cue::Value more = with_unknowns(value, names);
  for (const std::string& name : names) {
    if (more.field(name).possible_kinds() != cue::kinds::top) return true;
    unbounded.insert(path + "." + cue::syntax::quote_label(name));
  }
  return false;
}

}  // namespace

bool is_release_definition(std::string_view file) {
  return file.ends_with("/module_release.cue") && file.find("opmodel.dev/core@") != std::string_view::npos;
}

cue::Value written_values(const model::ReleaseDeclaration& release) {
  cue::Value values = release.value.field("values");
  return values.exists() ? values.without_files(is_release_definition) : values;
}

ReleaseValues::ReleaseValues(const model::ReleaseDeclaration& release) : written_(written_values(release)), own_(given(written_)) {
  is_open_ = written_.exists() && has_open(written_, Taking::choices);
}

bool ReleaseValues::leaves_open(const data::Value& other) {
  if (is_open_) return true;
  return written_.exists() && is_struct(written_) && constrains_more(written_, other, {}, unbounded_);
}

std::vector<ReleaseValues::Layer> ReleaseValues::layers(const model::Environment* environment,
                                                       const std::optional<data::Value>& overriding) {
  std::vector<Layer> layers;
  layers.push_back({written_, own_, {}});
  if (environment != nullptr) {
    cue::Value values = environment->value.field("values");
    layers.push_back({values, given(values), {}});
  }
  data::Value others = overriding ? *overriding : environment != nullptr ? layers.back().data : data::Value();
  if (others.is_map() && leaves_open(others)) layers.front().take(others, Taking::choices);
  if (environment != nullptr && layers.back().value.exists() && has_open(layers.back().value, Taking::constraints))
    layers.back().take(overriding ? *overriding : layers.front().data, Taking::constraints);
  return layers;
}

void ReleaseValues::Layer::take(const data::Value& offered, Taking taking) {
  data::Value part = taken(value, offered, taking);
  if (part.as_map().empty()) return;
  cue::Value filled = value.unify(value.context().from_documents({&part, 1}));
  broken = filled.validate();
  for (diag::Diagnostic& error : broken) error.path = error.path.empty() ? "values" : "values." + error.path;
  if (!broken.empty()) return;
  value = filled;
  data = given(filled);
}

std::vector<data::Value> ReleaseValues::own(const model::Environment* environment) {
  std::vector<data::Value> values;
  for (Layer& layer : layers(environment, {})) values.push_back(std::move(layer.data));
  return values;
}

EffectiveValues ReleaseValues::effective(const model::Environment* environment, const std::optional<data::Value>& overriding) {
  EffectiveValues result;
  std::vector<Layer> all = layers(environment, overriding);
  result.data = all.front().data;
  if (all.size() > 1) result.data = values::deep_merge(result.data, all.back().data);
  if (overriding) result.data = values::deep_merge(result.data, *overriding);
  for (Layer& layer : all) {
    if (layer.value.exists() && layer.broken.empty()) find_open(layer.value, &result.data, {}, result.unsettled);
    std::ranges::move(layer.broken, std::back_inserter(result.broken));
  }
  return result;
}

}  // namespace opm::render
