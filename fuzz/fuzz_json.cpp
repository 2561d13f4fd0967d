// The JSON reader: any bytes are read or refused, and what was read survives being written.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "data/json.h"
#include "diag/source.h"

using namespace opm;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  diag::SourceMap sources;
  const diag::Source* source = sources.add("input.json", std::string(bytes, bytes + size));
  if (source == nullptr) return 0;
  auto value = data::read_json(*source);
  if (!value) {
    if (value.error().empty()) std::abort();  // refused without a reason
    return 0;
  }
  for (unsigned indent : {0u, 4u}) {
    const diag::Source* written = sources.add("written.json", data::write_json(*value, {.indent = indent}));
    auto again = data::read_json(*written);
    if (!again || !data::equal(*value, *again)) std::abort();
  }
  return 0;
}
