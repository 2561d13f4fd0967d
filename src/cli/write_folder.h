// Several files written to a folder together: all of them or none.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_writer.h"

namespace opm::cli {

struct NewFile {
  std::string path;  // below the folder
  std::string content;
};

// The files below a folder of the templates that are built in.
std::vector<NewFile> files_of_template(std::string_view folder);

struct FolderProblem {
  base::FileErrorKind kind = base::FileErrorKind::other;
  std::string message;
};

// Writes the files and removes the others that are named, all or nothing. Makes the folder where there is none.
std::optional<FolderProblem> update_folder(const std::string& folder, const std::vector<NewFile>& files,
                                           const std::vector<std::string>& removed,
                                           base::FileAccess access = base::FileAccess::everyone);

// Makes the folder where there is none. What went wrong, and then everything is as it was before; or nothing.
std::optional<std::string> write_folder(const std::string& folder, const std::vector<NewFile>& files,
                                        base::FileAccess access = base::FileAccess::everyone);

}  // namespace opm::cli
