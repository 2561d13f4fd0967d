// The package text/template.
#include "cue/std/bind.h"
#include "cue/std/evaluation.h"
#include "cue/std/packages.h"
#include "cue/std/text_template.h"

namespace opm::cue::standard {
namespace {

Value execute(Call& call) {
  std::string_view source = call.string(0);
  if (call.failed()) return call.failure();
  data::Value data;
  Value failure;
  if (!to_data(call, call.value(1), TextForm::decoded, data, failure)) return failure;
  return ResultOf<Result<std::string>>::make(call, execute_template(source, data));
}

}  // namespace

StandardPackage template_package() {
  return make_package("text/template", {define("Execute", {kinds::string, kinds::top}, kinds::string, execute)});
}

}  // namespace opm::cue::standard
