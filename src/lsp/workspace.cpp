#include "lsp/workspace.h"

#include "base/path.h"
#include "cue/syntax/parser.h"
#include "lsp/uri.h"

namespace opm::lsp {

const Document* Workspace::find(std::string_view uri) const {
  auto path = path_of_uri(uri);
  if (!path) return nullptr;
  auto found = documents_.find(*path);
  return found == documents_.end() ? nullptr : &found->second;
}

void Workspace::open(Document document) {
  ++version_;
  std::string path = document.path;
  documents_.insert_or_assign(std::move(path), std::move(document));
}

Document* Workspace::change(std::string_view uri) {
  ++version_;
  auto path = path_of_uri(uri);
  auto found = path ? documents_.find(*path) : documents_.end();
  return found == documents_.end() ? nullptr : &found->second;
}

void Workspace::close(std::string_view uri) {
  ++version_;
  if (const Document* document = find(uri)) documents_.erase(std::string(document->path));
}

const base::FileSystem& Workspace::files() const {
  if (overlay_ && overlay_version_ == version_) return *overlay_;
  std::map<std::string, std::string> texts;
  for (const auto& [path, document] : documents_) texts.emplace(path, document.text);
  overlay_ = std::make_unique<cue::load::OverlayFileSystem>(*services_.files, texts);
  overlay_version_ = version_;
  return *overlay_;
}

PackageKey Workspace::package_of(const Document& document) const {
  PackageKey key;
  key.folder = base::parent_path(document.path);
  base::Arena arena;
  diag::Source source{document.path, document.text, diag::Position{1}};
  key.name = std::string(
      cue::syntax::parse_file(arena, source, {.comments = false, .only_imports = true}).file->package_name());
  std::string_view file = base::base_name(document.path);
  key.tests = file.ends_with("_test.cue");
  key.tools = file.ends_with("_tool.cue");
  // Names that begin so are in no package whatever they say.
  if (file.starts_with('_') || file.starts_with('.') || key.name == "_") key.name.clear();
  if (key.name.empty()) key.file = document.path;
  return key;
}

cue::LoadRequest Workspace::request(const PackageKey& package, const base::FileSystem& files) const {
  cue::LoadRequest request;
  request.arguments = {package.name.empty() ? std::string(base::base_name(package.file)) : ".:" + package.name};
  request.options.directory = package.folder;
  request.options.files = &files;
  request.options.tests = package.tests;
  request.options.tools = package.tools;
  request.options.resolver = services_.resolver;
  request.options.all_standard_packages = false;
  return request;
}

render::RenderOptions Workspace::render_options(const PackageKey& package, const base::FileSystem& files) const {
  render::RenderOptions options;
  options.working_directory = options.module_directory = package.folder;
  options.configuration = services_.configuration;
  options.resolver = services_.resolver;
  options.files = &files;
  return options;
}

}  // namespace opm::lsp
