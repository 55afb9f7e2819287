#include <string>

#include <gtest/gtest.h>

#include "base/core/error.h"
#include "molecules/verbs/experiment/cell_kind.h"

namespace molgauge::verbs {
namespace {

matrix::Cell cell_of(const std::string& kind) {
  matrix::Cell cell;
  cell.kind = kind;
  return cell;
}

TEST(CellKinds, EveryMethodHasOne) {
  const CellKinds kinds;
  const experiment::Spec spec;
  EXPECT_TRUE(kinds.of(cell_of("energy-head")).identity(spec, cell_of("energy-head")).starts_with("energy "));
  EXPECT_TRUE(kinds.of(cell_of("knn")).identity(spec, cell_of("knn")).starts_with("knn "));
  EXPECT_EQ(kinds.of(cell_of("energy-head")).pair_beta(spec, cell_of("energy-head")), 0.1);
  EXPECT_FALSE(kinds.of(cell_of("knn")).pair_beta(spec, cell_of("knn")).has_value());
  EXPECT_THROW(kinds.of(cell_of("nonsense")).require_valid(spec, cell_of("nonsense")), InputError);
}

}  // namespace
}  // namespace molgauge::verbs
