#pragma once

#include <vector>

#include "base/page/table.h"
#include "molecules/pages/compared_methods.h"

namespace molgauge::report {

/// Returns one table for each benchmark. A table has a row for each encoder and method, and a column for each
/// figure, with mean and sample deviation over the seeds. The best mean of a column is marked. A method with
/// a grid appears with the point that validation selected.
std::vector<page::Table> result_tables(const std::vector<Setting>& settings);

/// Returns tables with all points of all grids, with validation and test results. No cell is marked, because
/// test results must not select a point.
std::vector<page::Table> grid_tables(const Study& study);

/// Returns a table for programs. It has a row for each variant, and its numbers have all digits.
page::Table tidy_table(const Study& study);

}  // namespace molgauge::report
