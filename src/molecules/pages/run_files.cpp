#include "molecules/pages/run_files.h"

#include <algorithm>
#include <limits>

#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/json/checked_json.h"
#include "base/core/json/json_reader.h"
#include "molecules/pages/json_fields.h"

namespace molgauge::report {
namespace {

using nlohmann::json;

PairGroupWeights group_of(const json& fields) {
  return {fields.at("ratio").get<double>(), fields.at("mean_weight").get<double>()};
}

PairBinWeights bin_of(const json& fields, double pairs, double weight_of_all) {
  const auto count = fields.at("count").get<double>(), weight = fields.at("mean_weight").get<double>();
  return {.centre = (fields.at("low").get<double>() + fields.at("high").get<double>()) / 2,
          .share = count / pairs,
          .mean_weight = count > 0 ? weight : std::numeric_limits<double>::quiet_NaN(),
          .share_of_weight = count * weight / weight_of_all};
}

}  // namespace

PairWeights read_pair_weights(const std::filesystem::path& file) {
  require_intact(file, "Run 'molgauge experiment' again");
  try {
    const json fields = parse_json(read_file(file));
    PairWeights weights;
    get_checked(fields.at("beta"), weights.beta);
    get_checked(fields.at("pairs"), weights.pairs);
    get_checked(fields.at("hard_share_of_weight"), weights.hard_share_of_weight);
    weights.hard = group_of(fields.at("hard"));
    weights.easy = group_of(fields.at("easy"));
    weights.boundary = group_of(fields.at("boundary"));
    const double weight_of_all = weights.pairs * fields.at("mean_weight").get<double>();
    for (const json& bin : fields.at("bins")) {
      weights.bins.push_back(bin_of(bin, weights.pairs, weight_of_all));
    }
    return weights;
  } catch (const json::exception& problem) {
    throw InputError(file.string() + ": not a file of 'molgauge experiment' (" + json_problem(problem) +
                     ").");
  }
}

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
