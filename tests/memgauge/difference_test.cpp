#include "memgauge/explain/difference.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "memgauge/recordings/event_log.h"

namespace molgauge::allocator {
namespace {

using testing::HasSubstr;

Recording recording(std::uint64_t batch_mib, std::uint64_t kept_mib) {
  EventLog log;
  const std::uint32_t model = log.origin("model"), batch = log.origin("batch"), cache = log.origin("cache");
  log.allocate(1, 50 * kMebibyte, 0, model);
  log.begin_phase("forward");
  log.allocate(2, batch_mib * kMebibyte, 0, batch);
  if (kept_mib > 0) {
    log.allocate(3, kept_mib * kMebibyte, 0, cache);
  }
  log.end_phase();
  log.free(2, 0, 0);
  Recording made = log.finish();
  made.source = std::to_string(batch_mib);
  return made;
}

TEST(Difference, NamesWhatGrewAtThePeaksAndAtTheEnds) {
  const auto difference = difference_between(recording(100, 0), recording(150, 30));
  EXPECT_EQ(difference.before_peak_bytes, 150 * kMebibyte);
  EXPECT_EQ(difference.after_peak_bytes, 230 * kMebibyte);
  ASSERT_EQ(difference.at_peak.size(), 2U) << "the model is the same";
  EXPECT_EQ(difference.at_peak[0].origin, "batch");
  EXPECT_EQ(difference.at_peak[0].after_bytes, 150 * kMebibyte);
  EXPECT_EQ(difference.at_peak[1].origin, "cache");
  ASSERT_EQ(difference.at_end.size(), 1U);
  EXPECT_EQ(difference.at_end[0].origin, "cache");
  EXPECT_EQ(difference.at_end[0].before_bytes, 0U);
  ASSERT_EQ(difference.by_phase.size(), 1U);
  EXPECT_EQ(difference.by_phase[0].origin, "forward");
  EXPECT_THAT(difference.text, HasSubstr("+50.0 MiB"));
  EXPECT_THAT(difference.text, HasSubstr("+30.0 MiB"));
  const auto json = nlohmann::json::parse(difference.json);
  EXPECT_EQ(json.at("format_version"), 1);
  EXPECT_EQ(json.at("at_peak").at(0).at("after_bytes"), 150 * kMebibyte);
}

TEST(Difference, OfOneRecordingIsNothing) {
  const auto difference = difference_between(recording(100, 10), recording(100, 10));
  EXPECT_TRUE(difference.at_peak.empty());
  EXPECT_TRUE(difference.at_end.empty());
  EXPECT_THAT(difference.text, HasSubstr("(+0 B)"));
}

}  // namespace
}  // namespace molgauge::allocator
