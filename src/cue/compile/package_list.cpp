#include "cue/compile/package_list.h"

#include <algorithm>
#include <utility>

#include "cue/compile/package_image.h"

namespace opm::cue::compile {

void PackageList::stand_on(const PackageImage& image, Position first_source, std::vector<const BuiltinSignature*> builtins) {
  image_ = &image;
  first_source_ = first_source;
  builtins_ = std::move(builtins);
}

void PackageList::add(const Package* package) { entries_.emplace_back().package.store(package, std::memory_order_relaxed); }

void PackageList::add_placed_later(std::uint32_t package, std::span<const std::uint32_t> imports) {
  Entry& entry = entries_.emplace_back();
  entry.of_image = package;
  auto kept = arena_.make_array<std::uint32_t>(imports.size());
  std::ranges::copy(imports, kept.begin());
  entry.imports = kept;
}

const Package* PackageList::place(const Entry& entry) const {
  std::lock_guard lock(mutex_);
  const Package* package = entry.package.load(std::memory_order_relaxed);
  if (package == nullptr) {
    placed_.push_back(std::make_unique_for_overwrite<std::byte[]>(image_->node_bytes(entry.of_image)));
    package = image_->place(entry.of_image, placed_.back().get(), entry.imports, {first_source_, builtins_});
    entry.package.store(package, std::memory_order_release);
  }
  return package;
}

}  // namespace opm::cue::compile
