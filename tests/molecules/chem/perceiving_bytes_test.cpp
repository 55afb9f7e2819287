// Compares the heap use of RDKit for a record with its documented upper bound.

#include "molecules/chem/perceiving_bytes.h"

#include <gtest/gtest.h>

#include "records.h"
#include "support/heap_peak.h"

namespace molgauge::chem {
namespace {

std::string repeated(const std::string& unit, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) {
    text += unit;
  }
  return text;
}

std::string branches(int depth) {
  return depth == 0 ? "C" : "C(" + branches(depth - 1) + ")" + branches(depth - 1);
}

/// Returns the peak bytes of one call. The result of the call is freed.
std::uint64_t peak(const std::string& smiles, const Perception& wanted) {
  const MoleculeRecord record = test::smiles_record(smiles);
  const test::HeapPeak heap;
  perceive(record, wanted);
  return heap.bytes();
}

class PerceivingBytes : public testing::Test {
  void SetUp() override {
    if (!test::HeapPeak::can_be_measured()) {
      GTEST_SKIP() << "another heap replaces the heap of the C library";
    }
    perceive(test::smiles_record("C/C=C/[C@H](F)Cl"),
             {.graph = true, .morgan = true});  // fills the tables of RDKit before the measurement
  }
};

TEST_F(PerceivingBytes, AreNeverExceeded) {
  const std::vector<std::string> texts = {"C",
                                          "CCO",
                                          "CC(=O)Oc1ccccc1C(=O)O",
                                          repeated("C", 30),
                                          repeated("C", 200),
                                          repeated("C", 2000),
                                          "C1" + repeated("C", 1997) + "C1",
                                          repeated("C=C", 1000),
                                          branches(9),
                                          repeated("NC(Cc1ccccc1)C(=O)", 180),
                                          repeated("N[C@@H](C)C(=O)", 150),
                                          repeated("N[C@@H](Cc1ccccc1)C(=O)", 60),
                                          repeated("C/C=C/", 150) + "C",
                                          repeated("[Na+].", 1999) + "C",
                                          repeated("CCCCC.", 399) + "C",
                                          repeated("C([2H])([2H])", 600) + "C",
                                          "O" + repeated("C(c1ccccc1)", 280)};
  for (const std::string& text : texts) {
    for (const Perception& wanted :
         {Perception{.graph = true, .morgan = false}, Perception{.graph = false, .morgan = true}}) {
      const MoleculeRecord record = test::smiles_record(text);
      const std::size_t atoms = perceive(record, {.graph = true, .morgan = false}).atoms.size();
      EXPECT_LE(peak(text, wanted), perceiving_bytes(atoms, text.size())) << text.substr(0, 40);
    }
  }
}

TEST_F(PerceivingBytes, GrowWithAPlainTextNotWithItsSquare) {
  EXPECT_LT(peak(repeated("C", 2000), {}), std::uint64_t{4} << 20);
}

}  // namespace
}  // namespace molgauge::chem
