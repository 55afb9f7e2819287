// Compares intervals, sets and probabilities with crepes 0.9 and venn-abers 1.5.4
// (tests/fixtures/domain/prediction_peers.py).

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "molecules/judging/predictions/class_calibration.h"
#include "molecules/judging/predictions/conformal_quantile.h"
#include "molecules/judging/predictions/venn_abers.h"
#include "support/fixtures.h"

namespace molgauge::domain {
namespace {

using nlohmann::json;
using Numbers = std::vector<double>;

const json& peers() {
  static const json fixture = json::parse(std::ifstream(test::own_data("domain/prediction_peers.json")));
  return fixture;
}

void expect_interval(const json& expected, double prediction, double half_width) {
  if (expected[0].is_null()) {
    EXPECT_TRUE(std::isinf(half_width));
  } else {
    EXPECT_NEAR(prediction - half_width, expected[0].get<double>(), 1e-9);
    EXPECT_NEAR(prediction + half_width, expected[1].get<double>(), 1e-9);
  }
}

/// crepes truncates (1 - coverage) (n + 1) in double precision. If the product is an integer, it can lose a
/// rank, and its interval is then wider than ours.
bool crepes_loses_a_rank(std::size_t scores, double coverage) {
  const double product = (1 - coverage) * static_cast<double>(scores + 1);
  return std::floor(product) < std::floor(product + 1e-9);
}

/// The interval of crepes, or a wider one if crepes loses a rank.
void expect_interval_of(const json& expected, double prediction, double half_width, std::size_t scores,
                        double coverage) {
  if (!crepes_loses_a_rank(scores, coverage)) {
    expect_interval(expected, prediction, half_width);
  } else {
    EXPECT_TRUE(std::isfinite(half_width));
    EXPECT_TRUE(expected[1].is_null() || prediction + half_width <= expected[1].get<double>() + 1e-9);
  }
}

TEST(PredictionPeers, IntervalsEqualThoseOfCrepes) {
  for (const json& own : peers()["intervals"]) {
    const auto coverage = own["coverage"].get<double>();
    const auto residuals = own["residuals"].get<Numbers>(), sigmas = own["sigmas"].get<Numbers>();
    const auto predictions = own["predictions"].get<Numbers>(),
               test_sigmas = own["test_sigmas"].get<Numbers>();
    const auto bins = own["bins"].get<std::vector<int>>(),
               test_bins = own["test_bins"].get<std::vector<int>>();
    Numbers plain, normalised;
    std::vector<Numbers> grouped(3);
    for (std::size_t i = 0; i < residuals.size(); ++i) {
      plain.push_back(std::abs(residuals[i]));
      normalised.push_back(std::abs(residuals[i]) / sigmas[i]);
      grouped[static_cast<std::size_t>(bins[i])].push_back(normalised.back());
    }
    for (std::size_t i = 0; i < predictions.size(); ++i) {
      expect_interval_of(own["constant"][i], predictions[i], conformal_quantile(plain, coverage),
                         plain.size(), coverage);
      expect_interval_of(own["normalised"][i], predictions[i],
                         conformal_quantile(normalised, coverage) * test_sigmas[i], plain.size(), coverage);
      const Numbers& group = grouped[static_cast<std::size_t>(test_bins[i])];
      expect_interval_of(own["mondrian"][i], predictions[i],
                         conformal_quantile(group, coverage) * test_sigmas[i], group.size(), coverage);
    }
  }
}

TEST(PredictionPeers, SetsEqualThoseOfCrepesAndProbabilitiesThoseOfVennAbers) {
  for (const json& own : peers()["classes"]) {
    std::vector<CalibrationMolecule> molecules;
    for (std::size_t i = 0; i < own["labels"].size(); ++i) {
      CalibrationMolecule molecule;
      molecule.measured = own["labels"][i].get<double>();
      molecule.predicted.value = own["probabilities"][i].get<double>();
      molecules.push_back(molecule);
    }
    const ClassCalibration calibration(molecules, own["coverage"].get<double>());
    for (std::size_t i = 0; i < own["test"].size(); ++i) {
      const PredictionSet set = calibration.set(own["test"][i].get<double>());
      for (std::size_t label = 0; label < 2; ++label) {
        EXPECT_NEAR(set.p_values[label], own["p_values"][i][label].get<double>(), 1e-9);
        // A p-value of exactly 1 - coverage is in the set of crepes, but not in ours.
        if (std::abs(set.p_values[label] - (1 - own["coverage"].get<double>())) > 1e-9) {
          EXPECT_EQ(set.contains[label], own["sets"][i][label].get<int>() == 1);
        }
      }
      ASSERT_TRUE(set.probability);
      EXPECT_NEAR(set.probability->lower, own["p0_p1"][i][0].get<double>(), 1e-9);
      EXPECT_NEAR(set.probability->upper, own["p0_p1"][i][1].get<double>(), 1e-9);
      EXPECT_NEAR(set.probability->merged(), own["merged"][i].get<double>(), 1e-9);
    }
  }
}

TEST(ConformalQuantile, NeedsEnoughScoresForTheCoverage) {
  EXPECT_EQ(fewest_for_coverage(0.5), 1U);
  EXPECT_EQ(fewest_for_coverage(0.8), 4U);
  EXPECT_EQ(fewest_for_coverage(0.9), 9U);
  EXPECT_EQ(fewest_for_coverage(0.95), 19U);
  EXPECT_EQ(fewest_for_coverage(0.999), 999U);
  for (const double coverage : {0.5, 0.8, 0.9, 0.95, 0.99}) {
    const std::size_t fewest = fewest_for_coverage(coverage);
    EXPECT_TRUE(std::isfinite(conformal_quantile(Numbers(fewest, 1.0), coverage)));
    EXPECT_TRUE(std::isinf(conformal_quantile(Numbers(fewest - 1, 1.0), coverage)));
  }
}

/// (1 - 0.9) (n + 1) is 0.9999999999999998 for n = 9 in double precision. No rank is lost.
TEST(ConformalQuantile, RanksAreExact) {
  for (const std::size_t tenths : {1U, 2U, 3U, 10U, 77U, 1000U}) {
    Numbers scores(10 * tenths - 1);
    std::iota(scores.begin(), scores.end(), 1.0);
    const auto largest = static_cast<double>(scores.size());
    EXPECT_EQ(conformal_quantile(scores, 0.9), largest + 1 - static_cast<double>(tenths)) << tenths;
    EXPECT_EQ(conformal_quantile(scores, 0.8), largest + 1 - static_cast<double>(2 * tenths)) << tenths;
    EXPECT_FALSE(exceeds_error_rate(tenths, scores.size(), 0.9));
    EXPECT_TRUE(exceeds_error_rate(tenths + 1, scores.size(), 0.9));
  }
}

/// Isotonic regression by pooling adjacent violators.
double isotonic_value_at(std::vector<std::pair<double, double>> points, double at) {
  std::sort(points.begin(), points.end());
  struct Block {
    double sum, count, last;
  };
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < points.size();) {
    Block block{0, 0, points[i].first};
    for (; i < points.size() && points[i].first == block.last; ++i) {
      block.sum += points[i].second;
      ++block.count;
    }
    blocks.push_back(block);
    while (blocks.size() > 1 && blocks[blocks.size() - 2].sum * blocks.back().count >=
                                    blocks.back().sum * blocks[blocks.size() - 2].count) {
      const Block top = blocks.back();
      blocks.pop_back();
      blocks.back() = {blocks.back().sum + top.sum, blocks.back().count + top.count, top.last};
    }
  }
  for (const Block& block : blocks) {
    if (at <= block.last) {
      return block.sum / block.count;
    }
  }
  return NAN;
}

TEST(VennAbersTest, EqualsTwoIsotonicRegressionsForEachScore) {
  std::uint32_t state = 1;
  const auto draw = [&](std::uint32_t below) {
    state = state * 1664525U + 1013904223U;
    return (state >> 16) % below;
  };
  for (int round = 0; round < 300; ++round) {
    std::vector<std::pair<double, double>> points;
    std::vector<double> scores;
    std::vector<bool> labels;
    const std::size_t count = 1 + draw(30);
    for (std::size_t i = 0; i < count; ++i) {
      scores.push_back(0.1 * draw(12));
      labels.push_back(draw(3) == 0);
      points.emplace_back(scores.back(), labels.back() ? 1 : 0);
    }
    const VennAbers calibrated(scores, labels);
    for (int i = -1; i < 26; ++i) {
      const double at = i % 2 == 0 ? 0.1 * (i / 2) : 0.05 * i;
      for (const double label : {0.0, 1.0}) {
        auto with = points;
        with.emplace_back(at, label);
        const double expected = isotonic_value_at(with, at);
        const ProbabilityPair found = calibrated.of(at);
        ASSERT_NEAR(label == 0 ? found.lower : found.upper, expected, 1e-12) << round << " " << at;
      }
    }
  }
}

}  // namespace
}  // namespace molgauge::domain
