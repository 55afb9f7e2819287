#include "molecules/encoding/pipeline/write_behind_table.h"

#include <atomic>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes.h"
#include "support/fixtures.h"

namespace molgauge::pipeline {
namespace {

using test::FakeEncoder;
using test::MemoryTable;
using testing::Each;
using testing::ElementsAre;

Hash128 key(int number) { return hash128(std::to_string(number)); }
std::vector<float> row(float number) { return std::vector<float>(FakeEncoder::kWidth, number); }

/// Forwards all calls to a table that outlives the WriteBehindTable under test.
class Shared : public RowTable {
 public:
  explicit Shared(MemoryTable& table) : table_(table) {}
  std::vector<bool> find(std::span<const Hash128> keys) override { return table_.find(keys); }
  std::vector<bool> read(std::span<const Hash128> keys, std::span<float> rows) override {
    return table_.read(keys, rows);
  }
  void write(std::span<const Hash128> keys, std::span<const float> rows) override {
    table_.write(keys, rows);
  }

 private:
  MemoryTable& table_;
};

class LaterRowsTest : public testing::Test {
 protected:
  /// Blocks all writes to the table until release() is called.
  void hold() {
    table_.before_write = [this] { released_.wait(false); };
  }
  void release() {
    released_ = true;
    released_.notify_all();
  }
  static void write_one(RowTable& rows, int number) {
    const Hash128 one = key(number);
    rows.write({&one, 1}, row(static_cast<float>(number)));
  }

  std::atomic<bool> released_ = false;
  MemoryTable table_;
};

TEST_F(LaterRowsTest, ARowThatWaitsIsFoundAndRead) {
  hold();
  WriteBehindTable rows(std::make_unique<Shared>(table_));
  write_one(rows, 7);
  const std::vector<Hash128> keys = {key(6), key(7)};
  EXPECT_THAT(rows.find(keys), ElementsAre(false, true));
  EXPECT_THAT(rows.find(std::span(keys).last(1)), ElementsAre(true));
  std::vector<float> numbers(2 * FakeEncoder::kWidth, -1.0F);
  EXPECT_THAT(rows.read(keys, numbers), ElementsAre(false, true));
  EXPECT_THAT(std::span(numbers).first(FakeEncoder::kWidth), Each(-1.0F));
  EXPECT_THAT(std::span(numbers).last(FakeEncoder::kWidth), Each(7.0F));
  EXPECT_EQ(table_.size(), 0U);
  release();
}

TEST_F(LaterRowsTest, WhatWaitsIsWrittenInTheEnd) {
  hold();
  {
    WriteBehindTable rows(std::make_unique<Shared>(table_));
    for (int i = 0; i < 10; ++i) {
      write_one(rows, i);
    }
    release();
  }
  ASSERT_EQ(table_.size(), 10U);
  EXPECT_EQ(table_.rows().at(key(3)), row(3));
  EXPECT_GT(table_.largest_transaction(), 1U);  // rows that arrive during the first write share a transaction
}

TEST_F(LaterRowsTest, SeveralRowsAreThereWhenWriteReturnsAndThoseBeforeThem) {
  WriteBehindTable rows(std::make_unique<Shared>(table_));
  table_.delay = std::chrono::milliseconds(20);
  write_one(rows, 1);
  const std::vector<Hash128> keys = {key(2), key(3)};
  rows.write(keys, std::vector<float>(2 * FakeEncoder::kWidth, 5.0F));
  EXPECT_EQ(table_.size(), 3U);
}

TEST_F(LaterRowsTest, NoMoreThanSoManyWait) {
  WriteBehindTable rows(std::make_unique<Shared>(table_));
  table_.delay = std::chrono::milliseconds(1);
  for (std::size_t i = 0; i < 4 * WriteBehindTable::kMaxWaiting; ++i) {
    write_one(rows, static_cast<int>(i));
    ASSERT_GE(table_.size() + WriteBehindTable::kMaxWaiting, i + 1);
  }
}

TEST_F(LaterRowsTest, AFailureIsThrownByTheNextWriteAndTheRowCountsAsAbsent) {
  table_.before_write = [this] {
    if (!released_) {
      throw std::runtime_error("the disk is full");
    }
  };
  WriteBehindTable rows(std::make_unique<Shared>(table_));
  write_one(rows, 1);
  const std::vector<Hash128> none;
  EXPECT_THROW(rows.write(none, {}), std::runtime_error);
  EXPECT_THAT(rows.find(std::vector{key(1)}), ElementsAre(false));
  release();
  write_one(rows, 1);
  rows.write(none, {});
  EXPECT_EQ(table_.size(), 1U);
}

}  // namespace
}  // namespace molgauge::pipeline
