#include <string>

#include <gmock/gmock.h>

#include "records.h"

namespace molgauge::chem {
namespace {

using test::mol_block_record;
using test::refusal;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const std::string kMethanol =
    "methanol\n  by hand\n\n"
    "  3  2  0  0  0  0  0  0  0  0999 V2000\n"
    "    0.0000    0.0000    0.0000 H   0  0\n"
    "    1.0000    0.0000    0.0000 O   0  0\n"
    "    2.0000    0.0000    0.0000 C   0  0\n"
    "  1  2  1  0\n"
    "  2  3  1  0\n"
    "M  END\n";

const std::string kMethanolV3000 =
    "methanol\n  by hand\n\n"
    "  0  0  0     0  0            999 V3000\n"
    "M  V30 BEGIN CTAB\n"
    "M  V30 COUNTS 2 1 0 0 0\n"
    "M  V30 BEGIN ATOM\n"
    "M  V30 1 C 0 0 0 0\n"
    "M  V30 2 O 1 0 0 0\n"
    "M  V30 END ATOM\n"
    "M  V30 BEGIN BOND\n"
    "M  V30 1 1 1 2\n"
    "M  V30 END BOND\n"
    "M  V30 END CTAB\n"
    "M  END\n";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

TEST(MolBlock, IsReadLikeASmiles) {
  const Molecule molecule = perceive(mol_block_record(kMethanol), {});
  ASSERT_THAT(molecule.atoms, SizeIs(2));
  EXPECT_EQ(molecule.atoms[0].atomic_number, 6);
  EXPECT_EQ(molecule.atoms[0].text_index, 2U);
  EXPECT_EQ(molecule.atoms[1].text_index, 1U);
  EXPECT_EQ(molecule.atoms[0].total_degree, 4);
}

TEST(MolBlock, Version3000) { EXPECT_THAT(perceive(mol_block_record(kMethanolV3000), {}).atoms, SizeIs(2)); }

/// RDKit would allocate memory for the numbers of atoms and bonds that a block claims. This would take
/// gigabytes, or more memory than the machine has.
TEST(MolBlock, WhatClaimsMoreThanItsLinesHoldIsRefusedBeforeThereIsRoomForIt) {
  for (const char* counts :
       {"COUNTS 100000000 1 0 0 0", "COUNTS 2000000000 1 0 0 0", "COUNTS 2 4000000000 0 0 0",
        "COUNTS -1 1 0 0 0", "COUNTS 2 1 99999999999999999999 0 0", "counts 2 1 0 100000000 0",
        "COU-\nM  V30 NTS 1000-\nM  V30 00000 1"}) {
    const std::string block = replaced(kMethanolV3000, "COUNTS 2 1 0 0 0", counts);
    EXPECT_THAT(refusal(mol_block_record(block)), HasSubstr("claims")) << counts;
  }
  const std::string bond = "M  V30 1 1 1 2";
  EXPECT_THAT(
      refusal(mol_block_record(replaced(kMethanolV3000, bond, bond + " ENDPTS=(2000000000 1 2) ATTACH=ANY"))),
      HasSubstr("claims"));
  EXPECT_THAT(refusal(mol_block_record(replaced(kMethanol, "  3  2  0", "999  2  0"))),
              HasSubstr("claims 999 atoms"));
  EXPECT_THAT(refusal(mol_block_record(replaced(kMethanol, "  3  2  0", "  3998  0"))),
              HasSubstr("claims 998 bonds"));
}

TEST(MolBlock, RefusalsSayWhy) {
  EXPECT_THAT(refusal(mol_block_record("junk")), Not(IsEmpty()));
  EXPECT_EQ(refusal(mol_block_record("\n\n\n")), "empty");
  EXPECT_EQ(refusal(mol_block_record("\n  none\n\n  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n")),
            "no atoms");
  EXPECT_THAT(refusal(mol_block_record(kMethanol.substr(0, 100))), HasSubstr("EOF hit"));
  EXPECT_THAT(refusal(mol_block_record(replaced(kMethanol, "  2  3  1", "  2  9  1"))),
              HasSubstr("check failed"));
  EXPECT_THAT(refusal(mol_block_record(replaced(kMethanol, " O ", " Q9"))), Not(IsEmpty()));
}

}  // namespace
}  // namespace molgauge::chem
