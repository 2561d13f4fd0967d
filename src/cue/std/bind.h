// Makes a CUE function of a plain C++ function: the types of its parameters say which
// kinds it takes, the type of its result what it gives. So the functions of a package
// know nothing of evaluation and can be tested on their own.
//
//   std::int64_t count(std::string_view text, std::string_view part);
//   bind<count>("Count")
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <expected>
#include <initializer_list>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/number.h"
#include "base/unicode.h"
#include "cue/eval/builtin.h"
#include "cue/std/integer.h"

namespace opm::cue::standard {

using eval::Argument;
using eval::Builtin;
using eval::Call;
using eval::KindSet;
using eval::Parameter;
using eval::StandardPackage;
using eval::Value;
namespace kinds = eval::kinds;

// A parameter that may be bytes or a string.
struct BytesView {
  std::string_view bytes;
};
// A result of kind bytes.
struct ByteString {
  std::string bytes;
  bool operator==(const ByteString&) const = default;
};
// A number whose kind follows its value, as CUE has it for decimals that its functions
// return: 2.50 is a float, 2.0 becomes the int 2.
struct Decimal {
  base::Number number;
};
// A number that is an int.
struct Whole {
  base::Number number;
};

// What a function that can fail gives: a result, or what is wrong.
template <typename T>
using Result = std::expected<T, std::string>;
inline std::unexpected<std::string> wrong(std::string message) { return std::unexpected(std::move(message)); }

// Ends of what one call may make, so that a short file cannot fill the memory.
inline constexpr std::int64_t kMaxRepeatCount = 1'000'000;  // CUE's own
inline constexpr std::size_t kMaxResultBytes = 256u << 20;
inline constexpr std::size_t kMaxResultElements = 10'000'000;
inline constexpr std::size_t kMaxIntegerBits = 1u << 20;

// An int where the value is integral, else a float.
Value make_decimal(Call& call, const base::Number& number);
Value make_real(Call& call, double value);
Value make_integer(Call& call, const Integer& value);
Integer integer_argument(Call& call, std::size_t index);
// The error of a check: a validator reports it, a function called with all its
// arguments just gives false.
Value refuse(Call& call, const char* format, std::initializer_list<Argument> arguments);
Value refuse_incomplete(Call& call, const char* format, std::initializer_list<Argument> arguments);

// How a parameter of a C++ type is read from a call. A type that takes no argument of
// the call (the arena) has no kinds.
template <typename T>
struct ArgumentOf;
template <>
struct ArgumentOf<std::string_view> {
  static constexpr KindSet kinds_taken = kinds::string;
  static std::string_view read(Call& call, std::size_t index) { return call.string(index); }
};
template <>
struct ArgumentOf<BytesView> {
  static constexpr KindSet kinds_taken = kinds::string | kinds::bytes;
  static BytesView read(Call& call, std::size_t index) { return {call.bytes(index)}; }
};
template <>
struct ArgumentOf<bool> {
  static constexpr KindSet kinds_taken = kinds::boolean;
  static bool read(Call& call, std::size_t index) { return call.boolean(index); }
};
template <>
struct ArgumentOf<std::int64_t> {
  static constexpr KindSet kinds_taken = kinds::integer;
  static std::int64_t read(Call& call, std::size_t index) { return call.int64(index); }
};
template <>
struct ArgumentOf<std::uint64_t> {
  static constexpr KindSet kinds_taken = kinds::integer;
  static std::uint64_t read(Call& call, std::size_t index) { return call.uint64(index); }
};
template <>
struct ArgumentOf<Integer> {
  static constexpr KindSet kinds_taken = kinds::integer;
  static Integer read(Call& call, std::size_t index) { return integer_argument(call, index); }
};
template <>
struct ArgumentOf<double> {
  static constexpr KindSet kinds_taken = kinds::number;
  static double read(Call& call, std::size_t index) { return call.real(index); }
};
template <>
struct ArgumentOf<base::Number> {
  static constexpr KindSet kinds_taken = kinds::number;
  static base::Number read(Call& call, std::size_t index) { return call.number(index); }
};
template <>
struct ArgumentOf<std::vector<std::string_view>> {
  static constexpr KindSet kinds_taken = kinds::list;
  static std::vector<std::string_view> read(Call& call, std::size_t index) { return call.strings(index); }
};

// How a result of a C++ type becomes a value.
template <typename T>
struct ResultOf;
template <>
struct ResultOf<bool> {
  static constexpr KindSet kinds_given = kinds::boolean;
  static Value make(Call& call, bool value) { return call.make_bool(value); }
};
template <>
struct ResultOf<std::int64_t> {
  static constexpr KindSet kinds_given = kinds::integer;
  static Value make(Call& call, std::int64_t value) { return call.make_int(value); }
};
template <>
struct ResultOf<Integer> {
  static constexpr KindSet kinds_given = kinds::integer;
  static Value make(Call& call, const Integer& value) { return make_integer(call, value); }
};
template <>
struct ResultOf<double> {
  static constexpr KindSet kinds_given = kinds::number;
  static Value make(Call& call, double value) { return make_real(call, value); }
};
template <>
struct ResultOf<Whole> {
  static constexpr KindSet kinds_given = kinds::integer;
  static Value make(Call& call, const Whole& value) { return call.make_number(value.number); }
};
template <>
struct ResultOf<Decimal> {
  static constexpr KindSet kinds_given = kinds::number;
  static Value make(Call& call, const Decimal& value) { return make_decimal(call, value.number); }
};
template <>
struct ResultOf<std::string> {
  static constexpr KindSet kinds_given = kinds::string;
  static Value make(Call& call, std::string value) { return call.make_string(base::valid_utf8(std::move(value))); }
};
template <>
struct ResultOf<ByteString> {
  static constexpr KindSet kinds_given = kinds::string | kinds::bytes;
  static Value make(Call& call, ByteString value) { return call.make_bytes(std::move(value.bytes)); }
};
template <typename T>
struct ResultOf<std::vector<T>> {
  static constexpr KindSet kinds_given = kinds::list;
  static Value make(Call& call, std::vector<T> items) {
    if (items.size() > kMaxResultElements) return call.error("list of more than {} elements", {std::int64_t{kMaxResultElements}});
    std::vector<Value> values;
    values.reserve(items.size());
    for (T& item : items) values.push_back(ResultOf<T>::make(call, std::move(item)));
    return call.make_list(values);
  }
};
template <typename T>
struct ResultOf<Result<T>> {
  static constexpr KindSet kinds_given = ResultOf<T>::kinds_given;
  static Value make(Call& call, Result<T> result) {
    if (!result) return call.error_text(std::move(result).error());
    return ResultOf<T>::make(call, std::move(*result));
  }
};

template <typename Signature>
struct Binding;
template <typename R, typename... P>
struct Binding<R (*)(P...)> {
  static constexpr std::initializer_list<KindSet> parameters = {ArgumentOf<std::remove_cvref_t<P>>::kinds_taken...};
  static constexpr KindSet result = ResultOf<R>::kinds_given;
  template <auto function>
  static Value run(Call& call) {
    return run<function>(call, std::index_sequence_for<P...>{});
  }
  template <auto function, std::size_t... I>
  static Value run(Call& call, std::index_sequence<I...>) {
    // Braces, so that arguments are read from left to right and the first failure is told.
    std::tuple<std::remove_cvref_t<P>...> arguments{ArgumentOf<std::remove_cvref_t<P>>::read(call, I)...};
    if (call.failed()) return call.failure();
    return ResultOf<R>::make(call, std::apply(function, std::move(arguments)));
  }
};
// A function that makes numbers gets the arena as well.
template <typename R, typename... P>
struct Binding<R (*)(base::Arena&, P...)> {
  static constexpr std::initializer_list<KindSet> parameters = {ArgumentOf<std::remove_cvref_t<P>>::kinds_taken...};
  static constexpr KindSet result = ResultOf<R>::kinds_given;
  template <auto function>
  static Value run(Call& call) {
    return run<function>(call, std::index_sequence_for<P...>{});
  }
  template <auto function, std::size_t... I>
  static Value run(Call& call, std::index_sequence<I...>) {
    std::tuple<std::remove_cvref_t<P>...> arguments{ArgumentOf<std::remove_cvref_t<P>>::read(call, I)...};
    if (call.failed()) return call.failure();
    return ResultOf<R>::make(call, std::apply([&](auto&&... a) { return function(call.arena(), a...); }, std::move(arguments)));
  }
};

// A function as the table of its package has it, which takes nothing to make: most runs call few functions of a package.
struct TableEntry {
  static constexpr std::size_t kMostParameters = 8;

