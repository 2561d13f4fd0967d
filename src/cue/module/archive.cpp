#include "cue/module/archive.h"

#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>

#include "base/path.h"
#include "cue/module/deflate.h"
#include "cue/module/file_names.h"
#include "cue/module/module_file.h"
#include "cue/syntax/literal.h"

namespace opm::cue::module {
namespace {

constexpr std::uint32_t kLocalSignature = 0x04034b50;
constexpr std::uint32_t kDescriptorSignature = 0x08074b50;
constexpr std::uint32_t kDirectorySignature = 0x02014b50;
constexpr std::uint32_t kEndSignature = 0x06054b50;
constexpr std::size_t kLocalSize = 30, kDirectorySize = 46, kEndSize = 22;
constexpr std::uint16_t kStored = 0, kDeflated = 8;
constexpr std::uint16_t kVersion = 20;
constexpr std::uint16_t kEncryptedFlag = 0x1, kDescriptorFlag = 0x8, kUtf8Flag = 0x800;
constexpr std::uint16_t kUnixCreator = 3, kDarwinCreator = 19;

void append(std::string& out, std::uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) {
    out.push_back(static_cast<char>(value));
    value >>= 8;
  }
}

std::uint32_t number(std::string_view data, std::size_t at, unsigned bytes) {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < bytes; ++i)
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(data[at + i])) << (8 * i);
  return value;
}

std::uint32_t checksum_of(std::string_view data) {
  return static_cast<std::uint32_t>(::crc32_z(0, reinterpret_cast<const Bytef*>(data.data()), data.size()));
}

// Names that old programs would read differently are marked as UTF-8.
bool needs_utf8_flag(std::string_view name) {
  return std::ranges::any_of(name, [](unsigned char c) { return c < 0x20 || c > 0x7d || c == 0x5c; });
}

// "x/cue.mod/y" -> {"x/", "cue.mod/y"}; the second part is empty where there is none. Any spelling of cue.mod counts.
std::pair<std::string_view, std::string_view> split_module_folder(std::string_view path) {
  for (std::size_t end = path.size(); end > 0;) {
    std::size_t slash = path.rfind('/', end - 1);
    std::size_t begin = slash == std::string_view::npos ? 0 : slash + 1;
    if (fold_case(path.substr(begin, end - begin)) == kModuleFolder) return {path.substr(0, begin), path.substr(begin)};
    if (begin == 0) break;
    end = begin - 1;
  }
  return {path, {}};
}

std::string too_large(const ArchiveLimits& limits) {
  return "total uncompressed size of module contents too large (max size is " +
         std::to_string(limits.max_content_bytes) + " bytes)";
}

// The rules for one file, whether it is to be packed or to be unpacked.
class FileRules {
 public:
  explicit FileRules(const ArchiveLimits& limits) : limits_(limits) {}

  std::optional<std::string> add(std::string_view name, std::uint64_t size) {
    bool is_folder = name.ends_with('/');
    std::string_view path = is_folder ? name.substr(0, name.size() - 1) : name;
    if (auto problem = check(path, is_folder, size)) return std::string(name) + ": " + *problem;
    return std::nullopt;
  }
  // When all files are added.
  std::optional<std::string> finish() const {
    if (!has_module_file_) return "no cue.mod/module.cue file found";
    return std::nullopt;
  }

 private:
  std::optional<std::string> check(std::string_view path, bool is_folder, std::uint64_t size) {
    if (base::clean_path(path) != path) return "file path is not clean";
    if (auto problem = check_file_path(path)) return problem;
    if (auto problem = collisions_.add(path, is_folder)) return problem;
    auto [before, module_part] = split_module_folder(path);
    if (!module_part.empty() && !is_folder) {
      if (!before.empty()) return "cue.mod not in module root directory";
      if (module_part.find('/') == std::string_view::npos) return "cue.mod is not a directory";
      if (!module_part.starts_with("cue.mod/")) return "cue.mod files must have all lower-case letters";
      if (fold_case(module_part) == "cue.mod/module.cue") {
        if (module_part != "cue.mod/module.cue") return "cue.mod/module.cue must have all lower-case letters";
        has_module_file_ = true;
      }
      if (module_part == "cue.mod/local-module.cue")
        return "it holds settings of a working folder and is never part of a published module";
    }
    if (is_folder) return std::nullopt;
    if (++files_ > limits_.max_files) return "more than " + std::to_string(limits_.max_files) + " files";
    if (size > limits_.max_content_bytes - total_) return too_large(limits_);
    total_ += size;
    if (path == "cue.mod/module.cue" && size > limits_.max_module_file_bytes)
      return "cue.mod/module.cue file too large (max size is " + std::to_string(limits_.max_module_file_bytes) +
             " bytes)";
    if (path == "LICENSE" && size > limits_.max_license_bytes)
      return "LICENSE file too large (max size is " + std::to_string(limits_.max_license_bytes) + " bytes)";
    return std::nullopt;
  }

