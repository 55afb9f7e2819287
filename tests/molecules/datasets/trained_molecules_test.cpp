#include "molecules/datasets/trained_molecules.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_checksums.h"
#include "base/io/tensors/safetensors.h"
#include "molecules/chem/identity.h"
#include "support/fixtures.h"

namespace molgauge::datasets {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kFile = "trained_molecules.safetensors";

BenchmarkMolecule molecule(const std::string& smiles, std::size_t line = 0) {
  BenchmarkMolecule result{.smiles = smiles, .label = 0, .line = line, .value = 0};
  result.identity = hash128(smiles);
  return result;
}

TrainedMolecules trained() {
  OodBenchmark benchmark;
  benchmark.train_id = {molecule("CCO"), molecule("CC"), molecule("CCO")};
  benchmark.train_ood = {molecule("CCN")};
  benchmark.val_ood = {molecule("CCF")};
  benchmark.test_id = {molecule("CCCl")};
  return trained_molecules(benchmark);
}

TEST(TrainedMolecules, AreThoseOfTheFourSidesEachOnce) {
  const TrainedMolecules molecules = trained();
  EXPECT_EQ(molecules.train_id.size(), 2U);
  EXPECT_TRUE(molecules.train_id[0] < molecules.train_id[1]);
  EXPECT_THAT(molecules.train_ood, ElementsAre(hash128("CCN")));
  EXPECT_TRUE(molecules.val_id.empty());
  EXPECT_THAT(molecules.val_ood, ElementsAre(hash128("CCF")));
}

TEST(TrainedMolecules, AreReadAsTheyWereWritten) {
  const test::TemporaryFolder run;
  EXPECT_FALSE(read_trained_molecules(run.path()).has_value());
  const TrainedMolecules written = trained();
  write_trained_molecules(run.path(), written);
  const auto read = read_trained_molecules(run.path());
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->train_id, written.train_id);
  EXPECT_EQ(read->train_ood, written.train_ood);
  EXPECT_EQ(read->val_id, written.val_id);
  EXPECT_EQ(read->val_ood, written.val_ood);
}

/// Another version of RDKit may write other canonical SMILES. A comparison would then find no match.
TEST(TrainedMolecules, OfAnotherSchemeAreUnknown) {
  const test::TemporaryFolder run;
  write_trained_molecules(run.path(), trained());
  auto file = io::read_safetensors(run / kFile);
  EXPECT_EQ(file.metadata.at("identity"), chem::identity_scheme());
  file.metadata["identity"] = "canonical SMILES of RDKit 1999.01.1";
  io::write_safetensors(run / kFile, file.tensors, file.metadata);
  EXPECT_FALSE(read_trained_molecules(run.path()).has_value());
}

TEST(TrainedMolecules, ThatAreDamagedAreRefused) {
  const test::TemporaryFolder run;
  const auto refusal = [&] {
    try {
      read_trained_molecules(run.path());
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  replace_file(run / kFile, "junk");
  EXPECT_THAT(refusal(), testing::AllOf(HasSubstr(kFile), HasSubstr("Train again")));
  write_trained_molecules(run.path(), trained());
  const auto whole = io::read_safetensors(run / kFile);
  auto file = whole;
  file.tensors.erase("val_ood");
  io::write_safetensors(run / kFile, file.tensors, file.metadata);
  EXPECT_THAT(refusal(), HasSubstr("val_ood is missing"));
  file = whole;
  std::rotate(file.tensors["train_id"].bytes.begin(), file.tensors["train_id"].bytes.begin() + 16,
              file.tensors["train_id"].bytes.end());
  io::write_safetensors(run / kFile, file.tensors, file.metadata);
  EXPECT_THAT(refusal(), HasSubstr("not in order"));
  file = whole;
  file.tensors["train_id"].shape = {32};
  io::write_safetensors(run / kFile, file.tensors, file.metadata);
  EXPECT_THAT(refusal(), HasSubstr("[molecules, 16]"));
}

/// A flipped bit replaces a molecule by another one. Only the checksum can show this.
TEST(TrainedMolecules, WithABitThatIsFlippedAreRefused) {
  const test::TemporaryFolder run;
  keep_checksums(run.path());
  write_trained_molecules(run.path(), trained());
  ASSERT_TRUE(read_trained_molecules(run.path()).has_value());
  std::string content = read_file(run / kFile);
  content.back() = static_cast<char>(content.back() ^ 1);
  std::ofstream(run / kFile, std::ios::binary) << content;
  try {
    read_trained_molecules(run.path());
    FAIL() << "a bit of a hash is flipped";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(HasSubstr(kFile), HasSubstr("Train again")));
  }
}

TEST(TrainedMolecules, AreFoundAmongTestMoleculesAndTakenOut) {
  OodTest test;
  test.test_id = {molecule("CCC", 1), molecule("CCO", 2)};
  test.test_ood = {molecule("CCF", 3), molecule("CCO", 4), molecule("CCCl", 5)};
  const SharedMolecules shared = find_trained_molecules(test, trained(), "other.json");
  EXPECT_EQ(shared.count, 2U) << "CCO counts once";
  EXPECT_EQ(shared.examples,
            "\n  other.json:2: 'CCO' in test_id was in train_id"
            "\n  other.json:3: 'CCF' in test_ood was in val_ood"
            "\n  other.json:4: 'CCO' in test_ood was in train_id");
  take_out_trained(test, trained());
  EXPECT_EQ(test.test_id.size(), 1U);
  EXPECT_EQ(test.test_ood.size(), 1U);
  EXPECT_EQ(find_trained_molecules(test, trained(), "").count, 0U);
}

}  // namespace
}  // namespace molgauge::datasets
