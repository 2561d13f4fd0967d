// How long a server asks to be left alone, in either of the two forms that the header Retry-After has.
#pragma once

#include <chrono>
#include <optional>

#include "base/clock.h"
#include "http/client.h"

namespace opm::http {

// Nothing: it does not say, or makes no sense. At most a day. A moment is compared with the time that the server says it
// is, because its clock is the one that it was read from; `now` is for servers that do not say.
std::optional<std::chrono::seconds> retry_after(const Answer& answer, base::Clock::Time now);

}  // namespace opm::http
