// The package encoding/yaml.
#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "cue/compile/data_expression.h"
#include "cue/std/bind.h"
#include "cue/std/evaluation.h"
#include "cue/std/packages.h"
#include "data/yaml.h"

namespace opm::cue::standard {
namespace {

constexpr data::YamlWriteOptions kWriteAsCue{.style = data::YamlStyle::cue};

bool marshal_one(Call& call, const Value& value, std::string& out, Value& failure) {
  if (const eval::Error* error = shortcomings(call, value, Demand::concrete)) {
    failure = Value::of_error(error);
    return false;
  }
  data::Value tree;
  if (!to_data(call, value, TextForm::yaml, tree, failure)) return false;
  out += data::write_yaml(tree, kWriteAsCue);
  return true;
}

Value marshal(Call& call) {
  std::string out;
  Value failure;
  return marshal_one(call, call.value(0), out, failure) ? call.make_string(out) : failure;
}

Value marshal_stream(Call& call) {
  Value failure;
  std::vector<Value> elements = raw_elements(call, call.value(0), failure);
  if (failure.is_error()) return failure;
  std::string out;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (i > 0) out += "---\n";
    if (!marshal_one(call, elements[i], out, failure)) return failure;
    if (out.size() > kMaxResultBytes) return call.error("result is too long");
  }
  return call.make_string(out);
}

// A place in the text as messages write it; the text's first byte has position 1.
struct Place {
  std::size_t line = 1, column = 1;
};
Place place_of(std::string_view text, diag::Position position) {
  std::string_view before = text.substr(0, position.valid() ? position.value - 1 : 0);
  std::size_t line_start = before.rfind('\n') + 1;  // 0 in the first line
  return {1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')), before.size() - line_start + 1};
}

// The documents of a stream, at least one; `name` stands for the text in messages.
std::optional<std::vector<data::Value>> read(Call& call, std::string_view text, std::string_view name, Value& failure) {
  diag::Source source{std::string(name), std::string(text), {1}};
  auto documents = data::read_yaml(source);
  if (!documents) {
    const diag::Diagnostic& first = documents.error().front();
    Place place = place_of(text, first.positions.empty() ? diag::Position{} : first.positions.front());
    failure = call.error_text(fmt::format("{}:{}: {}", name, place.line, first.message));
    return std::nullopt;
  }
  if (documents->empty()) documents->emplace_back();  // nothing at all is null
  return std::move(*documents);
}

Value unmarshal(Call& call) {
  std::string_view text = call.bytes(0);
  if (call.failed()) return call.failure();
  Value failure;
  auto documents = read(call, text, "", failure);
  if (!documents) return failure;
  if (documents->size() > 1) {
    Place place = place_of(text, documents->at(1).position);
    return call.error_text(fmt::format("{}:{}: expected a single YAML document", place.line, place.column));
  }
  return call.from_data(documents->front());
}

Value unmarshal_stream(Call& call) {
  std::string_view text = call.bytes(0);
  if (call.failed()) return call.failure();
  Value failure;
  auto documents = read(call, text, "", failure);
  if (!documents) return failure;
  std::vector<Value> values;
  for (const data::Value& document : *documents) values.push_back(call.from_data(document));
  return call.make_list(values);
}

Value validate_documents(Call& call, std::string_view name, Demand demand) {
  std::string_view text = call.bytes(0);
  if (call.failed()) return call.failure();
  Value failure;
  auto documents = read(call, text, name, failure);
  if (!documents) return failure;
  for (std::size_t i = 0; i < documents->size(); ++i) {
    auto read_again = [&]() -> const compile::Expression* {
      const diag::Source* source = call.evaluator().decoded_source(name, text);
      if (source == nullptr) return nullptr;
      auto located = data::read_yaml(*source);
      if (!located || i >= located->size()) return nullptr;
      return compile::data_expression(call.arena(), call.evaluator().names(), located->at(i));
    };
    const eval::Error* error = misfit(call, documents->at(i), call.value(1), demand, read_again);
    if (error == nullptr) continue;
    // What is missing in a text stays missing.
    eval::Error* copy = call.evaluator().copy_error(*error);
    if (copy->is_incomplete()) copy->code = eval::ErrorCode::evaluation;
    return Value::of_error(copy);
  }
  return call.make_bool(true);
}

Value validate(Call& call) { return validate_documents(call, "yaml.Validate", Demand::concrete); }
Value validate_partial(Call& call) { return validate_documents(call, "yaml.ValidatePartial", Demand::consistent); }

}  // namespace

StandardPackage yaml_package() {
  constexpr KindSet bytes = kinds::bytes | kinds::string;
  return make_package("encoding/yaml", {
    define("Marshal", {kinds::top}, kinds::string, marshal),
    define("MarshalStream", {kinds::top}, kinds::string, marshal_stream),
    define("Unmarshal", {bytes}, kinds::top, unmarshal),
    define("UnmarshalStream", {bytes}, kinds::top, unmarshal_stream),
    define_on_schemas("Validate", {bytes, kinds::top}, kinds::boolean, validate),
    define_on_schemas("ValidatePartial", {bytes, kinds::top}, kinds::boolean, validate_partial),
  });
}

}  // namespace opm::cue::standard
