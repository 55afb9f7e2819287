#include "molecules/experiments/matrix/sensitivity_tables.h"

#include <map>
#include <string>

#include <fmt/format.h>

#include "base/core/text/csv.h"
#include "molecules/experiments/matrix/tables.h"

namespace molgauge::matrix {
namespace {

constexpr const char* kBeta = "dpo-beta";
constexpr const char* kLambda = "lambda-reg";
/// Limits of the gradient norm. As in the parameter study of the Python project, gradients above kExploding
/// count as exploding and gradients below kVanishing count as vanishing.
constexpr double kExploding = 10, kVanishing = 1e-6;

/// The runs of one point of a grid, in the order of the cells.
using Point = std::vector<const CellOutcome*>;

/// The points of the energy heads whose grid has exactly these options.
std::vector<Point> points_of(const std::vector<CellOutcome>& outcomes,
                             const std::vector<std::string>& options) {
  std::vector<Point> points;
  std::map<std::filesystem::path, std::size_t> places;  // index in `points`, by the folder of the variant
  for (const auto& outcome : outcomes) {
    std::vector<std::string> names;
    for (const auto& entry : outcome.cell.grid) {
      names.push_back(entry.first);
    }
    if (outcome.ended.result && outcome.ended.result->head && names == options) {
      const auto [place, fresh] = places.emplace(outcome.cell.folder().parent_path(), points.size());
      if (fresh) {
        points.emplace_back();
      }
      points[place->second].push_back(&outcome);
    }
  }
  return points;
}

template <typename Value>
double mean_over(const Point& point, Value value) {
  double sum = 0;
  for (const CellOutcome* const run : point) {
    sum += value(*run->ended.result);
  }
  return sum / static_cast<double>(point.size());
}

double mean_of(const Point& point, double HeadTraining::*field) {
  return mean_over(point, [&](const CellResult& result) { return (*result.head).*field; });
}

double mean_separation(const Point& point) {
  return mean_over(point,
                   [](const CellResult& result) { return result.ood_mean_score - result.id_mean_score; });
}

/// Columns for encoder and method. The tables of the Python project lack them, because it has only one
/// encoder and one method.
std::string trailing(const Point& point) {
  const Cell& cell = point.front()->cell;
  return fmt::format("{},{},{}\n", csv_field(cell.encoder), csv_field(cell.method), point.size());
}

std::string sensitivity_table(const std::vector<Point>& points, const std::string& option, const char* name) {
  std::string table = fmt::format(
      "{},dataset,best_valid_auc,test_auc,test_loss,test_energy_separation,encoder,method,runs\n", name);
  for (const Point& point : points) {
    const Cell& cell = point.front()->cell;
    table +=
        fmt::format("{},{},{},{},{},{},{}", options::to_text(cell.grid.at(option)), csv_field(cell.benchmark),
                    mean_over(point, [](const CellResult& result) { return result.validation_auroc; }),
                    mean_over(point, [](const CellResult& result) { return result.auroc; }),
                    mean_of(point, &HeadTraining::test_loss), mean_separation(point), trailing(point));
  }
  return table;
}

std::string study_table(const std::vector<Point>& points) {
  std::string table =
      "beta,lambda,dataset,final_train_loss,final_valid_loss,energy_separation,mean_gradient_norm,"
      "max_gradient_norm,convergence_rate,stability_score,gradient_explosion,gradient_vanishing,"
      "encoder,method,runs\n";
  for (const Point& point : points) {
    const Cell& cell = point.front()->cell;
    const double largest = mean_of(point, &HeadTraining::largest_gradient_norm);
    const double norm = mean_of(point, &HeadTraining::mean_gradient_norm);
    table += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}", options::to_text(cell.grid.at(kBeta)),
                         options::to_text(cell.grid.at(kLambda)), csv_field(cell.benchmark),
                         mean_of(point, &HeadTraining::final_train_loss),
                         mean_of(point, &HeadTraining::final_validation_loss), mean_separation(point), norm,
                         largest, mean_of(point, &HeadTraining::convergence_rate),
                         mean_of(point, &HeadTraining::stability_score), largest > kExploding,
                         norm < kVanishing, trailing(point));
  }
  return table;
}

}  // namespace

void write_sensitivity_tables(const std::filesystem::path& folder, const std::vector<CellOutcome>& outcomes) {
  const auto betas = points_of(outcomes, {kBeta}), lambdas = points_of(outcomes, {kLambda});
  const auto both = points_of(outcomes, {kBeta, kLambda});
  write_or_remove(folder / "beta_sensitivity.csv",
                  betas.empty() ? "" : sensitivity_table(betas, kBeta, "beta"));
  write_or_remove(folder / "lambda_sensitivity.csv",
                  lambdas.empty() ? "" : sensitivity_table(lambdas, kLambda, "lambda"));
  write_or_remove(folder / "parameter_study.csv", both.empty() ? "" : study_table(both));
}

}  // namespace molgauge::matrix
