// Packages that were compiled when the program was built, as bytes in it, which are used as they are: pointers in them lead to
// where the bytes are moved when the program runs, and what they say of the program they are used in is the same in each.
//
// An image is made and read by the same build (package_image_writer.h), so that nodes stand in it as they stand in
// memory. Names keep their ids; sources and packages have positions and numbers that programs leave to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/file_system.h"
#include "base/names.h"
#include "cue/compile/program.h"
#include "diag/source.h"

namespace opm::cue::compile {

// How the bytes are laid out. All offsets are from the start of the image; what they point to is aligned.
namespace image {

// Where images are made for. Linux puts nothing there of its own accord: a program that may lie anywhere, what it maps and its stack
// begin at a third of all addresses or above that. One that lies at the beginning of all addresses can be linked with the image in
// its place (CMakeLists.txt does so), as it is near enough for its code.
inline constexpr std::uint64_t kAddress = 0x4000'0000;

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
  Position begin;
};

struct PackageEntry {
  Range directory;
  Range name;
  Range identity;     // the Package's path
  Range module_path;  // that it is part of,
  Range module_version;
  Range imports;      // Import
  Range sources;      // std::uint32_t: which of the image's
};

struct Header {
  std::uint64_t address;        // of itself, as pointers have it
  std::uint32_t size;           // of all
  std::uint32_t first_package;  // the number of the first one in a program
  Range packages;               // PackageEntry, by directory and name
  Range roots;                  // const Package*, likewise
  Range sources;                // Source
  Range builtins;               // BuiltinSignature
  Range names;                  // base::NameTable::Stored::Text, by id from the first one on
  Range slots;                  // base::NameTable::Slot
  Range pointers;               // std::uint32_t: where all pointers are
};

}  // namespace image

class PackageImage {
 public:
  // How the pointers come to lead to what they mean.
  enum class Placement : std::uint8_t {
    moved,   // the bytes are moved to where they should be: they are whole pages that nobody else uses any part of. They are
             // copied if that can't be done
    copied,  // and the pointers changed
  };
  // Bytes and files live as long; what was moved is left to whom the bytes belong to. `files` has the sources.
  PackageImage(const unsigned char* bytes, const base::FileSystem& files, Placement placement);
  PackageImage(const PackageImage&) = delete;
  PackageImage& operator=(const PackageImage&) = delete;

  struct Import {
    std::string_view path;
    bool is_standard = false;
    std::uint32_t package = 0;  // unless it is standard
    bool is_used = true;        // false: for nothing but functions
  };

  bool was_moved() const { return copy_ == nullptr; }
  // As they are here: another image can be made of them.
  const unsigned char* bytes() const { return bytes_; }
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

  // The packages themselves. In each program they have the numbers from the first one's on.
  std::span<const Package* const> packages() const { return items<const Package*>(header().roots); }
  std::uint32_t first_package() const { return header().first_package; }
  // How many functions they use.
  std::size_t builtin_count() const { return header().builtins.count; }
  // The table of who uses packages of it has to stand on this one,
  const base::NameTable& names() const { return names_; }
  // and the map of sources on these.
  const diag::StoredSources& stored_sources() const { return stored_sources_; }
  // The sources of a package: which of the image's.
  std::span<const std::uint32_t> sources(std::uint32_t package) const;
  std::string_view source_path(std::uint32_t source) const { return text(source_at(source).path); }
  Position source_begin(std::uint32_t source) const { return source_at(source).begin; }

 private:
  class StoredSources : public diag::StoredSources {
   public:
    explicit StoredSources(const PackageImage& image) : image_(image) {}
    std::size_t count() const override { return image_.header().sources.count; }
    Position begin(std::size_t source) const override { return image_.source_at(source).begin; }
    std::string_view path(std::size_t source) const override { return image_.text(image_.source_at(source).display); }
    std::string text(std::size_t source) const override;

   private:
    const PackageImage& image_;
  };

  // The bytes where pointers lead.
  const unsigned char* placed(const unsigned char* bytes, Placement placement);
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

  std::unique_ptr<unsigned char[]> copy_;  // null: they were moved
  const unsigned char* bytes_;
  const base::FileSystem& files_;
  base::NameTable names_;
  StoredSources stored_sources_;
};

// A file system that has compiled what is in it.
class CompiledFiles {
 public:
  virtual ~CompiledFiles() = default;
  virtual const PackageImage* image() const = 0;  // nullptr: none
};

}  // namespace opm::cue::compile
