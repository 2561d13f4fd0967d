// What the tests of the formatter share.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "cue/syntax/format.h"
#include "cue/syntax/parser.h"

namespace opm::cue::syntax::testing {

inline std::string formatted(std::string text, const FormatOptions& options = {}) {
  diag::SourceMap sources;
  base::Arena arena;
  const diag::Source* source = sources.add("test.cue", std::move(text));
  ParsedFile parsed = parse_file(arena, *source);
  EXPECT_TRUE(parsed.errors.empty()) << parsed.errors[0].message;
  return format(*parsed.file, options);
}

// Snippets begin on the line behind their opening quotes.
inline std::string_view snippet(std::string_view text) { return text.starts_with('\n') ? text.substr(1) : text; }

inline void expect_format(std::string_view text, std::string_view expected, const FormatOptions& options = {}) {
  EXPECT_EQ(formatted(std::string(snippet(text)), options), snippet(expected));
  EXPECT_EQ(formatted(std::string(snippet(expected)), options), snippet(expected)) << "when formatted again";
}

inline void expect_unchanged(std::string_view text) { expect_format(text, text); }

inline void expect_simplified(std::string_view text, std::string_view expected) {
  expect_format(text, expected, {.simplify = true});
}

}  // namespace opm::cue::syntax::testing
