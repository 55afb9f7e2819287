#include "molecules/experiments/matrix/cell_result.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/faulty_files.h"

namespace molgauge::matrix {
namespace {

EndedCell ended(double auroc) {
  CellResult result;
  result.auroc = auroc;
  result.remark = "a remark";
  return {.identity = "seed 1", .result = result, .error = ""};
}

TEST(CellResult, IsReadBack) {
  const test::TemporaryFolder folder;
  EXPECT_FALSE(read_cell(folder.path()));
  write_cell(folder.path(), ended(0.75));
  const auto cell = read_cell(folder.path());
  ASSERT_TRUE(cell && cell->result);
  EXPECT_EQ(cell->identity, "seed 1");
  EXPECT_EQ(cell->result->auroc, 0.75);
  EXPECT_EQ(cell->result->remark, "a remark");
  EndedCell with = ended(0.75);
  with.result->aupr_id_positive = 0.5;
  with.result->fpr95_id_positive = 0.25;
  write_cell(folder.path(), with);
  EXPECT_EQ(read_cell(folder.path())->result->aupr_id_positive, 0.5);
  EXPECT_EQ(read_cell(folder.path())->result->fpr95_id_positive, 0.25);
}

TEST(CellResult, AnIdentityHasAMarkOfItsOwn) {
  EXPECT_EQ(identity_mark("seed 1").size(), 32U);
  EXPECT_EQ(identity_mark("seed 1"), identity_mark("seed 1"));
  EXPECT_NE(identity_mark("seed 1"), identity_mark("seed 2"));
}

TEST(CellResultFaults, IsReplacedWholeOrNotAtAll) {
  test::expect_survives_every_fault({.prepare = [](const auto& folder) { write_cell(folder, ended(0.5)); },
                                     .write = [](const auto& folder) { write_cell(folder, ended(0.75)); },
                                     .read =
                                         [](const auto& folder) {
                                           const auto cell = read_cell(folder);
                                           return cell ? std::to_string(cell->result->auroc) : "broken";
                                         }});
}

TEST(CellResult, ARemarkSaysWhatAReaderShouldKnow) {
  EXPECT_EQ(remark_of(false, 0), "");
  EXPECT_EQ(remark_of(true, 0), "the classifier collapsed to one label");
  EXPECT_EQ(remark_of(false, 1), "1 molecule is in parts that must not overlap, which was accepted");
  EXPECT_EQ(remark_of(true, 36),
            "the classifier collapsed to one label. 36 molecules are in parts that must not overlap, which "
            "was accepted");
}

}  // namespace
}  // namespace molgauge::matrix
