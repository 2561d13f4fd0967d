#include "cue/c_api.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace {

class Owned {
 public:
  explicit Owned(opm_cue_context* context) : context_(context) {}
  ~Owned() { opm_cue_free(context_); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  operator opm_cue_context*() const { return context_; }  // NOLINT: stands for the pointer

 private:
  opm_cue_context* context_;
};

opm_cue_context* compile(const std::string& text) { return opm_cue_compile(text.data(), text.size(), "test.cue", nullptr); }

std::string take(opm_cue_text text) {
  std::string result = text.data == nullptr ? "(none)" : std::string(text.data, text.length);
  opm_cue_text_free(text);
  return result;
}

std::string take(opm_cue_errors* errors) {
  std::string result = opm_cue_errors_text(errors);
  opm_cue_errors_free(errors);
  return result;
}

opm_cue_value root(opm_cue_context* context) { return opm_cue_instance(context, 0); }

TEST(CApi, ReadsScalars) {
  Owned context(compile("a: \"x\\u0000y\", b: *7 | int, c: 1.5, d: true, e: '\\xff', f: 123456789012345678901234567890, g: string, h: null"));
  opm_cue_value all = root(context);
  opm_cue_text text{};
  ASSERT_TRUE(opm_cue_get_string(opm_cue_lookup(all, "a"), &text));
  EXPECT_EQ(take(text), std::string("x\0y", 3));
  std::int64_t number = 0;
  ASSERT_TRUE(opm_cue_get_int64(opm_cue_lookup(all, "b"), &number));
  EXPECT_EQ(number, 7);
  double real = 0;
  ASSERT_TRUE(opm_cue_get_double(opm_cue_lookup(all, "c"), &real));
  EXPECT_EQ(real, 1.5);
  bool truth = false;
  ASSERT_TRUE(opm_cue_get_bool(opm_cue_lookup(all, "d"), &truth));
  EXPECT_TRUE(truth);
  ASSERT_TRUE(opm_cue_get_bytes(opm_cue_lookup(all, "e"), &text));
  EXPECT_EQ(take(text), "\xff");
  ASSERT_TRUE(opm_cue_get_number(opm_cue_lookup(all, "f"), &text));
  EXPECT_EQ(take(text), "123456789012345678901234567890");
  EXPECT_FALSE(opm_cue_get_int64(opm_cue_lookup(all, "f"), &number));  // does not fit
  EXPECT_FALSE(opm_cue_get_int64(opm_cue_lookup(all, "c"), &number));  // is no integer
  EXPECT_FALSE(opm_cue_get_string(opm_cue_lookup(all, "g"), &text));   // is not concrete
  EXPECT_FALSE(opm_cue_is_concrete(opm_cue_lookup(all, "g")));
  EXPECT_EQ(opm_cue_kinds(opm_cue_lookup(all, "g")), unsigned{OPM_CUE_STRING});
  EXPECT_EQ(opm_cue_kinds(opm_cue_lookup(all, "h")), unsigned{OPM_CUE_NULL});
  EXPECT_EQ(opm_cue_kinds(all), unsigned{OPM_CUE_STRUCT});
}

TEST(CApi, IteratesFieldsAndElements) {
  Owned context(compile("b: 1, a: [10, 20], #D: 2, o?: 3, r!: int, \"x y\": 4"));
  opm_cue_value all = root(context);
  opm_cue_fields* fields = opm_cue_list_fields(all, OPM_CUE_REGULAR);
  ASSERT_EQ(opm_cue_fields_count(fields), 4u);
  EXPECT_STREQ(opm_cue_field_name(fields, 0), "b");
  EXPECT_TRUE(opm_cue_field_is_required(fields, 2));
  EXPECT_STREQ(opm_cue_field_name(fields, 3), "\"x y\"");
  opm_cue_fields* elements = opm_cue_list_fields(opm_cue_field_value(fields, 1), 0);
  ASSERT_EQ(opm_cue_fields_count(elements), 2u);
  std::int64_t number = 0;
  EXPECT_TRUE(opm_cue_get_int64(opm_cue_field_value(elements, 1), &number));
  EXPECT_EQ(number, 20);
  std::string path = take(opm_cue_path(opm_cue_field_value(elements, 1)));
  EXPECT_EQ(path, "a.1");
  EXPECT_TRUE(opm_cue_is_valid(opm_cue_lookup(all, path.c_str())));
  EXPECT_FALSE(opm_cue_is_valid(opm_cue_field_value(elements, 2)));
  opm_cue_fields_free(elements);
  opm_cue_fields_free(fields);
  fields = opm_cue_list_fields(all, OPM_CUE_OPTIONAL | OPM_CUE_DEFINITIONS);
  std::size_t optional = 0;
  for (std::size_t i = 0; i < opm_cue_fields_count(fields); ++i) {
    optional += opm_cue_field_is_optional(fields, i) ? 1 : 0;
  }
  EXPECT_EQ(optional, 1u);
  opm_cue_fields_free(fields);
}

TEST(CApi, ChecksDataAgainstASchema) {
  Owned context(compile("#Server: {name: string, port: *80 | (int & <65536)}"));
  opm_cue_value schema = opm_cue_lookup(root(context), "#Server");
  EXPECT_TRUE(opm_cue_allows(schema, "port"));
  EXPECT_FALSE(opm_cue_allows(schema, "prot"));
  std::string good = "name: web\n";
  opm_cue_value data = opm_cue_parse(context, OPM_CUE_FORMAT_YAML, good.data(), good.size(), "good.yaml", nullptr);
  opm_cue_value both = opm_cue_unify(schema, data);
  EXPECT_TRUE(opm_cue_validate(both, true, nullptr));
  EXPECT_EQ(take(opm_cue_export(both, OPM_CUE_FORMAT_JSON, nullptr)), "{\n    \"name\": \"web\",\n    \"port\": 80\n}\n");
  EXPECT_EQ(take(opm_cue_export(both, OPM_CUE_FORMAT_YAML, nullptr)), "name: web\nport: 80\n");
  EXPECT_EQ(take(opm_cue_export(both, OPM_CUE_FORMAT_CUE, nullptr)), "name: \"web\"\nport: 80\n");

  std::string bad = "{\n  \"name\": 3, \"prot\": 1}";
  data = opm_cue_parse(context, OPM_CUE_FORMAT_JSON, bad.data(), bad.size(), "bad.json", nullptr);
  opm_cue_errors* errors = nullptr;
  EXPECT_FALSE(opm_cue_validate(opm_cue_unify(schema, data), true, &errors));
  ASSERT_EQ(opm_cue_errors_count(errors), 2u);
  EXPECT_STREQ(opm_cue_error_path(errors, 0), "name");
  EXPECT_STREQ(opm_cue_error_message(errors, 0), "conflicting values string and 3 (mismatched types string and int)");
  bool found = false;
  for (std::size_t i = 0; i < opm_cue_error_position_count(errors, 0); ++i) {
    opm_cue_position position = opm_cue_error_position(errors, 0, i);
    found = found || (std::string(position.file) == "bad.json" && position.line == 2 && position.column == 11);
  }
  EXPECT_TRUE(found) << opm_cue_errors_text(errors);
  opm_cue_errors_free(errors);
}

TEST(CApi, FillsAndEvaluatesExpressions) {
  Owned context(compile("import \"strings\"\nin: string\nout: strings.ToUpper(in)"));
  std::string text = "\"abc\"";
  opm_cue_value word = opm_cue_parse(context, OPM_CUE_FORMAT_JSON, text.data(), text.size(), "word", nullptr);
  opm_cue_text result{};
  ASSERT_TRUE(opm_cue_get_string(opm_cue_lookup(opm_cue_fill(root(context), "in", word), "out"), &result));
  EXPECT_EQ(take(result), "ABC");
  std::string expression = "len(strings.Split(\"a b c\", \" \"))";
  std::int64_t number = 0;
  ASSERT_TRUE(opm_cue_get_int64(opm_cue_expression(context, 0, expression.data(), expression.size(), nullptr), &number));
  EXPECT_EQ(number, 3);
}

TEST(CApi, SaysWhatDoesNotCompile) {
  std::string text = "a: 1\nb: c\n";
  opm_cue_errors* errors = nullptr;
  EXPECT_EQ(opm_cue_compile(text.data(), text.size(), "test.cue", &errors), nullptr);
  ASSERT_EQ(opm_cue_errors_count(errors), 1u);
  EXPECT_EQ(opm_cue_error_position(errors, 0, 0).line, 2u);
  EXPECT_EQ(opm_cue_error_position(errors, 0, 0).column, 4u);
  EXPECT_EQ(take(errors), "b: reference \"c\" not found:\n    test.cue:2:4\n");
}

TEST(CApi, StaysWithinItsBudget) {
  std::string text = "import \"list\"\nx: [for i in list.Range(0, 100000, 1) {i * i}]";
  opm_cue_errors* errors = nullptr;
  Owned context(opm_cue_compile_within(text.data(), text.size(), "test.cue", {.steps = 1000, .bytes = 0}, &errors));
  EXPECT_FALSE(opm_cue_validate(root(context), true, &errors));
  EXPECT_NE(take(errors), "");
}

TEST(CApi, TakesNothingCalmly) {
  opm_cue_value nothing{};
  opm_cue_errors* errors = nullptr;
  std::int64_t number = 0;
  EXPECT_FALSE(opm_cue_is_valid(nothing));
  EXPECT_FALSE(opm_cue_get_int64(nothing, &number));
  EXPECT_FALSE(opm_cue_is_valid(opm_cue_lookup(nothing, "a")));
  EXPECT_FALSE(opm_cue_is_valid(opm_cue_unify(nothing, nothing)));
  EXPECT_EQ(opm_cue_kinds(nothing), 0u);
  EXPECT_EQ(opm_cue_list_fields(nothing, 0), nullptr);
  EXPECT_EQ(opm_cue_context_again(nullptr), nullptr);
  EXPECT_FALSE(opm_cue_validate(nothing, false, &errors));
  EXPECT_EQ(take(errors), "there is no such value\n");
  EXPECT_EQ(take(opm_cue_export(nothing, OPM_CUE_FORMAT_JSON, nullptr)), "(none)");
  EXPECT_STREQ(opm_cue_error_message(nullptr, 0), "");
  opm_cue_free(nullptr);
  opm_cue_fields_free(nullptr);
  opm_cue_errors_free(nullptr);
}

TEST(CApi, LoadsAFolder) {
  std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "opm_c_api_test";
  std::filesystem::create_directories(folder / "cue.mod");
  std::filesystem::create_directories(folder / "schema");
  std::ofstream(folder / "cue.mod/module.cue") << "module: \"example.com/m@v0\"\nlanguage: version: \"v0.15.0\"\n";
  std::ofstream(folder / "schema/schema.cue") << "package schema\n#Port: int & <65536\n";
  std::ofstream(folder / "main.cue") << "package main\nimport \"example.com/m/schema\"\nport: schema.#Port & 80\nwho: string @tag(who)\n";
  std::string directory = folder.string();
  const char* tags[] = {"who=me"};
  opm_cue_load_options options{};
  options.directory = directory.c_str();
  options.tags = tags;
  options.tag_count = 1;
  options.module_cache = "";
  opm_cue_errors* errors = nullptr;
  Owned context(opm_cue_load(&options, &errors));
  ASSERT_EQ(take(errors), "");
  EXPECT_EQ(opm_cue_instance_count(context), 1u);
  EXPECT_EQ(take(opm_cue_export(root(context), OPM_CUE_FORMAT_YAML, nullptr)), "port: 80\nwho: me\n");

  const char* missing[] = {"./nowhere"};
  options.arguments = missing;
  options.argument_count = 1;
  EXPECT_EQ(opm_cue_load(&options, &errors), nullptr);
  EXPECT_NE(take(errors), "");
  std::filesystem::remove_all(folder);
}

TEST(CApi, OneProgramInSeveralThreads) {
  Owned context(compile("x: {for i, v in [1, 2, 3] {\"f\\(i)\": v * 2}}"));
  std::vector<std::string> results(4);
  {
    std::vector<std::jthread> threads;
    for (std::string& result : results) {
      threads.emplace_back([&] {
        Owned own(opm_cue_context_again(context));
        result = take(opm_cue_export(root(own), OPM_CUE_FORMAT_YAML, nullptr));
      });
    }
  }
  for (const std::string& result : results) EXPECT_EQ(result, "x:\n  f0: 2\n  f1: 4\n  f2: 6\n");
}

}  // namespace
