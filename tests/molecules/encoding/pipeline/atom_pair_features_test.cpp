// Tests that features of atoms and pairs are stored before the rows, written in the order of the records, and
// bit-identical for all batches.

#include "molecules/encoding/pipeline/atom_pair_features.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/io/tensors/hdf5.h"
#include "base/io/tensors/npz.h"
#include "fakes.h"
#include "molecules/encoding/pipeline/fine_file.h"
#include "support/faulty_files.h"

namespace molgauge::pipeline {
namespace {

using test::FakeEncoder;
using test::MemoryTable;
using test::quietly;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr std::size_t kPairWidth = 2;

/// The features of an atom are its position in the molecule and the row of the molecule. The features of a
/// pair are both positions.
class FineEncoder final : public FakeEncoder {
 public:
  encoders::AtomPairChoice fine() const override { return {.atoms = true, .pairs = true}; }
  std::size_t pair_width() const override { return kPairWidth; }
  std::uint64_t fine_bytes(const memory::ItemSize& size) const override {
    return (size.tokens * kWidth + size.tokens * size.tokens * kPairWidth) * sizeof(float);
  }
  void encode_finely(std::span<const encoders::FeaturisedMolecule* const> batch, std::span<float> rows,
                     const encoders::VisitFine& visit) const override {
    encode(batch, rows);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const auto row = rows.subspan(i * kWidth, kWidth);
      std::vector<float> atoms, pairs;
      for (std::size_t atom = 0; atom < batch[i]->size().tokens; ++atom) {
        atoms.push_back(static_cast<float>(atom));
        atoms.insert(atoms.end(), row.begin() + 1, row.end());
        for (std::size_t other = 0; other < batch[i]->size().tokens; ++other) {
          pairs.insert(pairs.end(), {static_cast<float>(atom), static_cast<float>(other)});
        }
      }
      visit(i, {.atoms = atoms, .pairs = pairs});
    }
  }
};

class FineFeaturesInAStore : public ::testing::Test {
 protected:
  AtomPairTables open(const std::string& store) const {
    return {store::BlobStore::open(folder_ / store, store::Access::write), encoder_};
  }

  /// Encodes the records. The rows are kept in memory. The features go to the store of `tables`.
  EncodeOutcome encode(const std::vector<chem::MoleculeRecord>& records, const AtomPairTables& tables,
                       std::size_t threads = 2, std::size_t batch_tokens = 64) {
    RowsWithAtomPairs rows(std::make_unique<Shared>(*rows_, tables, transactions_of_rows_), tables);
    PipelineOptions options = quietly(threads);
    options.batch_tokens = batch_tokens;
    options.fine = &tables;
    return encode_molecules(source_of(records), encoder_, rows, options);
  }

  /// Forwards all calls to a table that all runs of a test share. Counts the writes, and expects the features
  /// of a row to be stored before the row.
  struct Shared : RowTable {
    Shared(MemoryTable& rows, const AtomPairTables& tables, std::size_t& count)
        : rows_(rows), tables_(tables), transactions(count) {}
    std::vector<bool> find(std::span<const Hash128> keys) override { return rows_.find(keys); }
    std::vector<bool> read(std::span<const Hash128> keys, std::span<float> rows) override {
      return rows_.read(keys, rows);
    }
    void write(std::span<const Hash128> keys, std::span<const float> rows) override {
      for (const Hash128& key : keys) {
        EXPECT_TRUE(tables_.find(std::span(&key, 1))[0]) << "a row came before its features";
      }
      ++transactions;
      rows_.write(keys, rows);
    }
    MemoryTable& rows_;
    const AtomPairTables& tables_;
    std::size_t& transactions;
  };

  /// The number of the last transaction of a store. Each transaction costs a sync of the disk. Both meta
  /// pages of the LMDB file contain the number, after 16 bytes of page header and 128 bytes of MDB_meta.
  std::uint64_t last_transaction(const std::string& store) const {
    const std::string file = read_file(folder_ / store / "data.mdb");
    std::uint64_t last = 0;
    for (const std::size_t page : {0, 4096}) {
      std::uint64_t transaction = 0;
      std::memcpy(&transaction, file.data() + page + 16 + 128, sizeof transaction);
      last = std::max(last, transaction);
    }
    return last;
  }

