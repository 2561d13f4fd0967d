// Where a setting comes from: every one knows, so that `opm config show` can tell.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace opm::config {

enum class OriginKind : std::uint8_t { standard, file, environment, flag };

struct Origin {
  OriginKind kind = OriginKind::standard;
  std::string name;          // the flag, the variable or the path of the file
  std::uint32_t line = 0;    // in the file, from 1
  std::uint32_t column = 0;  // from 1

  static Origin flag(std::string name) { return {OriginKind::flag, std::move(name)}; }
  static Origin variable(std::string name) { return {OriginKind::environment, std::move(name)}; }

  // "default", "file", "environment", "flag"
  std::string_view kind_name() const;
  // "default", "~/.opm/config.cue:3:5", "environment OPM_REGISTRY", "flag --registry"
  std::string text() const;
};

template <typename Value>
struct Setting {
  Value value{};
  Origin origin;
};

}  // namespace opm::config
