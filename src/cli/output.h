// Where a command writes: standard output or standard error of the process, or a text that
// a test looks at. Writes are gathered and leave in large pieces.
#pragma once

#include <fmt/core.h>

#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace opm::cli {

class Output {
 public:
  // Writes to a file descriptor, which stays the caller's.
  explicit Output(int descriptor) : descriptor_(descriptor) {}
  // Keeps everything; text() returns it.
  static Output to_text() { return Output(kNoDescriptor); }

  void write(std::string_view text);

  template <typename... Arguments>
  void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(pending_), format, std::forward<Arguments>(arguments)...);
    if (pending_.size() >= kPieceSize) flush();
  }

  // Sends what is gathered. False when this or an earlier write failed; what follows is dropped.
  bool flush();
  // The errno of the write that failed, or 0.
  int error() const { return error_; }

  std::string_view text() const { return pending_; }

 private:
  static constexpr int kNoDescriptor = -1;
  static constexpr std::size_t kPieceSize = 64 * 1024;

  int descriptor_;
  int error_ = 0;
  std::string pending_;
};

// Makes sure that 0, 1 and 2 are taken, so that no file opened later gets the number of a closed
// standard stream and receives what was meant for a person. Using such a stream still fails.
void occupy_standard_descriptors();

}  // namespace opm::cli
