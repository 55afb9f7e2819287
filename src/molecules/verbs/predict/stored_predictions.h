#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "molecules/encoders/chemprop/chemprop_encoder.h"
#include "molecules/encoders/chemprop/ensemble.h"
#include "molecules/encoding/pipeline/encode_molecules.h"

namespace molgauge::verbs {

/// Returns the content of the rows in the store. If a model takes descriptors, its predictions depend on
/// them. Then the store keeps the learned features of the molecules instead of predictions.
encoders::chemprop::RowContent stored_rows(const encoders::chemprop::ModelSet& set);

/// Whether each record failed.
std::vector<bool> failed_rows(const pipeline::EncodeOutcome& outcome);

/// Throws Error if the store lacks more rows than records failed.
void require_present(std::size_t absent, const pipeline::EncodeOutcome& outcome);

/// Turns rows of the store into predictions.
class Heads {
 public:
  /// Both arguments must outlive the object.
  Heads(const encoders::chemprop::ChempropEncoder& encoder, const encoders::chemprop::ModelSet& set)
      : encoder_(encoder), has_descriptors_(set.descriptors() > 0), width_(set.width()) {}

  std::size_t stored_width() const { return encoder_.width(); }

  /// The result is valid until the next call or until `stored` is destroyed.
  std::span<const float> predict(std::span<const float> stored, std::span<const double> descriptors);

 private:
  const encoders::chemprop::ChempropEncoder& encoder_;
  bool has_descriptors_;
  std::size_t width_;
  std::vector<float> predictions_;
};

}  // namespace molgauge::verbs
