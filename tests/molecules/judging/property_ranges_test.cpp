#include "molecules/judging/property_ranges.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace molgauge::domain {
namespace {

using Property = PropertySurprise::Property;

std::vector<MoleculeProperties> hundred() {
  std::vector<MoleculeProperties> training;
  for (int i = 0; i < 100; ++i) {
    MoleculeProperties& own = training.emplace_back();
    own.numbers = {static_cast<float>(10 + i % 50), static_cast<float>(i % 10) / 2, 0};
    own.elements.set(6);
    own.elements.set(8, i % 2 == 0);
    own.elements.set(35, i == 7);
  }
  return training;
}

TEST(PropertyRanges, CommonPropertiesDoNotSurprise) {
  const auto training = hundred();
  const PropertyRanges ranges(training);
  MoleculeProperties molecule;
  molecule.numbers = {34, 2, 0};
  molecule.elements.set(6);
  EXPECT_NEAR(ranges.surprise(molecule, false).value, 0, 0.1);
}

TEST(PropertyRanges, SizeLogPChargeAndElementsEachSurprise) {
  const auto training = hundred();
  const PropertyRanges ranges(training);
  MoleculeProperties common;
  common.numbers = {34, 2, 0};
  common.elements.set(6);
  const auto with = [&](auto change) {
    MoleculeProperties molecule = common;
    change(molecule);
    return std::pair(molecule, ranges.surprise(molecule, false));
  };
  const double rarest = -std::log(2 * 1.0 / 101);
  const auto [large, size] = with([](auto& m) { m.numbers[0] = 1033; });
  EXPECT_EQ(size.property, Property::heavy_atoms);
  EXPECT_GT(size.value, rarest + 10);
  EXPECT_EQ(ranges.words(large, size), "1033 heavy atoms (no training molecule has as many)");
  const auto [polar, log_p] = with([](auto& m) { m.numbers[1] = -5; });
  EXPECT_EQ(log_p.property, Property::log_p);
  EXPECT_THAT(ranges.words(polar, log_p), testing::HasSubstr("one as low"));
  EXPECT_EQ(with([](auto& m) { m.numbers[2] = 2; }).second.property, Property::charge);
  const auto [bromide, element] = with([](auto& m) { m.elements.set(35); });
  EXPECT_EQ(element.property, Property::element);
  EXPECT_NEAR(element.value, -std::log(2.0 / 101), 1e-6);
  EXPECT_EQ(ranges.words(bromide, element), "element Br (1 % of the training molecules have it)");
}

/// A left-out training molecule counts like a new molecule: it is one of the n + 1 molecules.
TEST(PropertyRanges, AMemberDoesNotCountTwice) {
  const auto training = hundred();
  const PropertyRanges ranges(training);
  EXPECT_NEAR(ranges.surprise(training[7], true).value, -std::log(1.0 / 100), 1e-6);
}

}  // namespace
}  // namespace molgauge::domain
