#include "lsp/catalog_copy.h"

#include "base/digest.h"
#include "base/path.h"
#include "opm/builtin/catalog.h"

namespace opm::lsp {

namespace {

void append_content(const std::string& folder, std::string& content) {
  const base::FileSystem& files = builtin::catalog_files();
  auto entries = files.list_directory(folder);
  if (!entries) return;
  for (const base::DirectoryEntry& entry : *entries) {
    std::string path = base::join_path(folder, entry.name);
    if (entry.kind == base::FileKind::directory) {
      append_content(path, content);
    } else if (auto text = files.read_file(path)) {
      content += path + '\0' + *text + '\0';
    }
  }
}

// Two programs may have the same version of the catalog while it is worked on.
std::string catalog_digest() {
  std::string content;
  append_content("/", content);
  return base::sha256_hex(content).substr(0, 12);
}

}  // namespace

bool CatalogCopy::copy_folder(const std::string& from, const std::string& to) {
  const base::FileSystem& catalog = builtin::catalog_files();
  auto entries = catalog.list_directory(from);
  if (!entries || !writer_.make_directories(to)) return false;
  for (const base::DirectoryEntry& entry : *entries) {
    std::string source = base::join_path(from, entry.name);
    std::string target = base::join_path(to, entry.name);
    if (entry.kind == base::FileKind::directory) {
      if (!copy_folder(source, target)) return false;
      continue;
    }
    auto text = catalog.read_file(source);
    if (!text) return false;
    auto there = files_.read_file(target, base::FileSystem::kDefaultMaxBytes);
    if (there && *there == *text) continue;
    if (!writer_.write_file(target, *text)) return false;
  }
  return true;
}

std::optional<std::string> CatalogCopy::path_of(std::string_view file) {
  if (folder_.empty()) return std::nullopt;
  if (root_.empty()) root_ = base::join_path(folder_, std::string(builtin::catalog_version()) + "-" + catalog_digest());
  for (const builtin::CatalogModule& module : builtin::catalog_modules()) {
    if (!base::is_within(file, module.root)) continue;
    std::string from(module.root);
    auto [known, is_new] = copied_.try_emplace(from, false);
    if (is_new) known->second = copy_folder(from, base::join_path(root_, from));
    if (!known->second) return std::nullopt;
    return base::join_path(root_, file);
  }
  return std::nullopt;
}

bool CatalogCopy::holds(std::string_view path) const { return !folder_.empty() && base::is_within(path, folder_); }

}  // namespace opm::lsp
