#include "base/memory/measure/machine_memory.h"

#include <string>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "support/fixtures.h"

namespace molgauge::memory {
namespace {

constexpr std::uint64_t kKibibyte = 1024;

/// A machine with 1,000 KiB, 600 KiB of which are available.
class MachineMemoryTest : public ::testing::Test {
 protected:
  MachineMemoryTest() { put("proc/meminfo", "MemTotal: 1000 kB\nMemFree: 10 kB\nMemAvailable: 600 kB\n"); }

  void put(const std::string& name, const std::string& content) {
    make_folder((folder_ / name).parent_path());
    replace_file(folder_ / name, content);
  }
  void expect(std::uint64_t total_kibibytes, std::uint64_t available_kibibytes) {
    const MachineMemory memory = machine_memory(folder_.path());
    EXPECT_EQ(memory.total, total_kibibytes * kKibibyte);
    EXPECT_EQ(memory.available, available_kibibytes * kKibibyte);
  }

  test::TemporaryFolder folder_;
};

std::string bytes(std::uint64_t kibibytes) { return std::to_string(kibibytes * kKibibyte) + "\n"; }

TEST_F(MachineMemoryTest, IsThatOfTheMachineWithoutControlGroups) { expect(1000, 600); }

TEST_F(MachineMemoryTest, ObeysTheLimitOfVersion2AndCountsDroppableCacheAsAvailable) {
  put("proc/self/cgroup", "0::/user/session\n");
  put("sys/fs/cgroup/user/session/memory.max", bytes(500));
  put("sys/fs/cgroup/user/session/memory.current", bytes(300));
  put("sys/fs/cgroup/user/session/memory.stat", "anon 1\nactive_file 9\ninactive_file " + bytes(100));
  expect(500, 300);
}

TEST_F(MachineMemoryTest, TheTightestGroupOnTheWayUpCounts) {
  put("proc/self/cgroup", "0::/user/session\n");
  put("sys/fs/cgroup/user/session/memory.max", "max\n");
  put("sys/fs/cgroup/user/memory.max", bytes(400));
  put("sys/fs/cgroup/user/memory.current", bytes(100));
  expect(400, 300);
}

TEST_F(MachineMemoryTest, AGroupWithAWiderLimitMayHaveLessLeft) {
  put("proc/self/cgroup", "0::/user/session\n");
  put("sys/fs/cgroup/user/session/memory.max", bytes(400));
  put("sys/fs/cgroup/user/session/memory.current", bytes(100));
  put("sys/fs/cgroup/user/memory.max", bytes(800));
  put("sys/fs/cgroup/user/memory.current", bytes(700));
  expect(400, 100);
}

TEST_F(MachineMemoryTest, AContainerSeesItsLimitAtTheRoot) {
  put("proc/self/cgroup", "0::/host/path/that/is/not/mounted\n");
  put("sys/fs/cgroup/memory.max", bytes(250));
  put("sys/fs/cgroup/memory.current", bytes(200));
  expect(250, 50);
}

TEST_F(MachineMemoryTest, ObeysTheLimitOfVersion1) {
  put("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/job\n3:cpuset:/\n");
  put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  put("sys/fs/cgroup/memory/job/memory.limit_in_bytes", bytes(700));
  put("sys/fs/cgroup/memory/job/memory.usage_in_bytes", bytes(350));
  put("sys/fs/cgroup/memory/job/memory.stat", "inactive_file 0\ntotal_inactive_file " + bytes(50));
  expect(700, 400);
}

TEST_F(MachineMemoryTest, AGroupOverItsLimitHasNothingLeft) {
  put("proc/self/cgroup", "0::/\n");
  put("sys/fs/cgroup/memory.max", bytes(100));
  put("sys/fs/cgroup/memory.current", bytes(120));
  expect(100, 0);
}

TEST_F(MachineMemoryTest, IgnoresLinesThatAreNoGroups) {
  put("proc/self/cgroup", "\n:\nnonsense\n4:memory\n");
  expect(1000, 600);
}

TEST_F(MachineMemoryTest, SaysWhatIsMissingWithoutProc) {
  put("proc/meminfo", "nothing of use\n");
  EXPECT_THROW(machine_memory(folder_.path()), Error);
}

TEST(MachineMemory, OfThisMachineIsSane) {
  const MachineMemory memory = machine_memory();
  EXPECT_GT(memory.available, 0U);
  EXPECT_LE(memory.available, memory.total);
}

}  // namespace
}  // namespace molgauge::memory
