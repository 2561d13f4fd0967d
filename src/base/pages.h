// Memory from the system for arenas, and how malloc gets its own. To be handed a fresh page of 4 KiB takes longer than to
// fill it, so what a run needs comes in huge pages as soon as it is known to need more than a little, and what an arena
// gives back is kept for the next one.
#pragma once

#include <cstddef>

namespace opm::base {

struct PageBlock {
  void* memory = nullptr;
  std::size_t size = 0;
};

// At least as large as asked for; its content is arbitrary. Throws std::bad_alloc.
PageBlock take_pages(std::size_t bytes);
void give_pages(const PageBlock& block);

// Once, at the start of the process.
void tune_heap();
// At the start of a thread that has much to do, the main one too: opens the heap that its malloc takes from in one step
// rather than page by page, most of it as huge pages. Nothing of it is touched yet.
void open_heap();

}  // namespace opm::base
