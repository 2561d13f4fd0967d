// What the commands for modules and those for releases have in common when they work with a cluster: their flags, and
// what happens once it is known what is to be there, or which release is meant.
#pragma once

#include <string>

#include "cli/cluster_flags.h"
#include "cli/command_line.h"
#include "cli/session.h"
#include "opm/release/apply.h"
#include "opm/release/inventory_store.h"
#include "opm/render/result.h"

namespace opm::cli {

struct ClusterRun {
  const Configured& configured;
  kube::Client& client;
};

struct ApplyFlags {
  bool dry_run = false;
  bool diff = false;
  bool wait = false;
  std::string timeout = "5m";
  bool create_namespace = false;
  bool no_prune = false;
  bool prune_dangerous = false;
  bool adopt = false;
  bool force = false;
  bool no_force_conflicts = false;
  int max_history = static_cast<int>(release::kDefaultHistory);
  bool progress = false;
  std::string output = "text";
  std::string color = "auto";
};
void declare_apply_flags(const Command& command, ApplyFlags& flags);
ExitCode apply_rendered(Session& session, const ClusterRun& run, render::RenderResult rendered,
                        const ApplyFlags& flags);

struct DiffFlags {
  std::string output = "text";
  std::string color = "auto";
  bool no_prune = false;
  bool prune_dangerous = false;
  bool no_force_conflicts = false;
};
void declare_diff_flags(const Command& command, DiffFlags& flags);
ExitCode diff_rendered(Session& session, const ClusterRun& run, render::RenderResult rendered, const DiffFlags& flags);
// Errors of diff commands are told from differences, which end with 1.
ExitCode diff_failure(ExitCode code);

struct StatusFlags {
  std::string output = "table";
  bool watch = false;
  std::string wait_for;
  std::string timeout = "5m";
  bool progress = false;
};
void declare_status_flags(const Command& command, StatusFlags& flags);
ExitCode show_status(Session& session, const ClusterRun& run, const release::ReleaseKey& release,
                     const StatusFlags& flags);

struct DeleteFlags {
  bool dry_run = false;
  bool keep_namespace = true;
  bool force = false;
  bool no_wait = false;
  std::string timeout = "5m";
  bool progress = false;
  std::string output = "text";
};
void declare_delete_flags(const Command& command, DeleteFlags& flags);
ExitCode delete_named(Session& session, const ClusterRun& run, const release::ReleaseKey& release,
                      const DeleteFlags& flags);

release::DesiredRelease desired_release(render::RenderResult rendered);

}  // namespace opm::cli
