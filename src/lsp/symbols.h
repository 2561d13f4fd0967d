// The outline of a document: its fields, definitions and lets, as deep as they are written.
#pragma once

#include <string_view>

#include "data/tree.h"
#include "lsp/text_position.h"

namespace opm::lsp {

// A list of DocumentSymbol.
data::Value document_symbols(std::string_view text, Encoding encoding);

}  // namespace opm::lsp
