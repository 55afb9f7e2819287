// Tests an encoder with features for pairs of atoms. The code for packing, plans, recovery and host memory
// does not mention this encoder, but must handle it.

#include <algorithm>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "base/memory/measure/tensor_memory.h"
#include "bond_tables.h"
#include "molecules/encoding/pipeline/encode_molecules.h"
#include "molecules/encoding/session/encoding_plan.h"

namespace molgauge::test {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

/// Chains of carbon with a nitrogen or oxygen at one position. The number of different chains is up to twice
/// the number of atoms.
std::vector<chem::MoleculeRecord> chains(std::size_t count, std::size_t atoms) {
  std::vector<chem::MoleculeRecord> records;
  for (std::size_t i = 0; i < count; ++i) {
    chem::MoleculeRecord record;
    record.text = std::string(atoms, 'C');
    record.text[i % atoms] = i / atoms % 2 == 0 ? 'N' : 'O';
    record.row = i;
    records.push_back(std::move(record));
  }
  return records;
}

/// Rows in memory.
class Rows : public pipeline::RowTable {
 public:
  std::vector<bool> find(std::span<const Hash128> keys) override { return std::vector<bool>(keys.size()); }
  std::vector<bool> read(std::span<const Hash128> keys, std::span<float> rows) override {
    std::vector<bool> found;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto row = rows_.find(keys[i]);
      found.push_back(row != rows_.end());
      if (found.back()) {
        std::ranges::copy(row->second, rows.begin() + static_cast<std::ptrdiff_t>(i * BondTables::kWidth));
      }
    }
    return found;
  }
  void write(std::span<const Hash128> keys, std::span<const float> rows) override {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto row = rows.subspan(i * BondTables::kWidth, BondTables::kWidth);
      rows_[keys[i]].assign(row.begin(), row.end());
    }
  }
  const std::map<Hash128, std::vector<float>>& all() const { return rows_; }

 private:
  std::map<Hash128, std::vector<float>> rows_;
};

class PairFeatures : public testing::Test {
 protected:
  session::PlannedEncoding plan(const std::vector<chem::MoleculeRecord>& records, std::uint64_t room) {
    const session::EncodingPlanner planner(model_, session::list_molecules(records));
    return planner.plan({.host = room, .device = {}}, /*workers=*/1, /*batch_tokens=*/0);
  }
  /// Returns the peak bytes of tensors while a batch is encoded.
  std::uint64_t measure(std::span<const memory::ItemSize> batch) const {
    std::vector<std::unique_ptr<encoders::FeaturisedMolecule>> molecules;
    std::vector<const encoders::FeaturisedMolecule*> pointers;
    for (const memory::ItemSize& size : batch) {
      molecules.push_back(encoder_.stand_in(size));
      pointers.push_back(molecules.back().get());
    }
    std::vector<float> rows(batch.size() * BondTables::kWidth);
    memory::AllocationMeter& meter = memory::tensor_memory();
    const std::uint64_t before = meter.allocated_bytes();
    meter.reset_peak();
    encoder_.encode(pointers, rows);
    return meter.peak_bytes() - before;
  }

  BondTables encoder_;
  session::EncodingModel model_{encoder_, session::EncodingModel::Device::cpu};
};

