#pragma once

#include <string>

#include "molecules/experiments/matrix/cell.h"
#include "molecules/experiments/specification/spec.h"
#include "molgauge/baseline.h"
#include "molgauge/train.h"

namespace molgauge::verbs {

/// Returns the options with which molecules are drawn from a benchmark of the specification.
BenchmarkDraw draw_of(const experiment::Spec& spec, const std::string& benchmark, std::uint64_t data_seed);
/// Returns the draw as text. The option that accepts overlaps is left out, because it does not change the
/// drawn molecules.
std::string to_text(const BenchmarkDraw& draw);

/// Returns "SPEC.toml:LINE: method 'NAME'", the beginning of messages about a cell.
std::string place_of(const experiment::Spec& spec, const matrix::Cell& cell);

/// The request of a cell for `molgauge train` or `molgauge baseline`, depending on its kind. It has no
/// benchmark, run folder or stores. Both functions throw InputError with the line of the specification if
/// options contradict each other.
TrainRequest train_request(const experiment::Spec& spec, const matrix::Cell& cell);
BaselineRequest baseline_request(const experiment::Spec& spec, const matrix::Cell& cell);

}  // namespace molgauge::verbs
