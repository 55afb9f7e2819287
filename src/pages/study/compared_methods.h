#pragma once

#include <string>
#include <vector>

#include "experiments/matrix/summary.h"
#include "pages/study/study.h"

namespace headroom::report {

/// A method on one benchmark with one encoder; for a grid, the point that validation chose.
struct ComparedMethod {
  matrix::VariantSummary summary;
  const matrix::CellOutcome* median = nullptr;  ///< the run of the median AUROC; none where all failed
  std::size_t style = 0;                        ///< the colour of its lines
};

/// "energy-dpo, dpo-beta=0.1": a variant's name with room to break a line.
std::string display_name(const std::string& variant);

/// The methods that are compared in one chart.
struct Setting {
  std::string benchmark, encoder;
  std::vector<ComparedMethod> contenders;  ///< in the order of the matrix
  std::string name() const { return benchmark + ", " + encoder; }
};

/// The settings of a study, in the order of the matrix. Keeps pointers into it.
std::vector<Setting> settings_of(const Study& study);

/// The contenders that are drawn: at most kMaxSeries, those with the highest mean AUROC, best first. Without
/// those whose runs all failed.
std::vector<ComparedMethod> drawn_contenders(const Setting& setting);

/// Says why figures of few seeds have no interval.
std::string no_interval();

/// Tells which of several seeds a line shows; empty where there is one seed.
std::string which_run(const Setting& setting);

/// "Not drawn, for want of room: a, b." Empty where all are drawn.
std::string left_out(const Setting& setting);

}  // namespace headroom::report
