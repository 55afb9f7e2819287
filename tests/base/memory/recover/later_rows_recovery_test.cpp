// Tests the recovery if memory is refused in the thread of WriteBehindTable.

#include <chrono>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "fakes.h"
#include "host_allocations.h"
#include "molecules/encoding/pipeline/write_behind_table.h"

namespace molgauge::pipeline {
namespace {

using molgauge::test::RefusableAllocations;
using molgauge::test::refuse_host_allocation;

/// After each write, refuses the next allocation of the thread that called write().
class RefusingTable : public test::MemoryTable {
 public:
  void write(std::span<const Hash128> keys, std::span<const float> rows) override {
    MemoryTable::write(keys, rows);
    thread_local std::optional<RefusableAllocations> until_the_thread_ends;
    until_the_thread_ends.emplace();
    refuse_host_allocation(1);
  }
};

/// The thread of WriteBehindTable also allocates outside of RefusingTable::write(), when it collects the
/// waiting rows. The thread runs until the end of the test.
TEST(LaterRowsRecovery, AThreadWithoutMemoryFailsTheNextWriteAndNotTheProgram) {
  WriteBehindTable rows(std::make_unique<RefusingTable>());
  const std::vector<float> row(test::FakeEncoder::kWidth, 1.0F);
  std::size_t failed = 0;
  for (int i = 0; i < 200 && failed == 0; ++i) {
    const Hash128 key = hash128(std::to_string(i));
    try {
      rows.write({&key, 1}, row);
    } catch (const std::bad_alloc&) {
      ++failed;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  refuse_host_allocation(0);
  EXPECT_EQ(failed, 1U);
  const Hash128 key = hash128("another");
  rows.write({&key, 1}, row);
  EXPECT_TRUE(rows.find({&key, 1})[0]);
}

}  // namespace
}  // namespace molgauge::pipeline
