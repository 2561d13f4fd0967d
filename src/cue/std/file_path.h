// Paths of Unix, Windows and Plan 9, as text: nothing is looked up on a disk.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cue/std/bind.h"

namespace opm::cue::standard {

class PathRules {
 public:
  // "windows" and "plan9" have their own rules; any other system has those of Unix.
  static const PathRules& of(std::string_view system);

  std::string clean(std::string_view path) const;
  std::string to_slash(std::string_view path) const;
  std::string from_slash(std::string_view path) const;
  // A list of paths as in $PATH; quotes protect separators on Windows.
  std::vector<std::string> split_list(std::string_view paths) const;
  // The folder with its separator, and the file.
  std::vector<std::string> split(std::string_view path) const;
  std::string join(const std::vector<std::string_view>& elements) const;
  std::string extension(std::string_view path) const;
  // `sub` as seen from `folder`.
  std::string resolve(std::string_view folder, std::string_view sub) const;
  // How to get from `base` to `target`.
  Result<std::string> relative(std::string_view base, std::string_view target) const;
  std::string base_name(std::string_view path) const;
  std::string folder(std::string_view path) const;
  bool is_absolute(std::string_view path) const;
  std::string volume(std::string_view path) const;
  // Shell patterns: * ? [a-z] and \ as escape (but not on Windows).
  Result<bool> matches(std::string_view pattern, std::string_view name) const;

 private:
  enum class Family { unix, plan9, windows };
  explicit constexpr PathRules(Family family) : family_(family) {}

  bool is_windows() const { return family_ == Family::windows; }
  char separator() const { return is_windows() ? '\\' : '/'; }
  bool is_separator(char c) const { return c == '/' || (is_windows() && c == '\\'); }
  bool same_word(std::string_view a, std::string_view b) const;
  std::size_t volume_size(std::string_view path) const;
  // Where the last element begins.
  std::size_t last_element(std::string_view path) const;
  std::string join_on_windows(const std::vector<std::string_view>& elements) const;

  Family family_;
};

}  // namespace opm::cue::standard
