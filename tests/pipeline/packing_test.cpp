#include "pipeline/packing.h"

#include <string>

#include <gtest/gtest.h>

namespace headroom::pipeline {
namespace {

using memory::ItemSize;

ItemSize size_of(const std::string& smiles) {
  return estimate_size({smiles, chem::RecordFormat::smiles, 0, 1, "-"});
}

TEST(EstimateSize, CountsAtomsAndBondsOfSmiles) {
  EXPECT_EQ(size_of("CC(=O)Oc1ccccc1C(=O)O"), (ItemSize{13, 26}));
  EXPECT_EQ(size_of("C1CC12CC2"), (ItemSize{5, 12}));
  EXPECT_EQ(size_of("BrCCl"), (ItemSize{3, 4}));
  EXPECT_EQ(size_of("[Na+].[O-]C(=O)[C@@H](N)C"), (ItemSize{7, 10}));
  EXPECT_EQ(size_of("[13CH3][2H]"), (ItemSize{1, 0}));
  EXPECT_EQ(size_of("[Hg]"), (ItemSize{1, 0}));
  EXPECT_EQ(size_of("C%10CCCCC%10"), (ItemSize{6, 12}));
  EXPECT_EQ(size_of("CCO\tethanol"), (ItemSize{3, 4}));
}

TEST(EstimateSize, AnyTextHasOne) {
  EXPECT_EQ(size_of(""), (ItemSize{1, 0}));
  EXPECT_EQ(size_of("[C").atoms, 1U);
  EXPECT_EQ(size_of("...C").atoms, 1U);
  EXPECT_EQ(size_of("%").atoms, 1U);
  EXPECT_EQ(size_of("111111").atoms, 1U);
}

TEST(EstimateSize, CountsLinesOfMolBlocks) {
  const ItemSize size = estimate_size({std::string(9'000, 'x'), chem::RecordFormat::molblock, 0, 1, "-"});
  EXPECT_NEAR(static_cast<double>(size.atoms), 100.0, 5.0);
}

TEST(WindowCutter, FillsFourBatches) {
  WindowCutter cutter(10);
  EXPECT_TRUE(cutter.is_window_of_its_own(10));
  EXPECT_FALSE(cutter.is_window_of_its_own(9));
  for (int i = 0; i < 4; ++i) {
    EXPECT_FALSE(cutter.fills(9, 9));
  }
  EXPECT_TRUE(cutter.fills(4, 4)) << "40 atoms";
  EXPECT_FALSE(cutter.fills(9, 9)) << "the next one";
}

}  // namespace
}  // namespace headroom::pipeline
