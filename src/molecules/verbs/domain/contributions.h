#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "molecules/chem/record.h"
#include "molecules/encoders/chemprop/chemprop_encoder.h"
#include "molecules/pages/domain_page.h"
#include "molecules/verbs/predict/prediction_table.h"
#include "molgauge/choices.h"

namespace molgauge::verbs {

/// Computes how much each part of a molecule contributes to the predictions of chemprop models: the
/// prediction minus the prediction in which the atoms of the part do not take part in the pooling. This is
/// the substructure mask explanation (Wu et al. 2023, DOI 10.1038/s41467-023-38192-3), with the parts of
/// BRICS. The predictions are means over the ensemble.
///
/// Thread safety: const methods may be called from several threads at once.
class Contributions {
 public:
  /// A predicted task with one value.
  struct Task {
    std::size_t index = 0;  ///< index in the tasks of the models
    std::string title;      ///< name on the page
  };

  /// `models`: accepted by require_contributions(). `encoder`: an encoder of `models` whose rows are
  /// fingerprints. It must outlive the object. `form`: the form that is predicted.
  Contributions(const encoders::chemprop::ModelSet& models,
                const encoders::chemprop::ChempropEncoder& encoder, Standardize form,
                std::vector<Task> tasks);

  std::vector<std::string> titles() const;
  /// Returns no parts if the molecule has only one part, or cannot be drawn.
  report::DrawnContributions of(const chem::MoleculeRecord& drawn) const;

 private:
  /// As of(), for a record in the form that is predicted. Throws InvalidMolecule.
  report::DrawnContributions of_form(const chem::MoleculeRecord& record) const;

  const encoders::chemprop::ChempropEncoder& encoder_;
  PredictionTable table_;
  std::size_t width_;  ///< numbers in a row of predictions
  Standardize form_;
  std::vector<Task> tasks_;
};

/// Throws UsageError if the contributions to all predictions of the models cannot be computed, because the
/// models take descriptors or predict several classes.
void require_contributions(const encoders::chemprop::ModelSet& models);

/// Bytes that drawings with contributions need on a page with this many rows, and while they are computed.
std::uint64_t bytes_of_contributions(std::size_t rows, std::size_t threads);

}  // namespace molgauge::verbs
