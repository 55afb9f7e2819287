#include <atomic>
#include <new>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/session/log.h"
#include "fakes.h"
#include "molecules/encoding/pipeline/file_source.h"

namespace molgauge::pipeline {
namespace {

using test::chain;
using test::chains;
using test::FakeEncoder;
using test::MemoryTable;
using test::quietly;
using test::records_of;

/// An encoder that runs out of memory for batches of more than `most_tokens` tokens.
class NarrowEncoder : public FakeEncoder {
 public:
  explicit NarrowEncoder(std::size_t most_tokens) : most_tokens_(most_tokens) {}

  void encode(std::span<const encoders::FeaturisedMolecule* const> batch,
              std::span<float> rows) const override {
    std::size_t atoms = 0;
    for (const auto* molecule : batch) {
      atoms += molecule->size().tokens;
    }
    if (atoms > most_tokens_) {
      ++refused;
      throw std::bad_alloc();
    }
    FakeEncoder::encode(batch, rows);
  }
  std::unique_ptr<encoders::FeaturisedMolecule> featurise(const chem::Molecule& molecule) const override {
    // A thread never fails twice in a row, so repeating the request succeeds.
    thread_local std::size_t calls = 0;
    if (++calls % 7 == 0) {
      throw std::bad_alloc();
    }
    return FakeEncoder::featurise(molecule);
  }
  mutable std::atomic<std::size_t> refused{0};

 private:
  std::size_t most_tokens_;
};

/// Returns records, and runs out of memory while it reads record number `failing`. This record is then lost.
class ForgetfulReader : public io::MoleculeReader {
 public:
  ForgetfulReader(const std::vector<chem::MoleculeRecord>& records, std::size_t failing)
      : records_(records), failing_(failing) {}
  std::optional<io::MoleculeRow> next() override {
    if (position_ == records_.size()) {
      return std::nullopt;
    }
    const auto& record = records_[position_++];
    if (position_ == failing_) {
      throw std::bad_alloc();
    }
    return io::MoleculeRow{record, {}};
  }

 private:
  const std::vector<chem::MoleculeRecord>& records_;
  std::size_t failing_, position_ = 0;
};

class OutOfMemory : public testing::Test {
 protected:
  void SetUp() override { set_log_level(LogLevel::off); }

  void expect_all_rows(const FakeEncoder& encoder, const MemoryTable& table) {
    const auto rows = table.rows();
    EXPECT_EQ(rows.size(), records_.size());
    for (const auto& record : records_) {
      const auto row = rows.find(key_of(record));
      ASSERT_TRUE(row != rows.end()) << "line " << record.line;
      EXPECT_EQ(row->second, encoder.row_of(record)) << "line " << record.line;
    }
  }

