#include "cue/compile/package_image.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace opm::cue::compile {

namespace {

// Adds to the number that stands at each of the places.
template <typename Number>
void add_at(std::byte* nodes, std::span<const std::uint32_t> places, Number base) {
  for (std::uint32_t place : places) {
    Number number;
    std::memcpy(&number, nodes + place, sizeof number);
    number += base;
    std::memcpy(nodes + place, &number, sizeof number);
  }
}

}  // namespace

PackageImage::PackageImage(const unsigned char* bytes, const base::FileSystem& files)
    : bytes_(bytes),
      files_(files),
      names_(base::NameTable::Stored{reinterpret_cast<const char*>(bytes), items<base::NameTable::Stored::Text>(header().names),
                                     items<base::NameTable::Slot>(header().slots)}) {}

std::optional<std::uint32_t> PackageImage::find(std::string_view directory, std::string_view name) const {
  auto packages = items<image::PackageEntry>(header().packages);
  auto key = [&](const image::PackageEntry& entry) { return std::pair(text(entry.directory), text(entry.name)); };
  auto found = std::ranges::lower_bound(packages, std::pair(directory, name), {}, key);
  if (found == packages.end() || key(*found) != std::pair(directory, name)) return std::nullopt;
  return static_cast<std::uint32_t>(found - packages.begin());
}

PackageImage::Import PackageImage::import(std::uint32_t package, std::size_t index) const {
  const image::Import& import = items<image::Import>(entry_of(package).imports)[index];
  return {text(import.path), import.package == image::Import::kStandard, import.package, import.is_used != 0};
}

std::span<const std::uint32_t> PackageImage::sources(std::uint32_t package) const {
  return items<std::uint32_t>(entry_of(package).sources);
}

BuiltinSignature PackageImage::builtin(std::size_t index) const {
  const image::Builtin& builtin = items<image::Builtin>(header().builtins)[index];
  return {text(builtin.package), text(builtin.name)};
}

std::vector<const diag::Source*> PackageImage::add_sources(diag::SourceMap& sources) const {
  std::vector<diag::SourceMap::Unread> unread;
  unread.reserve(source_count());
  for (const image::Source& source : items<image::Source>(header().sources))
    unread.push_back({std::string(text(source.display)), source.size});
  return sources.add_unread(std::move(unread), [this](std::size_t source) {
    return files_.read_file(std::string(source_path(source))).value_or(std::string());
  });
}

const Package* PackageImage::place(std::uint32_t package, std::byte* nodes, std::span<const std::uint32_t> imports,
                                   const Surroundings& surroundings) const {
  const image::PackageEntry& entry = entry_of(package);
  std::memcpy(nodes, bytes_ + entry.nodes.begin, entry.nodes.count);
  add_at(nodes, items<std::uint32_t>(entry.node_references), reinterpret_cast<std::uintptr_t>(nodes));
  add_at(nodes, items<std::uint32_t>(entry.text_references), reinterpret_cast<std::uintptr_t>(bytes_));
  for (std::uint32_t place : items<std::uint32_t>(entry.import_references)) {
    std::uint32_t import;
    std::memcpy(&import, nodes + place, sizeof import);
    std::memcpy(nodes + place, &imports[import], sizeof import);
  }
  for (std::uint32_t place : items<std::uint32_t>(entry.builtin_references)) {
    std::uintptr_t builtin;
    std::memcpy(&builtin, nodes + place, sizeof builtin);
    std::memcpy(nodes + place, &surroundings.builtins[builtin], sizeof builtin);
  }
  add_at(nodes, items<std::uint32_t>(entry.positions), surroundings.first_source.value);
  return reinterpret_cast<const Package*>(nodes);
}

}  // namespace opm::cue::compile
