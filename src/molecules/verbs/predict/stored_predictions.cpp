#include "molecules/verbs/predict/stored_predictions.h"

#include <fmt/format.h>

#include "base/core/error.h"
#include "molecules/encoding/pipeline/feature_rows.h"

namespace molgauge::verbs {

encoders::chemprop::RowContent stored_rows(const encoders::chemprop::ModelSet& set) {
  using encoders::chemprop::RowContent;
  return set.descriptors() > 0 ? RowContent::fingerprints : RowContent::predictions;
}

std::vector<bool> failed_rows(const pipeline::EncodeOutcome& outcome) {
  std::vector<bool> failed(outcome.keys.size());
  outcome.failed.for_each([&](const FailedMolecule& molecule) {
    failed[molecule.row] = true;
    return true;
  });
  return failed;
}

void require_present(std::size_t absent, const pipeline::EncodeOutcome& outcome) {
  if (absent > outcome.failed.size()) {
    throw Error(fmt::format("{} predictions are no longer in the feature store. {}",
                            absent - outcome.failed.size(), pipeline::kAdviceOnAbsentRows));
  }
}

std::span<const float> Heads::predict(std::span<const float> stored, std::span<const double> descriptors) {
  if (!has_descriptors_) {
    return stored;
  }
  predictions_.resize(stored.size() / encoder_.width() * width_);
  encoder_.predict(stored, descriptors, predictions_);
  return predictions_;
}

}  // namespace molgauge::verbs
