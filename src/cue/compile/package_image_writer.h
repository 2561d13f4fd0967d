// Makes the bytes that a PackageImage reads. For the program that compiles what travels inside of opm, when opm is built.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "base/names.h"
#include "cue/compile/program.h"
#include "diag/source.h"

namespace opm::cue::compile {

struct ImageImport {
  std::string path;         // as written
  bool is_standard = false;
  std::size_t package = 0;  // in the list of packages, unless it is standard
};

struct ImageSource {
  std::string path;  // in the file system
  const diag::Source* source = nullptr;
};

struct ImagePackage {
  const Package* package = nullptr;
  std::string directory;
  std::string module_path;  // that it is part of: "opmodel.dev/core@v0"
  std::string module_version;
  std::vector<ImageImport> imports;
  std::vector<ImageSource> sources;
};

// `names` is the table that the packages were compiled with, and has no parent. The first package has the number
// `first_package` in each program; standard packages have the numbers that they had when the packages were compiled.
// The error says what can't be kept.
std::expected<std::string, std::string> write_image(const std::vector<ImagePackage>& packages, const base::NameTable& names,
                                                    std::uint32_t first_package);

}  // namespace opm::cue::compile