TEST_F(PairFeatures, AreProjectedToTheByte) {
  const memory::StepProjection& projection = model_.projection();
  EXPECT_TRUE(projection.is_exact());
  for (const auto& batch : std::vector<std::vector<memory::ItemSize>>{
           {{7, 49}}, {{200, 40'000}, {3, 9}}, {{31, 961}, {30, 900}, {29, 841}, {28, 784}}}) {
    EXPECT_EQ(projection.peak_bytes(encoder_.cost(batch)) - projection.resident_bytes(), measure(batch));
  }
}

TEST_F(PairFeatures, MakeBatchesOfLongMoleculesSmaller) {
  const std::uint64_t room = 40 * kMebibyte;
  const auto short_ones = plan(chains(600, 12), room), long_ones = plan(chains(600, 150), room);
  ASSERT_TRUE(short_ones.plan);
  ASSERT_TRUE(long_ones.plan);
  const auto chosen = [](const session::PlannedEncoding& planned) {
    return planned.report.alternatives[*planned.report.chosen];
  };
  EXPECT_GT(chosen(short_ones).batch_atoms, 1500U) << "as large as is useful";
  EXPECT_LT(chosen(long_ones).batch_atoms, 1500U) << "as large as fits";
  EXPECT_LE(chosen(long_ones).projected_bytes, room);
  EXPECT_EQ(measure(long_ones.plan->steps.worst_batch), chosen(long_ones).projected_bytes);
}

TEST_F(PairFeatures, AreCountedInTheHostsMemory) {
  // Both lists have the same total number of atoms, so the waiting features differ only in the pairs.
  const session::EncodingPlanner short_ones(model_, session::list_molecules(chains(2000, 10)));
  const session::EncodingPlanner long_ones(model_, session::list_molecules(chains(100, 200)));
  const std::uint64_t more =
      long_ones.smallest_need(512, 0).host_bytes - short_ones.smallest_need(512, 0).host_bytes;
  // The features of at least three windows of four batches wait in memory.
  EXPECT_GE(more, std::uint64_t{3 * 4 * 512} * (200 - 10) * sizeof(float));
}

TEST_F(PairFeatures, AreEncodedWithinThePlan) {
  std::vector<chem::MoleculeRecord> records = chains(120, 90);
  for (chem::MoleculeRecord& record : chains(200, 11)) {
    record.row = records.size();
    records.push_back(std::move(record));
  }
  const auto planned = plan(records, 40 * kMebibyte);
  ASSERT_TRUE(planned.plan);
  pipeline::PipelineOptions options;
  options.threads = 1;
  options.quiet = true;
  options.batch_tokens = planned.plan->choice.batch_tokens;
  options.fits = [&](std::span<const memory::ItemSize> batch) { return planned.plan->steps.fits(batch); };
  options.allocator = memory::tensor_access();
  Rows rows;
  memory::AllocationMeter& meter = memory::tensor_memory();
  const std::uint64_t before = meter.allocated_bytes();
  meter.reset_peak();
  const auto outcome = pipeline::encode_molecules(pipeline::source_of(records), encoder_, rows, options);
  EXPECT_LE(meter.peak_bytes() - before, planned.plan->choice.tensor_bytes);
  EXPECT_EQ(outcome.memory.recoveries, 0U);
  EXPECT_GT(outcome.batches, 2U);
  std::vector<float> row(BondTables::kWidth);
  const Hash128 key = pipeline::key_of(records[0]);
  EXPECT_TRUE(rows.read({&key, 1}, row)[0]);
  EXPECT_EQ(row, (std::vector<float>{90, 89, 2}));
}

TEST_F(PairFeatures, ShrinkBatchesWhenMemoryRunsOut) {
  const std::vector<chem::MoleculeRecord> records = chains(60, 60);
  pipeline::PipelineOptions options;
  options.threads = 1;
  options.quiet = true;
  options.allocator = memory::tensor_access();
  const session::EncodingPlanner planner(model_, session::list_molecules(records));
  options.projected_bytes = [&](std::size_t tokens) { return planner.batch_bytes(tokens); };
  memory::AllocationMeter& meter = memory::tensor_memory();
  const std::vector<memory::ItemSize> five(5, {60, 3600});
  const std::uint64_t room = measure(five);
  Rows rows;
  const memory::AllocationLimit limit(meter, meter.allocated_bytes() + room);
  const auto outcome = pipeline::encode_molecules(pipeline::source_of(records), encoder_, rows, options);
  EXPECT_GT(outcome.memory.recoveries, 0U);
  EXPECT_LT(outcome.memory.used, outcome.memory.planned);
  EXPECT_EQ(rows.all().size(), 60U);
}

}  // namespace
}  // namespace molgauge::test
