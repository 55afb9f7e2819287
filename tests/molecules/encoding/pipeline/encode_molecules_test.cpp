#include "molecules/encoding/pipeline/encode_molecules.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>

#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "fakes.h"
#include "molecules/files/molecule_reader.h"
#include "support/fixtures.h"

namespace molgauge::pipeline {
namespace {

using test::chain;
using test::chains;
using test::FakeEncoder;
using test::MemoryTable;
using test::quietly;
using test::records_of;

EncodeOutcome encode(const std::vector<chem::MoleculeRecord>& records, const FakeEncoder& encoder,
                     MemoryTable& table, const PipelineOptions& options = quietly()) {
  return encode_molecules(source_of(records), encoder, table, options);
}

void expect_rows(const std::vector<chem::MoleculeRecord>& records, const FakeEncoder& encoder,
                 const MemoryTable& table) {
  const auto rows = table.rows();
  for (const auto& record : records) {
    const auto row = rows.find(key_of(record));
    ASSERT_TRUE(row != rows.end()) << "line " << record.line;
    EXPECT_EQ(row->second, encoder.row_of(record)) << "line " << record.line;
  }
}

TEST(EncodeMolecules, EveryMoleculeGetsItsOwnRowForAnyNumberOfThreads) {
  const auto records = chains(1500);
  for (const std::size_t threads : {1U, 2U, 3U, 5U, 8U}) {
    const FakeEncoder encoder;
    MemoryTable table;
    const auto outcome = encode(records, encoder, table, quietly(threads));
    EXPECT_EQ(outcome.rows, 1500U);
    EXPECT_EQ(outcome.encoded, 1500U);
    EXPECT_EQ(outcome.from_store, 0U);
    EXPECT_TRUE(outcome.failed.empty());
    expect_rows(records, encoder, table);
  }
}

TEST(EncodeMolecules, KeysAreAlignedWithTheInput) {
  const auto records = chains(700);
  const FakeEncoder encoder;
  MemoryTable table;
  const auto outcome = encode(records, encoder, table);
  ASSERT_EQ(outcome.keys.size(), 700U);
  for (std::size_t i = 0; i < records.size(); ++i) {
    EXPECT_EQ(outcome.keys[i], key_of(records[i]));
  }
}

TEST(EncodeMolecules, KeepsNoKeysWhereNobodyWantsThem) {
  const auto records = chains(30);
  const FakeEncoder encoder;
  MemoryTable table;
  PipelineOptions options = quietly();
  options.keep_keys = false;
  const auto outcome = encode_molecules(source_of(records), encoder, table, options);
  EXPECT_EQ(outcome.rows, 30U);
  EXPECT_EQ(outcome.encoded, 30U);
  EXPECT_TRUE(outcome.keys.empty());
  expect_rows(records, encoder, table);
}

TEST(EncodeMolecules, ReadsAnInputFile) {
  const molgauge::test::TemporaryFolder folder;
  replace_file(folder / "in.csv", "id,smiles\n1,CCO\n2,nonsense\n3,CCN\n");
  const auto reader = io::open_molecules((folder / "in.csv").string());
  const FakeEncoder encoder;
  MemoryTable table;
  const auto outcome = encode_molecules(source_of(*reader), encoder, table, quietly());
  EXPECT_EQ(outcome.rows, 3U);
  ASSERT_EQ(outcome.failed.size(), 1U);
  EXPECT_EQ(outcome.failed.first(9)[0].line, 3U);
  EXPECT_EQ(outcome.keys[2], hash128("CCN"));
}

TEST(EncodeMolecules, NoMoleculesIsNoWork) {
  const FakeEncoder encoder;
  MemoryTable table;
  const auto outcome = encode({}, encoder, table);
  EXPECT_EQ(outcome.rows, 0U);
  EXPECT_TRUE(encoder.batches().empty());
}

TEST(EncodeMolecules, BatchesAreTheSameForAnyNumberOfThreads) {
  const auto records = chains(2000);
  std::vector<std::vector<std::size_t>> expected;
  for (const std::size_t threads : {1U, 4U, 8U}) {
    const FakeEncoder encoder;
    MemoryTable table;
    encode(records, encoder, table, quietly(threads));
    if (expected.empty()) {
      expected = encoder.batches();
    }
    EXPECT_EQ(encoder.batches(), expected);
  }
}

TEST(EncodeMolecules, NoBatchIsLargerThanAskedAndMostAreNearlyFull) {
  auto options = quietly(4);
  options.batch_tokens = 256;
  const FakeEncoder encoder;
  MemoryTable table;
  encode(chains(2000), encoder, table, options);
  std::size_t atoms = 0;
  for (const auto& batch : encoder.batches()) {
    const std::size_t total = std::accumulate(batch.begin(), batch.end(), std::size_t{0});
    EXPECT_LE(total, 256U);
    atoms += total;
  }
  const auto fill = static_cast<double>(atoms) / static_cast<double>(encoder.batches().size() * 256);
  EXPECT_GT(fill, 0.8);
}

TEST(EncodeMolecules, AHugeMoleculeIsABatchOfItsOwnAndChangesNoOther) {
  auto options = quietly(4);
  options.batch_tokens = 512;
  auto records = chains(600);
  const FakeEncoder without;
  MemoryTable table_without;
  encode(records, without, table_without, options);

  std::vector<std::string> texts;
  for (const auto& record : records) {
    texts.push_back(record.text);
  }
  texts.insert(texts.begin() + 100, std::string(600, 'C'));
  records = records_of(texts);
  const FakeEncoder with;
  MemoryTable table_with;
  const auto outcome = encode(records, with, table_with, options);
  ASSERT_TRUE(outcome.failed.empty()) << outcome.failed.first(9)[0].reason;
  expect_rows(records, with, table_with);

  auto expected = without.batches();
  expected.push_back({600});
  std::ranges::sort(expected);
  EXPECT_TRUE(with.batches() == expected);
}

TEST(EncodeMolecules, ATextIsEncodedOnceHoweverOftenItComes) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < 3000; ++i) {
    texts.push_back(chain(i * 7919 % 100));
  }
  const auto records = records_of(texts);
  for (const std::size_t threads : {1U, 8U}) {
    const FakeEncoder encoder;
    MemoryTable table;
    const auto outcome = encode(records, encoder, table, quietly(threads));
    EXPECT_EQ(encoder.molecules_encoded(), 100U);
    EXPECT_EQ(outcome.encoded, 100U);
    EXPECT_EQ(outcome.from_store, 2900U);
    EXPECT_EQ(outcome.keys.size(), 3000U);
  }
}

