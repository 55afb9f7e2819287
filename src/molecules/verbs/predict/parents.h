#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "molecules/encoders/chemprop/ensemble.h"
#include "molecules/verbs/predict/other_forms.h"
#include "molecules/verbs/predict/prediction_table.h"
#include "molgauge/predict.h"

namespace molgauge::verbs {

/// The column that marks rows with another prediction for the parent.
inline constexpr const char* kParentDiffers = "parent_prediction_differs";

/// The largest difference between the predictions for a drawing and for its parent that counts as equal. For
/// a probability, it is an absolute number. For a regression, the unit is the standard deviation of the
/// training values that the checkpoint contains, or 1 if the checkpoint contains none.
inline constexpr double kParentTolerance = 0.1;

/// Returns the parents (Standardize::parent) of the molecules that are drawn in another form, such as salts
/// and charged forms. `source`: a source with `records` records, which is read to its end.
OtherForms parents_of(const pipeline::MoleculeSource& source, std::size_t records, std::size_t threads);

/// Returns the bytes that are in use while `threads` threads standardise `records` molecules: cached forms,
/// and RDKit's tables of rules.
std::uint64_t bytes_of_standard_forms(Standardize mode, std::size_t records, std::size_t threads);

/// Compares predictions for drawings with the predictions for their parents.
class ParentDifferences {
 public:
  /// `table` must outlive the object.
  ParentDifferences(const encoders::chemprop::ModelSet& set, const PredictionTable& table);

  struct Comparison {
    bool differs = false;     ///< whether a task differs by more than its tolerance
    bool is_example = false;  ///< whether the difference, divided by the tolerance, is the largest so far
  };
  /// `drawn`, `parent`: the predictions for one molecule. NaN is left out.
  Comparison add(std::span<const float> drawn, std::span<const float> parent);

  /// Keeps the molecule of the last add() as the example in the report. `record`: the molecule as drawn.
  void keep_example(const chem::MoleculeRecord& record);
  void report_to(PredictReport& report) const;

 private:
  /// The prediction with the largest difference.
  struct Example {
    double ratio = 1;  ///< difference divided by the tolerance. Only larger differences are examples
    std::string column;
    float drawn = 0, parent = 0;
    std::string text;
  };

  const PredictionTable& table_;
  std::vector<double> tolerances_, largest_;  ///< of each task
  std::vector<std::size_t> differing_;        ///< rows of each task
  std::size_t rows_ = 0, differing_rows_ = 0;
  Example example_;
};

/// The warning about the rows in a report whose parents have other predictions. Empty without such rows.
std::string parent_warning(const PredictReport& report);

}  // namespace molgauge::verbs
