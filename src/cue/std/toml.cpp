// The package encoding/toml.
#include "data/toml.h"

#include "cue/std/bind.h"
#include "cue/std/evaluation.h"
#include "cue/std/packages.h"

namespace opm::cue::standard {
namespace {

Value marshal(Call& call) {
  if (const eval::Error* error = shortcomings(call, call.value(0), Demand::concrete)) return Value::of_error(error);
  data::Value tree;
  Value failure;
  if (!to_data(call, call.value(0), TextForm::decoded, tree, failure)) return failure;
  auto text = data::write_toml(tree);
  return text ? call.make_string(std::move(*text)) : call.error_text(text.error());
}

Value unmarshal(Call& call) {
  std::string_view text = call.bytes(0);
  if (call.failed()) return call.failure();
  diag::Source source{"", std::string(text), {1}};
  auto tree = data::read_toml(source);
  if (!tree) return call.error_text(tree.error().front().message);
  return call.from_data(*tree);
}

}  // namespace

StandardPackage toml_package() {
  return make_package("encoding/toml", {
    define("Marshal", {kinds::top}, kinds::string, marshal),
    define("Unmarshal", {kinds::bytes | kinds::string}, kinds::top, unmarshal),
  });
}

}  // namespace opm::cue::standard
