#include "molecules/verbs/domain/model_facts.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace molgauge::session {
namespace {

constexpr std::size_t kShownTasks = 8;

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
  bool has_spread = false, has_uncertainty = false;
};

Columns columns_of(const PredictedTask& task) {
  Columns columns;
  columns.has_spread = task.members > 1;
  const std::size_t sets = columns.has_spread ? 2 : 1;
  if (task.head.starts_with("multiclass")) {
    columns.values = task.columns.size() / sets;
  } else {
    columns.has_uncertainty = task.columns.size() > sets;
  }
  return columns;
}

std::string words_for_uncertainty(const std::string& head) {
  return head == "regression-quantile" ? "The width of the predicted interval follows."
         : head == "classification-dirichlet"
             ? "The uncertainty of the model follows, from 0 to 1."
             : "The standard deviation that the model predicts for its own error follows.";
}

}  // namespace

ModelFacts::ModelFacts(std::vector<PredictedTask> tasks) : tasks_(std::move(tasks)) {}

std::vector<report::Term> ModelFacts::terms() const {
  std::vector<report::Term> terms;
  for (std::size_t i = 0; i < tasks_.size() && i < kShownTasks; ++i) {
    const PredictedTask& task = tasks_[i];
    const Columns columns = columns_of(task);
    const bool is_class = task.head.starts_with("classification");
    std::string meaning = columns.values > 1 ? "Probability of each class that the model predicts."
                          : is_class         ? "Probability of class 1 that the model predicts."
                                             : "Value that the model predicts.";
    meaning += " It is not calibrated.";
    if (columns.has_spread) {
      meaning +=
          fmt::format(" ± is the standard deviation over the {} models of the ensemble.", task.members);
    }
    if (columns.has_uncertainty) {
      meaning += " " + words_for_uncertainty(task.head);
    }
    terms.push_back({"predicted " + task.name, std::move(meaning)});
  }
  return terms;
}

std::vector<std::string> ModelFacts::facts(std::span<const std::string> cells) const {
  std::vector<std::string> facts;
  std::size_t first = 0;
  for (std::size_t i = 0; i < tasks_.size() && i < kShownTasks; ++i) {
    const Columns columns = columns_of(tasks_[i]);
    const auto own = cells.subspan(first, tasks_[i].columns.size());
    first += own.size();
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
    facts.push_back(std::move(fact));
  }
  return facts;
}

std::string ModelFacts::notice() const {
  return tasks_.size() <= kShownTasks
             ? ""
             : fmt::format(
                   "The page shows the predictions of {} of the {} tasks of the model. The CSV file has "
                   "all of them.",
                   kShownTasks, tasks_.size());
}

}  // namespace molgauge::session
