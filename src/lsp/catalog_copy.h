// The catalog is inside the program, where no editor can open it. This puts a copy into a folder of the user's cache: a file
// that every editor can show, search and follow further, which a scheme of our own would need an extension for.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/file_system.h"
#include "base/file_writer.h"

namespace opm::lsp {

class CatalogCopy {
 public:
  // `folder`: below which it is put; empty: nowhere.
  CatalogCopy(std::string folder, const base::FileSystem& files, base::FileWriter& writer)
      : folder_(std::move(folder)), files_(files), writer_(writer) {}

  // The copy of a file of builtin::catalog_files(). The whole catalog is copied the first time, so that the copies are
  // modules themselves. Nothing: it cannot be written.
  std::optional<std::string> path_of(std::string_view file);
  // Whether a file is one of those.
  bool holds(std::string_view path) const;

 private:
  bool copy_folder(const std::string& from, const std::string& to);

  std::string folder_;
  const base::FileSystem& files_;
  base::FileWriter& writer_;
  std::optional<bool> is_copied_;
  std::string root_;  // where it is
};

}  // namespace opm::lsp
