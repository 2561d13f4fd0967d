// The package encoding/json.
#include <optional>

#include "cue/compile/data_expression.h"
#include "cue/std/bind.h"
#include "cue/std/evaluation.h"
#include "cue/std/json_text.h"
#include "cue/std/packages.h"
#include "data/json.h"

namespace opm::cue::standard {
namespace {

constexpr const char* kInvalid = "json: invalid JSON";

bool valid(BytesView text) { return json::is_valid(text.bytes); }
Result<std::string> compact(BytesView text) { return json::compact(text.bytes); }
Result<std::string> indent(BytesView text, std::string_view prefix, std::string_view indentation) {
  return json::indented(text.bytes, prefix, indentation);
}
std::string escape_html(BytesView text) { return json::escape_html(text.bytes); }

Value marshal(Call& call) {
  data::Value tree;
  Value failure;
  if (!to_data(call, call.value(0), TextForm::json, tree, failure)) return failure;
  return call.make_string(data::write_json(tree));
}

Value marshal_stream(Call& call) {
  Value failure;
  std::vector<Value> elements = raw_elements(call, call.value(0), failure);
  if (failure.is_error()) return failure;
  std::string out;
  for (const Value& element : elements) {
    data::Value tree;
    if (!to_data(call, element, TextForm::json, tree, failure)) return failure;
    out += data::write_json(tree) + "\n";
    if (out.size() > kMaxResultBytes) return call.error("result is too long");
  }
  return call.make_string(out);
}

// The text is valid JSON, but the reader also refuses e.g. keys that conflict.
std::optional<data::Value> read_tree(Call& call, std::string_view text, Value& failure) {
  diag::Source source{"json", std::string(text), {}};
  auto tree = data::read_json(source);
  if (tree) return std::move(*tree);
  failure = call.error_text(tree.error().empty() ? kInvalid : "json: " + tree.error().front().message);
  return std::nullopt;
}

Value read(Call& call, std::string_view text) {
  Value failure;
  auto tree = read_tree(call, text, failure);
  return tree ? call.from_data(*tree) : failure;
}

Value unmarshal(Call& call) {
  std::string_view text = call.bytes(0);
  if (call.failed()) return call.failure();
  if (!json::is_valid(text)) return call.error(kInvalid);
  return read(call, text);
}

Value unmarshal_stream(Call& call) {
  std::string_view text = call.bytes(0);
  if (call.failed()) return call.failure();
  auto parts = json::split_stream(text);
  if (!parts) return call.error_text(parts.error());
  std::vector<Value> values;
  for (std::string_view part : *parts) {
    values.push_back(read(call, part));
    if (values.back().is_error()) return values.back();
  }
  return call.make_list(values);
}

// JSON is CUE: a text is a file that embeds one value.
const compile::Expression* read_as_file(Call& call, std::string_view text) {
  const diag::Source* source = call.evaluator().decoded_source("json.Validate", text);
  if (source == nullptr) return nullptr;
  auto tree = data::read_json(*source);
  if (!tree) return nullptr;
  base::Arena& arena = call.arena();
  const compile::Expression* value = compile::data_expression(arena, call.evaluator().names(), *tree);
  auto* file = arena.make<compile::StructExpression>();
  file->kind = compile::ExpressionKind::structure;
  file->has_embedding = true;
  const compile::Declaration embedding{compile::DeclarationKind::embedding, value};
  file->declarations = arena.copy(std::span(&embedding, 1));
  return file;
}

Value validate(Call& call) {
  std::string_view text = call.bytes(0);
  if (call.failed()) return call.failure();
  if (!json::is_valid(text)) return call.error(kInvalid);
  Value failure;
  auto tree = read_tree(call, text, failure);
  if (!tree) return failure;
  auto read_again = [&] { return read_as_file(call, text); };
  if (const eval::Error* error = misfit(call, *tree, call.value(1), Demand::final, read_again)) return Value::of_error(error);
  return call.make_bool(true);
}

}  // namespace

StandardPackage json_package() {
  constexpr KindSet bytes = kinds::bytes | kinds::string;
  return make_package("encoding/json", {
    bind<valid>("Valid"),
    bind<compact>("Compact"),
    bind<indent>("Indent"),
    bind<escape_html>("HTMLEscape"),
    define("Marshal", {kinds::top}, kinds::string, marshal),
    define("MarshalStream", {kinds::top}, kinds::string, marshal_stream),
    define("UnmarshalStream", {bytes}, kinds::top, unmarshal_stream),
    define("Unmarshal", {bytes}, kinds::top, unmarshal),
    define_on_schemas("Validate", {bytes, kinds::top}, kinds::boolean, validate),
  });
}

}  // namespace opm::cue::standard
