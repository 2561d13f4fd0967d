#include "diag/printer.h"

#include <gtest/gtest.h>

namespace opm::diag {
namespace {

class PrinterTest : public testing::Test {
 protected:
  PrinterTest()
      : values_(sources_.add("/home/me/app/values.cue", "a: 1\nport: 70000\n")),
        schema_(sources_.add("/home/me/schema/schema.cue", "#S: port: <=65535\n")) {}

  Position values(std::uint32_t offset) const { return values_->begin.plus(offset); }
  Position schema(std::uint32_t offset) const { return schema_->begin.plus(offset); }

  Diagnostic bound_error() const {
    return {.code = "out-of-bound",
            .path = "values.port",
            .message = "invalid value 70000 (out of bound <=65535)",
            .positions = {values(11), schema(10)}};
  }

  SourceMap sources_;
  const Source* values_;
  const Source* schema_;
  PrintOptions options_{.working_directory = "/home/me/app"};
};

TEST_F(PrinterTest, PrintsErrorsAsCueDoes) {
  EXPECT_EQ(format_text(sources_, bound_error(), options_),
            "values.port: invalid value 70000 (out of bound <=65535):\n"
            "    ./values.cue:2:7\n"
            "    ../schema/schema.cue:1:11\n");
  EXPECT_EQ(format_text(sources_, {.message = "no such module"}), "no such module\n");
  EXPECT_EQ(format_text(sources_, {.path = "a", .message = "incomplete value int", .positions = {Position{}}}),
            "a: incomplete value int\n");
}

TEST_F(PrinterTest, ShowsFilesAsTheyWereNamedWithoutAFolder) {
  EXPECT_EQ(format_text(sources_, {.message = "m", .positions = {values(0)}}), "m:\n    /home/me/app/values.cue:1:1\n");
  const Source* built_in = sources_.add("strings/pkg.cue", "x");
  EXPECT_EQ(format_text(sources_, {.message = "m", .positions = {built_in->begin}}, options_),
            "m:\n    strings/pkg.cue:1:1\n");
}

TEST_F(PrinterTest, ShowsAPositionOnce) {
  EXPECT_EQ(format_text(sources_, {.message = "m", .positions = {values(0), schema(0), values(0)}}, options_),
            "m:\n    ./values.cue:1:1\n    ../schema/schema.cue:1:1\n");
}

TEST_F(PrinterTest, PrintsNotesAndAdvice) {
  Diagnostic diagnostic = bound_error();
  diagnostic.severity = Severity::warning;
  diagnostic.positions.pop_back();
  diagnostic.notes = {{"the bound stands here", {schema(10)}}, {"it came with version 2", {}}};
  diagnostic.advice = "choose a port up to 65535";
  EXPECT_EQ(format_text(sources_, diagnostic, options_),
            "warning: values.port: invalid value 70000 (out of bound <=65535):\n"
            "    ./values.cue:2:7\n"
            "  note: the bound stands here:\n"
            "    ../schema/schema.cue:1:11\n"
            "  note: it came with version 2\n"
            "  help: choose a port up to 65535\n");
}

TEST_F(PrinterTest, KeepsControlCharactersFromTheTerminal) {
  EXPECT_EQ(format_text(sources_, {.message = "a\x1b[31mb\x7f\tc\nd\u009bé"}), "a\\x1b[31mb\\x7f\tc\nd\\u009bé\n");
}

TEST_F(PrinterTest, PrintsJson) {
  Diagnostic diagnostic = bound_error();
  diagnostic.notes = {{"say \"why\"", {schema(0)}}, {"again", {}}};
  diagnostic.advice = "x\ny";
  EXPECT_EQ(format_json(sources_, diagnostic, options_),
            R"j({"severity":"error","code":"out-of-bound","path":"values.port",)j"
            R"j("message":"invalid value 70000 (out of bound <=65535)",)j"
            R"j("positions":[{"file":"./values.cue","line":2,"column":7},)j"
            R"j({"file":"../schema/schema.cue","line":1,"column":11}],)j"
            R"j("notes":[{"message":"say \"why\"","positions":[{"file":"../schema/schema.cue","line":1,"column":1}]},)j"
            R"j({"message":"again","positions":[]}],"advice":"x\ny"})j"
            "\n");
  EXPECT_EQ(format_json(sources_, {.severity = Severity::note, .message = "m"}),
            "{\"severity\":\"note\",\"message\":\"m\",\"positions\":[]}\n");
}

TEST_F(PrinterTest, PrintsAnnotations) {
  EXPECT_EQ(format_annotation(sources_, bound_error(), options_),
            "::error file=values.cue,line=2,col=7,title=out-of-bound::values.port: invalid value 70000 (out of bound "
            "<=65535)\n");
  EXPECT_EQ(format_annotation(sources_, {.severity = Severity::note, .message = "100%\nof, it: all", .advice = "go"}),
            "::notice::100%25%0Aof, it: all%0Ahelp: go\n");
  const Source* odd = sources_.add("/home/me/app/a,b:c.cue", "x");
  EXPECT_EQ(format_annotation(sources_, {.severity = Severity::warning, .message = "m", .positions = {odd->begin}},
                              options_),
            "::warning file=a%2Cb%3Ac.cue,line=1,col=1::m\n");
}

TEST_F(PrinterTest, SortsByPlaceThenPath) {
  std::vector<Diagnostic> diagnostics = {
      {.message = "third", .positions = {schema(0)}},
      {.path = "b", .message = "second", .positions = {values(9)}},
      {.path = "a", .message = "second", .positions = {values(9)}},
      {.message = "nowhere"},
      {.message = "first", .positions = {values(3)}},
  };
  sort_and_unite(sources_, diagnostics);
  std::string order;
  for (const Diagnostic& diagnostic : diagnostics) order += diagnostic.path + diagnostic.message + " ";
  EXPECT_EQ(order, "nowhere first asecond bsecond third ");
}

TEST_F(PrinterTest, SaysEverythingOnce) {
  Diagnostic warning = bound_error();
  warning.severity = Severity::warning;
  std::vector<Diagnostic> diagnostics = {bound_error(), warning, {.message = "other", .positions = {values(11)}},
                                         bound_error()};
  sort_and_unite(sources_, diagnostics);
  EXPECT_EQ(diagnostics.size(), 3u);
}

TEST(Printer, ShortensWhatIsVeryLong) {
  SourceMap sources;
  Diagnostic diagnostic;
  diagnostic.message = "invalid \"" + std::string(1'000'000, 'x') + "\" here\nand \u00e9" + std::string(2000, 'y');
  std::string text = format_text(sources, diagnostic, {});
  EXPECT_LT(text.size(), 4000u);
  EXPECT_TRUE(text.starts_with("invalid \"xxx")) << text;
  EXPECT_NE(text.find("... (998715 bytes) ..."), std::string::npos) << text;
  EXPECT_NE(text.find("xxx\" here\nand \u00e9yyy"), std::string::npos) << text;
}

}  // namespace
}  // namespace opm::diag
