#include "pockets/verbs/pocket_page.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/json/json_reader.h"
#include "base/numerics/ops/linear_algebra/principal_map.h"
#include "base/page/chart.h"
#include "pockets/training/history.h"

namespace molgauge::verbs {
namespace {

constexpr std::size_t kMaxDrawn = 500;

page::Series points_of(std::size_t style, std::vector<page::Point> points) {
  return {.style = style, .points = std::move(points), .error_bars = {}, .marks = true};
}

/// Adds a point that no line connects to the next point. A series connects finite points with lines, so a NaN
/// point follows as a separator.
void add_alone(std::vector<page::Point>& points, page::Point point) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  points.push_back(point);
  points.push_back({kNone, kNone});
}

std::vector<double> values(const std::vector<page::Series>& series, double page::Point::*of) {
  std::vector<double> all;
  for (const page::Series& one : series) {
    for (const page::Point& point : one.points) {
      all.push_back(point.*of);
    }
  }
  return all;
}

page::Figure curve(const char* title, const char* unit, const std::vector<pocket::EpochRecord>& history,
                   const std::vector<std::pair<const char*, double pocket::EpochRecord::*>>& lines) {
  page::Chart chart{.description = title,
                    .x = page::counting_axis("epoch", history.size()),
                    .y = {},
                    .series = {},
                    .reference = {}};
  page::Figure figure{.title = title, .svg = {}, .caption = {}};
  for (const auto& [name, field] : lines) {
    page::Series series{.style = chart.series.size(), .points = {}, .error_bars = {}};
    for (std::size_t epoch = 0; epoch < history.size(); ++epoch) {
      series.points.push_back({static_cast<double>(epoch + 1), history[epoch].*field});
    }
    figure.legend.push_back({series.style, name});
    chart.series.push_back(std::move(series));
  }
  chart.y = page::round_axis(unit, values(chart.series, &page::Point::y));
  figure.svg = page::draw(chart);
  return figure;
}

}  // namespace

page::Figure projection_of(const ops::Floats& pockets, const io::KeyedRows& library,
                           const std::vector<std::optional<std::size_t>>& truths, std::size_t threads) {
  const auto width = static_cast<std::size_t>(library.width);
  const ops::PrincipalMap map = ops::principal_map(library.numbers, width, threads);
  const auto place = [&](const float* row) {
    const std::array<double, 2> at = map.place({row, width});
    return page::Point{at[0], at[1]};
  };
  std::vector<page::Point> ligands, rows, pairs;
  const std::size_t step = std::max<std::size_t>(1, library.keys.size() / kMaxDrawn);
  for (std::size_t i = 0; i < library.keys.size(); i += step) {
    add_alone(ligands, place(library.row(i)));
  }
  const auto count = std::min<std::size_t>(kMaxDrawn, static_cast<std::size_t>(pockets.size(0)));
  for (std::size_t i = 0; i < count; ++i) {
    const page::Point at = place(pockets.data() + static_cast<std::int64_t>(i) * pockets.width());
    add_alone(rows, at);
    if (i < truths.size() && truths[i]) {
      pairs.push_back(at);
      add_alone(pairs, place(library.row(*truths[i])));
    }
  }
  page::Chart chart{.description = "Pockets and ligands in two dimensions",
                    .x = {},
                    .y = {},
                    .series = {points_of(0, ligands), points_of(1, rows)},
                    .reference = {}};
  page::Figure figure{
      .title = "Pockets and ligands", .svg = {}, .caption = {}, .legend = {{0, "ligands"}, {1, "pockets"}}};
  if (!pairs.empty()) {
    chart.series.push_back({.style = 2, .points = pairs, .error_bars = {}, .marks = false});
    figure.legend.push_back({2, "a pocket and its ligand"});
  }
  chart.x = page::round_axis("first direction", values(chart.series, &page::Point::x));
  chart.y = page::round_axis("second direction", values(chart.series, &page::Point::y));
  figure.svg = page::draw(chart);
  figure.caption = fmt::format(
      "The first two principal components of the ligand library. They explain {:.0f} % and {:.0f} % of its "
      "variance.",
      100 * map.shares[0], 100 * map.shares[1]);
  return figure;
}

std::vector<page::Figure> training_curves(const std::string& encoder_file) {
  const std::filesystem::path file =
      std::filesystem::path(encoder_file).parent_path() / "training_history.json";
  if (!std::filesystem::exists(file)) {
    return {};
  }
  std::vector<pocket::EpochRecord> history;
  try {
    history = pocket::history_in(parse_json_or_nothing(read_file(file)));
  } catch (const nlohmann::json::exception&) {
    return {};  // the file of the Python project has fewer figures
  }
  if (history.size() < 2) {
    return {};
  }
  using Record = pocket::EpochRecord;
  return {curve("Loss", "loss", history,
                {{"training", &Record::train_loss}, {"validation", &Record::validation_loss}}),
          curve("Cosine with the ligand", "cosine", history, {{"validation", &Record::validation_cosine}}),
          curve("Learning rate", "rate", history, {{"learning rate", &Record::learning_rate}})};
}

}  // namespace molgauge::verbs
