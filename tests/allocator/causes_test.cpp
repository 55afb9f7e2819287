// Programs of ours that run out of memory in twenty ways: the cause that is named, and what cures promise.

#include "allocator/explain/causes.h"

#include <gmock/gmock.h>

#include "allocator/explain/explanation.h"
#include "allocator/recordings/recording_file.h"
#include "failing_programs.h"
#include "support/fixtures.h"

namespace headroom::allocator {
namespace {

using test::FailingProgram;

std::vector<Recording> recordings_of(const FailingProgram& program) {
  const headroom::test::TemporaryFolder folder;
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
    EXPECT_THAT(explanation.text, testing::HasSubstr(explanation.cause_text)) << program.name;
  }
}

TEST(FailingPrograms, ACureThatIsSaidToBeVerifiedHoldsToTheEnd) {
  std::size_t verified = 0;
  for (const auto& program : test::failing_programs()) {
    const auto explanation = explain(recordings_of(program), {}).front().explanation;
    for (const auto& cure : explanation.cures) {
      if (cure.is_cure && cure.is_setting && cure.tried_to_the_end) {
        const std::size_t start = cure.change.find('=') + 1;
        EXPECT_TRUE(test::fits_to_the_end(program, cure.change.substr(start, cure.change.find(' ') - start)))
            << program.name << ": " << cure.change;
        ++verified;
      }
    }
    EXPECT_EQ(explanation.text.find("verified by simulation") != std::string::npos,
              !explanation.cures.empty() && explanation.cures.front().is_cure &&
                  explanation.cures.front().tried_to_the_end)
        << program.name;
  }
  EXPECT_GT(verified, 0U);
}

}  // namespace
}  // namespace headroom::allocator
