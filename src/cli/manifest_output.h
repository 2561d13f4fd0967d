// How rendered resources leave the program: the flags of the commands that print manifests, and the printing.
#pragma once

#include <string>
#include <vector>

#include "cli/command_line.h"
#include "opm/render/result.h"

namespace opm::cli {

struct ManifestFlags {
  std::string output = "yaml";
  bool split = false;
  std::string out_dir;
  std::string dump_dir;
  bool redact = false;
  bool show_secrets = false;
};

void declare_manifest_flags(const Command& command, ManifestFlags& flags);
// Prints what is wrong with the flags together.
ExitCode check_manifest_flags(Session& session, const ManifestFlags& flags);

// The resources, to standard output or, with --split, to --out-dir. `folder`: one below that; empty: none.
ExitCode write_resources(Session& session, const ManifestFlags& flags, const std::string& working_directory,
                         std::vector<render::Resource> resources, unsigned threads, const std::string& folder = {});

// What --dump-jobs asks for.
ExitCode write_job_dump(Session& session, const ManifestFlags& flags, const std::string& working_directory,
                        const std::vector<render::DumpedFile>& dump, const std::string& folder = {});

}  // namespace opm::cli
