#include "molecules/pages/pair_weights.h"

#include <limits>

#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/json/checked_json.h"
#include "base/core/json/json_reader.h"

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

}  // namespace molgauge::report
