#include "cli/git_repository.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "base/clock.h"
#include "base/path.h"
#include "base/process.h"

namespace opm::cli {
namespace {

std::expected<std::string, std::string> git(const std::string& folder, std::vector<std::string> words) {
  words.insert(words.begin(), "git");
  auto result = base::run_process(words, {.directory = folder});
  if (!result)
    return std::unexpected(result.error().kind == base::FileErrorKind::not_found
                               ? "the module's source is git, but git is not installed"
                               : "cannot run git: " + result.error().message);
  if (result->exit_code == 0) return std::move(result->out);
  std::string said = result->err.substr(0, result->err.find('\n'));
  return std::unexpected("git " + words[1] + " failed: " + said);
}

}  // namespace

std::expected<GitRepository, std::string> read_git_repository(const std::string& folder) {
  auto changes = git(folder, {"status", "--porcelain", "--", "."});
  if (!changes) return std::unexpected(changes.error());
  if (!changes->empty())
    return std::unexpected("VCS state is not clean: commit what has changed in " + folder + " before publishing");
  auto listed = git(folder, {"ls-files", "-s", "-z", "--", "."});
  if (!listed) return std::unexpected(listed.error());
  auto commit = git(folder, {"-c", "log.showsignature=false", "log", "-1", "--format=%H:%ct"});
  if (!commit) return std::unexpected(commit.error());
  std::size_t colon = commit->find(':');
  if (colon == std::string::npos) return std::unexpected("git log said nothing useful");

  GitRepository repository;
  repository.commit = commit->substr(0, colon);
  repository.commit_time =
      base::format_time(base::Clock::Time(std::chrono::seconds(std::strtoll(commit->c_str() + colon + 1, nullptr, 10))));
  for (std::size_t at = 0; at < listed->size();) {
    std::size_t end = std::min(listed->find('\0', at), listed->size());
    std::string entry = listed->substr(at, end - at);  // "100644 <hash> 0<tab>path"
    at = end + 1;
    std::size_t tab = entry.find('\t');
    // Neither links nor other repositories.
    if (tab != std::string::npos && entry.starts_with("100")) repository.files.push_back(entry.substr(tab + 1));
  }
  // One license may be for all modules of a repository.
  auto top = git(folder, {"rev-parse", "--show-toplevel"});
  if (!top) return std::unexpected(top.error());
  while (top->ends_with('\n')) top->pop_back();
  bool has_license = std::ranges::find(repository.files, "LICENSE") != repository.files.end();
  if (!has_license && *top != folder) {
    auto license = git(*top, {"ls-files", "-s", "--", "LICENSE"});
    auto changed = git(*top, {"status", "--porcelain", "--", "LICENSE"});
    if (license && license->starts_with("100") && changed && changed->empty())
      repository.license_path = base::join_path(*top, "LICENSE");
  }
  return repository;
}

}  // namespace opm::cli
