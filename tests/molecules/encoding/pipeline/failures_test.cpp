// Tests encode_molecules when a record or a stage fails, or when the user stops it.

#include <atomic>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/core/error.h"
#include "base/core/files/input_descriptor.h"
#include "base/core/session/cancellation.h"
#include "fakes.h"
#include "molecules/encoding/pipeline/encode_molecules.h"
#include "molecules/encoding/pipeline/feature_rows.h"
#include "support/no_more_threads.h"

namespace molgauge::pipeline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

using test::chains;
using test::FakeEncoder;
using test::MemoryTable;
using test::quietly;
using test::records_of;

/// Makes 600 chains, and replaces some of them by these texts.
std::vector<chem::MoleculeRecord> chains_with(const std::map<std::size_t, std::string>& texts) {
  auto records = chains(600);
  for (const auto& [row, text] : texts) {
    records[row].text = text;
  }
  return records;
}

/// Checks that every row belongs to one of the records and is correct. Returns the number of rows.
std::size_t expect_only_right_rows(const std::vector<chem::MoleculeRecord>& records,
                                   const FakeEncoder& encoder, const MemoryTable& table) {
  const auto rows = table.rows();
  std::size_t right = 0;
  for (const auto& record : records) {
    const auto row = rows.find(key_of(record));
    right += row != rows.end() && row->second == encoder.row_of(record) ? 1U : 0U;
  }
  EXPECT_EQ(right, rows.size());
  return right;
}

struct Cancellation : ::testing::Test {
  ~Cancellation() override { request_cancellation(false); }
};

TEST(Failures, AreReportedWithTheirPlaceAndTheirReasonAndHaveNoRow) {
  const auto records = chains_with({{10, "not a molecule"}, {200, "[He]"}, {201, "[Ne]"}, {599, "C1CC"}});
  for (const std::size_t threads : {1U, 8U}) {
    const FakeEncoder encoder;
    MemoryTable table;
    const auto outcome = encode_molecules(source_of(records), encoder, table, quietly(threads));
    ASSERT_EQ(outcome.failed.size(), 4U);
    EXPECT_EQ(outcome.encoded, 596U);
    EXPECT_EQ(outcome.from_store, 0U);
    EXPECT_EQ(table.size(), 596U);
    EXPECT_EQ(outcome.failed.first(9)[0].row, 10U);
    EXPECT_EQ(outcome.failed.first(9)[0].line, 11U);
    EXPECT_EQ(outcome.failed.first(9)[0].file, "molecules.smi");
    EXPECT_EQ(outcome.failed.first(9)[0].text, "not a molecule");
    EXPECT_FALSE(outcome.failed.first(9)[0].reason.empty());
    EXPECT_EQ(outcome.failed.first(9)[1].reason, "helium cannot be featurised");
    EXPECT_THAT(outcome.failed.first(9)[2].reason, HasSubstr("not finite"));
    EXPECT_EQ(outcome.failed.first(9)[3].row, 599U);
  }
}

TEST(Failures, EveryRowOfAFailedTextIsReported) {
  const auto records = chains_with({{0, "[Ne]"}, {1, "[Ne]"}, {300, "[Ne]"}, {599, "[Ne]"}});
  const FakeEncoder encoder;
  MemoryTable table;
  const auto outcome = encode_molecules(source_of(records), encoder, table, quietly(4));
  ASSERT_EQ(outcome.failed.size(), 4U);
  EXPECT_EQ(outcome.failed.first(9)[2].row, 300U);
  EXPECT_EQ(outcome.encoded, 596U);
}

TEST(Failures, AllRecordsMayFail) {
  const FakeEncoder encoder;
  MemoryTable table;
  const auto records = records_of({"x", "[He]", "[Ne]", ""});
  const auto outcome = encode_molecules(source_of(records), encoder, table, quietly());
  EXPECT_EQ(outcome.failed.size(), 4U);
  EXPECT_EQ(table.size(), 0U);
}

TEST(Strict, NamesTheFirstRecordThatFailsAndKeepsFinishedWork) {
  const auto records = chains_with({{150, "[Ne]"}, {152, "nonsense"}, {590, "[He]"}});
  for (const std::size_t threads : {1U, 2U, 8U}) {
    const FakeEncoder encoder;
    MemoryTable table;
    auto options = quietly(threads);
    options.strict = true;
    EXPECT_THAT([&] { encode_molecules(source_of(records), encoder, table, options); },
                ThrowsMessage<InputError>(AllOf(HasSubstr("molecules.smi:151: "), HasSubstr("not finite"))));
    EXPECT_GE(expect_only_right_rows(records, encoder, table), 150U);
  }
}

