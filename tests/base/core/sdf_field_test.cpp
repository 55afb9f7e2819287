#include "base/core/text/sdf_field.h"

#include <gtest/gtest.h>

namespace molgauge {
namespace {

TEST(SdfField, HasANameAndAValue) { EXPECT_EQ(sdf_field("logP", "1.2"), ">  <logP>\n1.2\n\n"); }

TEST(SdfField, AnEmptyValueHasNoField) { EXPECT_EQ(sdf_field("logP", ""), ""); }

TEST(SdfField, NoTextEndsTheFieldOrTheRecord) {
  EXPECT_EQ(sdf_field("a<b>\nc", "x\n\n$$$$\r\ny"), ">  <a_b_ c>\nx  $$$$  y\n\n");
  EXPECT_EQ(sdf_field("a", "$$$$"), ">  <a>\n $$$$\n\n");
}

}  // namespace
}  // namespace molgauge
