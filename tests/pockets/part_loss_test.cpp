// Tests the validation loss of a pocket encoder.

#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "pockets/training/losses.h"

namespace molgauge::pocket {
namespace {

using FloatRow = std::vector<float>;

ops::Floats rows_in(const std::vector<FloatRow>& rows) {
  ops::Floats result{static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(rows.front().size())};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::copy(rows[i].begin(), rows[i].end(), result.data() + i * rows[i].size());
  }
  return result;
}

/// Sets of ligands: distant, nearly equal, and opposite ligands, and one ligand that is a multiple of
/// another.
std::vector<std::vector<FloatRow>> sets_of_ligands() {
  return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
          {{1, 0.1F, 0}, {1, 0.11F, 0}, {1, 0.1F, 0.01F}},
          {{1, 0, 0}, {-1, 0, 0}, {0.5F, 0.5F, 0}},
          {{1, 2, 3}, {2, 4, 6}, {3, 1, 1}}};
}

/// Returns parts of a set. A part is described by the number of its pockets for each of three ligands.
std::vector<std::vector<int>> part_compositions() {
  std::vector<std::vector<int>> all;
  for (int a = 0; a <= 3; ++a) {
    for (int b = 0; b <= 3; ++b) {
      for (int c = 0; c <= 3; ++c) {
        if (a + b + c > 0) {
          all.push_back({a, b, c});
        }
      }
    }
  }
  all.push_back({99, 1, 0});
  all.push_back({60, 5, 1});
  return all;
}

std::vector<FloatRow> rows_of_pockets(const std::vector<FloatRow>& ligands, const std::vector<int>& counts) {
  std::vector<FloatRow> rows;
  for (std::size_t l = 0; l < ligands.size(); ++l) {
    rows.insert(rows.end(), static_cast<std::size_t>(counts[l]), ligands[l]);
  }
  return rows;
}

std::vector<FloatRow> constant_rows(const std::vector<FloatRow>& ligands) {
  std::vector<FloatRow> rows = {{1, 1, 1}, {-1, 2, 0.5F}, {0, 0, 1}};
  for (const FloatRow& a : ligands) {
    for (const FloatRow& b : ligands) {
      FloatRow sum(3), difference(3);
      for (std::size_t k = 0; k < 3; ++k) {
        sum[k] = a[k] + b[k];
        difference[k] = a[k] - b[k];
      }
      rows.push_back(sum);
      rows.push_back(difference);
    }
  }
  std::erase_if(rows, [](const FloatRow& row) { return row == FloatRow(3, 0); });
  return rows;
}

bool points_the_same_way(const FloatRow& a, const FloatRow& b) {
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    ab += a[k] * b[k];
    aa += a[k] * a[k];
    bb += b[k] * b[k];
  }
  return ab > (1 - 1e-6) * std::sqrt(aa * bb);
}

TEST(PartLoss, APerfectEncoderIsBetterThanAConstantOneForEveryComposition) {
  std::size_t compared = 0;
  for (const double temperature : {0.01, 0.07, 1.0}) {
    const LossOptions options{.kind = PocketLoss::infonce, .temperature = temperature};
    for (const auto& ligands : sets_of_ligands()) {
      for (const auto& counts : part_compositions()) {
        const std::vector<FloatRow> rows = rows_of_pockets(ligands, counts);
        const ops::Floats targets = rows_in(rows);
        const LossValue perfect = part_loss(options, targets, targets);
        EXPECT_EQ(perfect.accuracy, 1);
        for (const FloatRow& constant : constant_rows(ligands)) {
          if (count_ligands(targets) == 1 && points_the_same_way(constant, rows.front())) {
            continue;  // this constant encoder is also perfect
          }
          const LossValue flat =
              part_loss(options, rows_in(std::vector<FloatRow>(rows.size(), constant)), targets);
          EXPECT_LT(perfect.loss, flat.loss)
              << counts[0] << " " << counts[1] << " " << counts[2] << ", temperature " << temperature;
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 10'000U);
}

TEST(PartLoss, BatchesOfThePythonProjectAreBlindToModelsOfOneComplex) {
  const LossOptions options{.kind = PocketLoss::infonce};
  const std::vector<FloatRow> ligands = {{1, 0}, {1, 0}, {0, 1}, {0, 1}};
  const ops::Floats targets = rows_in(ligands);
  const ops::Floats flat = rows_in({{1, 1}, {1, 1}, {1, 1}, {1, 1}});
  EXPECT_DOUBLE_EQ(mean_batch_loss(options, targets, targets, 2), std::log(2));
  EXPECT_DOUBLE_EQ(mean_batch_loss(options, flat, targets, 2), std::log(2));
  EXPECT_NEAR(part_loss(options, targets, targets).loss, 0, 1e-5);
  EXPECT_NEAR(part_loss(options, flat, targets).loss, std::log(2), 1e-9);
}

TEST(PartLoss, DoesNotDependOnTheOrderOrOnRepeatedPockets) {
  const LossOptions options{.kind = PocketLoss::infonce, .temperature = 0.5};
  const std::vector<FloatRow> targets = {{1, 0}, {0, 1}, {1, 1}};
  const std::vector<FloatRow> predicted = {{1, 0.2F}, {0.5F, 1}, {0.1F, 1}};
  const double once = part_loss(options, rows_in(predicted), rows_in(targets)).loss;
  const double again = part_loss(options, rows_in({predicted[2], predicted[0], predicted[1], predicted[2]}),
                                 rows_in({targets[2], targets[0], targets[1], targets[2]}))
                           .loss;
  EXPECT_NEAR(once, again, 1e-12);
}

TEST(PartLoss, OfOtherLossesCountsEachPocketOnce) {
  const std::vector<FloatRow> targets = {{1, 0}, {1, 0}, {0, 2}};
  const std::vector<FloatRow> predicted = {{1, 0}, {1, 0}, {0, 0}};
  const LossOptions options{.kind = PocketLoss::mse};
  EXPECT_NEAR(part_loss(options, rows_in(predicted), rows_in(targets)).loss, 4.0 / 6, 1e-12);
  EXPECT_NEAR(mean_batch_loss(options, rows_in(predicted), rows_in(targets), 2), 1, 1e-12)
      << "in the Python project a last batch of one counts like a batch of two";
}

TEST(RowLoss, AccuracyCountsEqualTargetsAsFound) {
  const ops::Floats rows = rows_in({{1, 0}, {1, 0}, {0, 1}});
  EXPECT_DOUBLE_EQ(row_loss({.kind = PocketLoss::infonce}, rows, rows, nullptr).accuracy, 1);
}

}  // namespace
}  // namespace molgauge::pocket
