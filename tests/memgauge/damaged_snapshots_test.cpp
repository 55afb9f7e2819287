// Tests that truncated and damaged snapshots are refused, or explained up to the damage.
// $MOLGAUGE_DAMAGED_SNAPSHOTS sets the number of damaged versions of each file (default 16).

#include <cstdlib>
#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "byte_text.h"
#include "memgauge/explain/difference.h"
#include "memgauge/explain/explanation.h"
#include "memgauge/explain/simulation.h"
#include "memgauge/page/explanation_page.h"
#include "memgauge/recordings/snapshot_reader.h"
#include "support/fixtures.h"

namespace molgauge::allocator {
namespace {

std::size_t count_of_each() {
  const char* const count = std::getenv("MOLGAUGE_DAMAGED_SNAPSHOTS");
  return count == nullptr ? 16 : static_cast<std::size_t>(std::atoi(count));
}

/// Explains, draws, simulates and compares a snapshot. Returns whether it could be read.
bool survives(const std::string& bytes) {
  try {
    test::TextSource source(bytes, std::size_t{1} << 20);
    SnapshotOptions options;
    options.all_devices = true;
    const auto recordings = read_snapshot_devices(source, "s.pickle", options);
    ExplainMemoryRequest request;
    request.page = "page.html";
    request.device = "all";
    explanation_page(explain(recordings, request));
    simulate(recordings.front(), {});
    difference_between(recordings.front(), recordings.back());
    return true;
  } catch (const InputError&) {
    return false;
  }
}

void expect_survival(const std::string& whole, std::uint32_t seed) {
  std::mt19937 bits(seed);
  std::size_t read = 0, refused = 0;
  for (std::size_t i = 0; i < count_of_each(); ++i) {
    std::string damaged = whole;
    if (i % 4 == 0) {
      damaged.resize(bits() % whole.size());
    } else {
      for (std::uint32_t flips = 1 + bits() % 8; flips > 0; --flips) {
        const std::size_t place = bits() % damaged.size();
        damaged[place] = static_cast<char>(damaged[place] ^ (1 << bits() % 8));
      }
    }
    ++(survives(damaged) ? read : refused);
  }
  EXPECT_GT(refused, 0U);
  EXPECT_EQ(read + refused, count_of_each());
}

TEST(DamagedSnapshots, OfOursAreRefusedOrExplained) {
  for (int protocol = 2; protocol < 6; ++protocol) {
    const auto path = molgauge::test::own_data("allocator/protocol" + std::to_string(protocol) + ".pickle");
    ASSERT_TRUE(survives(read_file(path)));
    expect_survival(read_file(path), static_cast<std::uint32_t>(protocol));
  }
}

TEST(DamagedSnapshotsParity, OfOthersAreRefusedOrExplained) {
  REQUIRE_REFERENCE("snapshots/facts.json");
  const auto facts = nlohmann::json::parse(read_file(molgauge::test::reference_data("snapshots/facts.json")));
  std::uint32_t seed = 0;
  for (const auto& [name, about] : facts.items()) {
    SCOPED_TRACE(name);
    expect_survival(read_file(molgauge::test::reference_data("snapshots/" + name)), ++seed);
  }
}

}  // namespace
}  // namespace molgauge::allocator
