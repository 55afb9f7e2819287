#include <map>
#include <memory>

#include <gtest/gtest.h>

#include "base/core/session/log.h"
#include "base/numerics/torch/allocator_access.h"
#include "base/numerics/torch/cpu_tensor_memory.h"
#include "base/numerics/torch/operator_threads.h"
#include "fakes.h"
#include "host_allocations.h"
#include "minimol_fixtures.h"
#include "molecules/encoders/ecfp/ecfp_encoder.h"
#include "molecules/encoders/minimol/minimol_encoder.h"
#include "molecules/encoding/pipeline/encode_molecules.h"
#include "refused_allocations.h"
#include "support/fixtures.h"

namespace molgauge::pipeline {
namespace {

using Row = std::vector<float>;

/// Rows by key, of any width.
class Table : public RowTable {
 public:
  std::vector<bool> find(std::span<const Hash128> keys) override {
    const molgauge::test::RefusableAllocations refusable;
    return std::vector<bool>(keys.size());
  }
  std::vector<bool> read(std::span<const Hash128> keys, std::span<float> /*rows*/) override {
    return std::vector<bool>(keys.size());
  }
  void write(std::span<const Hash128> keys, std::span<const float> rows) override {
    const molgauge::test::RefusableAllocations refusable;
    const std::size_t width = rows.size() / keys.size();
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto row = rows.subspan(i * width, width);
      rows_[keys[i]] = Row(row.begin(), row.end());
    }
  }
  const std::map<Hash128, Row>& rows() const { return rows_; }

 private:
  std::map<Hash128, Row> rows_;
};

/// ECFP makes no tensors. Only the memory that it requests from the machine can be refused.
class RefusableEcfp : public encoders::ecfp::EcfpEncoder {
 public:
  std::unique_ptr<encoders::FeaturisedMolecule> featurise(const chem::Molecule& molecule) const override {
    const molgauge::test::RefusableAllocations refusable;
    return EcfpEncoder::featurise(molecule);
  }
  void encode(std::span<const encoders::FeaturisedMolecule* const> batch,
              std::span<float> rows) const override {
    const molgauge::test::RefusableAllocations refusable;
    const std::vector<float> layers(batch.size() * width());  // the memory of an encoder with layers
    EcfpEncoder::encode(batch, rows);
  }
};

class EncodingRecovery : public testing::Test {
 protected:
  void SetUp() override {
    set_log_level(LogLevel::off);
    torch::cpu_tensor_memory();
    options_.quiet = true;
    options_.threads = 1;
    options_.allocator = torch::allocator_access(c10::kCPU);
    options_.on_worker_start = torch::join_operator_threads;
  }
  EncodeOutcome encode(const encoders::Encoder& encoder, Table& table) {
    return encode_molecules(source_of(records_), encoder, table, options_);
  }

  const torch::OperatorThreads one_thread_{1};
  std::vector<chem::MoleculeRecord> records_;
  PipelineOptions options_;
};

TEST_F(EncodingRecovery, MinimolEndsWithTheSameBytesWhateverAllocationIsRefused) {
  records_ =
      test::records_of({"CCO", "c1ccccc1O", "CC(=O)Nc1ccc(O)cc1", "C", "CN1C=NC2=C1C(=O)N(C)C(=O)N2C"});
  options_.batch_tokens = 24;
  const encoders::minimol::CpuMinimolEncoder encoder(molgauge::test::formula_weights(), "formula");
  Table expected;
  const std::uint64_t allocations = molgauge::test::count_allocations([&] { encode(encoder, expected); });
  molgauge::test::refuse_each(allocations, 40, [&](std::uint64_t) {
    Table actual;
    const EncodeOutcome outcome = encode(encoder, actual);
    EXPECT_EQ(outcome.encoded, records_.size());
    EXPECT_EQ(outcome.memory.recoveries, 1U);
    EXPECT_TRUE(actual.rows() == expected.rows());
  });
}

TEST_F(EncodingRecovery, EcfpEndsTheSameWhateverAllocationOfFeaturiserEncoderOrStoreIsRefused) {
  records_ = test::chains(40);
  options_.batch_tokens = 128;
  const RefusableEcfp encoder;
  Table expected;
  const std::uint64_t before = molgauge::test::refusable_allocations();
  encode(encoder, expected);
  const std::uint64_t allocations = molgauge::test::refusable_allocations() - before;
  ASSERT_GT(allocations, 100U);
  for (std::uint64_t k = 1; k <= allocations && !HasFailure(); ++k) {
    SCOPED_TRACE("allocation " + std::to_string(k) + " of " + std::to_string(allocations));
    Table actual;
    molgauge::test::refuse_host_allocation(k);
    const EncodeOutcome outcome = encode(encoder, actual);
    molgauge::test::refuse_host_allocation(0);
    EXPECT_EQ(outcome.memory.recoveries, 1U);
    EXPECT_TRUE(actual.rows() == expected.rows());
  }
}

TEST_F(EncodingRecovery, WorkersSideBySideKeepToABudget) {
  records_ = test::chains(120);
  options_.threads = 3;
  options_.batch_tokens = 512;
  const encoders::minimol::CpuMinimolEncoder encoder(molgauge::test::formula_weights(), "formula");
  Table expected, actual;
  memory::AllocationMeter& meter = torch::cpu_tensor_memory();
  const std::uint64_t before = meter.allocated_bytes();
  meter.reset_peak();
  encode(encoder, expected);
  const std::uint64_t needed = meter.peak_bytes() - before;
  const memory::AllocationLimit budget(meter, before + needed / 4);
  const EncodeOutcome outcome = encode(encoder, actual);
  EXPECT_EQ(outcome.encoded, records_.size());
  EXPECT_GE(outcome.memory.recoveries, 1U);
  EXPECT_LT(outcome.memory.used, 512U);
  EXPECT_EQ(meter.allocated_bytes(), before);
  EXPECT_TRUE(actual.rows() == expected.rows());
}

}  // namespace
}  // namespace molgauge::pipeline
