#include "cue/std/file_path.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/unicode.h"
#include "cue/std/text.h"

namespace opm::cue::standard {
namespace {

constexpr const char* kBadPattern = "syntax error in pattern";

std::string joined(const std::vector<std::string_view>& elements, std::size_t first, char separator) {
  std::string result;
  for (std::size_t i = first; i < elements.size(); ++i) {
    if (i > first) result += separator;
    result += elements[i];
  }
  return result;
}

std::string with(std::string_view text, char from, char to) {
  std::string result(text);
  std::replace(result.begin(), result.end(), from, to);
  return result;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_reserved_on_windows(std::string_view path) {
  for (std::string_view device : {"CON", "PRN", "AUX", "NUL"}) {
    if (text::equal_fold(path, device)) return true;
  }
  return path.size() == 4 && path[3] >= '1' && path[3] <= '9' &&
         (text::equal_fold(path.substr(0, 3), "COM") || text::equal_fold(path.substr(0, 3), "LPT"));
}

}  // namespace

const PathRules& PathRules::of(std::string_view system) {
  static constexpr PathRules kUnix(Family::unix), kWindows(Family::windows), kPlan9(Family::plan9);
  return system == "windows" ? kWindows : system == "plan9" ? kPlan9 : kUnix;
}

bool PathRules::same_word(std::string_view a, std::string_view b) const {
  return is_windows() ? text::equal_fold(a, b) : a == b;
}

// "C:" or "\\host\share"
std::size_t PathRules::volume_size(std::string_view path) const {
  if (!is_windows() || path.size() < 2) return 0;
  if (path[1] == ':' && is_letter(path[0])) return 2;
  if (path.size() < 5 || !is_separator(path[0]) || !is_separator(path[1])) return 0;
  if (is_separator(path[2]) || path[2] == '.') return 0;
  auto next_separator = [&](std::size_t from) {
    while (from < path.size() && !is_separator(path[from])) ++from;
    return from;
  };
  std::size_t share = next_separator(3) + 1;
  if (share >= path.size() || is_separator(path[share]) || path[share] == '.') return 0;
  return next_separator(share);
}

std::string PathRules::volume(std::string_view path) const { return std::string(path.substr(0, volume_size(path))); }

std::size_t PathRules::last_element(std::string_view path) const {
  std::size_t first = volume_size(path);
  std::size_t at = path.size();
  while (at > first && !is_separator(path[at - 1])) --at;
  return at;
}

std::string PathRules::clean(std::string_view path) const {
  std::string_view drive = path.substr(0, volume_size(path));
  std::string_view rest = path.substr(drive.size());
  if (rest.empty()) {
    bool is_share = drive.size() > 1 && drive[1] != ':';
    return is_share ? from_slash(drive) : std::string(drive) + ".";
  }
  bool rooted = is_separator(rest[0]);
  std::vector<std::string_view> kept;
  for (std::size_t at = 0; at < rest.size();) {
    std::size_t end = at;
    while (end < rest.size() && !is_separator(rest[end])) ++end;
    std::string_view element = rest.substr(at, end - at);
    at = end + 1;
    if (element.empty() || element == ".") continue;
    if (element != "..") {
      kept.push_back(element);
    } else if (!kept.empty() && kept.back() != "..") {
      kept.pop_back();
    } else if (!rooted) {
      kept.push_back(element);
    }
  }
  std::string result(drive);
  if (rooted) result += separator();
  result += joined(kept, 0, separator());
  if (!rooted && kept.empty()) result += '.';
  return from_slash(result);
}

std::string PathRules::to_slash(std::string_view path) const { return with(path, separator(), '/'); }
std::string PathRules::from_slash(std::string_view path) const { return with(path, '/', separator()); }

std::vector<std::string> PathRules::split_list(std::string_view paths) const {
  if (paths.empty()) return {};
  char mark = family_ == Family::unix ? ':' : family_ == Family::windows ? ';' : '\0';
  std::vector<std::string> result(1);
  bool quoted = false;
  for (char c : paths) {
    if (is_windows() && c == '"') {
      quoted = !quoted;
    } else if (c == mark && !quoted) {
      result.emplace_back();
    } else {
      result.back() += c;
    }
  }
  return result;
}

std::vector<std::string> PathRules::split(std::string_view path) const {
  std::size_t at = last_element(path);
  return {std::string(path.substr(0, at)), std::string(path.substr(at))};
}

std::string PathRules::join(const std::vector<std::string_view>& elements) const {
  auto first = std::find_if(elements.begin(), elements.end(), [](std::string_view e) { return !e.empty(); });
  if (first == elements.end()) return "";
  std::vector<std::string_view> used(first, elements.end());
  return is_windows() ? join_on_windows(used) : clean(joined(used, 0, separator()));
}

std::string PathRules::join_on_windows(const std::vector<std::string_view>& elements) const {
  if (elements[0].size() == 2 && elements[0][1] == ':') {
    // A drive without a slash: the path stays relative to the drive's current folder.
    std::size_t next = 1;
    while (next < elements.size() && elements[next].empty()) ++next;
    return clean(std::string(elements[0]) + joined(elements, next, separator()));
  }
  auto is_share = [&](std::string_view path) { return volume_size(path) > 2; };
  std::string path = clean(joined(elements, 0, separator()));
  if (!is_share(path)) return path;
  // Joining must not make the name of a share of elements that are none.
  std::string head = clean(elements[0]);
  if (is_share(head)) return path;
  std::string tail = clean(joined(elements, 1, separator()));
  return head.back() == separator() ? head + tail : head + separator() + tail;
}

std::string PathRules::extension(std::string_view path) const {
  for (std::size_t at = path.size(); at > 0 && !is_separator(path[at - 1]); --at) {
    if (path[at - 1] == '.') return std::string(path.substr(at - 1));
  }
  return "";
}

std::string PathRules::resolve(std::string_view folder, std::string_view sub) const {
  if (is_absolute(sub)) return clean(sub);
  std::string start = clean(folder);
  return join({start, sub});
}

Result<std::string> PathRules::relative(std::string_view base, std::string_view target) const {
  auto impossible = [&] { return wrong("Rel: can't make " + std::string(target) + " relative to " + std::string(base)); };
  std::string from = clean(base), to = clean(target);
  if (same_word(from, to)) return ".";
  std::string from_drive = volume(base), to_drive = volume(target);
  std::string_view from_rest = std::string_view(from).substr(from_drive.size());
  std::string_view to_rest = std::string_view(to).substr(to_drive.size());
  if (from_rest == ".") from_rest = "";
  bool from_rooted = from_rest.starts_with(separator());
  bool to_rooted = to_rest.starts_with(separator());
  if (from_rooted != to_rooted || !same_word(from_drive, to_drive)) return impossible();

  auto elements = [&](std::string_view path) {
    std::vector<std::string_view> result;
    while (!path.empty()) {
      std::size_t end = std::min(path.find(separator()), path.size());
      if (end > 0) result.push_back(path.substr(0, end));
      path.remove_prefix(std::min(end + 1, path.size()));
    }
    return result;
  };
  std::vector<std::string_view> have = elements(from_rest), want = elements(to_rest);
  std::size_t common = 0;
  while (common < have.size() && common < want.size() && same_word(have[common], want[common])) ++common;
  if (common < have.size() && have[common] == "..") return impossible();
  std::vector<std::string_view> steps(have.size() - common, "..");
  steps.insert(steps.end(), want.begin() + static_cast<std::ptrdiff_t>(common), want.end());
  return joined(steps, 0, separator());
}

std::string PathRules::base_name(std::string_view path) const {
  if (path.empty()) return ".";
  while (!path.empty() && is_separator(path.back())) path.remove_suffix(1);
  path.remove_prefix(volume_size(path));
  std::size_t at = path.size();
  while (at > 0 && !is_separator(path[at - 1])) --at;
  path.remove_prefix(at);
  return path.empty() ? std::string(1, separator()) : std::string(path);
}

std::string PathRules::folder(std::string_view path) const {
  std::string drive = volume(path);
  std::size_t end = last_element(path);
  std::string rest = clean(path.substr(drive.size(), end - drive.size()));
  if (rest == "." && drive.size() > 2) return drive;  // a share
  return drive + rest;
}

bool PathRules::is_absolute(std::string_view path) const {
  if (family_ == Family::unix) return path.starts_with('/');
  if (family_ == Family::plan9) return path.starts_with('/') || path.starts_with('#');
  if (is_reserved_on_windows(path)) return true;
  std::size_t drive = volume_size(path);
  return drive > 0 && drive < path.size() && is_separator(path[drive]);
}

namespace {

// A pattern is a row of chunks; each may have a star before it, and holds none itself.
struct Chunk {
  bool star = false;
  std::string_view text;
};

class Matcher {
 public:
  Matcher(char separator, bool escapes) : separator_(separator), escapes_(escapes) {}

