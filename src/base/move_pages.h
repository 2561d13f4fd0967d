// Pages of the program at an address of our choice: data that holds pointers into itself, made for one address, is used as it
// is where it stands there.
#pragma once

#include <cstddef>

namespace opm::base {

// Nothing is copied: what nobody has looked at yet is still read from the program's file when somebody does, and there is nothing
// left where the pages were. False, and all is as before: these are no whole pages, something else stands there, or the
// system has no such address.
bool move_pages(const void* pages, std::size_t size, void* to);

// The size rounded up to whole pages.
std::size_t whole_pages(std::size_t size);

}  // namespace opm::base
