#include <gtest/gtest.h>

#include "command.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

TEST(Count, CountsRecords) {
  const Workplace place;
  const Outcome outcome = molgauge({"count", place.file("a.smi", "CCO\nC\n")});
  EXPECT_EQ(outcome.out, "2\n");
}

}  // namespace
}  // namespace molgauge::test
