#pragma once

#include <c10/core/Device.h>

#include "encoders/encoder.h"
#include "encoders/minimol/network.h"

namespace headroom::encoders::minimol {

/// The MiniMol encoder: fingerprints of 512 numbers, float32.
///
/// On the CPU a batch of some thousand atoms is as fast as one gets; encode() may run in several threads side
/// by side, best with ops::OperatorThreads at one.
class MinimolEncoder : public Encoder {
 public:
  /// `weights_sha256`: of the file that the parameters are from, for identity().
  /// `precision`: int8 is for the CPU.
  MinimolEncoder(Parameters parameters, c10::Device device, std::string weights_sha256,
                 ops::Precision precision = ops::Precision::fp32);

  EncoderIdentity identity() const override;
  std::size_t width() const override;
  chem::Perception perception() const override;
  std::unique_ptr<FeaturisedMolecule> featurise(const chem::Molecule& molecule) const override;
  std::uint64_t featurised_bytes(std::size_t atoms, std::size_t edges) const override;
  std::uint64_t featurising_bytes(std::size_t atoms, std::size_t edges) const override;
  void encode(std::span<const FeaturisedMolecule* const> batch, std::span<float> rows) const override;
  bool is_on_gpu() const override { return device_.is_cuda(); }
  std::uint64_t parameter_bytes() const override { return parameter_bytes_; }
  std::size_t full_speed_atoms() const override { return device_.is_cpu() ? kFullSpeedAtoms : 0; }
  std::unique_ptr<FeaturisedMolecule> stand_in(std::size_t atoms, std::size_t directed_edges) const override;

  /// On a CPU: what a batch has in its caches then is used before it is lost.
  static constexpr std::size_t kFullSpeedAtoms = 2048;

 private:
  std::uint64_t parameter_bytes_;  ///< counted before the network takes the parameters
  Network network_;
  ops::Precision precision_;
  c10::Device device_;
  std::string weights_sha256_;
};

}  // namespace headroom::encoders::minimol
