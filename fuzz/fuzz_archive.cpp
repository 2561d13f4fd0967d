// Module archives as a registry serves them: any bytes are unpacked or refused with a reason. What is unpacked stays
// below the folder it goes to, is no more than the limits allow, and packs and unpacks again to the same.
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "base/path.h"
#include "cue/module/archive.h"

using namespace opm;
using namespace opm::cue::module;

namespace {

// Small, so that inputs of a few kilobytes reach them.
constexpr ArchiveLimits kLimits{.max_archive_bytes = 64u << 10,
                                .max_content_bytes = 256u << 10,
                                .max_module_file_bytes = 16u << 10,
                                .max_license_bytes = 16u << 10,
                                .max_files = 50,
                                .max_ratio = 200,
                                .ratio_free_bytes = 32u << 10};

// Takes an input for a list of files, so that whatever can be packed comes back: a letter names a file and its folder,
// the next byte says how long it is.
std::vector<ArchiveFile> files_of(std::string_view input) {
  std::vector<ArchiveFile> files{{"cue.mod/module.cue", "module: \"x.test/m@v0\"\n"}};
  std::set<std::string> names;
  while (input.size() >= 2 && files.size() < 20) {
    char letter = static_cast<char>('a' + static_cast<unsigned char>(input[0]) % 16);
    std::size_t length = static_cast<unsigned char>(input[1]) * 16u;
    input.remove_prefix(2);
    std::string name = std::string(1, letter) + "/" + std::string(1, letter) + ".cue";
    if (names.insert(name).second) files.push_back({name, std::string(input.substr(0, length))});
    input.remove_prefix(std::min(length, input.size()));
  }
  return files;
}

void check_round_trip(const std::vector<ArchiveFile>& files) {
  std::string packed = write_archive(files);
  auto again = ArchiveReader::open(packed);
  if (!again || again->entries().size() != files.size()) std::abort();
  std::set<std::pair<std::string, std::string>> before, after;
  for (const ArchiveFile& file : files) before.emplace(file.path, file.content);
  for (const ArchiveReader::Entry& entry : again->entries()) {
    auto content = again->read(entry);
    if (!content) std::abort();
    after.emplace(entry.path, std::move(*content));
  }
  if (before != after) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::string input(bytes, bytes + size);
  check_round_trip(files_of(input));

  auto archive = ArchiveReader::open(input, kLimits);
  if (!archive) {
    if (archive.error().empty()) std::abort();  // refused without a reason
    return 0;
  }
  std::vector<ArchiveFile> files;
  std::uint64_t total = 0;
  for (const ArchiveReader::Entry& entry : archive->entries()) {
    if (!base::is_within(base::join_path("/target", entry.path), "/target")) std::abort();
    auto content = archive->read(entry);
    if (!content) {
      if (content.error().empty()) std::abort();
      return 0;
    }
    total += content->size();
    if (content->size() != entry.size || total > kLimits.max_content_bytes) std::abort();
    files.push_back({entry.path, std::move(*content)});
  }
  if (files.size() > kLimits.max_files) std::abort();
  if (!check_files(files, kLimits)) check_round_trip(files);
  return 0;
}
