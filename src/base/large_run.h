// Hints for runs that are known to take much memory.
#pragma once

namespace opm::base {

// Memory comes in small pages at first (see pages.cpp), which suits runs that end soon. This skips them: each costs as
// much as a twentieth of a huge page, and a large run needs a huge one anyway. It is for the heap of the thread that calls it
// and for threads that are started later; only the first time in a thread counts.
void expect_large_run();
// For runs whose arenas take up to a few megabytes and whose threads take little else: arenas then get small pages many at
// a time, which takes a third of what it takes to get each when it is touched, and no huge page that is used by half.
void expect_medium_run();

}  // namespace opm::base
