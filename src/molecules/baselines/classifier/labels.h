#pragma once

#include <cstdint>
#include <span>

#include <ATen/ATen.h>

namespace molgauge::baselines {

enum class LabelKind {
  classes,     ///< each molecule has one of C classes: C outputs, softmax
  tasks,       ///< several binary labels, which may be unknown: one output each, sigmoid
  continuous,  ///< a measured number: one output
};

/// The labels that a classifier learns. The code that reads the labels chooses the kind, because the numbers
/// alone do not tell exclusive classes from independent tasks.
struct Labels {
  LabelKind kind = LabelKind::classes;
  /// classes: [n, 1], 0 to C - 1. tasks: [n, tasks], 0, 1 or NaN (unknown). continuous: [n, 1]. float32.
  at::Tensor values;
  std::int64_t outputs = 2;  ///< outputs of a classifier for these labels

  std::int64_t rows() const { return values.size(0); }
  Labels rows_of(std::int64_t first, std::int64_t count) const;
};

/// Throws InputError if a label is not a class below `class_count`, or there are fewer than two classes.
Labels class_labels(std::span<const int> labels, std::int64_t class_count);
/// Throws InputError if a value is not 0, 1 or NaN, or if `values` is not a table [molecules, tasks] with at
/// least one task.
Labels task_labels(const at::Tensor& values);
Labels continuous_labels(const at::Tensor& values);

/// Throws InputError with `part` unless each of `rows` molecules has a label. If a classifier is trained on
/// them, there must also be at least two different labels.
void require_trainable(const Labels& labels, std::int64_t rows, const char* part);

}  // namespace molgauge::baselines
