#pragma once

#include <vector>

#include "pages/study/compared_methods.h"
#include "pages/toolkit/table.h"

namespace headroom::report {

/// A table for each benchmark: encoders and methods, mean and sample deviation of each figure over the seeds,
/// the best mean of a column marked. A method with a grid stands there with the point that validation chose.
std::vector<page::Table> result_tables(const std::vector<Setting>& settings);

/// Every point of every grid, on validation and on test; nothing is marked, as nothing may be chosen here.
std::vector<page::Table> grid_tables(const Study& study);

/// Every variant with full digits, a row each, for programs.
page::Table tidy_table(const Study& study);

}  // namespace headroom::report
