// What data files hold.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "cue/load/file_type.h"
#include "cue/load/load.h"
#include "data/tree.h"
#include "data/yaml.h"
#include "diag/diagnostic.h"
#include "diag/source.h"

namespace opm::cue::load {

// The values of a data file one after the other: one for each YAML document and value of a JSON stream, one for other
// encodings. CUE, binary protobuf, XML and code are no data in this sense: an error.
class DocumentReader {
 public:
  DocumentReader(Encoding encoding, const diag::Source& source);
  // Reads the file first, unless that was done. `display`: what messages call it.
  static std::expected<DocumentReader, std::vector<diag::Diagnostic>> open(const DataFile& file,
                                                                           const std::string& display,
                                                                           diag::SourceMap& sources);

  // Nothing: that was the last. Touches nothing but this reader and its source.
  std::expected<std::optional<data::Value>, std::vector<diag::Diagnostic>> next();
  std::size_t source_bytes() const { return source_->text.size(); }

 private:
  Encoding encoding_;
  const diag::Source* source_;
  std::optional<data::YamlDocuments> yaml_;
  std::size_t at_ = 0;  // where the next value of a JSON stream is
  bool ended_ = false;
};

// All of them at once.
std::expected<std::vector<data::Value>, std::vector<diag::Diagnostic>> decode(Encoding encoding,
                                                                              const diag::Source& source);

std::expected<std::vector<data::Value>, std::vector<diag::Diagnostic>> decode(const DataFile& file,
                                                                              const std::string& display,
                                                                              diag::SourceMap& sources);

}  // namespace opm::cue::load
