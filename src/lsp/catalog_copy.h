// The catalog is inside the program, where no editor can open it. This puts a copy into a folder of the user's cache: a
// file that every editor can show, search and follow further, which a scheme of our own would need an extension for.
#pragma once

#include <map>
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

  // The copy of a file of builtin::catalog_files(). Its whole module is copied the first time, so that the copy is a
  // module itself. Nothing: it cannot be written.
  std::optional<std::string> path_of(std::string_view file);
  // Whether a file is one of those.
  bool holds(std::string_view path) const;

 private:
  bool copy_folder(const std::string& from, const std::string& to);

  std::string folder_;
  const base::FileSystem& files_;
  base::FileWriter& writer_;
  std::string root_;                    // where the copies are, once that is known
  std::map<std::string, bool> copied_;  // by the folder of the module: whether that worked
};

}  // namespace opm::lsp