  operator Builtin() const;

  std::string_view name;
  std::array<KindSet, kMostParameters> parameter_kinds{};
  std::uint8_t parameter_count = 0;
  KindSet result = kinds::top;
  bool non_concrete = false;
  eval::BuiltinFunction function = nullptr;
};

// A function that needs the call itself.
constexpr TableEntry define(std::string_view name, std::initializer_list<KindSet> parameters, KindSet result,
                            eval::BuiltinFunction function) {
  TableEntry entry{.name = name, .result = result, .function = function};
  for (KindSet taken : parameters) entry.parameter_kinds[entry.parameter_count++] = taken;
  return entry;
}
// The same, and its arguments need not be concrete.
constexpr TableEntry define_on_schemas(std::string_view name, std::initializer_list<KindSet> parameters, KindSet result,
                                       eval::BuiltinFunction function) {
  TableEntry entry = define(name, parameters, result, function);
  entry.non_concrete = true;
  return entry;
}
// One that is a plain C++ function.
template <auto function>
constexpr TableEntry bind(std::string_view name) {
  using Bound = Binding<std::decay_t<decltype(function)>>;
  return define(name, Bound::parameters, Bound::result, &Bound::template run<function>);
}

StandardPackage make_package(std::string_view path, std::initializer_list<TableEntry> functions, std::string_view source = {});
// Where some of them are more than a table says.
StandardPackage make_package(std::string_view path, std::vector<Builtin> functions, std::string_view source = {});

}  // namespace opm::cue::standard
