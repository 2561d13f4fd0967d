// What people want to know of a value that evaluation itself does not need: what is written about it, and what else it
// may be.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cue/value.h"

namespace opm::cue {

// The doc comments of all declarations of the field, each once, without slashes.
std::vector<std::string> documentation(const Value& value);

// The names of all fields that the value has a place for, sorted: definitions ("#name") and optional fields as well, hidden
// ones not. Nothing below is evaluated for that, so what is wrong there stays untold.
std::vector<std::string> declared_names(const Value& value);

// The branches of a disjunction that is not decided, or the value itself.
std::vector<Value> alternatives(const Value& value);

// The package of the program that an import of the instance means; nothing for standard packages and what is not
// imported.
std::optional<std::uint32_t> imported_package(const Program& program, std::size_t instance,
                                              std::string_view import_path);

// A field at the top of such a package, by its name as an identifier; nothing if nothing of the program has that name.
std::optional<PackageField> imported_field(const Program& program, std::size_t instance, std::string_view import_path,
                                           std::string_view name);
// The package that stands there in the program, as the instance imports it.
std::optional<std::string> import_of_package(const Program& program, std::size_t instance, std::uint32_t package);

}  // namespace opm::cue
