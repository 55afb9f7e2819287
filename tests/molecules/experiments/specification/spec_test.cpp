#include "molecules/experiments/specification/spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "support/fixtures.h"

namespace molgauge::experiment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kWhole = R"(title = "losses"

[matrix]
encoders = ["minimol", "ecfp"]
seeds = [1, 2, 3]
train-size = 100

[training]
epochs = 20

[[benchmark]]
name = "hiv-size"
molecules = "hiv.csv"
label-column = "active"
domain = "size"
split-seed = 7

[[benchmark]]
name = "nci"
file = "nci.json"

[[method]]
name = "energy-dpo"
loss = "dpo"
dpo-beta = [0.1, 1]

[[method]]
name = "nearest"
kind = "knn"
knn-k = 5
)";

class SpecTest : public testing::Test {
 protected:
  SpecTest() {
    replace_file(folder_.path() / "hiv.csv", "smiles,active\nC,1\n");
    replace_file(folder_.path() / "nci.json", "{}");
  }

  Spec read(const std::string& text) {
    replace_file(folder_.path() / "spec.toml", text);
    return read_spec(folder_.path() / "spec.toml");
  }

  std::string refusal(const std::string& text) {
    try {
      read(text);
    } catch (const InputError& problem) {
      return problem.what();
    }
    return "";
  }

  /// The complete specification with one piece of text replaced.
  static std::string with(const std::string& old_text, const std::string& new_text) {
    std::string text = kWhole;
    text.replace(text.find(old_text), old_text.size(), new_text);
    return text;
  }

  test::TemporaryFolder folder_;
};

TEST_F(SpecTest, ReadsEverything) {
  const Spec spec = read(kWhole);
  EXPECT_EQ(spec.title, "losses");
  EXPECT_THAT(spec.encoders, ElementsAre("minimol", "ecfp"));
  EXPECT_THAT(spec.seeds, ElementsAre(1, 2, 3));
  EXPECT_THAT(spec.data_seeds, ElementsAre(42));
  EXPECT_EQ(spec.draw.train_size, 100U);
  EXPECT_FALSE(spec.draw.val_size.has_value());
  ASSERT_EQ(spec.benchmarks.size(), 2U);
  ASSERT_TRUE(spec.benchmarks[0].recipe.has_value());
  EXPECT_EQ(spec.benchmarks[0].recipe->domain, DomainKind::size);
  EXPECT_EQ(spec.benchmarks[0].recipe->seed, 7U);
  EXPECT_EQ(spec.benchmarks[1].file, (folder_.path() / "nci.json").string());
  ASSERT_EQ(spec.methods.size(), 2U);
  EXPECT_EQ(spec.methods[0].kind, "energy-head");
  ASSERT_EQ(spec.methods[0].options.size(), 2U);
  EXPECT_EQ(spec.methods[0].options[0].values.size(), 2U);
  EXPECT_EQ(spec.methods[1].kind, "knn");
}

TEST_F(SpecTest, NamesFileAndLineOfWhatIsWrong) {
  EXPECT_THAT(refusal(with("seeds", "sseds")), HasSubstr("spec.toml:5: unknown key 'sseds'"));
  EXPECT_THAT(refusal(with("epochs = 20", "epoch = 20")),
              HasSubstr("spec.toml:9: energy methods have no option"));
  EXPECT_THAT(refusal(with("\"hiv.csv\"", "\"gone.csv\"")), HasSubstr("spec.toml:13:"));
  EXPECT_THAT(refusal(with("\"hiv.csv\"", "\"gone.csv\"")), HasSubstr("no such file"));
  EXPECT_THAT(refusal(with("title = \"losses\"", "title = ")), HasSubstr("spec.toml:1:"));
  EXPECT_THAT(refusal(with("[1, 2, 3]", "[1, 2, 1]")), HasSubstr("contains 1 twice"));
  EXPECT_THAT(refusal(with("[1, 2, 3]", "[1, -2]")), HasSubstr("-2, which is not a seed"));
  EXPECT_THAT(refusal(with("name = \"nci\"", "name = \"hiv-size\"")),
              HasSubstr("two benchmarks have the name"));
  EXPECT_THAT(refusal(with("name = \"nearest\"", "name = \"../nearest\"")), HasSubstr("name of a folder"));
  EXPECT_THAT(refusal(with("file = \"nci.json\"", "")), HasSubstr("needs either file"));
  EXPECT_THAT(refusal(with("split-seed = 7", "split-seed = \"7\"")),
              HasSubstr("'split-seed' is of the kind"));
}

TEST_F(SpecTest, AMethodMayBeForSomeOfTheEncoders) {
  const Spec spec = read(with("knn-k = 5", "knn-k = 5\nencoders = [\"ecfp\"]"));
  EXPECT_TRUE(spec.methods[0].is_for("minimol"));
  EXPECT_FALSE(spec.methods[1].is_for("minimol"));
  EXPECT_TRUE(spec.methods[1].is_for("ecfp"));
  EXPECT_THAT(refusal(with("knn-k = 5", "encoders = [\"unimol\"]")),
              HasSubstr("method 'nearest' is for the encoder 'unimol', which [matrix] does not list"));
  std::string text = with("knn-k = 5", "encoders = [\"ecfp\"]");
  text.replace(text.find("loss = \"dpo\""), 0, "encoders = [\"ecfp\"]\n");
  EXPECT_THAT(refusal(text), HasSubstr("spec.toml:4: no method is for the encoder 'minimol'"));
}

