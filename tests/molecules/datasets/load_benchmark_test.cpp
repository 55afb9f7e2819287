#include "molecules/datasets/load_benchmark.h"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "support/fixtures.h"

namespace molgauge::datasets {
namespace {

using testing::HasSubstr;

const OodSelection kEverything{.train_size = 0, .val_size = 0, .test_size = 0};

nlohmann::json item(const std::string& smiles, int label) {
  return {{"smiles", smiles}, {"reg_label", 5.5}, {"assay_id", 1}, {"cls_label", label}, {"domain_id", 0}};
}

nlohmann::json small_file() {
  nlohmann::json split;
  split["train"] = {item("C", 0), item("CC", 1)};
  split["iid_val"] = {item("CCC", 0)};
  split["iid_test"] = {item(" N\t", 1), item("not a smiles", 0)};
  split["ood_val"] = {item("O", 0), item("OO", 0), item("OC", 0), item("OCC", 0), item("OCCC", 0)};
  split["ood_test"] = {item("S", 1), item("SC", 0)};
  return {{"split", split}};
}

std::string write(const test::TemporaryFolder& folder, const nlohmann::json& content) {
  const std::string path = folder / "bench.json";
  replace_file(path, content.dump(1));
  return path;
}

TEST(LoadOodBenchmark, TrimsTextsAndReportsWhatIsNoMolecule) {
  const test::TemporaryFolder folder;
  const OodBenchmark benchmark = load_ood_benchmark(write(folder, small_file()), kEverything);
  ASSERT_EQ(benchmark.test_id.size(), 1U);
  EXPECT_EQ(benchmark.test_id[0].smiles, "N");
  EXPECT_EQ(benchmark.test_id[0].label, 1);
  EXPECT_GT(benchmark.test_id[0].line, 1U);
  ASSERT_EQ(benchmark.failed_test.size(), 1U);
  EXPECT_EQ(benchmark.failed_test[0].text, "not a smiles");
  EXPECT_GT(benchmark.failed_test[0].line, benchmark.test_id[0].line);
  EXPECT_NE(benchmark.failed_test[0].reason, "");
  EXPECT_TRUE(benchmark.failed.empty());
}

TEST(LoadOodBenchmark, RefusesAnotherSpellingNamingTheMolecules) {
  const test::TemporaryFolder folder;
  auto content = small_file();
  content["split"]["train"].push_back(item("OCCN", 1));
  content["split"]["iid_test"].push_back(item("C(N)CO", 1));
  try {
    load_ood_benchmark(write(folder, content), kEverything);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::input_refused);
    EXPECT_THAT(error.what(), HasSubstr("'C(N)CO' in test_id is the same molecule as 'OCCN' in train_id"));
  }
}

TEST(LoadOodBenchmark, AnOverlapThatIsAcceptedIsCounted) {
  const test::TemporaryFolder folder;
  auto content = small_file();
  content["split"]["train"].push_back(item("OCCN", 1));
  content["split"]["iid_test"].push_back(item("C(N)CO", 1));
  content["split"]["iid_test"].push_back(item("NCCO", 1));
  OodSelection selection = kEverything;
  selection.allow_overlap = true;
  const OodBenchmark benchmark = load_ood_benchmark(write(folder, content), selection);
  EXPECT_EQ(benchmark.shared_molecules, 1U) << "two spellings of one molecule";
  EXPECT_EQ(benchmark.test_id.size(), 3U) << "all are kept";
  std::map<Hash128, std::size_t> spellings;
  for (const auto& molecule : benchmark.test_id) {
    ++spellings[molecule.identity];
  }
  EXPECT_EQ(spellings.size(), 2U) << "N, and the one of two spellings";
}

TEST(LoadOodBenchmark, AFileThatMolgaugeSplitMadeSaysWhoseItIs) {
  const test::TemporaryFolder folder;
  auto content = small_file();
  content["cfg"]["algorithm"] = "good";
  const auto path = write(folder, content);
  EXPECT_EQ(load_ood_benchmark(path, kEverything).train_ood.size(), 3U) << "0.7 of five";
  EXPECT_EQ(load_ood_benchmark(path, {.kind = BenchmarkKind::drugood}).train_ood.size(), 4U);
}

TEST(LoadOodBenchmark, RefusesLeakageWithTheExitCodeOfBadInput) {
  const test::TemporaryFolder folder;
  auto content = small_file();
  content["split"]["iid_test"].push_back(item("CC ", 1));
  const auto path = write(folder, content);
  try {
    load_ood_benchmark(path, kEverything);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::input_refused);
    EXPECT_THAT(error.what(), HasSubstr(path));
    EXPECT_THAT(error.what(), HasSubstr("'CC' is in train_id and in test_id"));
  }
}

