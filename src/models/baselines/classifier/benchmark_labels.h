#pragma once

#include <string>
#include <vector>

#include "data/datasets/ood_benchmark.h"
#include "models/baselines/classifier/labels.h"

namespace headroom::baselines {

/// The labels of a benchmark's molecules that a classifier learns.
enum class LabelChoice {
  automatic,    ///< tasks where the benchmark has several labels a molecule, else two_outputs
  two_outputs,  ///< cls_label, softmax over two outputs
  one_output,   ///< cls_label, sigmoid of one output
  multi_class,  ///< reg_label, which holds the classes 0, 1, 2 ...
  tasks,        ///< the list "labels" of every item: 0, 1 or unknown, one output each
  value,        ///< reg_label as measured, squared error
};

/// "auto", "class", "one-output", "multi-class", "tasks", "value". Throws UsageError on another name.
LabelChoice parse_label_choice(const std::string& name);

struct BenchmarkLabels {
  Labels train, validation;
};

/// Throws InputError naming `file`, and the line where one molecule is at fault, when a label is of another
/// kind than the chosen one, or all training molecules have the same label.
BenchmarkLabels benchmark_labels(LabelChoice choice, const std::vector<datasets::BenchmarkMolecule>& train,
                                 const std::vector<datasets::BenchmarkMolecule>& validation,
                                 const std::string& file);

}  // namespace headroom::baselines
