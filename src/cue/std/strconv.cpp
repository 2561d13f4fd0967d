// The package strconv.
#include <limits>

#include "base/unicode.h"
#include "cue/std/bind.h"
#include "cue/std/conversion.h"
#include "cue/std/packages.h"
#include "cue/syntax/literal.h"

namespace opm::cue::standard {
namespace {

using conversion::Quoting;

Result<std::string> unquote(base::Arena& arena, std::string_view text) {
  auto value = syntax::unquote(arena, text);
  if (!value) return wrong(value.error().message);
  return std::string(*value);
}

Value format_float(Call& call) {
  double value = call.real(0);
  const Value& format = call.value(1);
  std::int64_t precision = call.int64(2);
  std::int64_t bits = call.int64(3);
  if (call.failed()) return call.failure();
  char letter = 0;
  if (format.is_string()) {
    if (format.string().size() != 1) return call.error("expected single character string");
    letter = format.string()[0];
  } else if (format.is_number() && format.number->is_int()) {
    auto code = format.number->to_int64();
    if (!code || *code < 0 || *code > 255) return call.error("format value {} out of range [0, 255]", {Argument::silent(format)});
    letter = static_cast<char>(*code);
  } else {
    return call.error("unexpected kind {}", {Argument::of_kinds(eval::kinds_of(format))});
  }
  return ResultOf<Result<std::string>>::make(call, conversion::format_float(value, letter, precision, bits));
}

std::string quote(std::string_view text) { return conversion::quote_text(text, Quoting::plain); }
std::string quote_ascii(std::string_view text) { return conversion::quote_text(text, Quoting::ascii); }
std::string quote_graphic(std::string_view text) { return conversion::quote_text(text, Quoting::graphic); }

// A negative code becomes one that is no character.
char32_t character_of(std::int64_t code) {
  return code < 0 || code > base::kLastCharacter ? std::numeric_limits<char32_t>::max() : static_cast<char32_t>(code);
}
std::string quote_rune(std::int64_t code) { return conversion::quote_character(character_of(code), Quoting::plain); }
std::string quote_rune_ascii(std::int64_t code) { return conversion::quote_character(character_of(code), Quoting::ascii); }
std::string quote_rune_graphic(std::int64_t code) { return conversion::quote_character(character_of(code), Quoting::graphic); }
bool is_print(std::int64_t code) { return base::is_printable(character_of(code)); }
bool is_graphic(std::int64_t code) { return conversion::is_graphic(character_of(code)); }

}  // namespace

StandardPackage strconv_package() {
  return make_package("strconv", {
    bind<unquote>("Unquote"),
    bind<conversion::parse_bool>("ParseBool"),
    bind<conversion::format_bool>("FormatBool"),
    bind<conversion::parse_float>("ParseFloat"),
    bind<conversion::parse_number>("ParseNumber"),
    bind<conversion::parse_uint>("ParseUint"),
    bind<conversion::parse_int>("ParseInt"),
    bind<conversion::parse_decimal_int>("Atoi"),
    define("FormatFloat", {kinds::number, kinds::top, kinds::integer, kinds::integer}, kinds::string, format_float),
    bind<conversion::format_int>("FormatUint"),
    bind<conversion::format_int>("FormatInt"),
    bind<quote>("Quote"),
    bind<quote_ascii>("QuoteToASCII"),
    bind<quote_graphic>("QuoteToGraphic"),
    bind<quote_rune>("QuoteRune"),
    bind<quote_rune_ascii>("QuoteRuneToASCII"),
    bind<quote_rune_graphic>("QuoteRuneToGraphic"),
    bind<is_print>("IsPrint"),
    bind<is_graphic>("IsGraphic"),
  }, "IntSize: 64\n");
}

}  // namespace opm::cue::standard
