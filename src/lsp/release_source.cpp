#include "lsp/release_source.h"

#include <algorithm>

#include "base/path.h"
#include "lsp/source_places.h"
#include "opm/render/package_folder.h"
#include "opm/render/release_files.h"

namespace opm::lsp {

bool may_hold_releases(const PackageKey& package) {
  return !package.name.empty() && !package.tests && !package.tools &&
         base::base_name(package.folder) != render::kPlatformsFolder;
}

bool misses_platforms(const cue::Program& program, const cue::Diagnostics& errors) {
  return std::ranges::any_of(errors, [&](const diag::Diagnostic& error) {
    if (error.code != "reference-not-found" || error.positions.empty()) return false;
    const diag::Source* source = program.sources().find(error.positions.front());
    if (source == nullptr) return false;
    std::size_t begin = error.positions.front().value - source->begin.value;
    return source->text.substr(begin, word_end(source->text, begin) - begin) == render::kPlatformsField;
  });
}

std::vector<cue::LoadRequest> release_requests(const Workspace& workspace, const PackageKey& package,
                                               const base::FileSystem& files) {
  // A folder may hold several packages, and opm takes one of them.
  auto name = render::package_name(files, package.folder);
  if (!name || *name != package.name) return {};
  auto found = render::release_files(workspace.render_options(package, files));
  if (!found) return {};
  for (cue::LoadRequest& request : found->requests) {
    request.options.comments = true;
    request.options.all_standard_packages = false;
  }
  return std::move(found->requests);
}

}  // namespace opm::lsp