TEST(EncodeMolecules, OrderOfTheInputDoesNotMatter) {
  auto records = chains(500);
  const FakeEncoder encoder;
  MemoryTable forwards, backwards;
  encode(records, encoder, forwards);
  std::ranges::reverse(records);
  encode(records, encoder, backwards);
  EXPECT_EQ(forwards.rows(), backwards.rows());
}

TEST(EncodeMolecules, ASecondRunFindsEverythingDone) {
  const auto records = chains(400);
  const FakeEncoder encoder;
  MemoryTable table;
  encode(std::vector(records.begin(), records.begin() + 150), encoder, table);
  const auto second = encode(records, encoder, table);
  EXPECT_EQ(second.from_store, 150U);
  EXPECT_EQ(second.encoded, 250U);
  EXPECT_EQ(encode(records, encoder, table).encoded, 0U);
  EXPECT_EQ(encoder.molecules_encoded(), 400U);
}

TEST(EncodeMolecules, EveryWorkerIsPreparedBeforeItEncodes) {
  static thread_local bool prepared = false;
  std::atomic<int> unprepared{0}, workers{0};
  FakeEncoder encoder;
  encoder.on_batch = [&](std::size_t) { unprepared += prepared ? 0 : 1; };
  auto options = quietly(3);
  options.on_worker_start = [&] {
    prepared = true;
    ++workers;
  };
  MemoryTable table;
  encode(chains(500), encoder, table, options);
  EXPECT_EQ(unprepared, 0);
  EXPECT_EQ(workers, 3);
}

TEST(EncodeMolecules, SlowEncoderRunsInAllWorkersAndIsNamedTheBottleneck) {
  FakeEncoder encoder;
  encoder.delay = std::chrono::milliseconds(20);
  auto options = quietly(4);
  options.batch_tokens = 128;
  MemoryTable table;
  const auto outcome = encode(chains(600), encoder, table, options);
  EXPECT_EQ(encoder.most_at_once, 4U);
  EXPECT_EQ(outcome.bottleneck, "encode");
  const auto& stage = outcome.stages[4];
  EXPECT_EQ(stage.stage, "encode");
  EXPECT_GE(stage.seconds, 0.020 * static_cast<double>(encoder.batches().size()));
  EXPECT_GT(stage.share, 0.5);
  EXPECT_LE(stage.share, 1.0);
}

TEST(EncodeMolecules, SlowWriterGetsManyBatchesATransactionAndHoldsUpTheInput) {
  const auto records = chains(1500);
  const FakeEncoder encoder;
  MemoryTable table;
  table.delay = std::chrono::milliseconds(20);
  auto options = quietly(2);
  options.batch_tokens = 64;
  std::atomic<std::size_t> read{0};
  std::size_t furthest_ahead = 0;
  table.before_write = [&] { furthest_ahead = std::max(furthest_ahead, read - table.size()); };
  const MoleculeSource source = [&, next = source_of(records)] {
    ++read;
    return next();
  };
  const auto outcome = encode_molecules(source, encoder, table, options);
  EXPECT_EQ(outcome.encoded, 1500U);
  EXPECT_EQ(outcome.bottleneck, "write");
  EXPECT_GT(table.largest_transaction(), 20U);
  EXPECT_LT(furthest_ahead, 800U);
  expect_rows(records, encoder, table);
}

TEST(EncodeMolecules, AFinishedBatchIsWrittenWhileTheNextIsEncoded) {
  FakeEncoder encoder;
  MemoryTable table;
  std::size_t finished = 0;  // number of molecules before the current batch. There is only one worker
  bool all_written_in_time = true;
  encoder.on_batch = [&](std::size_t) {
    for (int tries = 0; table.size() < finished && tries < 1000; ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    all_written_in_time = all_written_in_time && table.size() >= finished;
    finished = encoder.molecules_encoded();
  };
  auto options = quietly(1);
  options.batch_tokens = 256;
  encode(chains(300), encoder, table, options);
  EXPECT_TRUE(all_written_in_time);
  EXPECT_GT(encoder.batches().size(), 10U);
}

}  // namespace
}  // namespace molgauge::pipeline
