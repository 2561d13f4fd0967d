// A file as it stands in the editor, saved or not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "data/tree.h"
#include "lsp/text_position.h"

namespace opm::lsp {

struct Document {
  static constexpr std::size_t kMaxBytes = std::size_t{32} << 20;

  std::string uri;  // as the editor writes it
  std::string path;
  std::int64_t version = 0;
  std::string text;

  // Applies the contentChanges of textDocument/didChange. False: they are not what the protocol says, or the text would
  // grow beyond all reason; the text is as far as the changes went.
  bool apply(const data::Value& changes, Encoding encoding);
};

std::optional<TextPosition> read_position(const data::Value* value);
std::optional<TextRange> read_range(const data::Value* value);

}  // namespace opm::lsp
