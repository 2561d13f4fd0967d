// Messages on a stream of bytes, as the Language Server Protocol frames them: headers of which Content-Length counts,
// an empty line, the body.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace opm::lsp {

// Takes bytes as they arrive and gives the messages that they make.
class MessageStream {
 public:
  static constexpr std::size_t kMaxHeaderBytes = 8 * 1024;
  static constexpr std::size_t kMaxBodyBytes = std::size_t{64} << 20;

  explicit MessageStream(std::size_t max_body_bytes = kMaxBodyBytes) : max_body_bytes_(max_body_bytes) {}

  void feed(std::string_view bytes);

  enum class Outcome {
    message,
    incomplete,  // more bytes are needed
    too_large,   // one message is longer than allowed; it is skipped
    broken,      // where the next message begins cannot be known
  };
  struct Next {
    Outcome outcome = Outcome::incomplete;
    std::string body;
  };
  Next next();

 private:
  // The length of the body that the headers announce; nothing: they do not say.
  static std::optional<std::size_t> body_length(std::string_view headers);

  std::size_t max_body_bytes_;
  std::string bytes_;
  std::size_t at_ = 0;                 // what is before was taken
  std::optional<std::size_t> length_;  // of the body that is awaited
  std::size_t skipped_ = 0;            // bytes of a body that nobody wants, still to come
  bool is_broken_ = false;
};

std::string framed(std::string_view body);

}  // namespace opm::lsp
