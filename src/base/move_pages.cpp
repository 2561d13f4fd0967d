#include "base/move_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace opm::base {

namespace {

std::size_t page_size() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

}  // namespace

std::size_t whole_pages(std::size_t size) {
  std::size_t page = page_size();
  return (size + page - 1) / page * page;
}

bool move_pages(const void* pages, std::size_t size, void* to) {
  std::uintptr_t all = reinterpret_cast<std::uintptr_t>(pages) | reinterpret_cast<std::uintptr_t>(to) | size;
  if (size == 0 || all % page_size() != 0) return false;
  // To move them there would replace what is there, so the place is taken first.
  void* taken = ::mmap(to, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (taken == MAP_FAILED) return false;
  if (taken == to && ::mremap(const_cast<void*>(pages), size, size, MREMAP_MAYMOVE | MREMAP_FIXED, to) == to) return true;
  ::munmap(taken, size);
  return false;
}

}  // namespace opm::base
