#include "cue/syntax/syntax_errors.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "base/unicode.h"

namespace opm::cue::syntax {

namespace {

constexpr std::size_t kMostGrammatical = 11;
constexpr std::size_t kMostLexical = 50;
constexpr std::size_t kMostEncoding = 10;

constexpr char32_t kByteOrderMark = 0xFEFF;

// True for text of plain, non-zero ASCII bytes: as signed numbers, those above zero. Many at a time.
bool is_plain(std::string_view text) {
  using Bytes [[gnu::vector_size(16)]] = signed char;
  auto are_plain = [&](std::size_t at) {
    Bytes bytes;
    std::memcpy(&bytes, text.data() + at, sizeof(bytes));
    return bytes > 0;
  };
  if (text.size() < sizeof(Bytes)) {
    return std::ranges::all_of(text, [](char byte) { return static_cast<signed char>(byte) > 0; });
  }
  // The last ones may have been looked at already.
  Bytes all = are_plain(text.size() - sizeof(Bytes));
  std::size_t i = 0;
  for (; i + 4 * sizeof(Bytes) <= text.size(); i += 4 * sizeof(Bytes)) {
    all &= are_plain(i) & are_plain(i + sizeof(Bytes)) & are_plain(i + 2 * sizeof(Bytes)) & are_plain(i + 3 * sizeof(Bytes));
  }
  for (; i + sizeof(Bytes) <= text.size(); i += sizeof(Bytes)) all &= are_plain(i);
  std::uint64_t halves[2];
  std::memcpy(halves, &all, sizeof(halves));
  return (halves[0] & halves[1]) == ~std::uint64_t{0};
}

}  // namespace

std::string describe_character(char32_t character) {
  std::string text = fmt::format("U+{:04X}", static_cast<std::uint32_t>(character));
  if (base::is_printable(character)) {
    text += " '";
    base::append_utf8(text, character);
    text += '\'';
  }
  return text;
}

std::uint32_t SyntaxErrors::line_of(std::uint32_t offset) const {
  std::string_view text = source_.text;
  // The end of a text that ends with a line break counts to its last line.
  if (offset >= text.size() && text.ends_with('\n')) offset = static_cast<std::uint32_t>(text.size() - 1);
  return 1 + static_cast<std::uint32_t>(std::ranges::count(text.substr(0, offset), '\n'));
}

void SyntaxErrors::check_encoding() {
  std::string_view text = source_.text;
  constexpr std::size_t kChunk = 4096;
  std::size_t at = 0;
  auto add = [&](std::size_t offset, const char* message) {
    auto where = static_cast<std::uint32_t>(offset);
    errors_.push_back({where, line_of(where), message});
    broken_lines_.push_back(errors_.back().line);
  };
  while (at < text.size() && broken_lines_.size() < kMostEncoding) {
    std::string_view chunk = text.substr(at, kChunk);
    if (is_plain(chunk)) {
      at += chunk.size();
      continue;
    }
    for (std::size_t stop = at + chunk.size(); at < stop && broken_lines_.size() < kMostEncoding;) {
      auto byte = static_cast<unsigned char>(text[at]);
      if (byte == 0) add(at, "illegal character NUL");
      if (byte < 0x80) {
        ++at;
        continue;
      }
      base::DecodedCharacter character = base::decode_utf8(text.substr(at, 4));
      if (!character.valid) {
        add(at, "illegal UTF-8 encoding");
      } else if (character.value == kByteOrderMark && at > 0) {
        add(at, "illegal byte order mark");
      }
      at += character.size;
    }
  }
}

void SyntaxErrors::add_lexical(std::uint32_t offset, std::string message) {
  if (exhausted_) return;
  errors_.push_back({offset, line_of(offset), std::move(message)});
  if (errors_.size() >= kMostLexical) exhausted_ = true;
}

void SyntaxErrors::add_grammatical(std::uint32_t offset, std::string message) {
  if (exhausted_) return;
  std::uint32_t line = line_of(offset);
  if (errors_.size() > broken_lines_.size() && errors_.back().line == line) return;
  if (errors_.size() >= kMostGrammatical) {
    exhausted_ = true;
    return;
  }
  errors_.push_back({offset, line, std::move(message)});
}

void SyntaxErrors::add_fatal(std::uint32_t offset, std::string message) {
  if (exhausted_) return;
  errors_.push_back({offset, line_of(offset), std::move(message)});
  exhausted_ = true;
}

std::vector<diag::Diagnostic> SyntaxErrors::take() {
  auto is_noise = [&](const Error& error) {
    bool about_encoding = &error < errors_.data() + broken_lines_.size();
    return !about_encoding && std::ranges::find(broken_lines_, error.line) != broken_lines_.end();
  };
  std::vector<const Error*> sorted;
  for (const Error& error : errors_) {
    if (!is_noise(error)) sorted.push_back(&error);
  }
  std::ranges::stable_sort(sorted, [](const Error* a, const Error* b) {
    return a->offset != b->offset ? a->offset < b->offset : a->message < b->message;
  });
  std::vector<diag::Diagnostic> diagnostics;
  const Error* previous = nullptr;
  for (const Error* error : sorted) {
    if (previous && previous->offset == error->offset && previous->message == error->message) continue;
    previous = error;
    diag::Diagnostic& diagnostic = diagnostics.emplace_back();
    diagnostic.code = "syntax";
    diagnostic.message = error->message;
    diagnostic.positions = {source_.begin.plus(error->offset)};
    bool is_utf16 = source_.text.starts_with("\xFF\xFE") || source_.text.starts_with("\xFE\xFF");
    if (is_utf16 && diagnostics.size() == 1) diagnostic.advice = "the file looks like UTF-16; save it as UTF-8";
  }
  return diagnostics;
}

}  // namespace opm::cue::syntax