  const ArchiveLimits& limits_;
  NameCollisions collisions_;
  std::uint64_t total_ = 0;
  std::size_t files_ = 0;
  bool has_module_file_ = false;
};

std::unexpected<std::string> fail(std::string message) { return std::unexpected(std::move(message)); }

}  // namespace

std::optional<std::string> check_files(const std::vector<ArchiveFile>& files, const ArchiveLimits& limits) {
  FileRules rules(limits);
  for (const ArchiveFile& file : files)
    if (auto problem = rules.add(file.path, file.content.size())) return problem;
  return rules.finish();
}

std::string write_archive(const std::vector<ArchiveFile>& files) {
  std::vector<const ArchiveFile*> sorted;
  for (const ArchiveFile& file : files) sorted.push_back(&file);
  std::ranges::sort(sorted, {}, [](const ArchiveFile* file) -> const std::string& { return file->path; });

  std::string archive;
  std::string directory;
  for (const ArchiveFile* file : sorted) {
    std::uint16_t flags = kDescriptorFlag | (needs_utf8_flag(file->path) ? kUtf8Flag : std::uint16_t{0});
    std::size_t offset = archive.size();
    append(archive, kLocalSignature, 4);
    append(archive, kVersion, 2);
    append(archive, flags, 2);
    append(archive, kDeflated, 2);
    append(archive, 0, 4 + 12);  // no time; checksum and sizes follow the data
    append(archive, file->path.size(), 2);
    append(archive, 0, 2);
    archive += file->path;
    std::size_t begin = archive.size();
    deflate_like_go(archive, file->content);
    std::size_t packed = archive.size() - begin;
    std::uint32_t checksum = checksum_of(file->content);
    append(archive, kDescriptorSignature, 4);
    append(archive, checksum, 4);
    append(archive, packed, 4);
    append(archive, file->content.size(), 4);

    append(directory, kDirectorySignature, 4);
    append(directory, kVersion, 2);
    append(directory, kVersion, 2);
    append(directory, flags, 2);
    append(directory, kDeflated, 2);
    append(directory, 0, 4);
    append(directory, checksum, 4);
    append(directory, packed, 4);
    append(directory, file->content.size(), 4);
    append(directory, file->path.size(), 2);
    append(directory, 0, 2 + 2 + 2 + 2 + 4);  // no extra field, comment, disk or attributes
    append(directory, offset, 4);
    directory += file->path;
  }
  std::size_t start = archive.size();
  archive += directory;
  append(archive, kEndSignature, 4);
  append(archive, 0, 4);
  append(archive, files.size(), 2);
  append(archive, files.size(), 2);
  append(archive, directory.size(), 4);
  append(archive, start, 4);
  append(archive, 0, 2);
  return archive;
}

std::expected<ArchiveReader, std::string> ArchiveReader::open(std::string_view archive, const ArchiveLimits& limits) {
  if (archive.size() > limits.max_archive_bytes)
    return fail("module zip file is too large (" + std::to_string(archive.size()) + " bytes; limit is " +
                std::to_string(limits.max_archive_bytes) + " bytes)");
  ArchiveReader reader(archive);
  if (auto problem = reader.read_directory(limits)) return fail(std::move(*problem));
  return reader;
}

