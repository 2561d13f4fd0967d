// Paths as text, with '/' between the elements; no disk is asked, so links mean nothing here.
#pragma once

#include <string>
#include <string_view>

namespace opm::base {

std::string clean_path(std::string_view path);  // a//b/../c -> a/c, "" -> "."
std::string join_path(std::string_view base,
                      std::string_view rest);    // cleaned; an absolute rest is appended all the same
std::string parent_path(std::string_view path);  // "/" is its own parent; "a" -> "."
std::string_view base_name(std::string_view path);
bool is_absolute_path(std::string_view path);
// `path` seen from `base`, both absolute and clean: "." or "../x" or "x/y".
std::string relative_path(std::string_view base, std::string_view path);
// Whether `path` is `directory` or below it; both clean.
bool is_within(std::string_view path, std::string_view directory);

}  // namespace opm::base
