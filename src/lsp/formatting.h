// A document laid out as `opm cue fmt` would, as edits of what stands in the editor.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/text_position.h"

namespace opm::lsp {

struct TextEdit {
  TextRange range;
  std::string text;
};

// Only lines that change are touched, so that cursors and folds elsewhere stay. Nothing: the text has syntax errors.
std::optional<std::vector<TextEdit>> format_document(std::string_view text, Encoding encoding);

// What turns one text into the other: whole lines, in one piece.
std::vector<TextEdit> line_edits(std::string_view before, std::string_view after, Encoding encoding);

}  // namespace opm::lsp
