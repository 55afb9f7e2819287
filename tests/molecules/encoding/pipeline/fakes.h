#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "molecules/encoders/encoder.h"
#include "molecules/encoding/pipeline/encode_molecules.h"
#include "molecules/encoding/pipeline/row_table.h"

namespace molgauge::pipeline::test {

/// Returns records of a file "molecules.smi". The line of each record is its row + 1.
std::vector<chem::MoleculeRecord> records_of(const std::vector<std::string>& texts);
/// SMILES number i. All are different chains of 3 to 40 atoms.
std::string chain(std::size_t i);
std::vector<chem::MoleculeRecord> chains(std::size_t count);

/// An encoder whose rows identify their molecule and do not depend on the batch. Some elements cause faults:
/// helium cannot be featurised, neon has a row with a NaN, and argon makes the encoder throw.
class FakeEncoder : public encoders::Encoder {
 public:
  static constexpr std::size_t kWidth = 6;

  encoders::EncoderIdentity identity() const override { return {"fake", "", "kind=chain"}; }
  std::size_t width() const override { return kWidth; }
  chem::Perception perception() const override { return {}; }
  std::unique_ptr<encoders::FeaturisedMolecule> featurise(const chem::Molecule& molecule) const override;
  std::uint64_t featurised_bytes(const memory::ItemSize& size) const override;
  std::uint64_t featurising_bytes(const memory::ItemSize& /*size*/) const override { return 0; }
  void encode(std::span<const encoders::FeaturisedMolecule* const> batch,
              std::span<float> rows) const override;

  /// The expected row of a record.
  std::vector<float> row_of(const chem::MoleculeRecord& record) const;
  /// The batches so far. A batch is the list of the numbers of atoms of its molecules, and the lists are
  /// sorted lexicographically.
  std::vector<std::vector<std::size_t>> batches() const;
  std::size_t molecules_encoded() const;

  std::chrono::milliseconds delay{0};                ///< delay before each batch
  std::function<void(std::size_t batch)> on_batch;   ///< called before each batch, with its number
  mutable std::atomic<std::size_t> most_at_once{0};  ///< the highest number of simultaneous batches

 private:
  mutable std::mutex mutex_;
  mutable std::vector<std::vector<std::size_t>> batches_;
  mutable std::atomic<std::size_t> now_{0};
};

/// A table with rows in memory.
class MemoryTable : public RowTable {
 public:
  std::vector<bool> find(std::span<const Hash128> keys) override;
  std::vector<bool> read(std::span<const Hash128> keys, std::span<float> rows) override;
  void write(std::span<const Hash128> keys, std::span<const float> rows) override;

  std::size_t size() const;
  std::map<Hash128, std::vector<float>> rows() const;
  std::size_t largest_transaction() const;

  std::chrono::milliseconds delay{0};  ///< delay before each transaction
  std::function<void()> before_find, before_write;

 private:
  mutable std::mutex mutex_;
  std::map<Hash128, std::vector<float>> rows_;
  std::size_t largest_transaction_ = 0;
};

/// Options without progress display and with `threads` workers.
PipelineOptions quietly(std::size_t threads = 2);

}  // namespace molgauge::pipeline::test
