#include "molecules/baselines/classifier/labels.h"

#include <cmath>
#include <set>
#include <string>

#include "base/core/error.h"

namespace molgauge::baselines {
namespace {

std::span<const float> numbers_of(const at::Tensor& values) {
  return {values.data_ptr<float>(), static_cast<std::size_t>(values.numel())};
}

at::Tensor as_column(const at::Tensor& values) {
  return values.to(at::kFloat).reshape({values.size(0), 1}).contiguous();
}

bool has_two_kinds(const at::Tensor& column) {
  std::set<float> seen;
  for (const float value : numbers_of(column)) {
    if (std::isfinite(value) && seen.insert(value).second && seen.size() == 2) {
      return true;
    }
  }
  return false;
}

}  // namespace

Labels Labels::rows_of(std::int64_t first, std::int64_t count) const {
  return {kind, values.narrow(0, first, count), outputs};
}

Labels class_labels(std::span<const int> labels, std::int64_t class_count) {
  if (class_count < 2) {
    throw InputError("a classifier needs at least two classes");
  }
  at::Tensor values = at::empty({static_cast<std::int64_t>(labels.size()), 1}, at::kFloat);
  auto* next = values.data_ptr<float>();
  for (const int label : labels) {
    if (label < 0 || label >= class_count) {
      throw InputError("label " + std::to_string(label) + " is not one of the classes 0 to " +
                       std::to_string(class_count - 1));
    }
    *next++ = static_cast<float>(label);
  }
  return {LabelKind::classes, values, class_count};
}

Labels task_labels(const at::Tensor& values) {
  if (values.dim() != 2 || values.size(1) == 0) {
    throw InputError("labels of several tasks are a table of molecules by tasks");
  }
  const at::Tensor table = values.to(at::kFloat).contiguous();
  for (const float value : numbers_of(table)) {
    if (value != 0 && value != 1 && !std::isnan(value)) {
      throw InputError("a task's label is 0, 1 or missing, not " + std::to_string(value));
    }
  }
  return {LabelKind::tasks, table, table.size(1)};
}

Labels continuous_labels(const at::Tensor& values) { return {LabelKind::continuous, as_column(values), 1}; }

void require_trainable(const Labels& labels, std::int64_t rows, const char* part) {
  if (labels.rows() != rows) {
    throw InputError(std::string(part) + ": " + std::to_string(labels.rows()) + " labels for " +
                     std::to_string(rows) + " molecules");
  }
  for (std::int64_t column = 0; column < labels.values.size(1); ++column) {
    if (has_two_kinds(labels.values.select(1, column).contiguous())) {
      return;
    }
  }
  throw InputError(
      std::string(part) +
      ": all molecules have the same label, so there is nothing to learn. Add molecules with another label");
}

}  // namespace molgauge::baselines
