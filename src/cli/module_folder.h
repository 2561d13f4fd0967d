// The module that a command works on: the one whose folder, or a folder above it, we are in.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "cli/session.h"
#include "cue/module/module_file.h"
#include "cue/module/resolver.h"
#include "diag/source.h"

namespace opm::cli {

struct CurrentModule {
  std::string root;
  std::string file_path;  // of cue.mod/module.cue
  cue::module::ModuleFile file;
};

// What is wrong is printed; the code is what to end with.
std::expected<CurrentModule, ExitCode> open_current_module(
    Session& session, const std::string& working_directory, diag::SourceMap& sources,
    cue::module::Strictness strictness = cue::module::Strictness::lenient);

// Writes the module file, unless it says the same already.
std::expected<void, ExitCode> write_current_module(Session& session, const CurrentModule& current,
                                                   const cue::module::ModuleFile& file);

// "+ a.test/m@v1.0.0", "- b.test/m@v1.2.0", "~ c.test/m@v1.0.0 -> v1.1.0": a line for each difference.
std::vector<std::string> describe_changes(const cue::module::ModuleFile& before, const cue::module::ModuleFile& after);

// Says it on standard error.
ExitCode print_module_error(Session& session, const cue::module::ModuleError& error);

}  // namespace opm::cli
