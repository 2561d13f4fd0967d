// Reads files into an arena, for those who keep many of them for as long as they run.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <utility>

#include "base/arena.h"
#include "base/file_system.h"

namespace opm::base {

// A file of this machine that was opened ahead: that takes as long as to read a short one, and no memory. Where it cannot be
// opened, nothing is said of it until it is read.
class OpenedFile {
 public:
  OpenedFile() = default;
  explicit OpenedFile(const std::string& path);
  ~OpenedFile();
  OpenedFile(OpenedFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  OpenedFile& operator=(OpenedFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }

  bool is_open() const { return descriptor_ >= 0; }
  // All of it, if it is as long as it says, which takes one read; else nothing. It is for the caller to change.
  std::span<char> read(Arena& arena) const;

 private:
  int descriptor_ = -1;
};

// From the disk of this machine. The content is the caller's to change. `opened`: the same file, if that was done ahead.
std::expected<std::span<char>, FileError> read_file(const std::string& path, Arena& arena, OpenedFile opened = {});

}  // namespace opm::base
