#include "molecules/ood/head/validation.h"

#include <gtest/gtest.h>

namespace molgauge::ood {
namespace {

/// Validation chooses the best epoch, so it must use the same data as the Python project.
TEST(Validation, TheSurplusOfTheLargerSideIsNotLookedAt) {
  const EnergyHead head(8, 4, 1);
  const at::Tensor id = at::arange(24, at::kFloat).reshape({3, 8}) / 24;
  const at::Tensor ood = at::ones({3, 8});
  const at::Tensor surplus = at::cat({ood, at::full({5, 8}, 1e6)});
  const Validation without = validate_head(head, id, ood, {}, 2, 1);
  const Validation with = validate_head(head, id, surplus, {}, 2, 1);
  EXPECT_EQ(with.loss, without.loss);
  EXPECT_EQ(with.energy_separation, without.energy_separation);
  EXPECT_EQ(with.metrics.auroc, without.metrics.auroc);
  EXPECT_NE(validate_head(head, id, surplus.slice(0, 5), {}, 2, 1).loss, without.loss);
}

}  // namespace
}  // namespace molgauge::ood