  Result<bool> run(std::string_view pattern, std::string_view name) {
    bool failed = false;
    while (!pattern.empty()) {
      auto chunk = next_chunk(pattern);
      if (!chunk) return wrong(chunk.error());
      if (failed) continue;  // only to check the rest
      if (chunk->star && chunk->text.empty()) return name.find(separator_) == std::string_view::npos;
      auto rest = match_chunk(chunk->text, name);
      if (!rest) return wrong(rest.error());
      bool is_last = pattern.empty();
      if (*rest && (!is_last || (*rest)->empty())) {
        name = **rest;
        continue;
      }
      bool found = false;
      for (std::size_t skip = 0; chunk->star && skip < name.size() && name[skip] != separator_; ++skip) {
        auto later = match_chunk(chunk->text, name.substr(skip + 1));
        if (!later) return wrong(later.error());
        if (!*later || (is_last && !(*later)->empty())) continue;
        name = **later;
        found = true;
        break;
      }
      failed = !found;
    }
    return !failed && name.empty();
  }

 private:
  // Takes the chunk off the pattern.
  Result<Chunk> next_chunk(std::string_view& pattern) const {
    Chunk chunk;
    if (pattern.starts_with('*')) {
      chunk.star = true;
      pattern.remove_prefix(1);
      if (pattern.starts_with('*')) return wrong("'**' is not supported in patterns as of yet");
    }
    bool in_class = false;
    std::size_t end = 0;
    for (; end < pattern.size() && (in_class || pattern[end] != '*'); ++end) {
      if (pattern[end] == '\\' && escapes_ && end + 1 < pattern.size()) {
        ++end;
      } else if (pattern[end] == '[') {
        in_class = true;
      } else if (pattern[end] == ']') {
        in_class = false;
      }
    }
    chunk.text = pattern.substr(0, end);
    pattern.remove_prefix(end);
    return chunk;
  }

