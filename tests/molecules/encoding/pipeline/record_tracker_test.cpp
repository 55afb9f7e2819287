#include "molecules/encoding/pipeline/record_tracker.h"

#include <gtest/gtest.h>

#include "fakes.h"

namespace molgauge::pipeline {
namespace {

class LedgerTest : public ::testing::Test {
 protected:
  bool admit(const std::string& text, std::size_t row) {
    return tracker_.admit(hash128(text), {text, chem::RecordFormat::smiles, row, row + 1, "a.smi"});
  }
  void fail(const std::string& text, const std::string& reason) {
    tracker_.failed(hash128(text), {text, chem::RecordFormat::smiles, 0, 0, ""}, reason);
  }

  Progress progress_{"encode", "molecules", 0, true};
  RecordTracker tracker_{progress_};
};

TEST_F(LedgerTest, ATextInWorkIsAdmittedOnce) {
  EXPECT_TRUE(admit("C", 0));
  EXPECT_FALSE(admit("C", 1));
  EXPECT_TRUE(admit("CC", 2));
}

TEST_F(LedgerTest, AFinishedTextMayComeAgain) {
  EXPECT_TRUE(admit("C", 0));
  tracker_.written(std::vector{hash128("C")});
  EXPECT_TRUE(admit("C", 1));
  tracker_.found(hash128("C"));
  EXPECT_EQ(tracker_.encoded(), 1U);
}

TEST_F(LedgerTest, AFailureIsThatOfEveryRecordWithTheText) {
  admit("X", 3);
  admit("X", 7);
  fail("X", "no such element");
  EXPECT_FALSE(admit("X", 5));
  const auto failed = tracker_.take_failed().first(4);
  ASSERT_EQ(failed.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(failed[i].row, 3 + 2 * i);
    EXPECT_EQ(failed[i].line, 4 + 2 * i);
    EXPECT_EQ(failed[i].file, "a.smi");
    EXPECT_EQ(failed[i].text, "X");
    EXPECT_EQ(failed[i].reason, "no such element");
  }
}

}  // namespace
}  // namespace molgauge::pipeline
