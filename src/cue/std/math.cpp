// The package math: decimals where CUE computes with decimals, 64-bit floats elsewhere.
#include <cmath>

#include "cue/std/bind.h"
#include "cue/std/decimal_math.h"
#include "cue/std/packages.h"
#include "cue/std/real_math.h"

namespace opm::cue::standard {
namespace {

using Unary = double (*)(double);
using Binary = double (*)(double, double);

template <Unary function>
Builtin of_one(std::string_view name) {
  return bind<function>(name);
}
template <Binary function>
Builtin of_two(std::string_view name) {
  return bind<function>(name);
}

constexpr std::string_view kConstants = R"(
MaxExp: 2147483647
MinExp: -2147483648
MaxPrec: 4294967295
ToNearestEven: 0
ToNearestAway: 1
ToZero: 2
AwayFromZero: 3
ToNegativeInf: 4
ToPositiveInf: 5
Below: -1
Exact: 0
Above: 1
MaxBase: 62
E: 2.71828182845904523536028747135266249775724709369995957496696763
Pi: 3.14159265358979323846264338327950288419716939937510582097494459
Phi: 1.61803398874989484820458683436563811772030917980576286213544861
Sqrt2: 1.41421356237309504880168872420969807856967187537694807317667974
SqrtE: 1.64872127070012814684865078781416357165377610071014801157507931
SqrtPi: 1.77245385090551602729816748334114518279754945612238712821380779
SqrtPhi: 1.27201964951406896425242246173749149171560804184009624861664038
Ln2: 0.693147180559945309417232121458176568075500134360255254120680009
Log2E: 1.442695040888963407359924681001892137426645954152985934135449408
Ln10: 2.3025850929940456840179914546843642076011014886287729760333278
Log10E: 0.43429448190325182765112891891660508229439700580366656611445378
)";

}  // namespace

StandardPackage math_package() {
  return make_package("math", {
    bind<decimal::jacobi>("Jacobi"),
    bind<decimal::floor>("Floor"),
    bind<decimal::ceiling>("Ceil"),
    bind<decimal::truncate>("Trunc"),
    bind<decimal::round_half_up>("Round"),
    bind<decimal::round_half_even>("RoundToEven"),
    bind<decimal::is_multiple_of>("MultipleOf"),
    bind<decimal::absolute>("Abs"),
    of_one<std::acosh>("Acosh"),
    of_one<std::asin>("Asin"),
    of_one<std::acos>("Acos"),
    of_one<std::asinh>("Asinh"),
    of_one<std::atan>("Atan"),
    of_two<std::atan2>("Atan2"),
    of_one<std::atanh>("Atanh"),
    bind<decimal::cube_root>("Cbrt"),
    bind<decimal::copy_sign>("Copysign"),
    bind<decimal::positive_difference>("Dim"),
    of_one<std::erf>("Erf"),
    of_one<std::erfc>("Erfc"),
    bind<real::inverse_error_function>("Erfinv"),
    bind<real::inverse_complementary_error_function>("Erfcinv"),
    bind<decimal::exponential>("Exp"),
    bind<decimal::power_of_two>("Exp2"),
    of_one<std::expm1>("Expm1"),
    of_one<std::tgamma>("Gamma"),
    of_two<std::hypot>("Hypot"),
    of_one<::j0>("J0"),
    of_one<::y0>("Y0"),
    of_one<::j1>("J1"),
    of_one<::y1>("Y1"),
    bind<real::bessel_first>("Jn"),
    bind<real::bessel_second>("Yn"),
    bind<real::scale_by_power_of_two>("Ldexp"),
    bind<decimal::logarithm>("Log"),
    bind<decimal::logarithm_10>("Log10"),
    bind<decimal::logarithm_2>("Log2"),
    of_one<std::log1p>("Log1p"),
    of_one<std::logb>("Logb"),
    bind<real::binary_exponent>("Ilogb"),
    of_two<std::fmod>("Mod"),
    bind<decimal::power>("Pow"),
    bind<decimal::power_of_ten>("Pow10"),
    of_two<std::remainder>("Remainder"),
    bind<decimal::is_negative>("Signbit"),
    of_one<std::cos>("Cos"),
    of_one<std::sin>("Sin"),
    of_one<std::sinh>("Sinh"),
    of_one<std::cosh>("Cosh"),
    of_one<std::sqrt>("Sqrt"),
    of_one<std::tan>("Tan"),
    of_one<std::tanh>("Tanh"),
  }, kConstants);
}

}  // namespace opm::cue::standard
