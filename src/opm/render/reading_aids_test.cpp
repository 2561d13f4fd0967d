#include "opm/render/reading_aids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "opm/render/problems.h"

namespace opm::render {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ReadingAids : public ::testing::Test {
 protected:
  // What the problems are about, in a file components.cue.
  void release(std::string text) {
    program_ = cue::Program::from_text("components.cue", std::move(text));
    context_ = std::make_unique<cue::Context>(program_);
  }

  // Where a word of that file stands.
  diag::Position at(std::string_view word) const {
    diag::Position first = context_->instance(0).find("here").positions().front();
    const diag::Source* source = program_->sources().find(first);
    return source->begin.plus(static_cast<std::uint32_t>(source->text.find(word)));
  }

  Problem& add(std::string path, std::string message, std::vector<diag::Position> positions = {}) {
    Problem problem = make_problem(ProblemKind::invalid, "eval", std::move(message));
    if (path.starts_with("components.web")) problem.component = "web";
    problem.diagnostic.path = std::move(path);
    problem.diagnostic.positions = std::move(positions);
    return problems_.emplace_back(std::move(problem));
  }

  void aid() {
    if (!context_) release("here: 1");
    add_reading_aids(context_->instance(0), problems_);
  }

  std::vector<std::string> paths() const {
    std::vector<std::string> paths;
    for (const Problem& problem : problems_) paths.push_back(problem.diagnostic.path);
    return paths;
  }
  const diag::Diagnostic& only() const { return problems_.at(0).diagnostic; }

