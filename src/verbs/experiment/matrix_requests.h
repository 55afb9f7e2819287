#pragma once

#include <string>

#include "experiments/matrix/cell.h"
#include "experiments/specification/spec.h"
#include "headroom/baseline.h"
#include "headroom/train.h"

namespace headroom::session {

/// Returns the options with which molecules are drawn from a benchmark of the specification.
BenchmarkDraw draw_of(const experiment::Spec& spec, const std::string& benchmark, std::uint64_t data_seed);
/// Returns the draw as text. The option that accepts overlaps is left out, because it does not change the
/// drawn molecules.
std::string to_text(const BenchmarkDraw& draw);

/// Returns "SPEC.toml:LINE: method 'NAME'", the beginning of messages about a cell.
std::string place_of(const experiment::Spec& spec, const matrix::Cell& cell);

/// The request of a cell for `headroom train` or `headroom baseline`, depending on its kind. It has no
/// benchmark, run folder or stores. Both functions throw InputError with the line of the specification if
/// options contradict each other.
TrainRequest train_request(const experiment::Spec& spec, const matrix::Cell& cell);
BaselineRequest baseline_request(const experiment::Spec& spec, const matrix::Cell& cell);

}  // namespace headroom::session
