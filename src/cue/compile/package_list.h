// The packages of a program, by number. Those of an image are placed when somebody asks for them first: most runs use
// few of the packages that they could. Any thread may ask.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/arena.h"
#include "cue/compile/program.h"

namespace opm::cue::compile {

class PackageImage;

class PackageList {
 public:
  // Where packages of an image come from. `first_source`: where the image's sources were added; `builtins`: what its
  // functions are in this program.
  void stand_on(const PackageImage& image, Position first_source, std::vector<const BuiltinSignature*> builtins);

  void add(const Package* package);
  // One of the image. `imports`: the numbers of what it imports.
  void add_placed_later(std::uint32_t package, std::span<const std::uint32_t> imports);

  std::size_t size() const { return entries_.size(); }
  const Package* package(std::size_t number) const {
    const Entry& entry = entries_[number];
    const Package* package = entry.package.load(std::memory_order_acquire);
    return package != nullptr ? package : place(entry);
  }

 private:
  struct Entry {
    mutable std::atomic<const Package*> package = nullptr;  // null: not placed yet
    std::uint32_t of_image = 0;
    std::span<const std::uint32_t> imports;
  };

  const Package* place(const Entry& entry) const;

  const PackageImage* image_ = nullptr;
  Position first_source_;
  std::vector<const BuiltinSignature*> builtins_;
  std::deque<Entry> entries_;
  base::Arena arena_;
  mutable std::mutex mutex_;  // of what is placed
  // Each in memory of its own size: an arena would round it up to a power of two, and packages are large.
  mutable std::vector<std::unique_ptr<std::byte[]>> placed_;
};

}  // namespace opm::cue::compile
