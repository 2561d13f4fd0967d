#include "cue/compile/package_image.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/move_pages.h"
#include "base/sanitized.h"

namespace opm::cue::compile {

namespace {

// Sanitizers know which addresses there may be.
#ifdef OPM_SANITIZED
constexpr bool kMayMove = false;
#else
constexpr bool kMayMove = true;
#endif

}  // namespace

PackageImage::PackageImage(const unsigned char* bytes, const base::FileSystem& files, Placement placement)
    : bytes_(placed(bytes, placement)),
      files_(files),
      names_(base::NameTable::Stored{reinterpret_cast<const char*>(bytes_), items<base::NameTable::Stored::Text>(header().names),
                                     items<base::NameTable::Slot>(header().slots)}),
      stored_sources_(*this) {}

const unsigned char* PackageImage::placed(const unsigned char* bytes, Placement placement) {
  image::Header header;
  std::memcpy(&header, bytes, sizeof header);
  auto* there = reinterpret_cast<unsigned char*>(std::uintptr_t{header.address});
  if (bytes == there) return there;
  if (kMayMove && placement == Placement::moved && base::move_pages(bytes, base::whole_pages(header.size), there)) return there;
  copy_ = std::make_unique_for_overwrite<unsigned char[]>(header.size);
  std::memcpy(copy_.get(), bytes, header.size);
  std::uintptr_t distance = reinterpret_cast<std::uintptr_t>(copy_.get()) - header.address;
  header.address += distance;
  std::memcpy(copy_.get(), &header, sizeof header);
  for (std::uint32_t i = 0; i < header.pointers.count; ++i) {
    std::uint32_t place;
    std::memcpy(&place, bytes + header.pointers.begin + i * sizeof place, sizeof place);
    std::uintptr_t pointer;
    std::memcpy(&pointer, copy_.get() + place, sizeof pointer);
    pointer += distance;
    std::memcpy(copy_.get() + place, &pointer, sizeof pointer);
  }
  return copy_.get();
}

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

std::string PackageImage::StoredSources::text(std::size_t source) const {
  std::string text = image_.files_.read_file(std::string(image_.text(image_.source_at(source).path))).value_or(std::string());
  std::uint32_t end = source + 1 < count() ? begin(source + 1).value : kEnd;
  text.resize(end - begin(source).value - 1);  // whatever the file holds: positions are sure to be in it
  return text;
}

}  // namespace opm::cue::compile
