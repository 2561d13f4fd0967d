// Syntax tree to text in CUE's canonical layout, as `cue fmt` writes it. Works on
// parsed trees (with their spacing and comments) and on synthesised ones.
#pragma once

#include <string>

#include "cue/syntax/ast.h"

namespace opm::cue::syntax {

struct FormatOptions {
  bool simplify = false;       // -s: drop needless quotes of labels, join single-field structs
  unsigned initial_indent = 0;
  unsigned indent_spaces = 0;  // each tab becomes so many spaces, as `cue eval` prints; 0: tabs
  // The text that the tree was parsed from; a file knows it, for other nodes it may be given.
  const diag::Source* source = nullptr;
};

std::string format(const File& file, const FormatOptions& options = {});
std::string format(const Node& node, const FormatOptions& options = {});

}  // namespace opm::cue::syntax
