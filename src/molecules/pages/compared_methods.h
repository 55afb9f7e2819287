#pragma once

#include <string>
#include <vector>

#include "molecules/experiments/matrix/summary.h"
#include "molecules/pages/study.h"

namespace molgauge::report {

/// A method on one benchmark with one encoder. For a method with a grid, the numbers belong to the grid point
/// that validation selected.
struct ComparedMethod {
  matrix::VariantSummary summary;
  const matrix::CellOutcome* median = nullptr;  ///< the run with the median AUROC. Null if all runs failed
  std::size_t style = 0;                        ///< style of the lines of the method
};

/// The name of a variant, with blanks at which a line can break: "energy-dpo, dpo-beta=0.1".
std::string display_name(const std::string& variant);

/// The methods on one benchmark with one encoder. A chart compares them.
struct Setting {
  std::string benchmark, encoder;
  std::vector<ComparedMethod> contenders;  ///< methods in the order of the matrix
  std::string name() const { return benchmark + ", " + encoder; }
};

/// The settings of a study in the order of the matrix. They contain pointers into the study.
std::vector<Setting> settings_of(const Study& study);

/// The methods to draw: at most kMaxSeries with the highest mean AUROC, best first. Methods without a
/// successful run are left out.
std::vector<ComparedMethod> drawn_contenders(const Setting& setting);

/// Explains why figures over few seeds have no interval.
std::string no_interval();

/// Returns a sentence that says which of several seeds a line shows, or an empty text if there is only one
/// seed.
std::string which_run(const Setting& setting);

/// Returns a sentence with the methods that are not drawn for lack of room, or an empty text if all are
/// drawn.
std::string left_out(const Setting& setting);

}  // namespace molgauge::report
