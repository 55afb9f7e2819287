#include "base/command_line/command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/command_line/engine_loader.h"
#include "base/command_line/print.h"
#include "base/core/session/standard_streams.h"
#include "base/core/text/counted.h"

namespace molgauge::cli {
namespace {

/// Maximum number of tasks that are listed by name.
constexpr std::size_t kShownTasks = 10;

std::string names_of(const std::vector<PredictedTask>& tasks) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < tasks.size() && i < kShownTasks; ++i) {
    names.push_back(tasks[i].name);
  }
  return fmt::format("{}{}", fmt::join(names, ", "), tasks.size() > kShownTasks ? ", ..." : "");
}

/// Counts the records that were also, or instead, predicted in another form than drawn. Empty if there is
/// no such record.
std::string words_of_forms(const PredictRequest& request, const PredictReport& report) {
  if (request.standardize != Standardize::none) {
    return fmt::format(
        "records predicted in a form that differs from the drawing (--standardize {}): {} of {}\n",
        to_string(request.standardize), report.standardized_rows, report.rows);
  }
  if (report.parent_rows == 0) {
    return "";
  }
  return fmt::format(
      "records not drawn as the parent (neutral, without counter-ions): {} of {}. The parent "
      "has another prediction: {}\n",
      report.parent_rows, report.rows, report.parent_differs_rows);
}

void run(const PredictRequest& request) {
  const PredictReport report = load_engine().run(request);
  print_failed(report.failed, report.failed_records);
  print_phases({report.phase});
  print_info("{} for {}: {}\n", counted(report.models, "model"), counted(report.tasks.size(), "task"),
             names_of(report.tasks));
  print_info("{}", words_of_forms(request, report));
  const std::string rate =
      report.predicted > 0 ? fmt::format(" ({:.1f} molecules/s)", report.molecules_per_second) : "";
  print_result("{}: {}, {} predicted now{}, {} found in the store, {} failed\n", request.out,
               counted(report.rows, "record"), report.predicted, rate, report.from_store,
               report.failed_records);
}

}  // namespace

template <>
std::vector<Command> commands<PredictRequest>() {
  return {{.name = "predict",
           .summary = "Predict properties of molecules with trained chemprop models",
           .add = runs<PredictRequest>(run)}};
}

}  // namespace molgauge::cli
