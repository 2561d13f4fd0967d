#include "opm/render/release_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/path.h"
#include "opm/render/module_files.h"
#include "opm/render/package_folder.h"
#include "opm/render/problems.h"
#include "opm/render/secret_sources.h"

namespace opm::render {

namespace {

bool has_cue_files(const base::FileSystem& files, const std::string& folder) {
  auto entries = files.list_directory(folder);
  return entries && std::ranges::any_of(*entries, [](const base::DirectoryEntry& entry) {
    return entry.kind != base::FileKind::directory && entry.name.ends_with(".cue");
  });
}

// The user's own configuration lives in ~/.opm, which is above most projects.
bool is_configuration(const RenderOptions& options, const base::FileSystem& files, const std::string& folder) {
  if (options.configuration != nullptr && base::parent_path(options.configuration->file.value) == folder) return true;
  return files.status(base::join_path(folder, "config.cue")) && files.status(base::join_path(folder, "cue.mod"));
}

std::string find_platforms(const RenderOptions& options, const base::FileSystem& files) {
  for (std::string at = options.module_directory;; at = base::parent_path(at)) {
    std::string folder = base::join_path(at, kPlatformsFolder);
    if (has_cue_files(files, folder) && !is_configuration(options, files, folder)) return folder;
    if (at == base::parent_path(at)) return {};
  }
}

}  // namespace

std::optional<PlatformFiles> platform_files(const RenderOptions& options) {
  const base::FileSystem& files = options.files != nullptr ? *options.files : base::real_file_system();
  std::string folder = find_platforms(options, files);
  if (folder.empty()) return std::nullopt;
  std::string root = module_root(files, folder);
  std::map<std::string, std::string> borrowed;
  if (root.empty()) {
    // In no module of its own: what it imports is what the releases do.
    constexpr std::string_view kModuleFile = "cue.mod/module.cue";
    root = base::parent_path(folder);
    std::string releases_root = module_root(files, options.module_directory);
    if (auto text = files.read_file(base::join_path(releases_root, kModuleFile)); text && !releases_root.empty())
      borrowed[base::join_path(root, kModuleFile)] = std::move(*text);
  }
  PlatformFiles result{request_for(options, folder, root), folder};
  result.request.options.overlay = std::move(borrowed);
  leave_out_tiers(options, result.request.options);
  return result;
}

std::expected<ReleaseFiles, std::vector<Problem>> release_files(const RenderOptions& options) {
  const base::FileSystem& files = options.files != nullptr ? *options.files : base::real_file_system();
  const std::string& folder = options.module_directory;
  if (auto problems = values_file_problems(options); !problems.empty()) return std::unexpected(std::move(problems));
  auto package = package_name(files, folder, files_of_tiers(options));
  if (!package)
    return std::unexpected(one(make_problem(kind_of(package.error()), "no-releases",
                                            fmt::format("cannot open {}: {}", shown_file(options, folder), package.error().message))));
  if (package->empty())
    return std::unexpected(one(make_problem(ProblemKind::not_found, "no-releases",
                                            fmt::format("{} has no CUE package, so there are no releases", shown_file(options, folder)),
                                            "go to the folder that has them, or name it with -C DIR")));
  std::string root = module_root(files, folder);
  if (root.empty())
    return std::unexpected(one(make_problem(
        ProblemKind::not_found, "no-module",
        fmt::format("{} is not in a CUE module: no cue.mod folder here or above", shown_file(options, folder)))));

  ReleaseFiles result;
  cue::LoadRequest releases = request_for(options, folder, root);
  std::string overlay = base::join_path(folder, kPlatformsFile);
  releases.options.overlay[overlay] = fmt::format("package {}\n\n{}: _\n", *package, kPlatformsField);
  releases.options.added_files.push_back(overlay);
  leave_out_tiers(options, releases.options);
  result.requests.push_back(std::move(releases));

  if (auto platforms = platform_files(options)) {
    result.requests.push_back(std::move(platforms->request));
    result.platforms_folder = std::move(platforms->folder);
  }
  if (options.masked != nullptr) {
    for (cue::LoadRequest& request : result.requests) load_masked(*options.masked, request.options);
  }
  return result;
}

}  // namespace opm::render
