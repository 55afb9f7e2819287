#include "molecules/datasets/class_labels.h"

#include <gtest/gtest.h>

namespace molgauge::datasets {
namespace {

TEST(ParseLabel, ReadsFiniteNumbers) {
  EXPECT_EQ(parse_label("1"), 1.0);
  EXPECT_EQ(parse_label(" -0.705\t"), -0.705);
  EXPECT_EQ(parse_label("+3.5e-2"), 0.035);
}

TEST(ParseLabel, RefusesEverythingElse) {
  for (const char* text : {"", " ", "active", "1.0x", "1 2", "nan", "inf", "1e999", "0x1", "+"}) {
    EXPECT_EQ(parse_label(text), std::nullopt) << text;
  }
}

TEST(AreClasses, IsTrueOfZerosAndOnes) {
  EXPECT_TRUE(are_classes(std::vector<double>{0, 1, 1}));
  EXPECT_FALSE(are_classes(std::vector<double>{0, 1, 2}));
  EXPECT_FALSE(are_classes(std::vector<double>{0.5}));
}

TEST(UpperMedian, IsTheUpperOfTheTwoInTheMiddle) {
  EXPECT_EQ(upper_median({4, 1, 3, 2}), 3);
  EXPECT_EQ(upper_median({3, 1, 2}), 2);
  EXPECT_EQ(upper_median({7}), 7);
}

}  // namespace
}  // namespace molgauge::datasets
