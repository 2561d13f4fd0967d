// What could be written at a place: fields that the schema has, values that it allows, names that can be seen,
// packages.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/analysis.h"
#include "lsp/workspace.h"

namespace opm::lsp {

struct CompletionItem {
  // As the protocol numbers them.
  enum class Kind : int { function = 3, field = 5, variable = 6, type = 7, module = 9, value = 12, keyword = 14 };
  Kind kind = Kind::field;
  std::string label;
  std::string text;  // to be inserted
  std::string detail;
  std::string documentation;
  char rank = '5';  // smaller ones first
};

struct Completion {
  std::size_t begin = 0;  // what is replaced, in bytes of the document
  std::size_t end = 0;
  std::vector<CompletionItem> items;
};

// `analyze`: the package with another text for the document; nullptr if nothing can be said of it.
Completion complete(const Workspace& workspace, const Document& document, std::size_t offset,
                    const std::function<Analysis*(std::string text)>& analyze);

}  // namespace opm::lsp
