#include "cue/module/archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <random>

#include "cue/module/deflate.h"
#include "cue/module/file_names.h"

namespace opm::cue::module {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kModuleText = "module: \"a.test/m@v0\"\n";

std::vector<ArchiveFile> with_module_file(std::vector<ArchiveFile> files) {
  files.push_back({"cue.mod/module.cue", std::string(kModuleText)});
  return files;
}

std::string problem_with(const std::string& archive, const ArchiveLimits& limits = {}) {
  auto reader = ArchiveReader::open(archive, limits);
  if (!reader) return reader.error();
  for (const ArchiveReader::Entry& entry : reader->entries())
    if (auto content = reader->read(entry); !content) return content.error();
  return "fine";
}

// An archive that was good until one of its names was changed.
std::string renamed(const std::string& from, const std::string& to) {
  EXPECT_EQ(from.size(), to.size());
  std::string archive = write_archive(with_module_file({{from, "x"}, {"cue", "y"}}));
  for (std::size_t at = 0; (at = archive.find(from, at)) != std::string::npos; at += from.size())
    archive.replace(at, from.size(), to);
  return archive;
}

TEST(Archive, HoldsWhatWasPutIn) {
  std::vector<ArchiveFile> files = with_module_file({{"b/x.cue", "package b\n"}, {"a.cue", ""}});
  ASSERT_FALSE(check_files(files));
  std::string archive = write_archive(files);
  auto reader = ArchiveReader::open(archive);
  ASSERT_TRUE(reader) << reader.error();
  ASSERT_EQ(reader->entries().size(), 3u);
  EXPECT_EQ(reader->entries()[0].path, "a.cue");
  EXPECT_EQ(reader->read(reader->entries()[0]).value(), "");
  EXPECT_EQ(reader->entries()[1].path, "b/x.cue");
  EXPECT_EQ(reader->read(reader->entries()[1]).value(), "package b\n");
}

// Inputs that take every way through the compressor: runs, text, noise, more than a window, more than a block.
std::vector<std::string> samples() {
  std::mt19937 random(7);
  std::vector<std::string> all{"", "a", "abc", std::string(300, 'x'), std::string(200'000, 'y')};
  for (std::size_t size : {100u, 5'000u, 32'768u, 65'536u, 65'537u, 300'000u}) {
    std::string noise(size, ' ');
    for (char& c : noise) c = static_cast<char>(random());
    all.push_back(noise);
    std::string text;
    while (text.size() < size) text += "field" + std::to_string(random() % 1000) + ": {kind: string | *\"x\"}\n";
    all.push_back(text.substr(0, size));
    std::string letters(size, ' ');
    for (char& c : letters) c = "abcd"[random() % 4];
    all.push_back(letters);
  }
  return all;
}

TEST(Archive, EverythingComesBack) {
  for (const std::string& sample : samples()) {
    std::string archive = write_archive(with_module_file({{"x", sample}}));
    ArchiveLimits limits;
    auto reader = ArchiveReader::open(archive, limits);
    ASSERT_TRUE(reader) << reader.error();
    EXPECT_TRUE(reader->read(reader->entries().back()).value() == sample) << sample.size();
  }
}

// What Go's compressor makes of the same inputs; tests/registry compares whole modules with the real cue.
TEST(Archive, BytesAreThoseOfGo) {
  auto packed = [](std::string_view input) {
    std::string out;
    deflate_like_go(out, input);
    return out;
  };
  auto summary = [&](std::string_view input) {
    std::string out = packed(input);
    return std::pair(out.size(), ::crc32_z(0, reinterpret_cast<const Bytef*>(out.data()), out.size()));
  };
  EXPECT_EQ(packed(""), std::string("\x01\x00\x00\xff\xff", 5));
  EXPECT_EQ(packed("aaaaaaaaaaaaaaaa"), std::string("\x4a\x44\x03\x80\x00\x00\x00\xff\xff", 9));
  std::string squares;
  for (unsigned i = 0; i < 20'000; ++i) squares += std::to_string(i * i) + "\n";
  EXPECT_EQ(summary(squares), std::pair(std::size_t{77493}, uLong{0xd9c750aa}));
  EXPECT_EQ(summary(std::string(200'000, 'y')), std::pair(std::size_t{214}, uLong{0xcf34a07f}));
  std::string noise;
  std::uint32_t state = 1;
  for (unsigned i = 0; i < 70'000; ++i) {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    noise.push_back(static_cast<char>(state >> 16));
  }
  EXPECT_EQ(summary(noise), std::pair(std::size_t{70030}, uLong{0x3ef51c7f}));
}

TEST(Archive, PathsStayInside) {
  EXPECT_THAT(problem_with(renamed("aa/b.cue", "../b.cue")), HasSubstr("../b.cue: malformed file path"));
  EXPECT_THAT(problem_with(renamed("aa/b.cue", "/a/b.cue")), HasSubstr("/a/b.cue: malformed file path"));
  EXPECT_THAT(problem_with(renamed("aa/b.cue", "a/../cue")), HasSubstr("file path is not clean"));
  EXPECT_THAT(problem_with(renamed("aa/b.cue", "a\\b\\.cue")), HasSubstr("invalid char"));
  EXPECT_THAT(problem_with(renamed("aa/b.cue", "con/.cue")), HasSubstr("disallowed"));
  EXPECT_THAT(problem_with(renamed("aa/b.cue", std::string("a\0b.cuex", 8))), HasSubstr("invalid char"));
}

TEST(Archive, NamesThatCollideAreRefused) {
  EXPECT_THAT(problem_with(write_archive(with_module_file({{"a/X.cue", ""}, {"A/y.cue", ""}}))),
              HasSubstr("case-insensitive file name collision"));
  EXPECT_THAT(problem_with(write_archive(with_module_file({{"x", ""}, {"x/y", ""}}))),
              HasSubstr("is both a file and a directory"));
  EXPECT_THAT(problem_with(write_archive(with_module_file({{"x", ""}, {"x", ""}}))), HasSubstr("multiple entries"));
  EXPECT_THAT(problem_with(write_archive(with_module_file({{"stra\u00dfe", ""}, {"STRA\u1e9eE", ""}}))),
              HasSubstr("collision"));
  EXPECT_THAT(problem_with(write_archive({{"Cue.mod/module.cue", ""}})), HasSubstr("lower-case"));
  EXPECT_THAT(problem_with(write_archive(with_module_file({{"x/cue.mod/module.cue", ""}}))),
              HasSubstr("not in module root"));
  EXPECT_THAT(problem_with(write_archive({{"x", ""}})), HasSubstr("no cue.mod/module.cue"));
}

TEST(Archive, LinksAreRefused) {
  std::string archive = write_archive(with_module_file({{"z", "target"}}));
  std::size_t entry = archive.rfind("PK\x01\x02");
  archive[entry + 5] = 3;                                 // made on Unix
  archive[entry + 41] = static_cast<char>(0120000 >> 8);  // the kind of file: a symbolic link
  EXPECT_THAT(problem_with(archive), HasSubstr("z: links and special files are not allowed"));
}

TEST(Archive, SizesAreLimited) {
  std::string archive = write_archive(with_module_file({{"x", std::string(5000, 'x')}, {"y", "y"}}));
  EXPECT_EQ(problem_with(archive), "fine");
  EXPECT_THAT(problem_with(archive, {.max_archive_bytes = 100}), HasSubstr("module zip file is too large"));
  EXPECT_THAT(problem_with(archive, {.max_content_bytes = 4000}), HasSubstr("uncompressed size"));
  EXPECT_THAT(problem_with(archive, {.max_module_file_bytes = 3}), HasSubstr("module.cue file too large"));
  EXPECT_THAT(problem_with(archive, {.max_files = 2}), HasSubstr("more than 2"));
  EXPECT_THAT(problem_with(archive, {.max_ratio = 5, .ratio_free_bytes = 100}), HasSubstr("times as many"));
}

TEST(Archive, WhatIsDeclaredHasToBeTrue) {
  std::string good = write_archive(with_module_file({{"x", "hello hello hello"}}));
  std::size_t entry = good.rfind("PK\x01\x02");
  std::string wrong = good;
  wrong[entry + 24] = 3;  // its size
  EXPECT_THAT(problem_with(wrong), HasSubstr("larger than declared size"));
  wrong = good;
  wrong[entry + 24] = 100;
  EXPECT_THAT(problem_with(wrong), HasSubstr("broken or cut off"));
  wrong = good;
  wrong[entry + 16] ^= 1;  // its checksum
  EXPECT_THAT(problem_with(wrong), HasSubstr("checksum error"));
  wrong = good;
  wrong[entry + 42] = 0;  // its place
  EXPECT_THAT(problem_with(wrong), HasSubstr("another name"));
}

// Whatever bytes are changed or cut off: an answer, and no crash.
TEST(Archive, BrokenArchivesEndInAnError) {
  std::string good = write_archive(with_module_file({{"a/x.cue", "package a\nx: 1\n"}}));
  for (std::size_t size = 0; size < good.size(); ++size) EXPECT_NE(problem_with(good.substr(0, size)), "fine");
  std::mt19937 random(3);
  for (int i = 0; i < 3000; ++i) {
    std::string changed = good;
    for (int k = 0; k < 3; ++k) changed[random() % changed.size()] = static_cast<char>(random());
    problem_with(changed);
  }
}

TEST(FileNames, CaseIsFolded) {
  EXPECT_EQ(fold_case("ABC/d"), "abc/d");
  EXPECT_EQ(fold_case("\u00c4"), fold_case("\u00e4"));
  EXPECT_NE(fold_case("a"), fold_case("b"));
}

}  // namespace
}  // namespace opm::cue::module
