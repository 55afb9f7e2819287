#include "molecules/chem/parts.h"

#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "records.h"

namespace molgauge::chem {
namespace {

using Parts = std::vector<std::vector<std::uint32_t>>;

/// The parts that BRICS.FindBRICSBonds of RDKit 2026.03 gives.
TEST(Parts, AreThoseOfBrics) {
  EXPECT_THAT(brics_parts(test::smiles_record("CC(=O)Oc1ccccc1C(=O)O")),
              testing::UnorderedElementsAreArray(Parts{{0, 1, 2}, {3}, {4, 5, 6, 7, 8, 9}, {10, 11, 12}}));
  EXPECT_THAT(
      brics_parts(test::smiles_record("CN1CCN(CC1)c1ccc(NC(=O)c2ccccc2)cc1.Cl")),
      testing::UnorderedElementsAreArray(Parts{
          {0, 1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 20, 21}, {11}, {12, 13}, {14, 15, 16, 17, 18, 19}, {22}}));
}

TEST(Parts, AMoleculeWithoutSuchBondsIsOnePart) {
  EXPECT_EQ(brics_parts(test::smiles_record("c1ccccc1")), (Parts{{0, 1, 2, 3, 4, 5}}));
}

TEST(Parts, HydrogensOfTheTextDoNotCount) {
  EXPECT_EQ(brics_parts(test::smiles_record("[H]C([H])([H])O[H]")), (Parts{{0, 1}}));
}

}  // namespace
}  // namespace molgauge::chem
