// libm, loaded when it is first used: only CUE's math package calls it, and its start costs every run a twentieth of a
// millisecond. These are the functions that are called, passed on.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace {

template <typename Function>
Function* function_of_library(const char* name) {
  // The C library has a few of them itself.
  void* function = dlsym(RTLD_NEXT, name);
  if (function == nullptr) {
    static void* const library = dlopen(OPM_MATH_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) function = dlsym(library, name);
  }
  if (function == nullptr) {
    // Nothing to fall back on, and no caller that could take it: the installation is broken.
    std::fprintf(stderr, "cannot load %s: %s\n", OPM_MATH_LIBRARY, dlerror());
    std::_Exit(1);
  }
  return reinterpret_cast<Function*>(function);
}

}  // namespace

#define OPM_MATH_FUNCTION(Result, name, parameters, arguments)                          \
  Result name parameters noexcept {                                                     \
    static auto* const function = function_of_library<Result parameters noexcept>(#name); \
    return function arguments;                                                          \
  }
#define OPM_OF_ONE(name) OPM_MATH_FUNCTION(double, name, (double x), (x))
#define OPM_OF_ONE_LONG(name) OPM_MATH_FUNCTION(long double, name, (long double x), (x))
#define OPM_OF_TWO(name) OPM_MATH_FUNCTION(double, name, (double x, double y), (x, y))
#define OPM_OF_ORDER(name) OPM_MATH_FUNCTION(double, name, (int order, double x), (order, x))

extern "C" {

OPM_OF_ONE(acos)
OPM_OF_ONE(acosh)
OPM_OF_ONE(asin)
OPM_OF_ONE(asinh)
OPM_OF_ONE(atan)
OPM_OF_ONE(atanh)
OPM_OF_ONE(cos)
OPM_OF_ONE(cosh)
OPM_OF_ONE(erf)
OPM_OF_ONE(erfc)
OPM_OF_ONE(expm1)
OPM_OF_ONE(j0)
OPM_OF_ONE(j1)
OPM_OF_ONE(log1p)
OPM_OF_ONE(logb)
OPM_OF_ONE(sin)
OPM_OF_ONE(sinh)
OPM_OF_ONE(sqrt)
OPM_OF_ONE(tan)
OPM_OF_ONE(tanh)
OPM_OF_ONE(tgamma)
OPM_OF_ONE(y0)
OPM_OF_ONE(y1)
OPM_OF_ONE_LONG(erfcl)
OPM_OF_ONE_LONG(erfl)
OPM_OF_ONE_LONG(expl)
OPM_OF_ONE_LONG(logl)
OPM_OF_ONE_LONG(sqrtl)
OPM_OF_TWO(atan2)
OPM_OF_TWO(fmod)
OPM_OF_TWO(hypot)
OPM_OF_TWO(remainder)
OPM_OF_ORDER(jn)
OPM_OF_ORDER(yn)
OPM_MATH_FUNCTION(int, ilogb, (double x), (x))
OPM_MATH_FUNCTION(double, frexp, (double x, int* exponent), (x, exponent))
OPM_MATH_FUNCTION(double, ldexp, (double x, int exponent), (x, exponent))
// Those that libstdc++ calls where it reads a number by the functions of C.
OPM_MATH_FUNCTION(int, fegetround, (), ())
OPM_MATH_FUNCTION(int, fesetround, (int mode), (mode))

}  // extern "C"