  std::shared_ptr<const cue::Program> program_;
  std::unique_ptr<cue::Context> context_;
  std::vector<Problem> problems_;
};

TEST_F(ReadingAids, AMisspeltTraitIsToldWhereItIsNamed) {
  release("here: 1\nworkload: {...}\nweb: workload.#Scalling\nspec: scaling: count: 3");
  add("components.web.spec.scaling", "field not allowed", {at("scaling: count")});
  aid();
  EXPECT_EQ(only().message, "opmodel.dev/traits/workload@v0 has no #Scalling, so there is no field \"scaling\"");
  EXPECT_EQ(only().advice, "did you mean #Scaling?");
  EXPECT_THAT(only().positions, ElementsAre(at("#Scalling"), at("scaling: count")));
}

TEST_F(ReadingAids, AFieldOfATraitThatIsNotEmbeddedSaysWhichOne) {
  release("here: 1\nspec: expose: ports: http: targetPort: 80");
  add("components.web.spec.expose", "field not allowed", {at("expose")});
  aid();
  EXPECT_EQ(only().message, "field not allowed");
  EXPECT_EQ(only().advice, "embed #Expose of opmodel.dev/traits/network@v0 in the component, which brings it");
}

TEST_F(ReadingAids, AMisspeltFieldOfSpecLeadsToWhatBringsTheRightOne) {
  add("components.web.spec.scalin", "field not allowed");
  aid();
  EXPECT_EQ(only().advice, "did you mean \"scaling\", which #Scaling of opmodel.dev/traits/workload@v0 brings?");
}

TEST_F(ReadingAids, WhatIsLikeNothingIsLeftAsItIs) {
  add("components.web.spec.quux", "field not allowed");
  add("components.web.spec.container.quux", "field not allowed");
  add("metadata.quux", "field not allowed");
  aid();
  EXPECT_THAT(paths(), ElementsAre("components.web.spec.quux", "components.web.spec.container.quux", "metadata.quux"));
  for (const Problem& problem : problems_) EXPECT_THAT(problem.diagnostic.advice, IsEmpty());
}

TEST_F(ReadingAids, PartsOfWhatIsNotAllowedAreNotToldToo) {
  add("components.web.spec.scaling.count", "field not allowed");
  add("components.web.spec.scaling", "field not allowed");
  add("components.web.spec.scaling.count", "conflicting values 1 and 2");
  add("components.web.spec.scalings", "field not allowed");
  aid();
  EXPECT_THAT(paths(), ElementsAre("components.web.spec.scaling", "components.web.spec.scaling.count", "components.web.spec.scalings"));
  EXPECT_EQ(problems_[1].diagnostic.message, "conflicting values 1 and 2");
}

TEST_F(ReadingAids, AFieldThatIsMissingBecauseItIsMisspeltBesideIsToldOnce) {
  add("values.replicsa", "field not allowed").diagnostic.advice = "did you mean \"replicas\"?";
  add("values.replicas", "incomplete value int");
  add("values.image", "incomplete value string");
  aid();
  EXPECT_THAT(paths(), ElementsAre("values.replicsa", "values.image"));
  EXPECT_THAT(problems_[1].diagnostic.advice, HasSubstr("set it in values.cue"));
}

TEST_F(ReadingAids, ComponentsThatTakeOverAValueWhichNobodyGaveAreNotToldToo) {
  release("here: 1\n#module: #config: image: string\n#config: image: string\ncomponents: web: spec: {\n\timage: #config.image\n\tother: string\n}");
  add("values.image", "incomplete value string");
  add("components.web.spec.image", "incomplete value string");
  add("components.web.spec.other", "incomplete value string");
  aid();
  EXPECT_THAT(paths(), ElementsAre("values.image", "components.web.spec.other"));
}

TEST_F(ReadingAids, WhatFollowsFromAWrongNameIsNotToldToo) {
  const std::string wrong = "invalid value \"Hello World\" (out of bound =~\"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$\")";
  add("metadata.name", wrong);
  add("metadata.labels.\"module.opmodel.dev/name\"", "error in interpolation: " + wrong);
  aid();
  EXPECT_THAT(paths(), ElementsAre("metadata.name"));
  EXPECT_THAT(only().advice, HasSubstr("lower-case letters, digits and dashes"));
}

TEST_F(ReadingAids, AReferenceToAValueThatConfigDoesNotHave) {
  release("here: 1\n#module: #config: {image: string, port: int}\n#config: {...}\ncomponents: web: spec: {a: #config.imgae, b: #config.zzz}");
  add("components.web.spec.a", "undefined field: imgae", {at("#config.imgae")});
  add("components.web.spec.b", "undefined field: zzz", {at("#config.zzz")});
  aid();
  EXPECT_EQ(problems_[0].diagnostic.advice, "did you mean \"image\"?");
  EXPECT_EQ(problems_[1].diagnostic.advice, "#config has image, port");
}

TEST_F(ReadingAids, AFieldOfSomethingElseIsNotLookedForInConfig) {
  release("here: 1\n#module: #config: image: string\nx: {...}\nc: x.imgae");
  add("components.web.spec.c", "undefined field: imgae", {at("x.imgae")});
  aid();
  EXPECT_THAT(only().advice, IsEmpty());
}

TEST_F(ReadingAids, AWorkloadTypeThatIsMissing) {
  add("components.web.metadata.labels.\"core.opmodel.dev/workload-type\"", "field is required but not present");
  aid();
  EXPECT_THAT(only().advice, HasSubstr("\"stateless\", \"stateful\""));
}

TEST_F(ReadingAids, AValueOfAnotherTypeSaysWhichItHasToBe) {
  add("values.replicas", "conflicting values int and \"two\" (mismatched types int and string)");
  add("components.web.spec.port", "conflicting values \"int and int\" and int (mismatched types string and int)");
  add("components.web.spec.a", "conflicting values 1 and \"x\" (mismatched types int and string)");
  add("components.web.spec.b", "conflicting values 1 and 2");
  add("components.web.spec.c", "conflicting values uint16 and \"http\" (mismatched types int and string)");
  aid();
  EXPECT_EQ(problems_[4].diagnostic.advice, "it has to be uint16");
  EXPECT_EQ(problems_[0].diagnostic.advice, "it has to be int, as #config says");
  EXPECT_EQ(problems_[1].diagnostic.advice, "it has to be int");
  EXPECT_THAT(problems_[2].diagnostic.advice, IsEmpty());
  EXPECT_THAT(problems_[3].diagnostic.advice, IsEmpty());
}

TEST_F(ReadingAids, WhoSetAValueComesBeforeWhatItHasToBe) {
  release("here: 1\n#module: #config: replicas: int & >=1");
  diag::Position schema = at("int & >=1");
  diag::Position given = program_->sources().find(schema)->begin.plus(1u << 20);  // in no file
  add("values.replicas", "invalid value 0 (out of bound >=1)", {schema, given});
  add("components.web.spec.replicas", "invalid value 0 (out of bound >=1)", {schema, given});
  aid();
  EXPECT_THAT(problems_[0].diagnostic.positions, ElementsAre(given, schema));
  EXPECT_THAT(problems_[1].diagnostic.positions.back(), given);
}

TEST_F(ReadingAids, AdviceThatIsThereStays) {
  add("values.image", "incomplete value string").diagnostic.advice = "ask the platform team";
  aid();
  EXPECT_EQ(only().advice, "ask the platform team");
}

TEST_F(ReadingAids, ChoicesAreToldInPlaceOfWhatIsWrongWithEach) {
  release("here: 1\na: \"statless\"");
  diag::Position given = at("\"statless\"");
  auto& whole = add("labels.type", "2 errors in empty disjunction:").diagnostic;
  whole.code = "empty-disjunction";
  whole.notes.push_back({"about one of them", {}});
  add("labels.type", "conflicting values \"stateful\" and \"statless\"", {given, at("here")});
  add("labels.type", "conflicting values \"statless\" and \"stateless\"", {given});
  tell_choices(problems_);
  EXPECT_EQ(only().message, "\"statless\" is none of \"stateful\", \"stateless\"");
  EXPECT_EQ(only().advice, "did you mean \"stateless\"?");
  EXPECT_THAT(only().positions, ElementsAre(given));
  EXPECT_THAT(only().notes, IsEmpty());
}

TEST_F(ReadingAids, ChoicesThatAreNotAllTextsAreLeftAsTheyAre) {
  for (std::string other : {"conflicting values 5 and \"x\"", "conflicting values \"a\" and \"b\" and \"c\"", "something else"}) {
    problems_.clear();
    add("t", "2 errors in empty disjunction:").diagnostic.code = "empty-disjunction";
    add("t", "conflicting values \"stateful\" and \"x\"");
    add("t", other);
    tell_choices(problems_);
    EXPECT_EQ(problems_.front().diagnostic.message, "2 errors in empty disjunction:") << other;
  }
}

TEST_F(ReadingAids, ChoicesWithinEachOtherAreToldOnce) {
  for (int i = 0; i < 2; ++i) add("t", "2 errors in empty disjunction:").diagnostic.code = "empty-disjunction";
  add("t", "conflicting values \"a\" and \"x\"");
  add("t", "conflicting values \"b\" and \"x\"");
  tell_choices(problems_);
  EXPECT_EQ(std::ranges::count(problems_, "empty-disjunction", [](const Problem& problem) { return problem.diagnostic.code; }), 1);
}

TEST_F(ReadingAids, WhoWantsToOverrideIsToldHow) {
  diag::SourceMap sources;
  diag::Position author = sources.add("./web/values.cue", "values: replicas: 1")->begin;
  diag::Position given = sources.add("./three.yaml", "replicas: 3")->begin;
  RenderOptions options;
  options.working_directory = "/shop";
  options.values_files = {"/shop/three.yaml"};
  add("values.replicas", "conflicting values 3 and 1", {author, given});
  add("values.replicas", "conflicting values 3 and 1", {author});
  add("metadata.replicas", "conflicting values 3 and 1", {author, given});
  advise_to_override(options, sources, problems_);
  EXPECT_THAT(problems_[0].diagnostic.advice, HasSubstr("--user overrides it"));
  EXPECT_THAT(problems_[1].diagnostic.advice, IsEmpty());
  EXPECT_THAT(problems_[2].diagnostic.advice, IsEmpty());
  options.values_files.clear();
  problems_[0].diagnostic.advice.clear();
  advise_to_override(options, sources, problems_);
  EXPECT_THAT(problems_[0].diagnostic.advice, IsEmpty());
}

TEST_F(ReadingAids, LeaveOutWhatIsInLongStructs) {
  release("here: 1\n");
  std::string fields;
  for (int i = 0; i < 20; ++i) fields += "f" + std::to_string(i) + ":{g:\"}\"},";
  add("x", "conflicting values 3 and {" + fields + "} (mismatched types int and struct)");
  add("y", "conflicting values 3 and {a:1} (mismatched types int and struct)");
  aid();
  ASSERT_EQ(problems_.size(), 2u);
  EXPECT_EQ(problems_[0].diagnostic.message, "conflicting values 3 and {…} (mismatched types int and struct)");
  EXPECT_THAT(problems_[1].diagnostic.message, HasSubstr("{a:1}"));
}

}  // namespace
}  // namespace opm::render