  // What is left of `name` behind the chunk; nothing if it does not match. The chunk is
  // read to its end either way, so that its mistakes are found.
  Result<std::optional<std::string_view>> match_chunk(std::string_view chunk, std::string_view name) const {
    bool failed = false;
    while (!chunk.empty()) {
      if (name.empty()) failed = true;
      char c = chunk[0];
      if (c == '[') {
        auto character = base::decode_utf8(name);
        auto in_class = take_class(chunk, failed ? 0 : character.value);
        if (!in_class) return wrong(in_class.error());
        if (!*in_class) failed = true;
        if (!failed) name.remove_prefix(character.size);
        continue;
      }
      if (c == '?') {
        if (!failed && name[0] == separator_) failed = true;
        if (!failed) name.remove_prefix(base::decode_utf8(name).size);
        chunk.remove_prefix(1);
        continue;
      }
      if (c == '\\' && escapes_) {
        chunk.remove_prefix(1);
        if (chunk.empty()) return wrong(kBadPattern);
      }
      if (!failed && chunk[0] != name[0]) failed = true;
      if (!failed) name.remove_prefix(1);
      chunk.remove_prefix(1);
    }
    if (failed) return std::nullopt;
    return name;
  }

  // Takes a class [...] off the chunk: whether the character is in it.
  Result<bool> take_class(std::string_view& chunk, char32_t character) const {
    chunk.remove_prefix(1);
    bool negated = chunk.starts_with('^');
    if (negated) chunk.remove_prefix(1);
    bool found = false;
    for (bool first = true; first || !chunk.starts_with(']'); first = false) {
      auto low = take_member(chunk);
      if (!low) return wrong(low.error());
      char32_t high = *low;
      if (chunk.starts_with('-')) {
        chunk.remove_prefix(1);
        auto end = take_member(chunk);
        if (!end) return wrong(end.error());
        high = *end;
      }
      found |= *low <= character && character <= high;
    }
    chunk.remove_prefix(1);
    return found != negated;
  }

  Result<char32_t> take_member(std::string_view& chunk) const {
    if (chunk.empty() || chunk[0] == '-' || chunk[0] == ']') return wrong(kBadPattern);
    if (chunk[0] == '\\' && escapes_) chunk.remove_prefix(1);
    auto character = base::decode_utf8(chunk);
    if (!character.valid) return wrong(kBadPattern);
    chunk.remove_prefix(character.size);
    if (chunk.empty()) return wrong(kBadPattern);  // the class does not end
    return character.value;
  }

  char separator_;
  bool escapes_;
};

}  // namespace

Result<bool> PathRules::matches(std::string_view pattern, std::string_view name) const {
  return Matcher(separator(), !is_windows()).run(pattern, name);
}

}  // namespace opm::cue::standard
