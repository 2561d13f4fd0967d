// The files of a folder that belong to the module in it, as they are published.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "cue/module/archive.h"

namespace opm::cue::module {

// All regular files, without links, nested modules, folders of version control and what is only for work on this disk.
std::expected<std::vector<std::string>, std::string> list_module_files(const base::FileSystem& files,
                                                                       const std::string& root);

// Of `paths` (relative to `root`) those that belong to the module.
std::vector<std::string> select_module_files(std::vector<std::string> paths);

// Reads them and checks that they make a module.
std::expected<std::vector<ArchiveFile>, std::string> read_module_files(const base::FileSystem& files,
                                                                       const std::string& root,
                                                                       const std::vector<std::string>& paths,
                                                                       const ArchiveLimits& limits = {});

}  // namespace opm::cue::module
