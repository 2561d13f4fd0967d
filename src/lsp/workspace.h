// What the server works in: the documents that are open in the editor before the files of the disk, and the
// configuration and modules of the user.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/file_system.h"
#include "base/file_writer.h"
#include "cue/load/overlay.h"
#include "cue/module/resolver.h"
#include "cue/value.h"
#include "lsp/document.h"
#include "opm/config/configuration.h"
#include "opm/render/options.h"

namespace opm::lsp {

// What the server is given by those who start it.
struct Services {
  const config::Configuration* configuration = nullptr;  // nullptr: modules are checked as plain packages
  cue::module::ModuleResolver* resolver = nullptr;
  const base::FileSystem* files = &base::real_file_system();
  base::FileWriter* writer = &base::real_file_writer();
  std::string catalog_folder;  // where a copy of the catalog may be put for people to read; empty: nowhere
  std::string version;         // of opm
  std::string warning;         // what the user should know from the start
};

// Files that are evaluated together.
struct PackageKey {
  std::string folder;
  std::string name;  // of the package; empty: one file that is in none
  std::string file;  // that one, absolute
  bool tests = false;
  bool tools = false;
  auto operator<=>(const PackageKey&) const = default;
};

class Workspace {
 public:
  explicit Workspace(const Services& services) : services_(services) {}

  const Services& services() const { return services_; }
  const std::map<std::string, Document>& documents() const { return documents_; }
  const Document* find(std::string_view uri) const;

  void open(Document document);
  Document* change(std::string_view uri);  // what was known of all files is no longer so
  void close(std::string_view uri);
  // Files of the disk may have changed.
  void forget_files() { ++version_; }
  // Another number whenever something may be another than before.
  std::uint64_t version() const { return version_; }

  // The disk as the editor sees it.
  const base::FileSystem& files() const;

  PackageKey package_of(const Document& document) const;
  // How the package is loaded.
  cue::LoadRequest request(const PackageKey& package, const base::FileSystem& files) const;
  // How opm renders what is in its folder.
  render::RenderOptions render_options(const PackageKey& package, const base::FileSystem& files) const;

 private:
  Services services_;
  std::map<std::string, Document> documents_;  // by path
  std::uint64_t version_ = 1;
  mutable std::unique_ptr<cue::load::OverlayFileSystem> overlay_;
  mutable std::uint64_t overlay_version_ = 0;
};

}  // namespace opm::lsp
