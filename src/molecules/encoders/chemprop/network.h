#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/numerics/ops/dense.h"
#include "molecules/encoders/chemprop/model.h"
#include "molecules/encoders/chemprop/plan.h"

namespace molgauge::encoders::chemprop {

/// The network of one model on the CPU: directed message passing (Yang et al. 2019, DOI
/// 10.1021/acs.jcim.9b00237), pooling, batch normalisation and the head. A row is bit-identical in any batch.
///
/// Thread safety: every method may be called from several threads at once.
class Network {
 public:
  explicit Network(const Model& model);

  /// The learned features of the molecules: [molecules, hidden].
  ops::Floats fingerprints(const Plan& plan) const;
  /// The outputs of the head for these features, in the units of the targets: [molecules, outputs()]. If the
  /// model takes descriptors, they follow the features of each molecule.
  ops::Floats predictions(ops::Floats fingerprints) const;
  std::size_t outputs() const { return head_.tasks * head_.targets(); }

  std::size_t descriptors() const { return descriptors_.count; }
  /// Scales the descriptors of a molecule as Descriptors::scale_into() does.
  void scale_descriptors(std::span<const double> numbers, std::span<float> scaled) const {
    descriptors_.scale_into(numbers, scaled);
  }

 private:
  /// Computes the states after a step. Adds before it multiplies, as chemprop does. The other order would
  /// need fewer products, but its rounding errors differ from the errors of chemprop by up to 1.4e-5 of a
  /// prediction.
  ops::Floats step(const ops::Floats& states, const Step& step, const ops::Floats& base,
                   const ops::Dense& layer) const;
  /// Pools the states of the atoms of each molecule. Sums in double precision. In single precision, many
  /// equal atoms would cause many equal rounding errors, which add up.
  ops::Floats pool(const ops::Floats& states, const Plan& plan) const;

  GraphForm form_;
  ModelActivation message_activation_, head_activation_;
  ops::Dense input_;         ///< W_i
  ops::Dense step_base_;     ///< W_i and the part of W_h for bonds. Only for messages from atoms
  ops::Dense message_;       ///< W_h. For messages from atoms, its part for states
  ops::Dense readout_base_;  ///< the part of W_o for features
  ops::Dense readout_;       ///< the part of W_o for states
  Pooling pooling_;
  float norm_;
  std::vector<float> bn_scale_, bn_shift_;
  std::vector<ops::Dense> layers_;
  Head head_;
  Descriptors descriptors_;
};

}  // namespace molgauge::encoders::chemprop
