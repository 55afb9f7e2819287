#include "pocket/training/losses.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace headroom::pocket {
namespace {

/// Lengths below it count as it; the gradient in the length is zero then.
constexpr double kLeastCosineLength = 1e-8, kLeastLength = 1e-12;

using Numbers = std::vector<double>;

/// Rows in float64 with their lengths.
struct Rows {
  std::int64_t count, width;
  Numbers numbers, lengths;

  explicit Rows(const ops::Floats& rows)
      : count(rows.size(0)), width(rows.width()), numbers(rows.data(), rows.data() + rows.count()) {
    for (std::int64_t i = 0; i < count; ++i) {
      lengths.push_back(std::sqrt(std::inner_product(row(i), row(i) + width, row(i), 0.0)));
    }
  }
  const double* row(std::int64_t i) const { return numbers.data() + i * width; }
};

double dot(const double* a, const double* b, std::int64_t width) {
  return std::inner_product(a, a + width, b, 0.0);
}

double cosine_of(const Rows& a, std::int64_t i, const Rows& b, std::int64_t j, double least) {
  return dot(a.row(i), b.row(j), a.width) / (std::max(a.lengths[static_cast<std::size_t>(i)], least) *
                                             std::max(b.lengths[static_cast<std::size_t>(j)], least));
}

double mean_square(const Rows& predicted, const Rows& targets) {
  double sum = 0;
  for (std::size_t k = 0; k < predicted.numbers.size(); ++k) {
    const double difference = predicted.numbers[k] - targets.numbers[k];
    sum += difference * difference;
  }
  return sum / static_cast<double>(predicted.numbers.size());
}

void add_mse_gradient(const Rows& predicted, const Rows& targets, double factor, Numbers& gradient) {
  const double scale = 2 * factor / static_cast<double>(predicted.numbers.size());
  for (std::size_t k = 0; k < gradient.size(); ++k) {
    gradient[k] += scale * (predicted.numbers[k] - targets.numbers[k]);
  }
}

void add_cosine_gradient(const Rows& predicted, const Rows& targets, double factor, Numbers& gradient) {
  const double scale = -factor / static_cast<double>(predicted.count);
  for (std::int64_t i = 0; i < predicted.count; ++i) {
    const double length = predicted.lengths[static_cast<std::size_t>(i)];
    const double of_target = std::max(targets.lengths[static_cast<std::size_t>(i)], kLeastCosineLength);
    const double divisor = std::max(length, kLeastCosineLength);
    const double along = length > kLeastCosineLength
                             ? cosine_of(predicted, i, targets, i, kLeastCosineLength) / (length * length)
                             : 0;
    for (std::int64_t k = 0; k < predicted.width; ++k) {
      gradient[static_cast<std::size_t>(i * predicted.width + k)] +=
          scale * (targets.row(i)[k] / (divisor * of_target) - along * predicted.row(i)[k]);
    }
  }
}

/// logits [n, n]; adds (softmax - identity) * scale to `slope`, and returns the mean cross entropy, of the
/// rows or of the columns.
double cross_entropy(const Numbers& logits, std::int64_t n, bool of_rows, double scale, Numbers& slope) {
  double loss = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const auto place = [&](std::int64_t j) {
      return static_cast<std::size_t>(of_rows ? i * n + j : j * n + i);
    };
    double highest = logits[place(0)], total = 0;
    for (std::int64_t j = 1; j < n; ++j) {
      highest = std::max(highest, logits[place(j)]);
    }
    for (std::int64_t j = 0; j < n; ++j) {
      total += std::exp(logits[place(j)] - highest);
    }
    for (std::int64_t j = 0; j < n; ++j) {
      slope[place(j)] += scale * (std::exp(logits[place(j)] - highest) / total - (i == j ? 1 : 0));
    }
    loss += highest + std::log(total) - logits[place(i)];
  }
  return loss / static_cast<double>(n);
}

/// Sets loss and accuracy of `value`.
void contrast(const Rows& predicted, const Rows& targets, double temperature, LossValue& value,
              Numbers& gradient) {
  const std::int64_t n = predicted.count;
  Numbers logits(static_cast<std::size_t>(n * n)), slope(logits.size());
  std::int64_t found = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    double* const row = logits.data() + i * n;
    for (std::int64_t j = 0; j < n; ++j) {
      row[j] = cosine_of(predicted, i, targets, j, kLeastLength) / temperature;
    }
    found += std::max_element(row, row + n) - row == i ? 1 : 0;
  }
  value.accuracy = static_cast<double>(found) / static_cast<double>(n);
  const double scale = 0.5 / static_cast<double>(n);
  value.loss =
      0.5 * (cross_entropy(logits, n, true, scale, slope) + cross_entropy(logits, n, false, scale, slope));
  for (std::int64_t i = 0; i < n; ++i) {
    const double length = predicted.lengths[static_cast<std::size_t>(i)];
    Numbers of_direction(static_cast<std::size_t>(predicted.width));
    for (std::int64_t j = 0; j < n; ++j) {
      const double by = slope[static_cast<std::size_t>(i * n + j)] /
                        (temperature * std::max(targets.lengths[static_cast<std::size_t>(j)], kLeastLength));
      for (std::int64_t k = 0; k < predicted.width; ++k) {
        of_direction[static_cast<std::size_t>(k)] += by * targets.row(j)[k];
      }
    }
    const double divisor = std::max(length, kLeastLength);
    const double along = length > kLeastLength ? dot(of_direction.data(), predicted.row(i), predicted.width) /
                                                     (length * length * length)
                                               : 0;
    for (std::int64_t k = 0; k < predicted.width; ++k) {
      gradient[static_cast<std::size_t>(i * predicted.width + k)] +=
          of_direction[static_cast<std::size_t>(k)] / divisor - along * predicted.row(i)[k];
    }
  }
}

}  // namespace

LossValue row_loss(const LossOptions& options, const ops::Floats& predicted_rows,
                   const ops::Floats& target_rows, float* gradient) {
  const Rows predicted(predicted_rows), targets(target_rows);
  Numbers slope(predicted.numbers.size());
  LossValue value;
  for (std::int64_t i = 0; i < predicted.count; ++i) {
    value.cosine += cosine_of(predicted, i, targets, i, kLeastCosineLength);
  }
  value.cosine /= static_cast<double>(predicted.count);
  value.mse = mean_square(predicted, targets);
  switch (options.kind) {
    case LossKind::mse:
      value.loss = value.mse;
      add_mse_gradient(predicted, targets, 1, slope);
      break;
    case LossKind::cosine:
      value.loss = 1 - value.cosine;
      add_cosine_gradient(predicted, targets, 1, slope);
      break;
    case LossKind::cosine_mse:
      value.loss = options.cosine_weight * (1 - value.cosine) + options.mse_weight * value.mse;
      add_cosine_gradient(predicted, targets, options.cosine_weight, slope);
      add_mse_gradient(predicted, targets, options.mse_weight, slope);
      break;
    case LossKind::infonce:
      contrast(predicted, targets, options.temperature, value, slope);
      break;
  }
  if (gradient != nullptr) {
    std::transform(slope.begin(), slope.end(), gradient, [](double x) { return static_cast<float>(x); });
  }
  return value;
}

}  // namespace headroom::pocket
