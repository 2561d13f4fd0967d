#include "cli/command_mod_build.h"

#include <memory>
#include <set>
#include <sstream>

#include "base/path.h"
#include "cli/render_flags.h"
#include "cli/render_report.h"
#include "cli/write_folder.h"
#include "opm/render/manifests.h"
#include "opm/render/render.h"

namespace opm::cli {

namespace {

// Names the files that a run wrote, so that the next one can remove those it does not write again.
constexpr std::string_view kIndexFile = ".opm-manifests";

struct Options {
  RenderFlags flags;
  std::string output = "yaml";
  bool split = false;
  std::string out_dir;
  std::string dump_dir;
  bool redact = false;
};

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

ExitCode write_dump(Session& session, const std::string& folder, const std::vector<render::DumpedFile>& dump) {
  std::vector<NewFile> files;
  for (const render::DumpedFile& file : dump) files.push_back({file.path, file.content});
  auto problem = update_folder(folder, files, {});
  return problem ? end_with(session, *problem) : ExitCode::success;
}

ExitCode build(Session& session, const Options& options) {
  if (options.split == options.out_dir.empty()) {
    session.err.write(options.split ? "error: --split needs --out-dir\n" : "error: --out-dir needs --split\n");
    return ExitCode::failure;
  }
  auto setup = set_up_render(session, options.flags);
  if (!setup) return setup.error();
  const std::string& here = setup->options.working_directory;
  setup->options.dump_jobs = !options.dump_dir.empty();
  render::RenderResult result = render::render(setup->options);
  ExitCode code = report_render(session, result, {here, options.flags.verbose, options.flags.timings});
  if (!options.dump_dir.empty()) {
    ExitCode dumped = write_dump(session, absolute_path(here, options.dump_dir), result.dump);
    if (code == ExitCode::success) code = dumped;
  }
  if (code != ExitCode::success) return code;
  if (options.redact) render::redact_secrets(result.resources);
  render::ManifestFormat format = options.output == "json" ? render::ManifestFormat::json : render::ManifestFormat::yaml;
  if (options.split)
    return write_split(session, absolute_path(here, options.out_dir), render::manifest_files(result.resources, format));
  session.out.write(render::write_manifests(result.resources, format));
  return code;
}

}  // namespace

void add_mod_build_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("build", "Render a module as Kubernetes manifests");
  command.choice("-o,--output", options->output, {"yaml", "json"}, "Format of the manifests");
  command.flag("--split", options->split, "Write each object to a file of its own, KIND-NAME, in --out-dir");
  command.option("--out-dir", options->out_dir, "DIR", "Where --split writes; what it wrote before and does not write now is removed");
  command.option("--dump-jobs", options->dump_dir, "DIR", "Write transformers, components and jobs as CUE that can be evaluated");
  command.flag("--redact", options->redact, "Show the content of Secrets only as a checksum");
  declare_render_flags(command, options->flags);
  command.run([&session, options] { return build(session, *options); });
}

}  // namespace opm::cli
