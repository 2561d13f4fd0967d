#include "lsp/source_places.h"

#include <algorithm>

#include "base/path.h"
#include "base/unicode.h"
#include "opm/builtin/catalog.h"

namespace opm::lsp {

bool is_word_character(char c) {
  return c == '_' || c == '$' || c == '#' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

std::size_t word_end(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  std::size_t line_end = std::min(text.find_first_of("\r\n", offset), text.size());
  if (offset == line_end) return offset;
  if (text[offset] == '"' || text[offset] == '\'') {
    for (std::size_t at = offset + 1; at < line_end; ++at) {
      if (text[at] == '\\')
        ++at;
      else if (text[at] == text[offset])
        return at + 1;
    }
    return line_end;
  }
  std::size_t end = offset;
  while (end < line_end && is_word_character(text[end])) ++end;
  return end > offset ? end : offset + 1;
}

void SourcePlaces::read_packages() {
  is_read_ = true;
  std::size_t requests = 0;
  for (const cue::Instance& instance : program_.instances()) requests = std::max(requests, instance.request + 1);
  for (std::size_t request = 0; request < requests; ++request) {
    for (const cue::load::Package& package : program_.loaded(request).packages) {
      for (const cue::load::PackageSource& file : cue::load::sources_of(package))
        files_.try_emplace(file.begin, File{package.file_system, std::string(file.path), package.module.version.empty()});
    }
  }
}

std::optional<Place> SourcePlaces::find(const diag::Source& source) {
  if (!is_read_) read_packages();
  if (auto known = files_.find(source.begin); known != files_.end()) {
    const File& file = known->second;
    if (file.files != &builtin::catalog_files()) return Place{file.path, {}, file.is_own};
    auto copy = catalog_.path_of(file.path);
    if (!copy) return std::nullopt;
    return Place{std::move(*copy), {}, false};
  }
  // What has no package (one with a syntax error, module.cue) is shown as seen from the folder.
  if (!source.path.starts_with("./") && !source.path.starts_with("../")) return std::nullopt;
  return Place{base::join_path(directory_, source.path), {}, true};
}

std::optional<Place> SourcePlaces::find(diag::Position position) {
  const diag::Source* source = program_.sources().find(position);
  if (source == nullptr) return std::nullopt;
  auto place = find(*source);
  if (!place) return std::nullopt;
  const LineIndex& lines = lines_.try_emplace(source, source->text).first->second;
  std::size_t offset = position.value - source->begin.value;
  place->range.start = lines.position(source->text, offset, encoding_);
  place->range.end = lines.position(source->text, word_end(source->text, offset), encoding_);
  return place;
}

}  // namespace opm::lsp