  const std::vector<chem::MoleculeRecord> records_ = chains(1200);
  MemoryTable table_;
};

TEST_F(OutOfMemory, ABatchIsEncodedInParts) {
  for (const std::size_t threads : {1U, 4U}) {
    const NarrowEncoder encoder(300);
    MemoryTable table;
    const auto outcome = encode_molecules(source_of(records_), encoder, table, quietly(threads));
    EXPECT_EQ(outcome.encoded, records_.size());
    EXPECT_EQ(outcome.memory.planned, 2048U);
    // The encoder accepts at most 300 tokens. The planned batch size may still grow above 300 while the
    // batches themselves are smaller. If it is above 600, the encoder refuses every batch that fills at least
    // half of it. It therefore exceeds 600 by at most one step of growth.
    EXPECT_LE(outcome.memory.used, 600U + 600U / 8);
    EXPECT_GE(outcome.memory.recoveries, 1U);
    // Without learning, each of the 13 batches would be refused as a whole, in halves and in quarters: 91
    // refusals.
    EXPECT_LT(encoder.refused, 45U) << "batches are planned smaller once memory has run out";
    expect_all_rows(encoder, table);
  }
}

TEST_F(OutOfMemory, AMoleculeThatDoesNotFitAloneEndsTheRunWithFinishedWorkKept) {
  auto texts = std::vector<std::string>{chain(1), chain(2), std::string(100, 'C')};
  const NarrowEncoder encoder(90);
  try {
    encode_molecules(source_of(records_of(texts)), encoder, table_, quietly());
    FAIL() << "100 atoms where 90 fit";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::over_budget);
    EXPECT_THAT(error.what(), testing::HasSubstr("activations of 100 atoms"));
  }
}

TEST_F(OutOfMemory, AMoleculeWithANaNIsReportedOnceWhateverThePartIsDoneAgain) {
  auto texts = std::vector<std::string>{chain(1), "[Ne]", chain(2), chain(3)};
  const NarrowEncoder encoder(12);
  const auto outcome = encode_molecules(source_of(records_of(texts)), encoder, table_, quietly());
  ASSERT_EQ(outcome.failed.size(), 1U);
  EXPECT_EQ(outcome.failed.first(9)[0].text, "[Ne]");
  EXPECT_EQ(outcome.encoded, 3U);
}

TEST_F(OutOfMemory, TheStoreIsLookedIntoAndWrittenAgain) {
  std::atomic<int> finds{0}, writes{0};
  table_.before_find = [&] {
    if (++finds % 2 == 1) {
      throw std::bad_alloc();
    }
  };
  const FakeEncoder encoder;
  auto options = quietly();
  options.batch_tokens = 128;
  table_.before_write = [&] {
    if (writes++ == 0) {
      throw std::bad_alloc();
    }
  };
  const auto outcome = encode_molecules(source_of(records_), encoder, table_, options);
  EXPECT_GT(outcome.memory.recoveries, 1U);
  expect_all_rows(encoder, table_);
}

TEST_F(OutOfMemory, AStoreThatCannotBeWrittenEndsTheRun) {
  table_.before_write = [] { throw std::bad_alloc(); };
  const FakeEncoder encoder;
  try {
    encode_molecules(source_of(records_), encoder, table_, quietly());
    FAIL() << "nothing was written";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::over_budget);
    EXPECT_THAT(error.what(), testing::HasSubstr("writing rows to the store"));
  }
}

TEST_F(OutOfMemory, AReaderThatLosesItsPlaceIsOpenedAgain) {
  std::size_t opened = 0;
  const std::vector<std::size_t> failing = {5, 17, 1100, 0};
  const auto source =
      reopening_source([&] { return std::make_unique<ForgetfulReader>(records_, failing.at(opened++)); });
  const FakeEncoder encoder;
  const auto outcome = encode_molecules(source, encoder, table_, quietly());
  EXPECT_EQ(opened, 4U);
  EXPECT_EQ(outcome.rows, records_.size());
  expect_all_rows(encoder, table_);
}

TEST_F(OutOfMemory, AnInputThatChangedBeforeItIsReadAgainIsRefused) {
  std::size_t opened = 0;
  auto changed = records_;
  std::swap(changed[0].text, changed[1].text);
  const auto source = reopening_source([&] {
    const bool is_first = opened++ == 0;
    return std::make_unique<ForgetfulReader>(is_first ? records_ : changed, is_first ? 5 : 0);
  });
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(source());
  }
  try {
    source();
    FAIL() << "records of another order were taken";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("changed while the command was reading it"));
  }
}

TEST_F(OutOfMemory, ARecordThatCannotBeReadTwiceIsNamed) {
  const auto source = reopening_source([&] { return std::make_unique<ForgetfulReader>(records_, 3); });
  EXPECT_TRUE(source());
  EXPECT_TRUE(source());
  try {
    source();
    FAIL() << "the third record was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::over_budget);
    EXPECT_THAT(error.what(), testing::HasSubstr("record 3 of the input"));
  }
}

}  // namespace
}  // namespace molgauge::pipeline
