// What a name in a document is: told when the mouse rests on it, and gone to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lsp/analysis.h"
#include "lsp/catalog_copy.h"
#include "lsp/cursor.h"
#include "lsp/source_places.h"

namespace opm::lsp {

struct Question {
  Analysis& analysis;
  const ParsedText& text;
  Cursor cursor;
  std::string path;  // of the document
  Encoding encoding;
};

struct Hover {
  std::string markdown;
  TextRange range;
};
std::optional<Hover> hover(Question& question);

// Where it is declared, the nearest first.
std::vector<Place> definitions(Question& question, CatalogCopy& catalog, const std::string& folder);

}  // namespace opm::lsp
