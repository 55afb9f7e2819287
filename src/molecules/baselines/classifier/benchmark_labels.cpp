#include "molecules/baselines/classifier/benchmark_labels.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"

namespace molgauge::baselines {
namespace {

using Molecules = std::vector<datasets::BenchmarkMolecule>;

/// If labels have more distinct values than this, they are measurements, not classes. The published program
/// has the same limit.
constexpr int kMaxClasses = 21;

LabelChoice resolved(LabelChoice choice, const Molecules& train) {
  if (choice != LabelChoice::automatic) {
    return choice;
  }
  const bool several =
      std::any_of(train.begin(), train.end(), [](const auto& molecule) { return !molecule.labels.empty(); });
  return several ? LabelChoice::tasks : LabelChoice::two_outputs;
}

/// Returns number(molecule) for every molecule, as a tensor [molecules, 1].
template <typename Number>
at::Tensor column_of(const Molecules& molecules, Number number) {
  at::Tensor column = at::empty({static_cast<std::int64_t>(molecules.size()), 1}, at::kFloat);
  std::transform(molecules.begin(), molecules.end(), column.data_ptr<float>(),
                 [&](const auto& molecule) { return static_cast<float>(number(molecule)); });
  return column;
}

/// Reads labels of one benchmark.
class LabelReader {
 public:
  LabelReader(LabelChoice choice, const std::string& file) : choice_(choice), file_(file) {}

  BenchmarkLabels read(const Molecules& train, const Molecules& validation) const {
    switch (choice_) {
      case LabelChoice::multi_class:
        return classes(train, validation);
      case LabelChoice::tasks:
        return {tasks(train, train), tasks(validation, train)};
      case LabelChoice::one_output:
        return {task_labels(column_of(train, label)), task_labels(column_of(validation, label))};
      case LabelChoice::value:
        return {continuous_labels(column_of(train, value)), continuous_labels(column_of(validation, value))};
      default:
        return {class_labels(integers(train, label), 2), class_labels(integers(validation, label), 2)};
    }
  }

 private:
  static double label(const datasets::BenchmarkMolecule& molecule) { return molecule.label; }
  static double value(const datasets::BenchmarkMolecule& molecule) { return molecule.value; }

  template <typename Number>
  static std::vector<int> integers(const Molecules& molecules, Number number) {
    std::vector<int> all;
    for (const auto& molecule : molecules) {
      all.push_back(static_cast<int>(number(molecule)));
    }
    return all;
  }

  [[noreturn]] void refuse(const datasets::BenchmarkMolecule& molecule, const std::string& reason) const {
    throw InputError(fmt::format("{}:{}: '{}': {}", file_, molecule.line, molecule.smiles, reason));
  }

  BenchmarkLabels classes(const Molecules& train, const Molecules& validation) const {
    int last = 1;
    for (const Molecules* const part : {&train, &validation}) {
      for (const auto& molecule : *part) {
        const double own = molecule.value;
        if (own < 0 || own >= kMaxClasses || own != std::floor(own)) {
          refuse(molecule, fmt::format("reg_label {} is not one of the classes 0, 1, 2 ... (at most {}). For "
                                       "measured values use --labels value",
                                       own, kMaxClasses));
        }
        last = std::max(last, static_cast<int>(own));
      }
    }
    return {class_labels(integers(train, value), last + 1),
            class_labels(integers(validation, value), last + 1)};
  }

  Labels tasks(const Molecules& molecules, const Molecules& train) const {
    const std::size_t count = train.front().labels.size();
    at::Tensor table = at::empty(
        {static_cast<std::int64_t>(molecules.size()), static_cast<std::int64_t>(count)}, at::kFloat);
    auto* row = table.data_ptr<float>();
    for (const auto& molecule : molecules) {
      if (molecule.labels.empty()) {
        refuse(molecule,
               "has no list \"labels\". Create a benchmark of several tasks with molgauge split and several "
               "--label-column");
      }
      if (molecule.labels.size() != count) {
        refuse(
            molecule,
            fmt::format("\"labels\" has {} labels, other molecules have {}. Write null for an unknown label",
                        molecule.labels.size(), count));
      }
      for (const float own : molecule.labels) {
        if (own != 0 && own != 1 && !std::isnan(own)) {
          refuse(molecule, fmt::format("the label {} of a task is neither 0, 1 nor unknown. Correct it, or "
                                       "use cls_label with --labels class",
                                       own));
        }
      }
      row = std::copy(molecule.labels.begin(), molecule.labels.end(), row);
    }
    return task_labels(table);
  }

  LabelChoice choice_;
  const std::string& file_;
};

}  // namespace

BenchmarkLabels benchmark_labels(LabelChoice choice, const Molecules& train, const Molecules& validation,
                                 const std::string& file) {
  const LabelChoice chosen = resolved(choice, train);
  const bool by_class = chosen == LabelChoice::two_outputs || chosen == LabelChoice::one_output;
  const auto same = [&](const auto& molecule) { return molecule.label == train.front().label; };
  if (by_class && std::all_of(train.begin(), train.end(), same)) {
    throw InputError(fmt::format(
        "{}: all molecules of train_id have cls_label {}, so no classifier can be trained. Use "
        "another benchmark, for example from molgauge split --label-column, a larger --train-size, or "
        "--method raw_knn, which needs no labels",
        file, train.front().label));
  }
  BenchmarkLabels labels = LabelReader(chosen, file).read(train, validation);
  require_trainable(labels.train, labels.train.rows(), (file + ": train_id").c_str());
  return labels;
}

}  // namespace molgauge::baselines
