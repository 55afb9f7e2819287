// This program links all code that explains, simulates and compares recordings, and checks which libraries it
// loads.

#include <fstream>
#include <string>

#include <gmock/gmock.h>

#include "memgauge/explain/explanation.h"
#include "memgauge/recordings/event_log.h"

namespace molgauge::allocator {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string mapped_files() {
  std::ifstream maps("/proc/self/maps");
  return {std::istreambuf_iterator<char>(maps), std::istreambuf_iterator<char>()};
}

TEST(Libraries, OfTensorsMoleculesAndDatabasesAreNotNeededToExplainMemory) {
  EventLog log;
  log.allocate(1, 100 * kMebibyte, 0, 0);
  EXPECT_FALSE(explain(log.finish(), {}).explanation.text.empty());
  const std::string loaded = mapped_files();
  ASSERT_THAT(loaded, HasSubstr("libmolgauge_core"));
  for (const char* library : {"libtorch", "libc10", "libRDKit", "liblmdb", "libhdf5", "libmolgauge.so"}) {
    EXPECT_THAT(loaded, Not(HasSubstr(library)));
  }
}

}  // namespace
}  // namespace molgauge::allocator