TEST(Strict, ReadsNoFurtherThanNeeded) {
  const FakeEncoder encoder;
  MemoryTable table;
  auto options = quietly(2);
  options.strict = true;
  options.batch_tokens = 64;
  std::size_t read = 0;
  const auto endless = [&]() -> std::optional<chem::MoleculeRecord> {
    ++read;
    return chem::MoleculeRecord{read == 5 ? "nonsense" : test::chain(read), chem::RecordFormat::smiles, read,
                                read, "-"};
  };
  EXPECT_THROW(encode_molecules(endless, encoder, table, options), InputError);
  EXPECT_LT(read, 5000U);
}

TEST(BrokenStage, SourceThatThrowsEndsTheRun) {
  const auto records = chains(600);
  const FakeEncoder encoder;
  MemoryTable table;
  const MoleculeSource source = [next = source_of(records), count = 0]() mutable {
    if (++count == 400) {
      throw InputError("molecules.smi:400: truncated");
    }
    return next();
  };
  EXPECT_THAT([&] { encode_molecules(source, encoder, table, quietly(4)); },
              ThrowsMessage<InputError>(HasSubstr("molecules.smi:400")));
  expect_only_right_rows(records, encoder, table);
}

TEST(BrokenStage, EncoderThatThrowsEndsTheRunAndFinishedWorkIsWritten) {
  const auto records = chains_with({{500, "[Ar]"}});
  for (const std::size_t threads : {1U, 8U}) {
    const FakeEncoder encoder;
    MemoryTable table;
    auto options = quietly(threads);
    options.batch_tokens = 128;
    EXPECT_THAT([&] { encode_molecules(source_of(records), encoder, table, options); },
                ThrowsMessage<std::runtime_error>(HasSubstr("argon")));
    EXPECT_GE(expect_only_right_rows(records, encoder, table), 50U);
  }
}

TEST(BrokenStage, WorkerThatCannotStartEndsTheRun) {
  const FakeEncoder encoder;
  MemoryTable table;
  auto options = quietly(4);
  options.on_worker_start = [] { throw Error("no threads left"); };
  const auto records = chains(600);
  EXPECT_THROW(encode_molecules(source_of(records), encoder, table, options), Error);
}

TEST(BrokenStage, TableThatCannotBeReadEndsTheRun) {
  const FakeEncoder encoder;
  MemoryTable table;
  int look_ups = 0;
  table.before_find = [&] {
    if (++look_ups == 2) {
      throw InputError("store is damaged");
    }
  };
  const auto records = chains(600);
  EXPECT_THROW(encode_molecules(source_of(records), encoder, table, quietly(2)), InputError);
  expect_only_right_rows(records, encoder, table);
}

TEST(BrokenStage, TableThatCannotBeWrittenEndsTheRunEvenWhenEverybodyWaitsForIt) {
  const auto records = chains(3000);
  for (const std::size_t threads : {1U, 8U}) {
    const FakeEncoder encoder;
    MemoryTable table;
    auto options = quietly(threads);
    options.batch_tokens = 64;
    table.before_write = [] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      throw Error("disk full");
    };
    EXPECT_THAT([&] { encode_molecules(source_of(records), encoder, table, options); },
                ThrowsMessage<Error>(HasSubstr("disk full")));
    EXPECT_EQ(table.size(), 0U);
    EXPECT_LT(encoder.batches().size(), 300U);
  }
}

