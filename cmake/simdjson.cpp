// simdjson, loaded when it is first used: Debian has it only as a shared library, which would
// bring the shared libstdc++ along and make every start of opm half a millisecond slower, JSON
// or not. These are the functions that its headers declare as being in the library; memory and
// objects pass between the two sides only through malloc and virtual functions.
#include <dlfcn.h>
#include <simdjson.h>

#include <cstdio>
#include <cstdlib>

namespace {

// A name as the compiler writes it: the library has C++ functions only.
template <typename Function>
Function* function_of_library(const char* mangled) {
  static void* const library = dlopen(OPM_SIMDJSON_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  void* function = library != nullptr ? dlsym(library, mangled) : nullptr;
  if (function == nullptr) {
    // Nothing to fall back on, and no caller that could take it: the installation is broken.
    std::fprintf(stderr, "cannot load %s: %s\n", OPM_SIMDJSON_LIBRARY, dlerror());
    std::_Exit(1);
  }
  return reinterpret_cast<Function*>(function);
}

}  // namespace

namespace simdjson {

internal::atomic_ptr<const implementation>& get_active_implementation() {
  using Function = internal::atomic_ptr<const implementation>&();
  static Function* const function = function_of_library<Function>("_ZN8simdjson25get_active_implementationEv");
  return function();
}

bool validate_utf8(const char* text, size_t size) noexcept { return get_active_implementation()->validate_utf8(text, size); }

}  // namespace simdjson
