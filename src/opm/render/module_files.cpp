#include "opm/render/module_files.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/path.h"
#include "data/json.h"
#include "opm/render/package_folder.h"
#include "opm/render/problems.h"
#include "opm/render/release_overlay.h"
#include "opm/render/secret_sources.h"
#include "opm/values/read.h"

namespace opm::render {

namespace {

// What is wrong with a file that is to hold values, before it is read.
std::optional<Problem> values_file_problem(const RenderOptions& options, const base::FileSystem& files, const std::string& file) {
  auto found = files.status(file);
  if (!found)
    return make_problem(kind_of(found.error()), "no-values",
                        fmt::format("cannot open {}: {}", shown_file(options, file), found.error().message));
  if (found->kind == base::FileKind::directory)
    return make_problem(ProblemKind::general, "no-values",
                        fmt::format("{} is a folder, not a file with values", shown_file(options, file)));
  if (!values::is_values_file(file))
    return make_problem(ProblemKind::general, "no-values", fmt::format("{} is no values file", shown_file(options, file)),
                        "values are read from .cue, .yaml, .yml and .json files");
  return std::nullopt;
}

// Whether somebody who takes the folder for a module means the releases in it, as far as its text says.
bool declares_releases(const base::FileSystem& files, const std::string& folder) {
  constexpr std::size_t kLargestFile = std::size_t{1} << 20;
  auto entries = files.list_directory(folder);
  return entries && std::ranges::any_of(*entries, [&](const base::DirectoryEntry& entry) {
    if (entry.kind == base::FileKind::directory || !entry.name.ends_with(".cue")) return false;
    auto text = files.read_file(base::join_path(folder, entry.name), kLargestFile);
    return text && text->find(".#ModuleRelease") != std::string::npos;
  });
}

}  // namespace

std::string shown_file(const RenderOptions& options, const std::string& path) {
  std::string relative = base::relative_path(options.working_directory, path);
  return relative.starts_with('.') || base::is_absolute_path(relative) ? relative : "./" + relative;
}

std::vector<Problem> values_file_problems(const RenderOptions& options) {
  const base::FileSystem& files = options.files != nullptr ? *options.files : base::real_file_system();
  std::vector<Problem> problems;
  for (const std::vector<std::string>* list : {&options.values_files, &options.platform_files, &options.user_files}) {
    for (const std::string& file : *list) {
      if (auto problem = values_file_problem(options, files, file)) problems.push_back(std::move(*problem));
    }
  }
  return problems;
}

std::vector<std::string> files_of_tiers(const RenderOptions& options) {
  std::vector<std::string> files = options.platform_files;
  files.insert(files.end(), options.user_files.begin(), options.user_files.end());
  return files;
}

void leave_out_tiers(const RenderOptions& options, cue::load::LoadOptions& load) {
  // Without a package clause a file is in no package.
  for (const std::string& file : files_of_tiers(options)) {
    if (file.ends_with(".cue") && base::is_within(file, load.module_root)) load.overlay[file] = "";
  }
}

std::expected<cue::LoadRequest, std::vector<Problem>> module_request(const RenderOptions& options) {
  const base::FileSystem& files = options.files != nullptr ? *options.files : base::real_file_system();
  const std::string& folder = options.module_directory;
  auto status = files.status(folder);
  if (!status)
    return std::unexpected(one(make_problem(kind_of(status.error()), "no-module",
                                            fmt::format("cannot open module {}: {}", shown_file(options, folder), status.error().message))));
  if (status->kind != base::FileKind::directory)
    return std::unexpected(one(make_problem(ProblemKind::general, "no-module",
                                            fmt::format("{} is a file, not the folder of a module", shown_file(options, folder)))));
  std::string root = module_root(files, folder);
  if (root.empty())
    return std::unexpected(one(make_problem(
        ProblemKind::not_found, "no-module", fmt::format("{} is not in a CUE module: no cue.mod folder here or above", shown_file(options, folder)),
        "run \"opm mod init\" to make a module")));
  std::string values = base::join_path(folder, kValuesFile);
  if (auto found = files.status(values); !found && !options.recorded_values) {
    if (declares_releases(files, folder))
      return std::unexpected(one(make_problem(
          ProblemKind::not_found, "no-module", fmt::format("{} has releases, and is no module itself", shown_file(options, folder)),
          "render one with \"opm build -C DIR RELEASE\", and say where a field of it comes from with \"opm explain -C DIR --release RELEASE\"")));
    return std::unexpected(one(make_problem(
        kind_of(found.error()), "no-values", fmt::format("cannot open {}: {}", shown_file(options, values), found.error().message),
        fmt::format("a module needs its values: write {} with a field \"values\"", shown_file(options, values)))));
  }
  if (auto problems = values_file_problems(options); !problems.empty()) return std::unexpected(std::move(problems));
  auto package = package_name(files, folder, files_of_tiers(options), kValuesFile);
  if (!package)
    return std::unexpected(one(make_problem(kind_of(package.error()), "no-module",
                                            fmt::format("cannot read module {}: {}", shown_file(options, folder), package.error().message))));
  if (package->empty())
    return std::unexpected(one(make_problem(ProblemKind::invalid, "no-module",
                                            fmt::format("the files of module {} have no package clause", shown_file(options, folder)),
                                            "begin each with \"package main\"")));

  cue::LoadRequest request = request_for(options, folder, root);
  std::string overlay = base::join_path(folder, kReleaseFile);
  request.options.overlay[overlay] = release_overlay(*package, {options.release_name, options.namespace_name, options.fallback_namespace});
  request.options.added_files.push_back(overlay);
  if (options.recorded_values) {
    // JSON is CUE, so what was recorded stays data, whatever is in it.
    request.options.overlay[values] =
        fmt::format("package {}\n\n{}: {}\n", *package, values::kValuesField, data::write_json(*options.recorded_values));
  }
  for (const std::string& file : options.values_files)
    request.options.joined_files.push_back({file, std::string(values::kValuesField)});
  if (options.values_input)
    request.options.joined_files.push_back({options.values_input->name, std::string(values::kValuesField), options.values_input->content});
  leave_out_tiers(options, request.options);
  if (options.masked != nullptr) load_masked(*options.masked, request.options);
  return request;
}

}  // namespace opm::render
