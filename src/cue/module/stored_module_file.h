// Module files as bytes: what reading them comes to, for those who have read them once and keep it.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "cue/module/module_file.h"

namespace opm::cue::module {

// What is wrong, if one of them says more than dependencies need: what other tools keep there, or a replacement.
std::expected<std::string, std::string> store_module_files(const std::vector<ModuleFile>& files);
// Of bytes that store_module_files made. Nothing in them has a position.
std::vector<ModuleFile> restore_module_files(const unsigned char* bytes);

}  // namespace opm::cue::module
