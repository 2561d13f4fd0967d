#include "lsp/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "lsp/catalog_copy.h"
#include "lsp/description.h"

namespace opm::lsp {
namespace {

using testing::Contains;
using testing::Not;

class CompletionTest : public testing::Test {
 protected:
  CompletionTest() {
    files_.add_directory("/work");
    services_.files = &files_;
  }

  // The labels that are offered where the ^ is, best first.
  std::vector<std::string> labels(std::string text) {
    std::size_t bar = text.find('^');
    text.erase(bar, 1);
    Workspace workspace(services_);
    workspace.open({"file:///project/a.cue", "/project/a.cue", 1, text});
    const Document& document = *workspace.find("file:///project/a.cue");
    auto analyze = [&](std::string other) {
      analysis_ = Analysis::make(workspace, workspace.package_of(document), {{document.path, std::move(other)}});
      return analysis_.get();
    };
    Completion completion = complete(workspace, document, bar, analyze);
    std::ranges::stable_sort(completion.items, {}, &CompletionItem::rank);
    std::vector<std::string> result;
    for (const CompletionItem& item : completion.items) result.push_back(item.label);
    return result;
  }

  base::MemoryFileSystem files_;
  Services services_;
  std::unique_ptr<Analysis> analysis_;
};

TEST_F(CompletionTest, OffersWhatTheSchemaHas) {
  EXPECT_EQ(labels("#D: {a!: int, b?: string}\nx: #D & {^}").front(), "a");
  EXPECT_THAT(labels("#D: {a!: int, b?: string}\nx: #D & {a: 1, ^}"), Contains("b"));
  EXPECT_THAT(labels("#D: {k: \"x\" | \"y\"}\nd: #D & {k: ^}"), Contains("\"y\""));
  EXPECT_THAT(labels("#D: {a: 1} | {b: 2}\nx: #D & {^}"), Contains("b"));
}

TEST_F(CompletionTest, OffersNamesWhereAValueIsExpected) {
  EXPECT_THAT(labels("near: 1\nx: [n^]"), Contains("near"));
  EXPECT_THAT(labels("let near = 1\nx: near + n^"), Contains("near"));
  EXPECT_THAT(labels("x: near.^\nnear: {a: 1}"), Contains("a"));
  EXPECT_THAT(labels("x: near.^\nnear: {a: 1}"), Not(Contains("near")));
}

TEST_F(CompletionTest, HasNothingToOfferInComments) {
  EXPECT_TRUE(labels("a: 1 // ^").empty());
  EXPECT_FALSE(labels("a: \"//\", b: ^").empty());
}

TEST(Descriptions, NameTheTypeButNotTheValue) {
  auto program =
      cue::Program::from_text("./a.cue", "#D: {n: >=1, s: \"x\" | \"y\", t: string}\nd: #D & {t: \"mine\"}\ne: d.t\n");
  cue::Context context(program);
  cue::Value root = context.instance(0);
  EXPECT_EQ(type_text(root.find("d.n")), ">=1");
  EXPECT_EQ(type_text(root.find("d.s")), "\"x\" | \"y\"");
  EXPECT_EQ(type_text(root.find("d.t")), "string");
  EXPECT_THAT(choices(root.find("d.s")), testing::ElementsAre("\"x\"", "\"y\""));
  EXPECT_EQ(markdown({"t", {root.find("d.t")}}).find("mine"), std::string::npos);
  EXPECT_NE(markdown({"e", {root.find("e")}}).find("is `\"mine\"`"), std::string::npos);
  EXPECT_EQ(markdown({"e", {root.find("e")}, true}).find("mine"), std::string::npos);
}

TEST(CatalogCopies, AreWrittenOnceAndMended) {
  base::MemoryFileSystem files;
  base::MemoryFileWriter writer(files);
  CatalogCopy copy("/cache", files, writer);
  auto path = copy.path_of("/core/module.cue");
  ASSERT_TRUE(path.has_value());
  EXPECT_TRUE(copy.holds(*path));
  auto text = files.read_file(*path, 1 << 20);
  ASSERT_TRUE(text.has_value());
  EXPECT_NE(text->find("#Module"), std::string::npos);
  files.add_file(*path, "changed");
  EXPECT_EQ(CatalogCopy("/cache", files, writer).path_of("/core/module.cue"), path);
  EXPECT_EQ(files.read_file(*path, 1 << 20), *text);
  EXPECT_EQ(copy.path_of("/elsewhere"), std::nullopt);
  EXPECT_EQ(CatalogCopy("", files, writer).path_of("/core/module.cue"), std::nullopt);
}

}  // namespace
}  // namespace opm::lsp
