// Where data files go in the value that they are put together with: -l, --list and
// --with-context.
#pragma once

#include <expected>
#include <functional>
#include <string>
#include <vector>

#include "cue/value.h"

namespace opm::cli {

struct PlacementOptions {
  std::vector<std::string> labels;  // expressions that see the document, or whole paths ("a": "b":)
  bool list = false;
  bool with_context = false;
};

// What becomes of a document that goes below these labels.
using Shape = std::function<std::expected<data::Value, cue::Diagnostics>(data::Value document,
                                                                         const std::vector<std::string>& labels)>;

struct PlacedDocument {
  data::Value value;
  cue::Path below;  // a path to where it goes, as far as that has definitions and hidden fields, which data has not
};

// The documents of one file, each below the labels that they have themselves.
std::expected<std::vector<PlacedDocument>, cue::Diagnostics> place(cue::Context& context, std::vector<data::Value> documents,
                                                                   const std::string& file_name,
                                                                   const PlacementOptions& options, const Shape& shape);
// All of them together.
cue::Value together(cue::Context& context, std::vector<PlacedDocument> placed);

// A value below the labels that it has itself.
std::expected<cue::Value, cue::Diagnostics> place_value(cue::Context& context, const cue::Value& value,
                                                        const std::vector<std::string>& labels);

}  // namespace opm::cli
