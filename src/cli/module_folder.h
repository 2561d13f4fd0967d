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

// `opm mod` says more than `cue mod` and leaves a file alone that says the right things; `opm cue mod` is for programs that
// expect what `cue mod` prints and writes.
enum class ModFace : std::uint8_t { opm, cue };

struct CurrentModule {
  std::string root;
  std::string file_path;  // of cue.mod/module.cue
  cue::module::ModuleFile file;
  std::string text;  // of the file
};

struct ModuleReading {
  cue::module::Strictness strictness = cue::module::Strictness::lenient;
  bool may_replace = false;  // what only local-module.cue should say may stand in module.cue
};

// What is wrong is printed; the code is what to end with.
std::expected<CurrentModule, ExitCode> open_current_module(Session& session, const std::string& working_directory,
                                                           diag::SourceMap& sources, const ModuleReading& how = {});

// Writes the module file, unless it says the same already.
std::expected<void, ExitCode> write_current_module(Session& session, const CurrentModule& current,
                                                   const cue::module::ModuleFile& file);

// Writes cue.mod/local-module.cue beside it; without a text it goes.
std::expected<void, ExitCode> write_local_module(Session& session, const CurrentModule& current, const std::string& text);

// "+ a.test/m@v1.0.0", "- b.test/m@v1.2.0", "~ c.test/m@v1.0.0 -> v1.1.0": a line for each difference.
std::vector<std::string> describe_changes(const cue::module::ModuleFile& before, const cue::module::ModuleFile& after);

// Errors as that face tells them.
ExitCode report_module_errors(Session& session, ModFace face, const diag::SourceMap& sources,
                              std::vector<diag::Diagnostic> errors, const std::string& working_directory);

// Says it on standard error.
ExitCode print_module_error(Session& session, const cue::module::ModuleError& error);

}  // namespace opm::cli
