#include <algorithm>

#include "base/page/chart.h"
#include "molecules/pages/sections.h"

namespace molgauge::report {
namespace {

/// A method, and a table of its median run with a row for each epoch.
struct Course {
  ComparedMethod contender;
  NumberTable table;
};

std::vector<Course> courses_of(RunFiles& files, const Setting& setting, const std::string& file,
                               const std::vector<std::string>& columns) {
  std::vector<Course> courses;
  for (const ComparedMethod& contender : drawn_contenders(setting)) {
    auto table = files.table(contender.median->cell, file, columns);
    if (table && table->rows() > 0) {
      courses.push_back({contender, std::move(*table)});
    }
  }
  return courses;
}

std::size_t most_epochs(const std::vector<Course>& courses) {
  std::size_t most = 0;
  for (const Course& course : courses) {
    most = std::max(most, course.table.rows());
  }
  return most;
}

page::Series series_of(const NumberTable& table, const std::string& column, std::size_t style) {
  page::Series series{style, {}, {}, false};
  const auto& epochs = table.column("epoch");
  const auto& values = table.column(column);
  for (std::size_t i = 0; i < values.size(); ++i) {
    series.points.push_back({epochs[i], values[i]});
  }
  return series;
}

std::vector<double> values_of(const std::vector<page::Series>& all) {
  std::vector<double> values;
  for (const page::Series& series : all) {
    for (const page::Point& point : series.points) {
      values.push_back(point.y);
    }
  }
  return values;
}

/// Draws a column of each method against the epoch.
page::Figure column_figure(const std::vector<Course>& courses, const std::string& column,
                           const std::string& title, const std::string& unit, const std::string& caption) {
  page::Chart chart;
  std::vector<page::LegendEntry> legend;
  for (const Course& course : courses) {
    chart.series.push_back(series_of(course.table, column, course.contender.style));
    legend.push_back({course.contender.style, display_name(course.contender.summary.variant)});
  }
  chart.description = title + " by epoch";
  chart.x = page::counting_axis("epoch", most_epochs(courses));
  chart.y = page::round_axis(unit, values_of(chart.series));
  return {title, draw(chart), caption, legend};
}

page::Figure loss_figure(const Course& course) {
  page::Chart chart;
  chart.series = {series_of(course.table, "train_loss", 0), series_of(course.table, "validation_loss", 1)};
  chart.description = "Loss by epoch, " + display_name(course.contender.summary.variant);
  chart.x = page::counting_axis("epoch", course.table.rows());
  chart.y = page::round_axis("loss", values_of(chart.series));
  return {"Loss of " + display_name(course.contender.summary.variant),
          draw(chart),
          "Mean loss over the batches of an epoch (with dropout), and loss on the validation molecules after "
          "the epoch. Losses of different methods have different scales.",
          {{0, "training"}, {1, "validation"}}};
}

void append_curves(std::vector<page::Figure>& figures, const Setting& setting,
                   const std::vector<Course>& courses) {
  if (courses.empty()) {
    return;
  }
  figures.push_back(column_figure(courses, "auroc", "Validation AUROC", "AUROC",
                                  "AUROC on the validation molecules after each epoch. The best model is "
                                  "kept. A line ends where its training stopped." +
                                      which_run(setting)));
  figures.push_back(column_figure(courses, "fpr95", "Validation FPR95", "FPR95",
                                  "Share of ID validation molecules called OOD when 95 % of the OOD "
                                  "molecules are found, after each epoch."));
  for (const Course& course : courses) {
    figures.push_back(loss_figure(course));
  }
}

void append_dynamics(std::vector<page::Figure>& figures, const std::vector<Course>& courses) {
  if (courses.empty()) {
    return;
  }
  figures.push_back(
      column_figure(courses, "misranked_ratio", "Misranked pairs", "share of pairs",
                    "Share of training pairs whose ID molecule scores above the OOD molecule."));
  figures.push_back(column_figure(courses, "boundary_ratio", "Pairs near the boundary", "share of pairs",
                                  "Share of training pairs whose scores differ by less than 0.05."));
  figures.push_back(column_figure(courses, "avg_margin", "Mean margin", "score difference",
                                  "OOD score minus ID score, mean over the training pairs of an epoch."));
}

}  // namespace

void add_training(page::Page& page, RunFiles& files, const std::vector<Setting>& settings) {
  bool begun = false;
  for (const Setting& setting : settings) {
    std::vector<page::Figure> figures;
    append_curves(figures, setting,
                  courses_of(files, setting, "training_curve.csv",
                             {"epoch", "train_loss", "validation_loss", "auroc", "fpr95"}));
    append_dynamics(figures, courses_of(files, setting, "training_dynamics.csv",
                                        {"epoch", "misranked_ratio", "boundary_ratio", "avg_margin"}));
    if (figures.empty()) {
      continue;
    }
    if (!begun) {
      page.section("Training");
      begun = true;
    }
    page.heading(setting.name());
    page.figures(figures);
  }
}

}  // namespace molgauge::report
