#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/numerics/ops/precision.h"
#include "molecules/encoders/encoder.h"
#include "molecules/encoders/unimol/network.h"

namespace molgauge::encoders::unimol {

/// Describes the weights of a network.
struct UnimolOrigin {
  std::string weights_sha256;  ///< hash of the file with the weights
  /// The atoms that the training used: `heavy` if the weights were trained without hydrogens, otherwise
  /// `all`.
  chem::Coordinates atoms = chem::Coordinates::heavy;
  std::optional<std::uint64_t> random_seed = {};  ///< seed, if the weights are random
  std::string tuned = {};  ///< fingerprint of tuned layers (molecules/encoders/tuned_tensors.h)
};

/// Options of the encoder.
struct UnimolChoice {
  ops::Precision precision = ops::Precision::fp32;
  std::size_t most_atoms = kMaxAtoms;  ///< larger molecules are reduced to this many sampled atoms
  bool takes_drawings = true;          ///< Encoder::takes_drawings()
  ConformerEngine engine = ConformerEngine::exact;  ///< Encoder::conformer_engine()
  AtomPairChoice fine = {};                         ///< Encoder::fine()
};

/// The molecular encoder of Uni-Mol on the CPU. A row is the output for the class token, and has the width of
/// the network.
class UnimolEncoder : public Encoder {
 public:
  /// `tensors`: the tensors of the network (select_tensors in network.h), which are freed one by one.
  /// `shape`: the sizes of the network, if `tensors` contains only a part of it.
  UnimolEncoder(io::TensorMap tensors, UnimolOrigin origin, UnimolChoice choice = {},
                const std::optional<NetworkShape>& shape = {});

  EncoderIdentity identity() const override;
  std::size_t width() const override { return static_cast<std::size_t>(shape_.width); }
  chem::Perception perception() const override {
    return {.graph = false, .morgan = false, .coordinates = origin_.atoms};
  }
  bool takes_drawings() const override { return choice_.takes_drawings; }
  ConformerEngine conformer_engine() const override { return choice_.engine; }
  /// Throws InputError if the molecule has no 3D coordinates.
  std::unique_ptr<FeaturisedMolecule> featurise(const chem::Molecule& molecule) const override;

  memory::ItemSize estimate(const MoleculeSize& molecule) const override;
  std::uint64_t most_pairs(std::uint64_t tokens, const memory::ItemSize& largest) const override {
    return tokens * largest.tokens;
  }
  double time_in_tokens(const memory::Cost& cost) const override;
  std::uint64_t featurised_bytes(const memory::ItemSize& size) const override;
  std::uint64_t featurising_bytes(const memory::ItemSize& size) const override;
  void encode(std::span<const FeaturisedMolecule* const> batch, std::span<float> rows) const override;

  AtomPairChoice fine() const override { return choice_.fine; }
  std::size_t pair_width() const override { return static_cast<std::size_t>(shape_.heads); }
  std::uint64_t fine_bytes(const memory::ItemSize& size) const override;
  /// Atom features are the rows of the last layer. Pair features are the accumulated attention logits, one
  /// for each head, for the class token, the atoms and the separator.
  void encode_finely(std::span<const FeaturisedMolecule* const> batch, std::span<float> rows,
                     const VisitFine& visit) const override;

  std::uint64_t parameter_bytes() const override { return parameter_bytes_; }
  std::size_t full_speed_tokens() const override { return kFullSpeedTokens; }
  std::unique_ptr<FeaturisedMolecule> stand_in(const memory::ItemSize& size) const override;

  /// Batches of this size are the fastest. They have many blocks of cpu::kBlockRows rows, so a last block
  /// with few rows does not matter.
  static constexpr std::size_t kFullSpeedTokens = 2048;

 protected:
  ops::Precision precision() const { return choice_.precision; }
  const Network<PairOperators>& network() const { return network_; }
  /// The outputs of the network, on the device of the encoder.
  virtual Outputs<ops::Floats> compute(const Batch& batch, Wanted wanted) const {
    return network_.forward(batch, wanted);
  }
  /// Throws std::invalid_argument if `numbers` does not have `width` elements for each molecule.
  static std::vector<const Inputs*> inputs_of(std::span<const FeaturisedMolecule* const> batch,
                                              std::size_t numbers, std::size_t width);
  /// Whether the molecules are synthetic.
  static bool is_made_up(std::span<const Inputs* const> molecules);

 private:
  /// The outputs of the network. If no atom and pair features are requested, they contain only the rows of
  /// the class tokens.
  Outputs<ops::Floats> run(std::span<const Inputs* const> molecules) const;

  UnimolOrigin origin_;
  UnimolChoice choice_;
  NetworkShape shape_;
  std::uint64_t living_before_;  ///< bytes of tensors before the network was created
  Network<PairOperators> network_;
  std::uint64_t parameter_bytes_;
};

}  // namespace molgauge::encoders::unimol
