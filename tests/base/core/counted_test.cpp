#include "base/core/text/counted.h"

#include <gtest/gtest.h>

namespace molgauge {
namespace {

TEST(Counted, HasSingularAndPlural) {
  EXPECT_EQ(counted(0, "molecule"), "0 molecules");
  EXPECT_EQ(counted(1, "molecule"), "1 molecule");
  EXPECT_EQ(counted(2, "molecule"), "2 molecules");
  EXPECT_EQ(counted(1, "batch"), "1 batch");
  EXPECT_EQ(counted(3, "batch"), "3 batches");
  EXPECT_EQ(counted(3, "epoch"), "3 epochs");
}

}  // namespace
}  // namespace molgauge
