// Reads a file into an arena, for those who keep many of them for as long as they run.
#pragma once

#include <expected>
#include <span>
#include <string>

#include "base/arena.h"
#include "base/file_system.h"

namespace opm::base {

// From the disk of this machine. The content is the caller's to change.
std::expected<std::span<char>, FileError> read_file(const std::string& path, Arena& arena);

}  // namespace opm::base
