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
  MinimolEncoder(Parameters parameters, c10::Device device, std::string weights_sha256);

  EncoderIdentity identity() const override;
  std::size_t width() const override;
  chem::Perception perception() const override;
  std::unique_ptr<FeaturisedMolecule> featurise(const chem::Molecule& molecule) const override;
  std::uint64_t batch_bytes(std::size_t atoms, std::size_t edges) const override;
  std::uint64_t featurised_bytes(std::size_t atoms, std::size_t edges) const override;
  void encode(std::span<const FeaturisedMolecule* const> batch, std::span<float> rows) const override;

 private:
  Network network_;
  c10::Device device_;
  std::string weights_sha256_;
};

}  // namespace headroom::encoders::minimol
