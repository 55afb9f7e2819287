#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/io/tensors/keyed_rows.h"
#include "base/numerics/ops/array.h"
#include "molgauge/pocket_search.h"

namespace molgauge::pocket {

/// Distances of a row to all rows of a library in float64: 1 - cosine with a denominator of at least 1e-8, or
/// Euclidean.
void distances_to(const float* row, const io::KeyedRows& library, PocketMetric metric,
                  std::vector<double>& distances);

/// Returns the `count` nearest library rows for each of `rows` [n, width]. The search is exact. Library rows
/// at equal distance keep their order. Needs additional memory for one distance per library row and thread.
/// Throws InputError if the widths differ.
std::vector<std::vector<PocketMatch>> nearest_ligands(const ops::Floats& rows, const io::KeyedRows& library,
                                                      PocketMetric metric, std::size_t count,
                                                      std::size_t threads);

/// Throws InputError with `library_file` if the row widths of library and encoder differ.
void require_width(const io::KeyedRows& library, std::int64_t width, const std::string& library_file);

}  // namespace molgauge::pocket
