// Packages that were compiled when the program was built, as bytes in it: what is used of them is copied into an arena
// and its references are made to point there, which takes a hundredth of the time of parsing and compiling the text.
//
// An image is made and read by the same build (package_image_writer.h), so that nodes stand in it as they stand in
// memory. Names keep their ids; positions count from the first source of the image, as if all were added in a row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "base/names.h"
#include "cue/compile/program.h"
#include "diag/source.h"

namespace opm::cue::compile {

// How the bytes are laid out. All offsets are from the start of the image; what they point to is aligned.
namespace image {

struct Range {
  std::uint32_t begin;  // offset
  std::uint32_t count;
};

struct Import {
  static constexpr std::uint32_t kStandard = ~0u;
  Range path;              // as written
  std::uint32_t package;   // of the image
  std::uint32_t is_used;   // 0: nothing of it but functions, which are no part of packages
};

struct Source {
  Range path;     // in the file system that the packages came from
  Range display;  // as messages call it
  std::uint32_t size;
};

struct Builtin {
  Range package;
  Range name;
};

struct PackageEntry {
  Range directory;
  Range name;
  Range identity;     // the Package's path
  Range module_path;  // that it is part of,
  Range module_version;
  Range imports;      // Import
  Range sources;      // std::uint32_t: which of the image's
  Range nodes;        // bytes; the Package stands first
  // Where in the nodes, std::uint32_t each:
  Range node_references;     // 64 bits that say where in the nodes
  Range text_references;     // 64 bits that say where in the image
  Range import_references;   // 32 bits that say which of the imports
  Range builtin_references;  // 64 bits that say which of the image's functions
  Range positions;           // 32 bits
};

struct Header {
  Range packages;  // PackageEntry, by directory and name
  Range sources;   // Source
  Range builtins;  // Builtin
  Range names;     // base::NameTable::Stored::Text, by id from the first one on
  Range slots;     // base::NameTable::Slot
};

}  // namespace image

class PackageImage {
 public:
  // Both live as long. `files` has the sources.
  PackageImage(const unsigned char* bytes, const base::FileSystem& files);

  struct Import {
    std::string_view path;
    bool is_standard = false;
    std::uint32_t package = 0;  // unless it is standard
    bool is_used = true;        // false: for nothing but functions
  };

  std::size_t package_count() const { return header().packages.count; }
  std::string_view directory(std::uint32_t package) const { return text(entry_of(package).directory); }
  std::string_view name(std::uint32_t package) const { return text(entry_of(package).name); }
  std::string_view identity(std::uint32_t package) const { return text(entry_of(package).identity); }
  std::string_view module_path(std::uint32_t package) const { return text(entry_of(package).module_path); }
  std::string_view module_version(std::uint32_t package) const { return text(entry_of(package).module_version); }
  const base::FileSystem& files() const { return files_; }
  // The package of that name in a folder of the file system.
  std::optional<std::uint32_t> find(std::string_view directory, std::string_view name) const;
  std::size_t import_count(std::uint32_t package) const { return entry_of(package).imports.count; }
  Import import(std::uint32_t package, std::size_t index) const;
  // The sources of a package: which of the image's.
  std::span<const std::uint32_t> sources(std::uint32_t package) const;
  std::size_t source_count() const { return header().sources.count; }
  std::string_view source_path(std::size_t source) const { return text(source_at(source).path); }
  // Adds all of them, to be read when somebody asks for their texts; positions in packages that are placed are then relative
  // to the first. Nothing: there is no room.
  std::vector<const diag::Source*> add_sources(diag::SourceMap& sources) const;

  // The table of who has packages of it placed has to stand on this one.
  const base::NameTable& names() const { return names_; }
  // The functions that packages use.
  std::size_t builtin_count() const { return header().builtins.count; }
  BuiltinSignature builtin(std::size_t index) const;

  // What a program that packages are placed in is like.
  struct Surroundings {
    Position first_source;                              // where the image's sources were added
    std::span<const BuiltinSignature* const> builtins;  // what the image's are there
  };
  // What place() needs.
  std::size_t node_bytes(std::uint32_t package) const { return entry_of(package).nodes.count; }
  // The package in memory of that size, aligned as new aligns it. `imports`: where its imports stand in the program.
  const Package* place(std::uint32_t package, std::byte* memory, std::span<const std::uint32_t> imports,
                       const Surroundings& surroundings) const;

 private:
  const image::Header& header() const { return *reinterpret_cast<const image::Header*>(bytes_); }
  template <typename T>
  std::span<const T> items(image::Range range) const {
    return {reinterpret_cast<const T*>(bytes_ + range.begin), range.count};
  }
  std::string_view text(image::Range range) const {
    return {reinterpret_cast<const char*>(bytes_) + range.begin, range.count};
  }
  const image::PackageEntry& entry_of(std::uint32_t package) const {
    return items<image::PackageEntry>(header().packages)[package];
  }
  const image::Source& source_at(std::size_t source) const { return items<image::Source>(header().sources)[source]; }

  const unsigned char* bytes_;
  const base::FileSystem& files_;
  base::NameTable names_;
};

// A file system that has compiled what is in it.
class CompiledFiles {
 public:
  virtual ~CompiledFiles() = default;
  virtual const PackageImage* image() const = 0;  // nullptr: none
};

}  // namespace opm::cue::compile
