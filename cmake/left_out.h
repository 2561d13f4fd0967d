// The functions that libcurl would call to speak protocols which opm does not speak: its archive holds them all, and wants their
// libraries, which have no archives. opm asks for HTTP and HTTPS only (src/http/client.cpp), so none of these is ever called.
// libraries.cmake writes the file that includes this one, with a line for each name.
#pragma once

#include <cstdlib>

#define OPM_LEFT_OUT(name) \
  extern "C" [[noreturn]] void name() { std::abort(); }

// The one that is called whenever libcurl is set up: there is nothing to set up.
extern "C" int libssh2_init(int) { return 0; }

// The only name that is no function.
extern "C" const void* GSS_C_NT_HOSTBASED_SERVICE;
const void* GSS_C_NT_HOSTBASED_SERVICE = nullptr;
