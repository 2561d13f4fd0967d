#include "opm/config/origin.h"

#include <fmt/core.h>

namespace opm::config {

std::string_view Origin::kind_name() const {
  switch (kind) {
    case OriginKind::standard:
      return "default";
    case OriginKind::file:
      return "file";
    case OriginKind::environment:
      return "environment";
    case OriginKind::flag:
      return "flag";
  }
  return "default";
}

std::string Origin::text() const {
  if (kind == OriginKind::standard) return std::string(kind_name());
  if (kind != OriginKind::file) return fmt::format("{} {}", kind_name(), name);
  return line == 0 ? name : fmt::format("{}:{}:{}", name, line, column);
}

}  // namespace opm::config