/// If a value occurs twice, the matrix would have two equal runs with the same folder.
TEST_F(SpecTest, RefusesAValueThatStandsTwice) {
  EXPECT_THAT(refusal(with("[\"minimol\", \"ecfp\"]", "[\"ecfp\", \"ecfp\"]")),
              HasSubstr("spec.toml:4: 'encoders' contains ecfp twice"));
  EXPECT_THAT(refusal(with("dpo-beta = [0.1, 1]", "dpo-beta = [1, 1.0]")),
              HasSubstr("spec.toml:25: 'dpo-beta' contains 1 twice"));
  EXPECT_THAT(refusal(with("epochs = 20", "epochs = [20, 30, 20]")),
              HasSubstr("spec.toml:9: 'epochs' contains 20 twice"));
}

TEST_F(SpecTest, RefusesASecondTableInPlaceOfTheFirst) {
  EXPECT_THAT(refusal(with("[training]\nepochs = 20", "[[training]]\nepochs = 20\n\n[[training]]\nlr = 0.1")),
              HasSubstr("spec.toml:11: there are two sections [training]"));
  const std::string whole = kWhole;
  EXPECT_THAT(refusal(whole + "\n[[classifier]]\nlr = 0.1\n\n[[classifier]]\nepochs = 3\n"),
              HasSubstr("spec.toml:35: there are two sections [classifier]"));
  EXPECT_THAT(refusal(whole + "\n[[hard-pairs]]\n\n[[hard-pairs]]\npairs = 3\n"),
              HasSubstr("spec.toml:34: there are two sections [hard-pairs]"));
  EXPECT_EQ(refusal(whole + "\n[[hard-pairs]]\npairs = 3\n"), "");
}

TEST_F(SpecTest, RefusesOptionsThatNoMethodLooksAt) {
  const std::string all_dam = with("kind = \"knn\"\nknn-k = 5", "kind = \"dam_msp\"");
  EXPECT_THAT(refusal(all_dam + "lr = 0.1\n"), HasSubstr("spec.toml:30: 'lr' has no effect on dam_msp"));
  EXPECT_THAT(refusal(all_dam + "\n[classifier]\nepochs = 3\nlr = 0.1\n"),
              HasSubstr("spec.toml:33: 'lr' has no effect, because no method uses it"));
  EXPECT_EQ(refusal(std::string(kWhole) + "\n[classifier]\nlr = 0.1\n"), "");
  std::string no_energy = kWhole;
  no_energy.erase(no_energy.find("[[method]]"), no_energy.rfind("[[method]]") - no_energy.find("[[method]]"));
  EXPECT_THAT(refusal(no_energy), HasSubstr("spec.toml:8: [training] has no effect"));
}

TEST_F(SpecTest, AnOverlapIsAcceptedForABenchmark) {
  const Spec spec = read(with("file = \"nci.json\"", "file = \"nci.json\"\nallow-overlap = true"));
  EXPECT_FALSE(spec.benchmarks[0].allow_overlap);
  EXPECT_TRUE(spec.benchmarks[1].allow_overlap);
}

TEST_F(SpecTest, ReadsHardPairsAndASampleOfAnotherTest) {
  EXPECT_FALSE(read(kWhole).hard_pairs.has_value());
  const Spec spec =
      read(with("file = \"nci.json\"", "file = \"nci.json\"\ntest = \"nci.json\"\ntest-sample = 9") +
           "\n[hard-pairs]\npairs = 70\n");
  ASSERT_TRUE(spec.hard_pairs.has_value());
  EXPECT_EQ(spec.hard_pairs->pairs, 70U);
  EXPECT_EQ(spec.benchmarks[1].test_sample, 9U);
  EXPECT_THAT(refusal(std::string(kWhole) + "\n[hard-pairs]\npairs = 0\n"),
              HasSubstr("spec.toml:33: 'pairs' must be between 1 and"));
  EXPECT_THAT(refusal(std::string(kWhole) + "\n[hard-pairs]\nnumber = 3\n"),
              HasSubstr("unknown key 'number'"));
  EXPECT_THAT(refusal(with("file = \"nci.json\"", "file = \"nci.json\"\ntest-sample = 9")),
              HasSubstr("unknown key 'test-sample'"));
}

TEST_F(SpecTest, RefusesAnEmptyMatrix) {
  EXPECT_THAT(refusal("[matrix]\nencoders = [\"ecfp\"]\n"), HasSubstr("at least one [[benchmark]]"));
  EXPECT_THAT(refusal(""), HasSubstr("needs one [matrix]"));
}

TEST_F(SpecTest, TakesFilesFromAnotherFolder) {
  test::TemporaryFolder data;
  replace_file(data.path() / "hiv.csv", "smiles\n");
  replace_file(data.path() / "nci.json", "{}");
  replace_file(folder_.path() / "spec.toml", std::string(kWhole));
  const Spec spec = read_spec(folder_.path() / "spec.toml", data.path());
  EXPECT_EQ(spec.benchmarks[1].file, (data.path() / "nci.json").string());
}

}  // namespace
}  // namespace molgauge::experiment
