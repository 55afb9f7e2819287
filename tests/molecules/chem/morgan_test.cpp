#include <gmock/gmock.h>

#include "records.h"

namespace molgauge::chem {
namespace {

using Counts = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Counts morgan(const std::string& smiles, unsigned width = 512) {
  Perception wanted;
  wanted.graph = false;
  wanted.morgan = true;
  wanted.morgan_width = width;
  return perceive(test::smiles_record(smiles), wanted).morgan;
}

std::uint32_t total(const Counts& counts) {
  std::uint32_t sum = 0;
  for (const auto& [index, count] : counts) {
    sum += count;
  }
  return sum;
}

// The expected counts are from the Python module of RDKit (GetHashedMorganFingerprint(molecule, 2, 512)).
TEST(Morgan, KnownCounts) {
  EXPECT_EQ(morgan("CCO"), (Counts{{33, 1}, {80, 1}, {222, 1}, {294, 1}, {295, 1}, {386, 1}}));
  EXPECT_EQ(morgan("c1ccccc1C(=O)O"), (Counts{{64, 3},
                                              {106, 1},
                                              {114, 1},
                                              {138, 1},
                                              {175, 2},
                                              {214, 2},
                                              {295, 2},
                                              {337, 5},
                                              {356, 1},
                                              {361, 1},
                                              {381, 1},
                                              {389, 2},
                                              {449, 2},
                                              {456, 1}}));
}

TEST(Morgan, FoldingKeepsEveryEnvironment) {
  EXPECT_EQ(morgan("CC(=O)Oc1ccccc1C(=O)O", 1), (Counts{{0, total(morgan("CC(=O)Oc1ccccc1C(=O)O"))}}));
}

TEST(Morgan, DoesNotDependOnTheSpellingOrOnChirality) {
  EXPECT_EQ(morgan("CC(=O)Oc1ccccc1C(=O)O"), morgan("OC(=O)c1c(OC(C)=O)cccc1"));
  EXPECT_EQ(morgan("N[C@@H](C)C(=O)O"), morgan("N[C@H](C)C(=O)O"));
}

}  // namespace
}  // namespace molgauge::chem