std::optional<std::string> ArchiveReader::read_directory(const ArchiveLimits& limits) {
  static const std::string not_a_zip = "not a valid zip file";
  if (archive_.size() < kEndSize) return not_a_zip;
  std::size_t end = archive_.size() - kEndSize;
  std::size_t first = end > 0xFFFF ? end - 0xFFFF : 0;
  while (number(archive_, end, 4) != kEndSignature || end + kEndSize + number(archive_, end + 20, 2) != archive_.size())
    if (end-- == first) return not_a_zip;
  std::size_t count = number(archive_, end + 10, 2);
  std::size_t at = number(archive_, end + 16, 4);
  if (number(archive_, end + 4, 4) != 0 || number(archive_, end + 8, 2) != count) return not_a_zip;
  if (count > limits.max_files) return "more than " + std::to_string(limits.max_files) + " entries";

  FileRules rules(limits);
  std::uint64_t packed_total = 0;
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (at > end || end - at < kDirectorySize || number(archive_, at, 4) != kDirectorySignature) return not_a_zip;
    std::size_t name_size = number(archive_, at + 28, 2);
    std::size_t rest = name_size + number(archive_, at + 30, 2) + number(archive_, at + 32, 2);
    if (end - at - kDirectorySize < rest) return not_a_zip;
    Entry entry;
    entry.path = archive_.substr(at + kDirectorySize, name_size);
    entry.method = static_cast<std::uint16_t>(number(archive_, at + 10, 2));
    entry.checksum = number(archive_, at + 16, 4);
    entry.packed_size = number(archive_, at + 20, 4);
    entry.size = number(archive_, at + 24, 4);
    entry.offset = number(archive_, at + 42, 4);
    std::uint32_t creator = number(archive_, at + 5, 1);
    std::uint32_t mode = number(archive_, at + 38, 4) >> 16;
    bool is_folder = entry.path.ends_with('/');

    if (auto problem = rules.add(entry.path, entry.size)) return problem;
    if ((creator == kUnixCreator || creator == kDarwinCreator) && (mode & S_IFMT) != 0 &&
        !S_ISREG(mode) && !(is_folder && S_ISDIR(mode)))
      return entry.path + ": links and special files are not allowed in a module";
    if ((number(archive_, at + 8, 2) & kEncryptedFlag) != 0) return entry.path + ": encrypted";
    if (entry.method != kStored && entry.method != kDeflated) return entry.path + ": unsupported compression";
    // Entries that share their data would make a small archive unpack to any size.
    packed_total += entry.packed_size + kLocalSize + name_size;
    if (packed_total > archive_.size()) return "entries overlap";
    total += entry.size;
    if (!is_folder) entries_.push_back(std::move(entry));
    at += kDirectorySize + rest;
  }
  if (total > limits.ratio_free_bytes && total / limits.max_ratio > archive_.size())
    return "archive of " + std::to_string(archive_.size()) + " bytes claims to hold " + std::to_string(total) +
           " bytes, more than " + std::to_string(limits.max_ratio) + " times as many";
  return rules.finish();
}

std::expected<std::string, std::string> ArchiveReader::read(const Entry& entry) const {
  auto broken = [&](const std::string& why) { return fail(entry.path + ": " + why); };
  if (entry.offset > archive_.size() || archive_.size() - entry.offset < kLocalSize ||
      number(archive_, entry.offset, 4) != kLocalSignature)
    return broken("not a valid zip file");
  std::uint64_t name_size = number(archive_, entry.offset + 26, 2);
  std::uint64_t begin = entry.offset + kLocalSize + name_size + number(archive_, entry.offset + 28, 2);
  if (begin > archive_.size() || archive_.size() - begin < entry.packed_size) return broken("not a valid zip file");
  if (archive_.substr(entry.offset + kLocalSize, name_size) != entry.path)
    return broken("has another name where its data is");
  std::string_view packed = archive_.substr(begin, entry.packed_size);

  std::string content;
  if (entry.method == kStored) {
    if (entry.packed_size != entry.size) return broken("has another size than declared");
    content = packed;
  } else {
    content.resize(entry.size + 1);  // so that one byte too many is noticed
    z_stream stream{};
    if (::inflateInit2(&stream, -MAX_WBITS) != Z_OK) return broken("cannot be unpacked");
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(content.data());
    stream.avail_out = static_cast<uInt>(content.size());
    int result = ::inflate(&stream, Z_FINISH);
    std::uint64_t size = stream.total_out;
    ::inflateEnd(&stream);
    if (size > entry.size)
      return broken("uncompressed size is larger than declared size (" + std::to_string(entry.size) + " bytes)");
    if (result != Z_STREAM_END || size != entry.size) return broken("broken or cut off");
    content.resize(size);
  }
  if (checksum_of(content) != entry.checksum) return broken("checksum error");
  return content;
}

}  // namespace opm::cue::module
