#include "base/path.h"

#include <algorithm>
#include <vector>

namespace opm::base {

bool is_absolute_path(std::string_view path) { return path.starts_with('/'); }

namespace {

// Nothing that cleaning would change: the common case, and it needs no memory but the result's.
bool is_clean(std::string_view path) {
  if (path.empty() || (path.size() > 1 && path.ends_with('/'))) return false;
  for (std::size_t at = path.starts_with('/') ? 1 : 0; at < path.size();) {
    if (path[at] == '/') return false;
    if (path[at] == '.') {
      std::string_view rest = path.substr(at, 3);
      if (rest == "." || rest == ".." || rest.starts_with("./") || rest == "../") return false;
    }
    std::size_t slash = path.find('/', at);
    if (slash == std::string_view::npos) break;
    at = slash + 1;
  }
  return true;
}

}  // namespace

std::string clean_path(std::string_view path) {
  if (is_clean(path)) return std::string(path);
  bool absolute = is_absolute_path(path);
  std::vector<std::string_view> elements;
  for (std::size_t at = 0; at <= path.size();) {
    std::size_t slash = std::min(path.find('/', at), path.size());
    std::string_view element = path.substr(at, slash - at);
    at = slash + 1;
    if (element.empty() || element == ".") continue;
    if (element != "..") {
      elements.push_back(element);
    } else if (!elements.empty() && elements.back() != "..") {
      elements.pop_back();
    } else if (!absolute) {
      elements.push_back(element);
    }
  }
  std::string result = absolute ? "/" : "";
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (i > 0) result += '/';
    result += elements[i];
  }
  return result.empty() ? "." : result;
}

std::string join_path(std::string_view base, std::string_view rest) {
  if (base.empty()) return rest.empty() ? std::string() : clean_path(rest);
  std::string joined;
  joined.reserve(base.size() + 1 + rest.size());
  joined += base;
  joined += '/';
  joined += rest;
  if (is_clean(joined)) return joined;
  return clean_path(joined);
}

std::string parent_path(std::string_view path) {
  std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return clean_path(slash == 0 ? std::string_view("/") : path.substr(0, slash));
}

std::string_view base_name(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  if (path.empty()) return ".";
  if (path == "/") return path;
  return path.substr(path.rfind('/') + 1);
}

bool is_within(std::string_view path, std::string_view directory) {
  if (!path.starts_with(directory)) return false;
  return path.size() == directory.size() || directory.ends_with('/') || path[directory.size()] == '/';
}

std::string relative_path(std::string_view base, std::string_view path) {
  std::string_view common = base;
  std::string result;
  while (!is_within(path, common)) {
    result += result.empty() ? ".." : "/..";
    std::size_t slash = common.rfind('/');
    std::string_view parent = slash == common.npos ? "." : common.substr(0, std::max<std::size_t>(slash, 1));
    if (parent == common) return std::string(path);
    common = parent;
  }
  std::string_view rest = path.substr(common.size());
  if (rest.starts_with('/')) rest.remove_prefix(1);
  if (rest.empty()) return result.empty() ? "." : result;
  if (!result.empty()) result += '/';
  result += rest;
  return result;
}

}  // namespace opm::base
