#include "molecules/pages/run_files.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "molecules/pages/json_fields.h"

namespace molgauge::report {

const Predictions* RunFiles::predictions(const matrix::Cell& cell) {
  const auto path = study_.predictions_file(cell);
  const auto [entry, fresh] = predictions_.try_emplace(path.string());
  if (fresh) {
    try {
      entry->second = read_predictions(path);
    } catch (const Error& problem) {
      add_gap(problem.what());
    }
  }
  return entry->second ? &*entry->second : nullptr;
}

std::optional<NumberTable> RunFiles::table(const matrix::Cell& cell, const std::string& file,
                                           const std::vector<std::string>& columns) {
  const auto path = study_.run_folder(cell) / file;
  if (!std::filesystem::exists(path)) {
    return std::nullopt;
  }
  try {
    NumberTable table = NumberTable::read(path);
    for (const std::string& column : columns) {
      table.column(column);  // throws if the column is missing
    }
    return table;
  } catch (const Error& problem) {
    add_gap(problem.what());
    return std::nullopt;
  }
}

std::optional<PairWeights> RunFiles::pair_weights(const matrix::Cell& cell) {
  const auto path = study_.run_folder(cell) / "hard_pair_validation.json";
  if (!std::filesystem::exists(path)) {
    return std::nullopt;
  }
  try {
    return read_pair_weights(path);
  } catch (const Error& problem) {
    add_gap(problem.what());
    return std::nullopt;
  }
}

nlohmann::ordered_json RunFiles::json(const matrix::Cell& cell, const std::string& file) {
  std::vector<std::string> found;
  auto content = read_json(study_.run_folder(cell) / file, found);
  for (const std::string& gap : found) {
    add_gap(gap);
  }
  return content;
}

nlohmann::ordered_json RunFiles::matrix_stats() {
  const auto path = study_.folder / "matrix_stats.json";
  std::vector<std::string> found;
  auto content = std::filesystem::exists(path) ? read_json(path, found) : nlohmann::ordered_json::object();
  for (const std::string& gap : found) {
    add_gap(gap);
  }
  return content;
}

void RunFiles::add_gap(const std::string& gap) {
  if (std::find(gaps_.begin(), gaps_.end(), gap) == gaps_.end()) {
    gaps_.push_back(gap);
  }
}

}  // namespace molgauge::report
