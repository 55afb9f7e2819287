#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "molecules/encoders/chemprop/ensemble.h"
#include "molecules/verbs/predict/other_forms.h"
#include "molgauge/predict.h"

namespace molgauge::verbs {

/// The number of further spellings of a chiral molecule.
inline constexpr std::size_t kOtherSpellings = 4;

/// Throws UsageError if `check_spellings` is set and the model does not read chirality, because all spellings
/// of a molecule then have the same prediction.
void require_chirality(const PredictRequest& request, const encoders::chemprop::ModelSet& set);

/// Returns the other spellings of the chiral molecules of a source with `records` records. Reads the source
/// to its end.
OtherForms other_spellings_of(const pipeline::MoleculeSource& source, std::size_t records,
                              const encoders::chemprop::ModelSet& set, std::size_t threads);

/// Collects the spread of the predictions over the spellings of each molecule.
class Spreads {
 public:
  explicit Spreads(std::size_t tasks) : spreads_(tasks) {}

  /// `spread`: one number for each task. NaN is left out.
  void add(const std::vector<float>& spread);
  /// Writes the number of molecules, and the median and the largest spread of each task.
  void report_to(PredictReport& report) const;

 private:
  std::vector<std::vector<float>> spreads_;  ///< of each task
  std::size_t molecules_ = 0;
};

/// The warning about the spreads in a report. Empty without chiral molecules.
std::string spelling_warning(const PredictReport& report);

}  // namespace molgauge::verbs
