#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/options/settings.h"
#include "base/options/tables.h"
#include "command.h"
#include "support/fixtures.h"
#include "support/instrumented.h"

namespace molgauge::test {
namespace {

TEST(Help, EveryVerbHasOne) {
  const std::string help = molgauge({"--help"}).out;
  const std::regex row("\n  ([a-z]+)  +[A-Z]");
  std::set<std::string> verbs;
  for (std::sregex_iterator found(help.begin(), help.end(), row), end; found != end; ++found) {
    verbs.insert((*found)[1]);
  }
  EXPECT_GE(verbs.size(), 19U) << help;
  for (const std::string& verb : verbs) {
    const Outcome outcome = molgauge({verb, "--help"});
    EXPECT_EQ(outcome.exit_code, 0) << verb;
    EXPECT_NE(outcome.out.find("Usage: molgauge " + verb), std::string::npos) << outcome.out;
  }
}

/// The options in a help text with their dashes: "--grad-clip".
std::set<std::string> options_in(const std::string& help) {
  std::set<std::string> options;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t dashes = line.find("--");
    if (line.starts_with("  -")) {
      options.insert(line.substr(dashes, line.find_first_of(" \n", dashes) - dashes));
    }
  }
  return options;
}

template <typename Request>
void expect_help_of(const std::vector<std::string>& verb) {
  std::vector<std::string> asks_for_all = verb, asks = verb;
  asks_for_all.emplace_back("--help-all");
  asks.emplace_back("--help");
  const Outcome all = molgauge(asks_for_all), common = molgauge(asks);
  const auto in_all = options_in(all.out), in_common = options_in(common.out);
  EXPECT_EQ(all.exit_code, 0);
  const Request request;
  const options::View view = options::view(request);
  for (const options::Option& option : options::table<Request>()) {
    const std::string name = "--" + std::string(option.name);
    const bool is_hidden =
        options::broken_condition(view, option) != nullptr || options::is_broken(view, option.shown_with);
    EXPECT_EQ(option.group == options::Group::none, option.is_positional()) << name << " has a group";
    if (option.is_positional()) {
      EXPECT_NE(common.out.find("\n  " + std::string(option.name) + " "), std::string::npos) << option.name;
    } else {
      EXPECT_TRUE(in_all.contains(name)) << verb.front() << " " << name;
      EXPECT_EQ(in_common.contains(name), option.is_common && !is_hidden) << verb.front() << " " << name;
    }
  }
  EXPECT_LE(in_common.size(), 20U) << common.out;
  EXPECT_LT(in_common.size(), in_all.size()) << verb.front();
  EXPECT_NE(common.out.find(" more options: molgauge " + verb.front() + " --help-all"), std::string::npos)
      << common.out;
}

TEST(Help, ShowsTheCommonOptionsAndAllOfThemWhenAskedForAll) {
  expect_help_of<EncodeRequest>({"encode"});
  expect_help_of<SplitRequest>({"split"});
  expect_help_of<DomainRequest>({"domain"});
  expect_help_of<TrainRequest>({"train"});
  expect_help_of<EvaluateRequest>({"evaluate"});
  expect_help_of<ScoreRequest>({"score"});
  expect_help_of<PredictRequest>({"predict"});
  expect_help_of<BaselineRequest>({"baseline"});
  expect_help_of<ExperimentRequest>({"experiment"});
}

TEST(Help, ListsOptionsByGroup) {
  const std::string text = molgauge({"train", "--help-all"}).out;
  std::size_t last = 0;
  for (const char* const group :
       {"\nInput:\n", "\nOutput:\n", "\nData:\n", "\nEncoder:\n", "\nConformers:\n", "\nModel:\n",
        "\nTraining:\n", "\nFine-tuning:\n", "\nMemory and speed:\n", "\nHelp and logging:\n"}) {
    const std::size_t place = text.find(group);
    ASSERT_NE(place, std::string::npos) << group << text;
    EXPECT_GT(place, last) << group;
    last = place;
  }
  EXPECT_GT(text.find("--memory-budget"), text.find("\nMemory and speed:\n"));
  EXPECT_LT(text.find("--ood "), text.find("\nOutput:\n"));
}

TEST(Help, ShowsOptionsOfAChoiceIfTheChoiceIsNamed) {
  const Outcome plain = molgauge({"encode", "--help"});
  EXPECT_FALSE(options_in(plain.out).contains("--conformer-fallback")) << plain.out;
  EXPECT_NE(plain.out.find("molgauge encode --help, with --encoder unimol\n"), std::string::npos)
      << plain.out;
  const auto shown = options_in(molgauge({"encode", "--help", "--encoder", "unimol"}).out);
  for (const char* const option :
       {"--conformer-fallback", "--conformer-engine", "--conformer-deadline", "--max-atoms"}) {
    EXPECT_TRUE(shown.contains(option)) << option;
  }
  const auto hinge = options_in(molgauge({"train", "--help", "--loss", "hinge"}).out);
  EXPECT_TRUE(hinge.contains("--hinge-margin"));
  EXPECT_FALSE(hinge.contains("--dpo-beta"));
  EXPECT_TRUE(options_in(molgauge({"encode", "--help", "--shard", "1/2"}).out).contains("--part-rows"));
}

/// The plan of a verb accepts the options that change memory.
TEST(Help, OfAPlanShowsTheOptionsThatMemoryDependsOn) {
  const auto shown = options_in(molgauge({"memory", "plan", "train", "--help-all"}).out);
  for (const options::Option& option : options::table<TrainRequest>()) {
    if (!option.is_positional()) {
      EXPECT_EQ(shown.contains("--" + std::string(option.name)), option.is_in_plan) << option.name;
    }
  }
}

const nlohmann::json& named(const nlohmann::json& options, const char* name) {
  return *std::ranges::find_if(options, [&](const auto& option) { return option.at("name") == name; });
}

TEST(OptionsJson, HasTheTableOfEveryVerb) {
  const Outcome printed = molgauge({"--options-json"});
  EXPECT_EQ(printed.exit_code, 0) << printed.err;
  const auto verbs = nlohmann::json::parse(printed.out);
  const auto table = options::table<TrainRequest>();
  const auto& train = verbs.at("train");
  ASSERT_EQ(train.size(), table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    EXPECT_EQ(train[i].at("name"), table[i].name);
    EXPECT_EQ(train[i].at("help"), table[i].help);
    EXPECT_EQ(train[i].at("group"),
              table[i].is_positional() ? "" : std::string(options::title(table[i].group)));
  }
  EXPECT_EQ(verbs.at("pocket train").size(), options::table<PocketTrainRequest>().size());
  EXPECT_LT(verbs.at("memory plan train").size(), train.size());
  EXPECT_FALSE(verbs.contains("migrate"));
}

TEST(OptionsJson, SaysEverythingAboutAnOption) {
  const auto verbs = nlohmann::json::parse(molgauge({"--options-json"}).out);
  const auto& train = verbs.at("train");
  const auto& epochs = named(train, "epochs");
  EXPECT_EQ(epochs.at("type"), "integer");
  EXPECT_EQ(epochs.at("default"), TrainRequest().epochs);
  EXPECT_EQ(epochs.at("range"), "[1..1000000]");
  EXPECT_EQ(named(train, "lr").at("type"), "number");
  EXPECT_EQ(named(train, "hinge-squared").at("type"), "flag");
  EXPECT_EQ(named(train, "BENCHMARK").at("is_positional"), true);
  EXPECT_EQ(named(train, "run").at("is_required"), true);
  const auto& margin = named(train, "hinge-margin").at("conditions").at(0);
  EXPECT_EQ(margin.at("option"), "loss");
  EXPECT_EQ(margin.at("values"), nlohmann::json({"hinge"}));
  EXPECT_EQ(margin.at("is_wanted"), true);
}

TEST(Help, VersionIsPrinted) { EXPECT_EQ(molgauge({"--version"}).out, "molgauge " MOLGAUGE_VERSION "\n"); }

TEST(Help, VersionAsJsonNamesLibrariesAndFormats) {
  const auto version = nlohmann::json::parse(molgauge({"--version", "--json"}).out);
  EXPECT_EQ(version.at("molgauge"), MOLGAUGE_VERSION);
  EXPECT_NE(version.at("instruction_set"), "unknown");
  for (const auto& [name, library] : version.at("built_with").items()) {
    EXPECT_TRUE(std::regex_match(library.get<std::string>(), std::regex(R"([0-9]+(\.[0-9]+)+[a-z]?)")))
        << name << library;
  }
  EXPECT_EQ(version.at("formats").at("saved domain").at("reads"), nlohmann::json::array({3}));
  EXPECT_EQ(molgauge({"--json"}).exit_code, 2);
}

/// Help must not wait for LibTorch. It works without an installed engine.
TEST(Help, NeedsNoEngine) {
  if (is_instrumented()) {
    GTEST_SKIP() << "a program with a sanitizer finds the libraries through LD_LIBRARY_PATH only";
  }
  const TemporaryFolder folder;
  const std::filesystem::path program = MOLGAUGE_PROGRAM;
  std::filesystem::create_directories(folder / "bin");
  std::filesystem::create_directories(folder / "lib");
  std::filesystem::copy(program, folder / "bin" / "molgauge");
  const auto libraries = program.parent_path().parent_path() / "lib";
  for (const auto& entry : std::filesystem::directory_iterator(libraries)) {
    const std::string name = entry.path().filename();
    if (name.starts_with("libmolgauge_core.so")) {
      std::filesystem::copy(entry.path(), folder / "lib" / name);
    }
  }
  CommandOptions options;
  options.program = folder / "bin" / "molgauge";
  EXPECT_EQ(molgauge({"train", "--help"}, options).exit_code, 0);
  const Outcome outcome = molgauge({"doctor"}, options);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("libmolgauge.so"), std::string::npos) << outcome.err;
}

TEST(WrongUsage, EndsWithTwo) {
  EXPECT_EQ(molgauge({}).exit_code, 2);
  EXPECT_EQ(molgauge({"no-such-verb"}).exit_code, 2);
  EXPECT_EQ(molgauge({"encode"}).exit_code, 2);
  EXPECT_EQ(molgauge({"encode", "x.smi", "--no-such-option"}).exit_code, 2);
  EXPECT_EQ(molgauge({"train", "b.json", "--run", "r", "--loss", "bce", "--dpo-beta", "1"}).exit_code, 2);
  EXPECT_EQ(molgauge({"encode", "x.smi", "--log-level", "loud"}).exit_code, 2);
  EXPECT_EQ(molgauge({"store", "prune"}).exit_code, 2);
  EXPECT_EQ(molgauge({"memory", "simulate"}).exit_code, 2);
}

}  // namespace
}  // namespace molgauge::test