TEST(BrokenStage, NothingMoreIsReadAfterAFailedWrite) {
  const auto first = chains(600);
  const FakeEncoder encoder;
  MemoryTable table;
  auto options = quietly(2);
  options.batch_tokens = 64;
  std::atomic<bool> failed = false;
  table.before_write = [&] {
    failed = true;
    throw Error("disk full");
  };
  std::size_t read = 0, read_afterwards = 0;
  // Repeated molecules need no work, so the queue is never full here.
  const auto nearly_endless = [&]() -> std::optional<chem::MoleculeRecord> {
    read_afterwards += failed ? 1U : 0U;
    if (failed) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    auto record = first[read++ % first.size()];
    record.row = read;
    return read_afterwards < 20'000 ? std::optional(record) : std::nullopt;
  };
  EXPECT_THAT([&] { encode_molecules(nearly_endless, encoder, table, options); },
              ThrowsMessage<Error>(HasSubstr("disk full")));
  EXPECT_LT(read_afterwards, 5'000U);
}

TEST(BrokenStage, APipeThatFallsSilentIsNotWaitedForAfterAFailedWrite) {
  const auto first = chains(600);
  const FakeEncoder encoder;
  MemoryTable table;
  auto options = quietly(2);
  options.batch_tokens = 64;
  table.before_write = [] { throw Error("disk full"); };
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::size_t read = 0;
  const auto silent = [&]() -> std::optional<chem::MoleculeRecord> {
    if (read == first.size()) {
      wait_until_readable(ends[0]);
    }
    return first[read++];
  };
  EXPECT_THAT([&] { encode_molecules(silent, encoder, table, options); },
              ThrowsMessage<Error>(HasSubstr("disk full")));
  close(ends[0]);
  close(ends[1]);
}

/// A table that loses one row after each of the first `losses` reads, as if another process removed the row.
class LosingTable : public MemoryTable {
 public:
  explicit LosingTable(std::size_t losses) : losses_(losses) {}
  std::vector<bool> read(std::span<const Hash128> keys, std::span<float> rows) override {
    std::vector<bool> found = MemoryTable::read(keys, rows);
    if (losses_ > 0) {
      --losses_;
      found.at(7) = false;
    }
    return found;
  }

 private:
  std::size_t losses_;
};

TEST(LostRow, IsEncodedAgainAndNeverReturnedAsNaN) {
  auto records = chains(20);
  records[3].text = "nonsense";
  const FakeEncoder encoder;
  std::vector<float> rows(records.size() * FakeEncoder::kWidth);
  const auto encode_into_rows = [&](MemoryTable& table) {
    return encode_into(rows, table,
                       [&] { return encode_molecules(source_of(records), encoder, table, quietly(2)); });
  };
  LosingTable once(1);
  EXPECT_EQ(encode_into_rows(once).failed.size(), 1U);
  for (std::size_t row = 0; row < records.size(); ++row) {
    EXPECT_EQ(std::isnan(rows[row * FakeEncoder::kWidth]), row == 3) << row;
  }
  LosingTable always(100);
  EXPECT_THAT([&] { encode_into_rows(always); }, ThrowsMessage<Error>(HasSubstr("molecule")));
}

TEST_F(Cancellation, KeepsFinishedWorkAndTheNextRunGivesTheSameRows) {
  const auto records = chains(900);
  FakeEncoder encoder;
  MemoryTable undisturbed, table;
  auto options = quietly(2);
  options.batch_tokens = 128;
  encode_molecules(source_of(records), encoder, undisturbed, options);
  const std::size_t batches = encoder.batches().size();

  std::size_t runs = 0;
  for (bool done = false; !done; ++runs) {
    encoder.on_batch = [&, until = encoder.batches().size() + batches / 3](std::size_t batch) {
      if (batch >= until) {
        request_cancellation();
      }
    };
    const std::size_t before = table.size();
    try {
      encode_molecules(source_of(records), encoder, table, options);
      done = true;
    } catch (const Interrupted&) {
      EXPECT_GT(table.size(), before);
      ASSERT_LT(runs, 20U);
    }
    request_cancellation(false);
  }
  EXPECT_GE(runs, 3U);
  EXPECT_EQ(table.rows(), undisturbed.rows());
}

TEST_F(Cancellation, EndsAnEndlessInput) {
  const FakeEncoder encoder;
  MemoryTable table;
  std::size_t read = 0;
  const auto endless = [&]() -> std::optional<chem::MoleculeRecord> {
    if (++read == 700) {
      request_cancellation();
    }
    return chem::MoleculeRecord{test::chain(read), chem::RecordFormat::smiles, read, read, "-"};
  };
  EXPECT_THROW(encode_molecules(endless, encoder, table, quietly(2)), Interrupted);
  EXPECT_EQ(read, 700U);
}

TEST(Failures, NoThreadToBeHadEndsTheRun) {
  const auto records = chains(600);
  const FakeEncoder encoder;
  MemoryTable table;
  const molgauge::test::NoMoreThreads none;
  EXPECT_THAT([&] { encode_molecules(source_of(records), encoder, table, quietly(4)); },
              ThrowsMessage<Error>(HasSubstr("cannot start a thread")));
}

}  // namespace
}  // namespace molgauge::pipeline
