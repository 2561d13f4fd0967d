// The YAML reader: any bytes are read or refused, and what was read survives being written.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "data/yaml.h"
#include "diag/source.h"

using namespace opm;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  diag::SourceMap sources;
  const diag::Source* source = sources.add("input.yaml", std::string(bytes, bytes + size));
  if (source == nullptr) return 0;
  auto documents = data::read_yaml(*source);
  if (!documents) {
    if (documents.error().empty()) std::abort();  // refused without a reason
    return 0;
  }
  for (const data::Value& value : *documents) {
    const diag::Source* written = sources.add("written.yaml", data::write_yaml(value));
    auto again = data::read_yaml(*written);
    if (!again || again->size() != 1 || !data::equal(value, again->front())) std::abort();
    // Written as `cue` does, a few strings (`<<`) read as something else; it only has to be readable or not.
    written = sources.add("written.yaml", data::write_yaml(value, {.style = data::YamlStyle::cue}));
    (void)data::read_yaml(*written);
  }
  return 0;
}