TEST(LoadOodBenchmark, RefusesALabelThatIsMissing) {
  const test::TemporaryFolder folder;
  auto content = small_file();
  content["split"]["train"][1].erase("cls_label");
  EXPECT_THROW(load_ood_benchmark(write(folder, content), kEverything), InputError);
}

TEST(LoadOodTest, TakesAllInTheOrderOfTheFile) {
  const test::TemporaryFolder folder;
  const OodTest sides = load_ood_test(write(folder, small_file()), false);
  ASSERT_EQ(sides.test_id.size(), 1U);
  EXPECT_EQ(sides.test_id[0].smiles, "N");
  ASSERT_EQ(sides.failed.size(), 1U);
  EXPECT_EQ(sides.failed[0].text, "not a smiles");
  ASSERT_EQ(sides.test_ood.size(), 2U);
  EXPECT_EQ(sides.test_ood[1].smiles, "SC");
}

TEST(LoadOodTest, RefusesAMoleculeInBothSides) {
  const test::TemporaryFolder folder;
  auto content = small_file();
  content["split"]["iid_test"].push_back(item("CS", 1));
  EXPECT_THROW(load_ood_test(write(folder, content), false), InputError) << "SC in another spelling";
  EXPECT_EQ(load_ood_test(write(folder, content), true).shared_molecules, 1U);
}

TEST(LoadOodTest, RefusesAnEmptySide) {
  const test::TemporaryFolder folder;
  auto content = small_file();
  content["split"]["ood_test"] = nlohmann::json::array();
  EXPECT_THROW(load_ood_test(write(folder, content), false), InputError);
}

void expect_side(const nlohmann::json& reference, const char* name,
                 const std::vector<BenchmarkMolecule>& molecules) {
  SCOPED_TRACE(name);
  nlohmann::json texts = nlohmann::json::array(), labels = nlohmann::json::array();
  for (const auto& molecule : molecules) {
    texts.push_back(molecule.smiles);
    labels.push_back(molecule.label);
  }
  EXPECT_EQ(texts, reference["splits"][name]);
  if (reference["labels"].contains(name)) {
    EXPECT_EQ(labels, reference["labels"][name]);
  }
}

TEST(LoadOodBenchmarkParity, SelectsWhatTheReferenceSelects) {
  REQUIRE_REFERENCE("ood/loader_splits.json");
  const auto reference = nlohmann::json::parse(read_file(test::reference_data("ood/loader_splits.json")));
  EXPECT_FALSE(reference.empty());
  for (const auto& [key, drawn] : reference.items()) {  // DOMAIN_dataseedSEED
    SCOPED_TRACE(key);
    const std::string domain = key.substr(0, key.find('_'));
    auto benchmark = load_ood_benchmark(test::reference_data("ood/lbap_general_ec50_" + domain + ".json"),
                                        {.data_seed = test::number_after("_dataseed", key)});
    for (const OodSide& side : sides_of(benchmark)) {
      expect_side(drawn, side.name(), side.molecules);
    }
  }
}

}  // namespace
}  // namespace molgauge::datasets
