#pragma once

#include <string>

#include "experiment/spec.h"
#include "headroom/baseline.h"
#include "headroom/train.h"
#include "matrix/cell.h"

namespace headroom::session {

/// Which molecules the runs on a benchmark of the specification draw.
BenchmarkDraw draw_of(const experiment::Spec& spec, const std::string& benchmark, std::uint64_t data_seed);
/// The same as text; whether an overlap is accepted changes no molecule and is no part of it.
std::string to_text(const BenchmarkDraw& draw);

/// "SPEC.toml:LINE: method 'NAME'", for messages about a cell.
std::string place_of(const experiment::Spec& spec, const matrix::Cell& cell);

/// What a cell asks `headroom train` or `headroom baseline` for, according to its kind; benchmark, run folder
/// and stores are left empty. Throw InputError naming the specification's line when options do not go
/// together.
TrainRequest train_request(const experiment::Spec& spec, const matrix::Cell& cell);
BaselineRequest baseline_request(const experiment::Spec& spec, const matrix::Cell& cell);

}  // namespace headroom::session
