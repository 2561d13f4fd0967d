// Hints for runs that are known to take much memory.
#pragma once

namespace opm::base {

// Memory comes in small pages at first (see pages.cpp), which suits runs that end soon. This skips them: each costs as
// much as a twentieth of a huge page, and a large run needs a huge one anyway. It is for the heap of the thread that calls it
// and for threads that are started later; only the first time in a thread counts.
void expect_large_run();
// For threads that are started later and take little but what their arenas hold: they take it from the heap that there is, so
// that one huge page serves all of them.
void share_heap();

}  // namespace opm::base
