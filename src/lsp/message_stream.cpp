#include "lsp/message_stream.h"

#include <algorithm>
#include <charconv>

namespace opm::lsp {

namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kHeadersEnd = "\r\n\r\n";

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace

void MessageStream::feed(std::string_view bytes) {
  std::size_t dropped = std::min(skipped_, bytes.size());
  skipped_ -= dropped;
  bytes.remove_prefix(dropped);
  if (is_broken_) return;
  if (at_ > 0 && at_ == bytes_.size()) {
    bytes_.clear();
    at_ = 0;
  }
  bytes_.append(bytes);
}

std::optional<std::size_t> MessageStream::body_length(std::string_view headers) {
  std::optional<std::size_t> length;
  while (!headers.empty()) {
    std::size_t end = std::min(headers.find(kLineEnd), headers.size());
    std::string_view line = headers.substr(0, end);
    headers.remove_prefix(std::min(end + kLineEnd.size(), headers.size()));
    std::size_t colon = line.find(':');
    if (colon == line.npos) return std::nullopt;
    if (!equals_ignoring_case(trimmed(line.substr(0, colon)), "content-length")) continue;
    std::string_view digits = trimmed(line.substr(colon + 1));
    std::size_t value = 0;
    auto [last, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || last != digits.data() + digits.size() || length) return std::nullopt;
    length = value;
  }
  return length;
}

MessageStream::Next MessageStream::next() {
  if (is_broken_) return {Outcome::broken, {}};
  std::string_view rest = std::string_view(bytes_).substr(at_);
  if (!length_) {
    std::size_t end = rest.substr(0, kMaxHeaderBytes).find(kHeadersEnd);
    if (end == rest.npos) {
      if (rest.size() < kMaxHeaderBytes) return {};
      is_broken_ = true;
      return {Outcome::broken, {}};
    }
    length_ = body_length(rest.substr(0, end));
    if (!length_) {
      is_broken_ = true;
      return {Outcome::broken, {}};
    }
    at_ += end + kHeadersEnd.size();
    rest = std::string_view(bytes_).substr(at_);
    if (*length_ > max_body_bytes_) {
      std::size_t here = std::min(*length_, rest.size());
      at_ += here;
      skipped_ = *length_ - here;
      length_.reset();
      return {Outcome::too_large, {}};
    }
  }
  if (rest.size() < *length_) return {};
  Next result{Outcome::message, std::string(rest.substr(0, *length_))};
  at_ += *length_;
  length_.reset();
  if (at_ > (std::size_t{1} << 20)) {
    bytes_.erase(0, at_);
    at_ = 0;
  }
  return result;
}

std::string framed(std::string_view body) {
  std::string result = "Content-Length: " + std::to_string(body.size());
  result += kHeadersEnd;
  result += body;
  return result;
}

}  // namespace opm::lsp
