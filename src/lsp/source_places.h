// From positions of a program to files that an editor can open.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "cue/value.h"
#include "diag/source.h"
#include "lsp/catalog_copy.h"
#include "lsp/text_position.h"

namespace opm::lsp {

// A piece of a file.
struct Place {
  std::string path;
  TextRange range;
  bool is_own = true;  // of the user's own files rather than of a module that they depend on
  auto operator<=>(const Place&) const = default;
};

class SourcePlaces {
 public:
  // `directory`: what the program was loaded in; files are shown relative to it.
  SourcePlaces(const cue::Program& program, std::string directory, CatalogCopy& catalog, Encoding encoding)
      : program_(program), directory_(std::move(directory)), catalog_(catalog), encoding_(encoding) {}

  // The word that begins there; nothing where no file can be shown.
  std::optional<Place> find(diag::Position position);
  // The file alone.
  std::optional<Place> find(const diag::Source& source);

 private:
  struct File {
    const base::FileSystem* files;
    std::string path;
    bool is_own;
  };
  void read_packages();

  const cue::Program& program_;
  std::string directory_;
  CatalogCopy& catalog_;
  Encoding encoding_;
  bool is_read_ = false;
  std::map<diag::Position, File> files_;  // by where the source begins
  std::map<const diag::Source*, LineIndex> lines_;
};

// Whether names may have it.
bool is_word_character(char c);

// The end of the word that begins at `offset`: a name, a number, a text or a single character.
std::size_t word_end(std::string_view text, std::size_t offset);

}  // namespace opm::lsp
