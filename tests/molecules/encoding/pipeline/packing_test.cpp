#include "molecules/encoding/pipeline/packing.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "molecules/chem/perception.h"

namespace molgauge::pipeline {
namespace {

using encoders::MoleculeSize;

MoleculeSize size_of(const std::string& smiles) {
  return estimate_size({smiles, chem::RecordFormat::smiles, 0, 1, "-"});
}

TEST(EstimateSize, CountsAtomsAndBondsOfSmiles) {
  EXPECT_EQ(size_of("CC(=O)Oc1ccccc1C(=O)O"), (MoleculeSize{13, 26}));
  EXPECT_EQ(size_of("C1CC12CC2"), (MoleculeSize{5, 12}));
  EXPECT_EQ(size_of("BrCCl"), (MoleculeSize{3, 4}));
  EXPECT_EQ(size_of("[Na+].[O-]C(=O)[C@@H](N)C"), (MoleculeSize{7, 10}));
  EXPECT_EQ(size_of("[13CH3][2H]"), (MoleculeSize{2, 2}));
  EXPECT_EQ(size_of("[Hg]"), (MoleculeSize{1, 0}));
  EXPECT_EQ(size_of("C%10CCCCC%10"), (MoleculeSize{6, 12}));
  EXPECT_EQ(size_of("CCO\tethanol"), (MoleculeSize{3, 4}));
}

TEST(EstimateSize, CountsHydrogensThatAreNotMerged) {
  EXPECT_EQ(size_of("[H]C([H])([H])O").atoms, 2U);
  EXPECT_EQ(size_of("[H][C@@](F)(Cl)[H]").atoms, 3U);
  EXPECT_EQ(size_of("C([2H])([3H])[H]"), (MoleculeSize{3, 4})) << "isotopes";
  EXPECT_EQ(size_of("[H][H]"), (MoleculeSize{2, 2}));
  EXPECT_EQ(size_of("[H+].[Cl-]"), (MoleculeSize{2, 0}));
  EXPECT_EQ(size_of("[H].C[H]").atoms, 2U) << "a lone one";
  EXPECT_EQ(size_of("C[H]C").atoms, 3U) << "a bridge";
  EXPECT_EQ(size_of("C[H]1.C1").atoms, 3U) << "a bridge";
  EXPECT_EQ(size_of("*[H]").atoms, 2U) << "a dummy keeps it";
  EXPECT_EQ(size_of("[H]/N=C/C").atoms, 4U) << "it says where the nitrogen has it";
  EXPECT_EQ(size_of("C[H:1]").atoms, 2U) << "mapped: RDKit's choice";
  std::string chain;
  for (int i = 0; i < 600; ++i) {
    chain += "C([2H])([2H])";
  }
  EXPECT_EQ(size_of(chain).atoms, 1800U);
}

/// Pieces of SMILES with hydrogens in every notation.
TEST(EstimateSize, IsNeverBelowWhatRdkitFinds) {
  const std::vector<std::string> pieces = {
      "[H]", "C",   "[H]",    "N",   "([H])", "([2H])", "(C)",      "[H+]",  "[H-]",  "*",    "/",    "\\",
      "=",   "C=C", "[H:1]",  ".",   "1",     "1",      "[C@H]",    "-",     "(",     ")",    "([H]", "[1H]",
      "[D]", "[T]", "[H][H]", "[*]", "[#1]",  "[C@@]",  "[Pt@SP1]", "%(12)", "%(12)", "F/C(", "B"};
  std::mt19937 engine(5);
  std::size_t molecules = 0;
  for (int i = 0; i < 60'000; ++i) {
    std::string text;
    for (std::size_t count = 1 + engine() % 9; count > 0; --count) {
      text += pieces[engine() % pieces.size()];
    }
    try {
      const chem::MoleculeRecord record{text, chem::RecordFormat::smiles, 0, 1, "-"};
      const chem::Molecule molecule = chem::perceive(record, {});
      ++molecules;
      EXPECT_GE(estimate_size(record).atoms, molecule.atoms.size()) << text;
      EXPECT_GE(estimate_size(record).edges, 2 * molecule.bonds.size()) << text;
      EXPECT_FALSE(will_be_refused(record)) << text;
    } catch (const chem::InvalidMolecule&) {
    }
  }
  EXPECT_GT(molecules, 4'000U);
}

TEST(WillBeRefused, WhatIsWrittenWithTooManyAtoms) {
  const auto refused = [](const std::string& text) {
    const chem::MoleculeRecord record{text, chem::RecordFormat::smiles, 0, 1, "-"};
    EXPECT_ANY_THROW(chem::perceive(record, {})) << "as the text is refused";
    return will_be_refused(record);
  };
  std::string methanes;
  for (int i = 0; i < 420; ++i) {
    methanes += "C([H])([H])([H])[H].";
  }
  EXPECT_TRUE(refused(methanes + "C")) << "420 atoms when the hydrogens are merged";
  EXPECT_TRUE(refused(std::string(2001, 'C')));
  EXPECT_TRUE(refused(std::string((std::size_t{1} << 20) + 1, '?')));
  EXPECT_FALSE(refused("not a molecule")) << "who knows";
  EXPECT_FALSE(will_be_refused({std::string(2000, 'C'), chem::RecordFormat::smiles, 0, 1, "-"}));
  chem::MoleculeRecord unreadable{"C", chem::RecordFormat::smiles, 0, 1, "-"};
  unreadable.unreadable = "too long a line";
  EXPECT_TRUE(will_be_refused(unreadable));
}

TEST(EstimateSize, AnyTextHasOne) {
  EXPECT_EQ(size_of(""), (MoleculeSize{1, 0}));
  EXPECT_EQ(size_of("[C").atoms, 1U);
  EXPECT_EQ(size_of("...C").atoms, 1U);
  EXPECT_EQ(size_of("%").atoms, 1U);
  EXPECT_EQ(size_of("111111").atoms, 1U);
}

TEST(EstimateSize, CountsLinesOfMolBlocks) {
  const MoleculeSize size = estimate_size({std::string(9'000, 'x'), chem::RecordFormat::molblock, 0, 1, "-"});
  EXPECT_NEAR(static_cast<double>(size.atoms), 100.0, 5.0);
}

TEST(EstimateSize, ReadsCountsInLettersOfEitherCase) {
  for (const char* const counts : {"M  V30 COUNTS 120 130 0 0 0", "M  V30 counts 120 130 0 0 0"}) {
    const std::string block = "\n\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\n" +
                              std::string(counts) + "\n" + std::string(300, '\n');
    EXPECT_EQ(estimate_size({block, chem::RecordFormat::molblock, 0, 1, "-"}).atoms, 120U) << counts;
  }
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
}  // namespace molgauge::pipeline
