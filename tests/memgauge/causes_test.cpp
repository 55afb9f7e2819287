// Tests the explanations of twenty example programs that run out of memory in different ways. Checks the
// reported cause, and whether the cures have the promised effect.

#include "memgauge/explain/causes.h"

#include <gmock/gmock.h>

#include "failing_programs.h"
#include "memgauge/explain/explanation.h"
#include "memgauge/recordings/recording_file.h"
#include "support/fixtures.h"

namespace molgauge::allocator {
namespace {

using test::FailingProgram;

std::vector<Recording> recordings_of(const FailingProgram& program) {
  const molgauge::test::TemporaryFolder folder;
  std::vector<Recording> recordings;
  for (const auto& path : test::write_snapshots(program, folder.path())) {
    for (auto& recording : read_recordings(path)) {
      recordings.push_back(std::move(recording));
    }
  }
  return recordings;
}

TEST(FailingPrograms, AreTwentyKindsThatAllRunOut) {
  const auto programs = test::failing_programs();
  EXPECT_EQ(programs.size(), 20U);
  for (const auto& program : programs) {
    EXPECT_FALSE(test::fits_to_the_end(program, program.settings)) << program.name;
  }
}

TEST(FailingPrograms, TheirCauseIsNamed) {
  for (const auto& program : test::failing_programs()) {
    const auto explanation = explain(recordings_of(program), {}).front().explanation;
    EXPECT_STREQ(name_of(explanation.cause), name_of(program.cause)) << program.name << "\n"
                                                                     << explanation.text;
    // An explanation names one cause, in the headline or in the sentence after it.
    const bool is_fragmentation = program.cause == MemoryCause::fragmentation;
    EXPECT_EQ(explanation.text.find("Memory is fragmented") != std::string::npos, is_fragmentation)
        << program.name << "\n"
        << explanation.text;
    EXPECT_EQ(explanation.text.find(explanation.cause_text) != std::string::npos, !is_fragmentation)
        << program.name << "\n"
        << explanation.text;
    EXPECT_EQ(explanation.leaks.empty(), program.cause != MemoryCause::leak) << program.name << "\n"
                                                                             << explanation.text;
  }
}

/// Returns 0.9 for the change "batches of 90 % of the size".
double batch_share(const std::string& change) {
  const std::string start = "batches of ";
  EXPECT_TRUE(change.starts_with(start)) << change;
  return std::stod(change.substr(start.size())) / 100;
}

TEST(FailingPrograms, ACureThatIsSaidToBeVerifiedHoldsToTheEnd) {
  std::size_t settings = 0, batches = 0;
  for (const auto& program : test::failing_programs()) {
    const auto explanation = explain(recordings_of(program), {}).front().explanation;
    for (const auto& cure : explanation.cures) {
      EXPECT_EQ(cure.tried_to_the_end, program.goes_on) << program.name << ": " << cure.change;
      if (!cure.is_cure || !cure.tried_to_the_end) {
        continue;
      }
      if (cure.is_setting) {
        EXPECT_TRUE(test::fits_to_the_end(program, cure.settings)) << program.name << ": " << cure.change;
        ++settings;
      } else {
        EXPECT_TRUE(test::fits_to_the_end(program, program.settings, batch_share(cure.change)))
            << program.name << ": " << cure.change;
        ++batches;
      }
    }
    // If the recording ends with the failure, the events after it are unknown.
    EXPECT_EQ(explanation.text.find("verified by simulation") != std::string::npos, program.goes_on)
        << program.name << "\n"
        << explanation.text;
  }
  EXPECT_GT(settings, 0U);
  EXPECT_GT(batches, 0U);
}

}  // namespace
}  // namespace molgauge::allocator
