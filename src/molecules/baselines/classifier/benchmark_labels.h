#pragma once

#include <string>
#include <vector>

#include "molecules/baselines/classifier/labels.h"
#include "molecules/datasets/ood_benchmark.h"
#include "molgauge/choices.h"

namespace molgauge::baselines {

struct BenchmarkLabels {
  Labels train, validation;
};

/// Throws InputError naming `file` if a label is not of the chosen kind, or if all training molecules have
/// the same label. If a single molecule causes the error, the message also contains the line.
BenchmarkLabels benchmark_labels(LabelChoice choice, const std::vector<datasets::BenchmarkMolecule>& train,
                                 const std::vector<datasets::BenchmarkMolecule>& validation,
                                 const std::string& file);

}  // namespace molgauge::baselines
