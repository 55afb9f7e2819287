#include "migration/old_options.h"

#include <map>
#include <regex>
#include <set>

#include <gmock/gmock.h>

#include "core/atomic_file.h"
#include "options/tables.h"
#include "support/fixtures.h"

namespace headroom::migration {
namespace {

TEST(OldOptions, EachHasACounterpartOrAReason) {
  std::set<std::pair<std::string, char>> seen;
  for (const OldOption& option : old_options()) {
    SCOPED_TRACE(option.name);
    EXPECT_TRUE(option.name.starts_with("--"));
    EXPECT_FALSE(option.counterpart.empty() && option.explanation.empty());
    EXPECT_FALSE(!option.verbs.empty() && option.counterpart.empty());
    for (const char program : option.programs) {
      EXPECT_TRUE(seen.insert({std::string(option.name), program}).second) << "twice for one program";
    }
  }
}

TEST(OldOptions, AreFoundByProgram) {
  EXPECT_EQ(find_old_option(OldProgram::energy, "--batch_size")->preset, "512");
  EXPECT_EQ(find_old_option(OldProgram::baselines, "--batch_size")->preset, "32");
  EXPECT_EQ(find_old_option(OldProgram::energy, "--test_data_file"), nullptr);
  EXPECT_EQ(find_old_option(OldProgram::generalisation, "--finetune_encoder"), nullptr);
}

std::span<const options::Option> options_of(char verb) {
  switch (verb) {
    case 't':
      return options::table<TrainRequest>();
    case 'v':
      return options::table<EvaluateRequest>();
    case 's':
      return options::table<ScoreRequest>();
    case 'b':
      return options::table<BaselineRequest>();
    default:
      return options::table<ExperimentRequest>();
  }
}

/// A renamed option would leave a counterpart behind that the verb does not have.
TEST(OldOptions, HaveCounterpartsThatTheVerbsHave) {
  for (const OldOption& option : old_options()) {
    const std::string_view counterpart = option.counterpart.substr(0, option.counterpart.find(' '));
    if (!counterpart.starts_with("--") || counterpart == "--log-level") {
      continue;
    }
    for (const char verb : option.verbs) {
      EXPECT_NE(options::find_option(options_of(verb), counterpart.substr(2)), nullptr)
          << counterpart << " of the verb " << verb;
    }
  }
}

/// The options that a paragraph of the reference's section 10 names.
std::set<std::string> options_in(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from), end = text.find(to, begin);
  EXPECT_NE(end, std::string::npos) << from << " ... " << to;
  const std::string part = text.substr(begin, end - begin);
  std::set<std::string> found;
  const std::regex option("--[a-zA-Z_]+");
  for (std::sregex_iterator match(part.begin(), part.end(), option), last; match != last; ++match) {
    found.insert(match->str());
  }
  return found;
}

TEST(OldOptionsParity, EveryOptionOfTheReferenceIsInTheTable) {
  REQUIRE_REFERENCE("ood/README.md");
  const std::string readme = read_file(test::reference_data("ood/README.md"));
  const std::string section = readme.substr(readme.find("## 10. Options"));
  const auto expect_known = [](OldProgram program, const std::set<std::string>& names, std::size_t fewest) {
    EXPECT_GE(names.size(), fewest) << to_string(program);
    for (const auto& name : names) {
      EXPECT_NE(find_old_option(program, name), nullptr) << to_string(program) << " " << name;
    }
  };
  expect_known(OldProgram::energy, options_in(section, "Energy model:", "Generalisation program:"), 45);
  expect_known(OldProgram::generalisation, {"--test_data_file", "--test_drugood_subset", "--seed"}, 3);
  expect_known(OldProgram::baselines, options_in(section, "Baselines:", "Predictor:"), 34);
  expect_known(OldProgram::predictor, options_in(section, "Predictor:", "Experiment programs"), 11);
  expect_known(OldProgram::experiments, options_in(section, "Experiment programs", "training dynamics"), 15);
}

}  // namespace
}  // namespace headroom::migration
