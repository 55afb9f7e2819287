#include "molecules/baselines/detectors/neighbour_detectors.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "base/core/error.h"
#include "base/numerics/torch/tensor_files.h"
#include "molecules/baselines/detectors/fitted_tensors.h"

namespace molgauge::baselines {
namespace {

std::size_t most_neighbours(const at::Tensor& points, std::size_t wanted) {
  if (points.size(0) < 2) {
    throw InputError("lof: needs at least two training molecules");
  }
  return std::min(wanted, static_cast<std::size_t>(points.size(0)) - 1);
}

/// Returns a hundredth of the mean of `reach`, or 1 if all values are 0.
double smallest_mean_reach(const std::vector<float>& reach) {
  constexpr double kShare = 0.01;
  const double mean = std::accumulate(reach.begin(), reach.end(), 0.0) / static_cast<double>(reach.size());
  return mean > 0 ? kShare * mean : 1;
}

template <typename Number>
std::span<const Number> row_of(const std::vector<Number>& table, std::size_t k, std::size_t row) {
  return std::span(table).subspan(row * k, k);
}

}  // namespace

Standardization Standardization::of(const at::Tensor& rows) {
  const at::Tensor wide = rows.to(at::kDouble);
  const at::Tensor mean = wide.mean(0);
  const at::Tensor deviation = (wide - mean).square_().mean(0).sqrt_();
  return {mean.to(at::kFloat), deviation.masked_fill(deviation < 1e-6, 1.0).to(at::kFloat)};
}

at::Tensor Standardization::apply(const at::Tensor& rows) const { return (rows - mean) / deviation; }

void add_fitted(const Standardization& standardization, io::TensorMap& tensors) {
  tensors["mean"] = torch::to_file(standardization.mean);
  tensors["deviation"] = torch::to_file(standardization.deviation);
}

Standardization take_standardization(const io::TensorMap& tensors, std::int64_t width,
                                     const std::string& source) {
  return {torch::take_tensor(tensors, "mean", {width}, source),
          torch::take_tensor(tensors, "deviation", {width}, source)};
}

void require_neighbours(std::size_t neighbours, std::int64_t molecules) {
  if (neighbours == 0 || neighbours > static_cast<std::size_t>(molecules)) {
    throw InputError("knn: k = " + std::to_string(neighbours) + " is not between 1 and the " +
                     std::to_string(molecules) + " training molecules. Choose another --knn-k");
  }
}

void require_neighbours(std::size_t neighbours, const NearestNeighbours& points, const std::string& source) {
  if (neighbours > static_cast<std::size_t>(points.size())) {
    throw InputError(source + ": has " + std::to_string(points.size()) +
                     " training molecules, fewer than --knn-k of the run");
  }
}

std::vector<float> mean_distances(const Neighbours& found) {
  std::vector<float> means(found.distances.size() / found.k);
  for (std::size_t i = 0; i < means.size(); ++i) {
    const auto distances = row_of(found.distances, found.k, i);
    means[i] = static_cast<float>(std::accumulate(distances.begin(), distances.end(), 0.0) /
                                  static_cast<double>(found.k));
  }
  return means;
}

void NeighbourDistance::fit(const FitData& data) {
  const at::Tensor hidden = read_out(*model_.classifier, data.train.features, data.batches).hidden;
  require_neighbours(options_.neighbours, hidden.size(0));
  standardization_ = Standardization::of(hidden);
  points_ = std::make_unique<NearestNeighbours>(standardization_.apply(hidden));
}

io::TensorMap NeighbourDistance::fitted() const {
  io::TensorMap tensors;
  add_fitted(standardization_, tensors);
  add_search(*points_, tensors);
  return tensors;
}

void NeighbourDistance::restore(const io::TensorMap& tensors, std::int64_t width, const std::string& source) {
  standardization_ = take_standardization(tensors, width, source);
  points_ = std::make_unique<NearestNeighbours>(take_search(tensors, width, source));
  require_neighbours(options_.neighbours, *points_, source);
}

std::vector<float> NeighbourDistance::score_rows(const at::Tensor& features) const {
  return mean_distances(points_->find(standardization_.apply(read_out(*model_.classifier, features).hidden),
                                      options_.neighbours));
}

LocalOutlierFactor::LocalOutlierFactor(const at::Tensor& points, const NeighbourOptions& options,
                                       const RowBatches& batches)
    : neighbours_(most_neighbours(points, options.neighbours)), search_(points) {
  const Neighbours among = search_.find_among_points(neighbours_, batches);
  const auto count = static_cast<std::size_t>(points.size(0));
  for (std::size_t i = 0; i < count; ++i) {
    reach_.push_back(row_of(among.distances, among.k, i).back());
  }
  smallest_mean_reach_ = smallest_mean_reach(reach_);
  for (std::size_t i = 0; i < count; ++i) {
    densities_.push_back(density(among, i));
  }
}

LocalOutlierFactor::LocalOutlierFactor(NearestNeighbours search, const NeighbourOptions& options,
                                       std::vector<float> reach, std::vector<float> densities)
    : neighbours_(most_neighbours(search.centred().points, options.neighbours)),
      search_(std::move(search)),
      reach_(std::move(reach)),
      densities_(std::move(densities)),
      smallest_mean_reach_(smallest_mean_reach(reach_)) {}

float LocalOutlierFactor::density(const Neighbours& found, std::size_t row) const {
  const auto distances = row_of(found.distances, found.k, row);
  const auto index = row_of(found.index, found.k, row);
  double sum = 0;
  for (std::size_t j = 0; j < found.k; ++j) {
    sum += std::max(distances[j], reach_[static_cast<std::size_t>(index[j])]);
  }
  const double mean = std::max(sum / static_cast<double>(found.k), smallest_mean_reach_);
  return static_cast<float>(1 / (mean + 1e-10));
}

std::vector<float> LocalOutlierFactor::factors(const at::Tensor& points) const {
  const Neighbours found = search_.find(points, neighbours_);
  std::vector<float> factors(static_cast<std::size_t>(points.size(0)));
  for (std::size_t i = 0; i < factors.size(); ++i) {
    double sum = 0;
    for (const std::int32_t neighbour : row_of(found.index, found.k, i)) {
      sum += densities_[static_cast<std::size_t>(neighbour)];
    }
    factors[i] = static_cast<float>(sum / static_cast<double>(found.k) / density(found, i));
  }
  return factors;
}

void OutlierFactor::fit(const FitData& data) {
  const at::Tensor hidden = read_out(*model_.classifier, data.train.features, data.batches).hidden;
  standardization_ = Standardization::of(hidden);
  factor_ = std::make_unique<LocalOutlierFactor>(standardization_.apply(hidden), options_, data.batches);
}

io::TensorMap OutlierFactor::fitted() const {
  io::TensorMap tensors;
  add_fitted(standardization_, tensors);
  add_search(factor_->search(), tensors);
  tensors["reach"] = list_to_file(factor_->reach());
  tensors["densities"] = list_to_file(factor_->densities());
  return tensors;
}

void OutlierFactor::restore(const io::TensorMap& tensors, std::int64_t width, const std::string& source) {
  standardization_ = take_standardization(tensors, width, source);
  NearestNeighbours search = take_search(tensors, width, source);
  std::vector<float> reach = take_list(tensors, "reach", source);
  std::vector<float> densities = take_list(tensors, "densities", source);
  const auto points = static_cast<std::size_t>(search.size());
  if (reach.size() != points || densities.size() != points) {
    throw InputError(source + ": its lists reach and densities are not of its " + std::to_string(points) +
                     " training molecules");
  }
  factor_ = std::make_unique<LocalOutlierFactor>(std::move(search), options_, std::move(reach),
                                                 std::move(densities));
}

std::vector<float> OutlierFactor::score_rows(const at::Tensor& features) const {
  return factor_->factors(standardization_.apply(read_out(*model_.classifier, features).hidden));
}

}  // namespace molgauge::baselines
