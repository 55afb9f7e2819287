#include "base/runtime/failure_log.h"

#include <random>

#include <gtest/gtest.h>

#include "base/memory/measure/host_memory.h"
#include "support/fixtures.h"
#include "support/instrumented.h"

namespace molgauge::pipeline {
namespace {

FailedMolecule failure(std::size_t row, std::size_t text_bytes = 8) {
  return {row, row + 1, row % 2 == 0 ? "even.smi" : "odd.smi",
          std::string(text_bytes, 'X') + std::to_string(row), "reason " + std::to_string(row)};
}

void expect_same(const FailedMolecule& one, const FailedMolecule& other) {
  EXPECT_EQ(one.row, other.row);
  EXPECT_EQ(one.line, other.line);
  EXPECT_EQ(one.file, other.file);
  EXPECT_EQ(one.text, other.text);
  EXPECT_EQ(one.reason, other.reason);
}

/// Row numbers in the order in which workers report them. Within a window, rows arrive in any order.
std::vector<std::size_t> nearly_in_order(std::size_t count) {
  std::vector<std::size_t> rows(count);
  std::mt19937 engine(1);
  constexpr std::size_t kWindow = 37;
  for (std::size_t i = 0; i < count; ++i) {
    rows[i] = i;
  }
  for (std::size_t first = 0; first < count; first += kWindow) {
    std::shuffle(rows.begin() + static_cast<std::ptrdiff_t>(first),
                 rows.begin() + static_cast<std::ptrdiff_t>(std::min(count, first + kWindow)), engine);
  }
  return rows;
}

TEST(FailureLog, GivesBackByRowWhatCameNearlyInOrder) {
  test::TemporaryFolder folder;
  FailureLog log(folder.path());
  constexpr std::size_t kCount = 40000;  // these are more entries than fit in memory
  for (const std::size_t row : nearly_in_order(kCount)) {
    log.append(failure(row, 40));
  }
  ASSERT_EQ(log.size(), kCount);
  std::size_t next = 0;
  log.for_each([&](const FailedMolecule& molecule) {
    expect_same(molecule, failure(next++, 40));
    return !testing::Test::HasFailure();
  });
  EXPECT_EQ(next, kCount);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "the file has no name";
}

TEST(FailureLog, GivesTheFirstOnesAndStaysAsItIs) {
  FailureLog log;
  for (const std::size_t row : {7U, 3U, 9U, 1U}) {
    log.append(failure(row));
  }
  for (int again = 0; again < 2; ++again) {
    const auto first = log.first(2);
    ASSERT_EQ(first.size(), 2U);
    expect_same(first[0], failure(1));
    expect_same(first[1], failure(3));
  }
  EXPECT_EQ(log.first(100).size(), 4U);
  EXPECT_TRUE(FailureLog().first(3).empty());
}

TEST(FailureLog, GivesThoseOfSeveralInputsAsTheyCame) {
  FailureLog log({}, FailureLog::Order::as_appended);
  log.append_all({failure(7), failure(3)});
  log.append_all({failure(1), failure(9)});
  const auto all = log.first(10);
  ASSERT_EQ(all.size(), 4U);
  for (std::size_t i = 0; i < all.size(); ++i) {
    expect_same(all[i], failure(std::vector<std::size_t>{7, 3, 1, 9}[i]));
  }
}

TEST(FailureLog, GivesNoMoreTextAtOnceThanAMebibyte) {
  FailureLog log;
  for (std::size_t row = 0; row < 10; ++row) {
    log.append(failure(row, 600'000));
  }
  EXPECT_EQ(log.first(10).size(), 1U);
  EXPECT_EQ(log.all().size(), log.size());
  std::size_t seen = 0;
  log.for_each([&](const FailedMolecule&) { return ++seen > 0; });
  EXPECT_EQ(seen, 10U);
}

TEST(FailureLog, TakesBoundedMemory) {
  test::TemporaryFolder folder;
  FailureLog log(folder.path());
  for (std::size_t row = 0; row < 1000; ++row) {
    log.append(failure(row, 200));
  }
  const std::uint64_t before = memory::resident_bytes();
  for (std::size_t row = 1000; row < 200000; ++row) {
    log.append(failure(row, 200));
  }
  std::size_t seen = 0;
  log.for_each([&](const FailedMolecule&) { return ++seen > 0; });
  EXPECT_EQ(seen, log.size());
  EXPECT_TRUE(test::is_instrumented() || memory::resident_bytes() < before + (std::uint64_t{16} << 20))
      << "of 50 MiB of text";
}

TEST(FailureLog, SaysWhereItCannotWrite) {
  FailureLog log("/nowhere");
  try {
    for (std::size_t row = 0; row < 10000; ++row) {
      log.append(failure(row, 200));
    }
    FAIL() << "there is no such folder";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("/nowhere"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace molgauge::pipeline
