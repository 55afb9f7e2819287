#include "molecules/verbs/predict/prediction_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "molecules/encoders/chemprop/task_facts.h"
#include "molecules/pages/score_table.h"

namespace molgauge::verbs {
namespace {

using encoders::chemprop::Ensemble;
using encoders::chemprop::Head;
using encoders::chemprop::HeadKind;

bool is_multiclass(HeadKind kind) {
  return kind == HeadKind::multiclass || kind == HeadKind::multiclass_dirichlet;
}

/// Returns the suffix of the column name for the uncertainty of a head, or null if the head has no
/// uncertainty.
const char* uncertainty_ending(HeadKind kind) {
  switch (kind) {
    case HeadKind::mean_variance:
    case HeadKind::evidential:
      return "_std";
    case HeadKind::quantile:
      return "_interval";
    case HeadKind::binary_dirichlet:
      return "_uncertainty";
    default:
      return nullptr;
  }
}

std::vector<std::string> names_of(const Ensemble& ensemble, const std::string& task) {
  std::vector<std::string> values = {task};
  if (is_multiclass(ensemble.head.kind)) {
    values.clear();
    for (std::size_t number = 0; number < ensemble.head.classes; ++number) {
      values.push_back(fmt::format("{}_class_{}", task, number));
    }
  }
  std::vector<std::string> names = values;
  if (ensemble.members > 1) {
    for (const std::string& value : values) {
      names.push_back(value + "_ensemble_std");
    }
  }
  if (const char* const ending = uncertainty_ending(ensemble.head.kind)) {
    names.push_back(task + ending);
  }
  return names;
}

/// The uncertainty that one member predicts. It is not averaged over the members yet.
double member_uncertainty(HeadKind kind, const float* numbers) {
  if (kind == HeadKind::evidential) {
    const double v = numbers[1], alpha = numbers[2], beta = numbers[3];
    return (1 + 1 / v) * beta / (alpha - 1);
  }
  return numbers[1];
}

bool is_variance(HeadKind kind) { return kind == HeadKind::mean_variance || kind == HeadKind::evidential; }

float finite_or_nan(double number) {
  return std::isfinite(number) ? static_cast<float>(number) : std::numeric_limits<float>::quiet_NaN();
}

/// The number of predicted values of a task.
std::size_t values_of(const Head& head) { return is_multiclass(head.kind) ? head.classes : 1; }

/// Returns the mean of a value over the members. `first`: points to the value of the first member.
double mean_of_members(const Ensemble& ensemble, const float* first) {
  double total = 0;
  for (std::size_t member = 0; member < ensemble.members; ++member) {
    total += double{first[member * ensemble.width()]};
  }
  return total / static_cast<double>(ensemble.members);
}

/// Numbers of one task of one molecule. `first`: points to the numbers that the first member predicted for
/// the task.
void append_task(const Ensemble& ensemble, const float* first, std::vector<float>& numbers) {
  const HeadKind kind = ensemble.head.kind;
  const std::size_t values = values_of(ensemble.head);
  const auto members = static_cast<double>(ensemble.members);
  const auto sum = [&](const auto& term) {
    double total = 0;
    for (std::size_t member = 0; member < ensemble.members; ++member) {
      total += term(first + member * ensemble.width());
    }
    return total / members;
  };
  std::vector<double> means;
  for (std::size_t value = 0; value < values; ++value) {
    means.push_back(mean_of_members(ensemble, first + value));
    numbers.push_back(finite_or_nan(means.back()));
  }
  for (std::size_t value = 0; ensemble.members > 1 && value < values; ++value) {
    numbers.push_back(finite_or_nan(std::sqrt(sum([&](const float* member) {
      const double difference = member[value] - means[value];
      return difference * difference;
    }))));
  }
  if (uncertainty_ending(kind) != nullptr) {
    const double mean = sum([kind](const float* member) { return member_uncertainty(kind, member); });
    numbers.push_back(finite_or_nan(is_variance(kind) ? std::sqrt(mean) : mean));
  }
}

/// Adds the published facts about a task of ADMET-AI.
void add_facts(PredictedTask& task) {
  const encoders::chemprop::TaskFacts* const facts = encoders::chemprop::find_admet_task(task.name);
  if (facts == nullptr) {
    return;
  }
  task.title = facts->title;
  task.category = facts->category;
  task.unit = facts->unit;
  task.class_one = facts->class_one;
  task.importance = encoders::chemprop::importance(*facts);
  const auto limit = [](double number) {
    return std::isfinite(number) ? std::optional(number) : std::nullopt;
  };
  task.lowest = limit(facts->lowest);
  task.highest = limit(facts->highest);
}

}  // namespace

PredictionTable::PredictionTable(const encoders::chemprop::ModelSet& set,
                                 const std::vector<std::string>& taken, bool with_spread)
    : ensembles_(set.ensembles), width_(set.width()), with_spread_(with_spread), drugs_(set.drugs) {
  std::vector<std::string> all = taken;
  for (const Ensemble& ensemble : ensembles_) {
    for (const std::string& name : ensemble.tasks) {
      PredictedTask task;
      task.name = name;
      task.head = encoders::chemprop::to_string(ensemble.head.kind);
      task.members = ensemble.members;
      std::vector<std::string> names = names_of(ensemble, name);
      if (with_spread_) {
        names.push_back("spelling_spread_" + name);
      }
      if (drugs_.contains(name)) {
        names.push_back(name + "_drugbank_approved_percentile");
        task.has_percentile = true;
      }
      if (set.is_admet_ai) {
        add_facts(task);
      }
      for (const std::string& column : names) {
        all.push_back(report::free_column_name(all, column));
        task.columns.push_back(all.back());
      }
      columns_.insert(columns_.end(), task.columns.begin(), task.columns.end());
      tasks_.push_back(std::move(task));
    }
  }
}

std::vector<float> PredictionTable::numbers(std::span<const float> row,
                                            const std::vector<float>& spread) const {
  std::vector<float> numbers;
  numbers.reserve(columns_.size());
  std::size_t number_of_task = 0;
  for (const Ensemble& ensemble : ensembles_) {
    for (std::size_t task = 0; task < ensemble.tasks.size(); ++task) {
      append_task(ensemble, row.data() + ensemble.first_column + task * ensemble.head.targets(), numbers);
      if (with_spread_) {
        numbers.push_back(spread.empty() ? std::numeric_limits<float>::quiet_NaN()
                                         : spread[number_of_task++]);
      }
      if (const auto drugs = drugs_.find(ensemble.tasks[task]); drugs != drugs_.end()) {
        const float value = finite_or_nan(
            mean_of_members(ensemble, row.data() + ensemble.first_column + task * ensemble.head.targets()));
        numbers.push_back(std::isnan(value) ? value
                                            : static_cast<float>(encoders::chemprop::percentile_of_score(
                                                  drugs->second, value)));
      }
    }
  }
  return numbers;
}

void PredictionTable::count_implausible(std::span<const float> row, std::vector<std::size_t>& counts) const {
  counts.resize(tasks_.size());
  std::size_t number = 0;
  for (const Ensemble& ensemble : ensembles_) {
    for (std::size_t task = 0; task < ensemble.tasks.size(); ++task, ++number) {
      const PredictedTask& own = tasks_[number];
      if (own.lowest || own.highest) {
        const double value =
            mean_of_members(ensemble, row.data() + ensemble.first_column + task * ensemble.head.targets());
        counts[number] += value < own.lowest.value_or(value) || value > own.highest.value_or(value) ? 1 : 0;
      }
    }
  }
}

std::vector<std::vector<float>> PredictionTable::values(std::span<const float> row) const {
  std::vector<std::vector<float>> all;
  for (const Ensemble& ensemble : ensembles_) {
    for (std::size_t task = 0; task < ensemble.tasks.size(); ++task) {
      const float* const first = row.data() + ensemble.first_column + task * ensemble.head.targets();
      std::vector<float>& own = all.emplace_back();
      for (std::size_t value = 0; value < values_of(ensemble.head); ++value) {
        own.push_back(finite_or_nan(mean_of_members(ensemble, first + value)));
      }
    }
  }
  return all;
}

std::vector<float> PredictionTable::spread(std::span<const float> rows) const {
  std::vector<float> spreads;
  for (const Ensemble& ensemble : ensembles_) {
    for (std::size_t task = 0; task < ensemble.tasks.size(); ++task) {
      const std::size_t first = ensemble.first_column + task * ensemble.head.targets();
      double largest = 0;
      for (std::size_t value = 0; value < values_of(ensemble.head); ++value) {
        double least = std::numeric_limits<double>::infinity(), most = -least;
        for (std::size_t row = 0; row < rows.size(); row += width_) {
          const double mean = mean_of_members(ensemble, rows.data() + row + first + value);
          if (!std::isfinite(mean)) {
            largest = std::numeric_limits<double>::quiet_NaN();
          }
          least = std::min(least, mean);
          most = std::max(most, mean);
        }
        largest = std::isnan(largest) ? largest : std::max(largest, most - least);
      }
      spreads.push_back(finite_or_nan(largest));
    }
  }
  return spreads;
}

void PredictionTable::append(std::span<const float> row, const std::vector<float>& spread,
                             std::vector<std::string>& cells) const {
  for (const float number : numbers(row, spread)) {
    cells.push_back(std::isnan(number) ? "" : fmt::format("{}", number));
  }
}

void PredictionTable::append_nothing(std::vector<std::string>& cells) const {
  cells.resize(cells.size() + columns_.size());
}

}  // namespace molgauge::verbs
