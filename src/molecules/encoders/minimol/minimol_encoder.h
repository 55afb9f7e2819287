#pragma once

#include "base/io/tensors/tensor_data.h"
#include "molecules/encoders/encoder.h"
#include "molecules/encoders/minimol/network.h"

namespace molgauge::encoders::minimol {

/// The MiniMol encoder on any device: fingerprints of 512 numbers, float32.
class MinimolEncoder : public Encoder {
 public:
  EncoderIdentity identity() const override;
  std::size_t width() const override { return kFingerprintWidth; }
  chem::Perception perception() const override { return {.graph = true, .morgan = false}; }
  std::unique_ptr<FeaturisedMolecule> featurise(const chem::Molecule& molecule) const override;
  std::uint64_t featurised_bytes(const memory::ItemSize& size) const override;
  std::uint64_t featurising_bytes(const memory::ItemSize& size) const override;
  std::unique_ptr<FeaturisedMolecule> stand_in(const memory::ItemSize& size) const override;

  void encode(std::span<const FeaturisedMolecule* const> batch, std::span<float> rows) const final;

 protected:
  /// `weights_sha256`: hash of the file with the parameters, for identity().
  MinimolEncoder(std::string weights_sha256, ops::Precision precision)
      : weights_sha256_(std::move(weights_sha256)), precision_(precision) {}

  /// Writes the fingerprints of a batch of at least one molecule.
  virtual void compute(const Batch& batch, std::span<float> rows) const = 0;
  ops::Precision precision() const { return precision_; }

 private:
  std::string weights_sha256_;
  ops::Precision precision_;
};

/// MiniMol on the CPU. Batches of a few thousand atoms reach the full speed. Several threads may call
/// encode(). Each thread computes its own batch.
class CpuMinimolEncoder final : public MinimolEncoder {
 public:
  /// `tensors`: the tensors of the network (select_tensors in parameters.h). They are freed one by one, to
  /// save memory.
  CpuMinimolEncoder(io::TensorMap tensors, std::string weights_sha256,
                    ops::Precision precision = ops::Precision::fp32);

  std::uint64_t parameter_bytes() const override { return parameter_bytes_; }
  std::size_t full_speed_tokens() const override { return kFullSpeedAtoms; }

  /// Batches of this size are the fastest, because their data stay in the CPU caches until they are used.
  static constexpr std::size_t kFullSpeedAtoms = 2048;

 private:
  void compute(const Batch& batch, std::span<float> rows) const override;

  std::uint64_t living_before_;  ///< bytes of tensors before the network was created
  Network<ops::Operators> network_;
  std::uint64_t parameter_bytes_;
};

}  // namespace molgauge::encoders::minimol
