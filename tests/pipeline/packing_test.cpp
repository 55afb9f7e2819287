#include "pipeline/packing.h"

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace headroom::pipeline {
namespace {

using Batches = std::vector<std::vector<std::size_t>>;

TEST(PackBatches, FillsBatchesUpToTheLimitLargestFirst) {
  const std::vector<std::size_t> atoms = {3, 10, 4, 6, 7};
  EXPECT_EQ(pack_batches(atoms, 10), (Batches{{1}, {4}, {3, 2}, {0}}));
}

TEST(PackBatches, AMoleculeLargerThanTheLimitIsABatchOfItsOwn) {
  const std::vector<std::size_t> atoms = {1, 10'000, 1, 11};
  EXPECT_EQ(pack_batches(atoms, 10), (Batches{{1}, {3}, {0, 2}}));
}

TEST(PackBatches, EqualSizesKeepTheirOrder) {
  const std::vector<std::size_t> atoms(6, 5);
  EXPECT_EQ(pack_batches(atoms, 10), (Batches{{0, 1}, {2, 3}, {4, 5}}));
}

TEST(PackBatches, NothingIsNoBatch) { EXPECT_TRUE(pack_batches({}, 10).empty()); }

TEST(PackBatches, HoldsEveryItemOnceWithinTheLimit) {
  std::vector<std::size_t> atoms;
  for (std::size_t i = 0; i < 1000; ++i) {
    atoms.push_back(1 + i * 7919 % 97);
  }
  std::set<std::size_t> seen;
  for (const auto& batch : pack_batches(atoms, 256)) {
    std::size_t total = 0;
    for (const std::size_t item : batch) {
      EXPECT_TRUE(seen.insert(item).second);
      total += atoms[item];
    }
    EXPECT_LE(total, 256U);
  }
  EXPECT_EQ(seen.size(), atoms.size());
}

TEST(EstimateAtoms, CountsLettersOfSmilesAndLinesOfMolBlocks) {
  EXPECT_EQ(estimate_atoms({"CC(=O)Oc1ccccc1C(=O)O", chem::RecordFormat::smiles, 0, 1, "-"}), 13U);
  EXPECT_EQ(estimate_atoms({"", chem::RecordFormat::smiles, 0, 1, "-"}), 1U);
  const std::size_t estimate =
      estimate_atoms({std::string(9'000, 'x'), chem::RecordFormat::molblock, 0, 1, "-"});
  EXPECT_NEAR(static_cast<double>(estimate), 100.0, 5.0);
}

}  // namespace
}  // namespace headroom::pipeline
