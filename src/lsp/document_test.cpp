#include "lsp/document.h"

#include <gtest/gtest.h>

#include "data/json.h"
#include "diag/source.h"
#include "lsp/formatting.h"
#include "lsp/uri.h"

namespace opm::lsp {
namespace {

data::Value json(std::string text) {
  diag::SourceMap sources;
  return *data::read_json(*sources.add("test", std::move(text)));
}

std::string applied(std::string text, std::string changes) {
  Document document;
  document.text = std::move(text);
  EXPECT_TRUE(document.apply(json(std::move(changes)), Encoding::utf16));
  return document.text;
}

TEST(Document, FollowsChangesInTheirOrder) {
  EXPECT_EQ(
      applied("one\ntwo\n",
              R"([{"range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 3}}, "text": "2"},
                                       {"range": {"start": {"line": 0, "character": 3}, "end": {"line": 1, "character": 0}}, "text": ""}])"),
      "one2\n");
  EXPECT_EQ(applied("old", R"([{"text": "new"}])"), "new");
  EXPECT_EQ(
      applied(
          "ab",
          R"([{"range": {"start": {"line": 0, "character": 2}, "end": {"line": 0, "character": 0}}, "text": "x"}])"),
      "x");
}

TEST(Document, RefusesWhatIsNoChange) {
  for (const char* changes :
       {"{}", "[1]", "[{}]", R"([{"text": 1}])", R"([{"text": "x", "range": {}}])",
        R"([{"text": "x", "range": {"start": {"line": -1, "character": 0}, "end": {"line": 0, "character": 0}}}])"}) {
    Document document;
    document.text = "kept";
    EXPECT_FALSE(document.apply(json(changes), Encoding::utf16)) << changes;
    EXPECT_EQ(document.text, "kept") << changes;
  }
}

TEST(Uri, NamesFiles) {
  EXPECT_EQ(path_of_uri("file:///a%20b/%C3%A4.cue"), "/a b/ä.cue");
  EXPECT_EQ(path_of_uri("file://localhost/a/../b"), "/b");
  EXPECT_EQ(uri_of_path("/a b/ä%.cue"), "file:///a%20b/%C3%A4%25.cue");
  for (const char* other :
       {"", "file:", "file://host/a", "untitled:x", "http://a/b", "file:///%zz", "file:///a%0", "file:///a%00b"})
    EXPECT_EQ(path_of_uri(other), std::nullopt) << other;
}

TEST(Formatting, ChangesOnlyTheLinesThatDiffer) {
  auto edits = line_edits("a\nb\nc\n", "a\nB\nc\n", Encoding::utf16);
  ASSERT_EQ(edits.size(), 1u);
  EXPECT_EQ(edits[0].range, (TextRange{{1, 0}, {2, 0}}));
  EXPECT_EQ(edits[0].text, "B\n");
  EXPECT_TRUE(line_edits("a\n", "a\n", Encoding::utf16).empty());
}

TEST(Formatting, TurnsOneTextIntoTheOther) {
  const char* texts[] = {"", "\n", "a", "a\n", "a\na\n", "a\n\na\n", "b\na\n", "a\nb", "\n\na\n", "aa\n", "a\n\n\n"};
  for (std::string before : texts) {
    for (std::string after : texts) {
      std::string text = before;
      for (const TextEdit& edit : line_edits(before, after, Encoding::utf16)) {
        LineIndex lines(before);
        std::size_t start = lines.offset(before, edit.range.start, Encoding::utf16);
        text.replace(start, lines.offset(before, edit.range.end, Encoding::utf16) - start, edit.text);
      }
      EXPECT_EQ(text, after) << "from " << before;
    }
  }
}

}  // namespace
}  // namespace opm::lsp