  molgauge::test::TemporaryFolder folder_;
  FineEncoder encoder_;
  std::optional<MemoryTable> rows_{std::in_place};
  std::size_t transactions_of_rows_ = 0;
};

/// Workers share transactions. The features need at most as many transactions as the rows, for any number of
/// batches.
TEST_F(FineFeaturesInAStore, TakeNoTransactionForEachBatch) {
  const AtomPairTables tables = open("store");
  rows_->delay = std::chrono::milliseconds(20);
  const std::uint64_t before = last_transaction("store");
  const EncodeOutcome outcome = encode(test::chains(400), tables, 3, 48);
  EXPECT_GE(outcome.batches, 100U);
  EXPECT_LT(transactions_of_rows_, outcome.batches / 2);
  EXPECT_LE(last_transaction("store") - before, transactions_of_rows_);
}

TEST_F(FineFeaturesInAStore, ATransactionThatFailsStoresNothing) {
  const AtomPairTables tables = open("store");
  FineWriter writer(tables);
  const std::vector<float> numbers(6);
  writer.add(hash128("first"), {.atoms = numbers, .pairs = numbers});
  const std::vector<float> too_large(store::kLargestBlob / sizeof(float) + 1);
  EXPECT_THROW(writer.add(hash128("too large"), {.atoms = too_large, .pairs = numbers}), InputError);
  EXPECT_EQ(tables.atoms->size(), 0U) << "all or nothing";
}

TEST_F(FineFeaturesInAStore, AreWrittenInTheOrderOfTheRecords) {
  const auto records = test::records_of({"CCO", "nonsense", "C", "[He]", "CCO"});
  const AtomPairTables tables = open("store");
  const EncodeOutcome outcome = encode(records, tables);
  EXPECT_EQ(write_fine_file(folder_ / "atoms.npz", *tables.atoms, FakeEncoder::kWidth, outcome), 7U);
  const io::TensorMap atoms = io::read_npz(folder_ / "atoms.npz");
  EXPECT_THAT(atoms.at("offsets").to_float32(), ElementsAre(0, 3, 3, 4, 4, 7));
  EXPECT_THAT(atoms.at("features").shape, ElementsAre(7, FakeEncoder::kWidth));
  const std::vector<float> numbers = atoms.at("features").to_float32();
  const std::vector<float> row = encoder_.row_of(records[0]);
  for (const std::size_t atom : {0, 1, 2}) {
    for (const std::size_t first : {0, 4}) {
      const auto place = numbers.begin() + static_cast<std::ptrdiff_t>((first + atom) * FakeEncoder::kWidth);
      EXPECT_EQ(*place, static_cast<float>(atom));
      EXPECT_TRUE(std::equal(row.begin() + 1, row.end(), place + 1));
    }
  }
  EXPECT_THAT(read_file(folder_ / "atoms.failed.csv"), HasSubstr("4,[He],helium cannot be featurised"));

  EXPECT_EQ(write_fine_file(folder_ / "pairs.h5", *tables.pairs, kPairWidth, outcome), 19U);
  const io::Hdf5Features pairs = io::read_hdf5_features(folder_ / "pairs.h5");
  EXPECT_EQ(pairs.columns, kPairWidth);
  EXPECT_THAT(std::vector<float>(pairs.numbers.begin(), pairs.numbers.begin() + 8),
              ElementsAre(0, 0, 0, 1, 0, 2, 1, 0));
}

TEST_F(FineFeaturesInAStore, AreTheSameBytesWhateverTheBatches) {
  const auto records = test::chains(300);
  std::vector<std::string> files;
  for (const auto& [threads, batch_tokens] : {std::pair{1, 16}, std::pair{3, 64}, std::pair{2, 100'000}}) {
    rows_.emplace();
    const std::string name = std::to_string(batch_tokens);
    const AtomPairTables tables = open(name);
    const EncodeOutcome outcome =
        encode(records, tables, static_cast<std::size_t>(threads), static_cast<std::size_t>(batch_tokens));
    EXPECT_EQ(outcome.encoded, 300U);
    for (const char* const extension : {".npz", ".h5"}) {
      write_fine_file(folder_ / (name + extension), *tables.pairs, kPairWidth, outcome);
      files.push_back(read_file(folder_ / (name + extension)));
    }
  }
  EXPECT_EQ(files[2], files[0]);
  EXPECT_EQ(files[4], files[0]);
  EXPECT_EQ(files[3], files[1]);
  EXPECT_EQ(files[5], files[1]);
}

/// Results of a killed run are reused. A missing row, atom block or pair block is computed again.
TEST_F(FineFeaturesInAStore, AreComputedWhereOneOfThemIsMissing) {
  const auto records = test::chains(20);
  const AtomPairTables tables = open("store");
  encode(records, tables);
  EXPECT_EQ(encode(records, tables).encoded, 0U);
  store::BlobStore::open(folder_ / "store", store::Access::write).prune(tables.pairs->name());
  EXPECT_EQ(encode(std::vector(records.begin(), records.begin() + 5), tables).encoded, 5U);
  const EncodeOutcome rest = encode(records, tables);
  EXPECT_EQ(rest.encoded, 15U);
  rows_.emplace();
  EXPECT_EQ(encode(records, tables).encoded, 20U) << "rows without a table are missing, too";
}

TEST_F(FineFeaturesInAStore, ThatLeftItAreNoFailures) {
  const auto records = test::chains(5);
  const AtomPairTables tables = open("store");
  const EncodeOutcome outcome = encode(records, tables);
  store::BlobStore::open(folder_ / "store", store::Access::write).prune(tables.atoms->name());
  EXPECT_THAT([&] { write_fine_file(folder_ / "atoms.npz", *tables.atoms, FakeEncoder::kWidth, outcome); },
              ThrowsMessage<Error>(HasSubstr("no features of record 1")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "atoms.npz"));
  EXPECT_THROW(require_fine_format("atoms.npy"), UsageError);
  EXPECT_THROW(require_fine_format("atoms"), UsageError);
}

/// A portion is written as soon as it is full.
TEST_F(FineFeaturesInAStore, GoToDiskInPortions) {
  const AtomPairTables tables = open("store");
  FineWriter writer(tables);
  const std::vector<float> large((std::size_t{5} << 20) / sizeof(float));
  writer.add(hash128("large"), {.atoms = large, .pairs = {}});
  EXPECT_EQ(tables.atoms->size(), 1U);
  writer.add(hash128("small"), {.atoms = std::span(large).first(6), .pairs = {}});
  EXPECT_EQ(tables.atoms->size(), 1U);
  writer.flush();
  EXPECT_EQ(tables.atoms->size(), 2U);
  EXPECT_EQ(FineWriter::bytes_held(4, 0), 0U);
  EXPECT_GT(FineWriter::bytes_held(4, 1000), FineWriter::bytes_held(1, 1000));
}

}  // namespace
}  // namespace molgauge::pipeline
