// The whole engine: any text that compiles is evaluated, validated and written out, within a budget.
// Whatever comes of it is a value or errors, and a value written as CUE source can be parsed again.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/arena.h"
#include "cue/syntax/parser.h"
#include "cue/value.h"

using namespace opm;

namespace {

void check_source(const std::string& text) {
  diag::SourceMap sources;
  base::Arena arena;
  const diag::Source* source = sources.add("written.cue", text);
  if (source == nullptr) return;
  cue::syntax::ParsedFile parsed = cue::syntax::parse_file(arena, *source);
  if (parsed.file == nullptr || !parsed.errors.empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  auto program = cue::Program::from_text("input.cue", std::string(bytes, bytes + size));
  if (program->instances().empty() || !program->instances().front().errors.empty()) return 0;
  cue::Budget budget;
  budget.steps = 20'000;
  budget.depth = 200;
  cue::Context context(program, budget);
  cue::Value value = context.instance(0);
  value.validate({.concrete = true});
  (void)value.to_data();
  cue::SourceSettings settings;
  settings.optional = settings.definitions = settings.hidden = true;
  settings.errors_as_values = true;
  std::string text = value.to_cue(settings);
  if (value.kind() == cue::kinds::structure) check_source(text);
  settings.definition = true;
  settings.take_defaults = false;
  (void)value.to_cue(settings);
  (void)value.positions();
  return 0;
}
