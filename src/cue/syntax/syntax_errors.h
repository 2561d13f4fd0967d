// The complaints of lexer and parser about one source. After the first error of a line
// the next ones on that line are mostly echoes of it, so the parser's are dropped;
// after too many the source is given up.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diagnostic.h"
#include "diag/source.h"

namespace opm::cue::syntax {

class SyntaxErrors {
 public:
  explicit SyntaxErrors(const diag::Source& source) : source_(source) {}

  // Finds bytes that no source may contain. They are told once, up front, so that
  // the lexer need not look for them in every string and comment.
  void check_encoding();

  void add_lexical(std::uint32_t offset, std::string message);
  void add_grammatical(std::uint32_t offset, std::string message);
  // About the whole source: reported whatever else there is.
  void add_fatal(std::uint32_t offset, std::string message);

  // Other than about illegal bytes.
  bool has_lexical() const { return errors_.size() > broken_lines_.size(); }
  bool exhausted() const { return exhausted_; }
  bool empty() const { return errors_.empty(); }
  // In the order of the text, without repeats.
  std::vector<diag::Diagnostic> take();

 private:
  struct Error {
    std::uint32_t offset;
    std::uint32_t line;
    std::string message;
  };
  std::uint32_t line_of(std::uint32_t offset) const;

  const diag::Source& source_;
  std::vector<Error> errors_;
  std::vector<std::uint32_t> broken_lines_;  // with illegal bytes: what else is said of them is noise
  bool exhausted_ = false;
};

// A character as messages show it: U+0040 '@'.
std::string describe_character(char32_t character);

}  // namespace opm::cue::syntax
