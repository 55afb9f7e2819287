#include "molecules/verbs/domain/model_facts.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/text/counted.h"

namespace molgauge::verbs {
namespace {

/// The number of tasks that a page shows until the reader chooses others.
constexpr std::size_t kShownTasks = 8;
/// The largest number of tasks on a page.
constexpr std::size_t kMostTasks = 64;

/// Shortens the number in a cell of domain.csv to four significant digits. An empty cell stays empty.
std::string shortened(const std::string& cell) {
  double number = 0;
  const auto [end, problem] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
  return problem == std::errc() && std::isfinite(number) ? fmt::format("{:.4g}", number) : "";
}

/// The columns of a task in the predictions. They contain its values, the spread of each value if there is an
/// ensemble, and the uncertainty if the head has one.
struct Columns {
  std::size_t values = 1;
  bool has_spread = false, has_uncertainty = false, has_percentile = false;
};

Columns columns_of(const PredictedTask& task) {
  Columns columns;
  columns.has_spread = task.members > 1;
  columns.has_percentile = task.has_percentile;
  const std::size_t sets = columns.has_spread ? 2 : 1, known = sets + (task.has_percentile ? 1 : 0);
  if (task.head.starts_with("multiclass")) {
    columns.values = task.columns.size() / sets;
  } else {
    columns.has_uncertainty = task.columns.size() > known;
  }
  return columns;
}

/// The position of a task on a page. Tasks of ADMET-AI come in the order of their importance.
std::size_t rank_of(const PredictedTask& task) { return task.title.empty() ? kMostTasks : task.importance; }

std::string meaning_of_task(const PredictedTask& task, const Columns& columns) {
  const bool is_class = task.head.starts_with("classification");
  std::string meaning = !task.class_one.empty()
                            ? fmt::format("Predicted probability that the molecule {}.", task.class_one)
                        : columns.values > 1 ? "Probability of each class that the model predicts."
                        : is_class           ? "Probability of class 1 that the model predicts."
                                             : "Value that the model predicts.";
  if (!task.category.empty()) {
    meaning += fmt::format(" Category: {}.", task.category);
  }
  return meaning + " It is not calibrated.";
}

/// Returns why the prediction in a cell is implausible, or an empty text if it is plausible or missing.
std::string problem_of(const PredictedTask& task, const std::string& cell) {
  double number = 0;
  const auto [end, failure] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
  if (failure != std::errc() || !std::isfinite(number)) {
    return "";
  }
  return task.lowest && number < *task.lowest     ? fmt::format("below {:g}", *task.lowest)
         : task.highest && number > *task.highest ? fmt::format("above {:g}", *task.highest)
                                                  : "";
}

std::string words_for_uncertainty(const std::string& head) {
  return head == "regression-quantile" ? "The width of the predicted interval follows."
         : head == "classification-dirichlet"
             ? "The uncertainty of the model follows, from 0 to 1."
             : "The standard deviation that the model predicts for its own error follows.";
}

}  // namespace

ModelFacts::ModelFacts(std::vector<PredictedTask> tasks) {
  std::size_t first = 0;
  for (PredictedTask& task : tasks) {
    const std::size_t columns = task.columns.size();
    tasks_.push_back({std::move(task), tasks_.size(), first});
    first += columns;
  }
  std::stable_sort(tasks_.begin(), tasks_.end(), [](const Placed& one, const Placed& other) {
    return rank_of(one.task) < rank_of(other.task);
  });
  tasks_left_out_ = tasks_.size() - std::min(tasks_.size(), kMostTasks);
  tasks_.resize(tasks_.size() - tasks_left_out_);
}

std::vector<Contributions::Task> ModelFacts::contributed_tasks() const {
  std::vector<Contributions::Task> tasks;
  for (std::size_t i = 0; i < std::min(tasks_.size(), kShownTasks); ++i) {
    const PredictedTask& task = tasks_[i].task;
    if (columns_of(task).values == 1) {
      tasks.push_back({tasks_[i].index, task.title.empty() ? task.name : task.title});
    }
  }
  return tasks;
}

std::vector<report::Term> ModelFacts::terms() const {
  std::vector<report::Term> terms;
  for (const auto& [task, index, first] : tasks_) {
    const Columns columns = columns_of(task);
    std::string meaning = meaning_of_task(task, columns);
    if (columns.has_spread) {
      meaning +=
          fmt::format(" ± is the standard deviation over the {} models of the ensemble.", task.members);
    }
    if (columns.has_uncertainty) {
      meaning += " " + words_for_uncertainty(task.head);
    }
    if (columns.has_percentile) {
      meaning +=
          " The percentile compares the prediction with the predictions for approved drugs (DrugBank).";
    }
    const std::string name = task.title.empty() ? "predicted " + task.name
                                                : fmt::format("{} ({}{}{})", task.title, task.name,
                                                              task.unit.empty() ? "" : ", in ", task.unit);
    terms.push_back({name, std::move(meaning), terms.size() < kShownTasks});
  }
  return terms;
}

std::vector<std::string> ModelFacts::facts(std::span<const std::string> cells) const {
  std::vector<std::string> facts;
  for (const auto& [task, index, first] : tasks_) {
    const Columns columns = columns_of(task);
    auto own = cells.subspan(first, task.columns.size());
    const std::string percentile = columns.has_percentile ? own.back() : "";
    own = own.first(own.size() - (columns.has_percentile ? 1 : 0));
    std::vector<std::string> values;
    for (std::size_t value = 0; value < columns.values; ++value) {
      const std::string spread = columns.has_spread ? shortened(own[columns.values + value]) : "";
      values.push_back(shortened(own[value]) + (spread.empty() ? "" : " ± " + spread));
    }
    const bool is_missing = values.front().empty();
    std::string fact = is_missing ? "" : fmt::format("{}", fmt::join(values, " / "));
    if (const std::string uncertainty = columns.has_uncertainty ? shortened(own.back()) : "";
        !is_missing && !uncertainty.empty()) {
      fact += fmt::format(" (uncertainty {})", uncertainty);
    }
    if (const std::string problem = problem_of(task, own.front()); !problem.empty()) {
      fact += fmt::format(". Implausible: {}", problem);
    } else if (const std::string shown = shortened(percentile); !is_missing && !shown.empty()) {
      fact += fmt::format(", percentile {:.0f} of the drugs", std::stod(percentile));
    }
    facts.push_back(std::move(fact));
  }
  return facts;
}

std::string ModelFacts::notice() const {
  if (tasks_.size() <= kShownTasks) {
    return "";
  }
  const std::string rest =
      tasks_left_out_ == 0 ? "" : fmt::format(" The CSV file has {} more.", counted(tasks_left_out_, "task"));
  return fmt::format(
      "The page first shows the predictions of {} of {} tasks. Choose others above the list of molecules.{}",
      kShownTasks, tasks_.size(), rest);
}

}  // namespace molgauge::verbs
