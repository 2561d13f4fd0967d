#include "cue/std/bind.h"

#include "cue/std/standard.h"

namespace opm::cue::standard {

Value make_decimal(Call& call, const base::Number& number) {
  // Multiplied out, where arithmetic would keep an exponent.
  if (number.is_integral() && (number.is_float() || number.exponent() > 0)) {
    if (auto whole = number.as_int(call.arena())) return call.make_number(*whole);
  }
  if (number.is_int() && !number.is_integral()) return call.make_number(number.as_float());
  return call.make_number(number);
}

Value make_real(Call& call, double value) {
  if (std::isnan(value)) return call.error("result is not a number");
  if (std::isinf(value)) return call.error("result is infinite");
  return call.make_float(value);
}

Value make_integer(Call& call, const Integer& value) {
  return call.make_number(base::Number::from_mpz(call.arena(), value));
}

Integer integer_argument(Call& call, std::size_t index) {
  Integer result;
  base::Number number = call.number(index);
  if (!call.failed()) number.to_mpz(result);
  return result;
}

Value refuse(Call& call, const char* format, std::initializer_list<Argument> arguments) {
  return call.is_validator() ? call.error(format, arguments) : call.make_bool(false);
}

Value refuse_incomplete(Call& call, const char* format, std::initializer_list<Argument> arguments) {
  return call.is_validator() ? call.incomplete(format, arguments) : call.make_bool(false);
}

TableEntry::operator Builtin() const {
  Builtin builtin;
  builtin.name = name;
  builtin.parameters.reserve(parameter_count);
  for (std::size_t i = 0; i < parameter_count; ++i) builtin.parameters.push_back({.kinds = parameter_kinds[i]});
  builtin.result = result;
  builtin.non_concrete = non_concrete;
  builtin.function = function;
  return builtin;
}

StandardPackage make_package(std::string_view path, std::initializer_list<TableEntry> functions, std::string_view source) {
  return make_package(path, std::vector<Builtin>(functions.begin(), functions.end()), source);
}

StandardPackage make_package(std::string_view path, std::vector<Builtin> functions, std::string_view source) {
  for (Builtin& function : functions) function.package = path;
  return {path, name_of_path(path), std::move(functions), source};
}

}  // namespace opm::cue::standard
