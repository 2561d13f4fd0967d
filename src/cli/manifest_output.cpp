#include "cli/manifest_output.h"

#include <set>
#include <sstream>

#include "base/path.h"
#include "cli/render_flags.h"
#include "cli/write_folder.h"
#include "opm/render/manifests.h"

namespace opm::cli {

namespace {

// Names the files that a run wrote, so that the next one can remove those it does not write again.
constexpr std::string_view kIndexFile = ".opm-manifests";

ExitCode end_with(Session& session, const FolderProblem& problem) {
  session.err.print("error: {}\n", problem.message);
  return problem.kind == base::FileErrorKind::permission ? ExitCode::denied : ExitCode::failure;
}

// What an earlier run wrote to the folder: file names only, whatever somebody made of the list.
std::set<std::string> earlier_files(const std::string& folder) {
  std::set<std::string> names;
  auto text = base::real_file_system().read_file(base::join_path(folder, kIndexFile));
  if (!text) return names;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.find('/') == std::string::npos && line.front() != '.') names.insert(line);
  }
  return names;
}

ExitCode write_split(Session& session, const std::string& folder, const std::vector<render::ManifestFile>& manifests) {
  std::set<std::string> removed = earlier_files(folder);
  std::vector<NewFile> files;
  std::string index;
  for (const render::ManifestFile& manifest : manifests) {
    files.push_back({manifest.name, manifest.content});
    index += manifest.name + "\n";
    removed.erase(manifest.name);
  }
  files.push_back({std::string(kIndexFile), std::move(index)});
  auto problem = update_folder(folder, files, {removed.begin(), removed.end()});
  return problem ? end_with(session, *problem) : ExitCode::success;
}

}  // namespace

void declare_manifest_flags(const Command& command, ManifestFlags& flags) {
  command.choice("-o,--output", flags.output, {"yaml", "json"}, "Format of the manifests");
  command.flag("--split", flags.split, "Write each object to a file of its own, KIND-NAME, in --out-dir");
  command.option("--out-dir", flags.out_dir, "DIR", "Where --split writes; what it wrote before and does not write now is removed");
  command.option("--dump-jobs", flags.dump_dir, "DIR", "Write transformers, components and jobs as CUE that can be evaluated");
  command.flag("--show-secrets", flags.show_secrets, "Write secrets as they are with --dump-jobs");
  command.flag("--redact", flags.redact, "Show secrets, and what is made of them, only as a checksum");
}

ExitCode check_manifest_flags(Session& session, const ManifestFlags& flags) {
  if (flags.split != flags.out_dir.empty()) return ExitCode::success;
  session.err.write(flags.split ? "error: --split needs --out-dir\n" : "error: --out-dir needs --split\n");
  return ExitCode::failure;
}

ExitCode write_resources(Session& session, const ManifestFlags& flags, const std::string& working_directory,
                         std::vector<render::Resource> resources, unsigned threads, const std::string& folder) {
  if (flags.redact) render::redact_secrets(resources);
  render::ManifestFormat format = flags.output == "json" ? render::ManifestFormat::json : render::ManifestFormat::yaml;
  if (flags.split) {
    std::string target = absolute_path(working_directory, flags.out_dir);
    if (!folder.empty()) target = base::join_path(target, folder);
    return write_split(session, target, render::manifest_files(resources, format));
  }
  if (format == render::ManifestFormat::json) session.out.write(render::write_manifests(resources, format));
  else render::write_manifests(std::move(resources), threads, [&](std::string_view text) { session.out.write(text); });
  return ExitCode::success;
}

ExitCode write_job_dump(Session& session, const ManifestFlags& flags, const std::string& working_directory,
                        const std::vector<render::DumpedFile>& dump, const std::string& folder) {
  std::vector<NewFile> files;
  for (const render::DumpedFile& file : dump) files.push_back({file.path, file.content});
  std::string target = absolute_path(working_directory, flags.dump_dir);
  if (!folder.empty()) target = base::join_path(target, folder);
  auto problem = update_folder(target, files, {});
  return problem ? end_with(session, *problem) : ExitCode::success;
}

}  // namespace opm::cli
