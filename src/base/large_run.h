// A hint for runs that are known to take much memory.
#pragma once

namespace opm::base {

// Memory comes in small pages at first (see pages.cpp), which suits runs that end soon. This skips them: each costs as
// much as a twentieth of a huge page, and a large run needs a huge one anyway. Call it before threads are started; only
// the first time counts.
void expect_large_run();

}  // namespace opm::base
