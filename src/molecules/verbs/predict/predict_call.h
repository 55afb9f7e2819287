#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/runtime/budget_scope.h"
#include "molecules/encoders/chemprop/ensemble.h"
#include "molecules/encoding/session/encoding_session.h"
#include "molecules/encoding/session/molecule_input.h"
#include "molecules/verbs/predict/descriptor_columns.h"
#include "molecules/verbs/predict/other_forms.h"
#include "molecules/verbs/predict/parents.h"
#include "molecules/verbs/predict/prediction_table.h"
#include "molecules/verbs/predict/spellings.h"
#include "molgauge/predict.h"

namespace molgauge::verbs {

/// Bytes for reading the stored rows of `records` molecules, block by block. `width`: numbers in a stored
/// row.
std::uint64_t reading_bytes(const encoders::chemprop::ModelSet& set, std::size_t width, std::size_t records);

/// Bytes that are in use for standardisation while the molecules are encoded. 0 if the request predicts the
/// drawings.
std::uint64_t bytes_beside_prediction(const PredictRequest& request, const session::MoleculeList& molecules,
                                      std::size_t threads);

/// Returns the forms that a request predicts in addition to its molecules. Forms without records are left
/// out. `open`: returns a source that begins with the first record. `records`: number of records.
/// `marks_parents`: whether the parents of drawings are predicted, too.
std::vector<OtherForms> other_forms_of(const PredictRequest& request, bool marks_parents,
                                       const std::function<pipeline::MoleculeSource()>& open,
                                       std::size_t records, const encoders::chemprop::ModelSet& set);

/// A molecule with its predictions.
struct PredictedRow {
  std::size_t number = 0;
  std::span<const float> predictions;
  std::vector<float> spread;  ///< spread of each task over several spellings. Empty if there is one spelling
  bool has_failed = false;
  ParentDifferences::Comparison parent;
};

/// One call of the verb, for a file or for molecules in memory.
class PredictCall {
 public:
  using OpenSource = std::function<pipeline::MoleculeSource()>;

  /// `marks_parents`: whether rows are marked if the parent has another prediction. Has no effect if the
  /// request standardises the molecules. All arguments must outlive the object.
  PredictCall(const PredictRequest& request, const encoders::chemprop::ModelSet& set, bool marks_parents,
              bool allow_all_failed);

  runtime::BudgetScope& memory() { return memory_; }
  std::size_t stored_width() const { return session_.encoder().width(); }
  bool marks_parents() const { return marks_parents_; }

  /// Declares the memory for predicting the molecules of another request with the same models.
  /// `bytes_beside`: other bytes that are then in use.
  void declare_requirement(const PredictRequest& request, const session::MoleculeList& molecules,
                           std::uint64_t bytes_beside);

  /// Predicts the molecules that are not in the store. `open`: each call returns a new source that begins
  /// with the first record.
  void predict(const OpenSource& open, session::MoleculeList molecules);

  /// Calls visit() for each molecule in order. Throws Error if the store lacks rows of molecules that did not
  /// fail. NaN does not mark such a row, because a prediction may be NaN. `table` must outlive the object.
  void for_each_prediction(const PredictionTable& table, const DescriptorSource& descriptors,
                           const std::function<void(const PredictedRow&)>& visit);

  /// Keeps the molecule of the last visit as the example in the report. Call it if `parent.is_example` is
  /// set.
  void keep_example(const chem::MoleculeRecord& record) { differences_->keep_example(record); }

  const pipeline::EncodeOutcome& outcome() const { return outcome_; }

  /// The report without failed molecules. Warns if the predictions depend on the spelling or on the form of
  /// the molecules.
  PredictReport report(const PredictionTable& table);

 private:
  session::EncodingSession open_session(bool allow_all_failed);
  OpenSource standardized(const OpenSource& open);

  const PredictRequest& request_;
  const encoders::chemprop::ModelSet& set_;
  bool marks_parents_;
  runtime::BudgetScope memory_;
  session::EncodingSession session_;
  std::size_t threads_, workers_ = 0, standardized_rows_ = 0;
  pipeline::EncodeOutcome outcome_;
  EncodedForms spellings_, parents_;
  std::optional<Spreads> spreads_;
  std::optional<ParentDifferences> differences_;
  std::vector<std::size_t> implausible_;  ///< predictions of each task outside its plausible range
};

}  // namespace molgauge::verbs
