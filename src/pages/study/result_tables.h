#pragma once

#include <vector>

#include "pages/study/compared_methods.h"
#include "pages/toolkit/table.h"

namespace headroom::report {

/// Returns a table for each benchmark, with encoders and methods, and mean and sample deviation of each
/// figure over the seeds. The best mean of a column is marked. A method with a grid appears with the point
/// that validation selected.
std::vector<page::Table> result_tables(const std::vector<Setting>& settings);

/// All points of all grids, on validation and on test. Nothing is marked, because test results must not
/// select a point.
std::vector<page::Table> grid_tables(const Study& study);

/// A table for programs. It has a row for each variant, and numbers with all digits.
page::Table tidy_table(const Study& study);

}  // namespace headroom::report
