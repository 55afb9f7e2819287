#include "pockets/training/losses.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace molgauge::pocket {
namespace {

/// Minimum lengths of rows in cosines. If a row is shorter, its length is replaced by the minimum, and the
/// gradient with respect to the length is zero.
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

/// Returns the mean cross entropy of logits [n, n], over the rows or over the columns. The diagonal entries
/// are the correct classes. Adds the gradient, (softmax - identity) * scale, to `slope`.
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

/// Sets the loss and the accuracy of infonce in `value`, and adds the gradient with respect to `predicted` to
/// `gradient`.
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
    const std::int64_t nearest = std::max_element(row, row + n) - row;
    found += std::equal(targets.row(i), targets.row(i) + targets.width, targets.row(nearest)) ? 1 : 0;
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

/// The ligands of a part: the ligand number of each row, and the rows of each ligand.
struct Ligands {
  std::vector<std::size_t> of_row;
  std::vector<std::vector<std::int64_t>> rows;
};

Ligands ligands_among(const Rows& targets) {
  constexpr double kSameDirection = 1 - 1e-9;
  Ligands ligands;
  for (std::int64_t i = 0; i < targets.count; ++i) {
    const auto same = std::find_if(ligands.rows.begin(), ligands.rows.end(), [&](const auto& rows) {
      const std::int64_t first = rows.front();
      return std::equal(targets.row(i), targets.row(i) + targets.width, targets.row(first)) ||
             cosine_of(targets, i, targets, first, kLeastLength) > kSameDirection;
    });
    ligands.of_row.push_back(static_cast<std::size_t>(same - ligands.rows.begin()));
    if (same == ligands.rows.end()) {
      ligands.rows.push_back({i});
    } else {
      same->push_back(i);
    }
  }
  return ligands;
}

/// Sets loss and accuracy by the rules of part_loss(). logits[i * L + l] is the logit of pocket i and ligand
/// l.
void contrast_ligands(const Ligands& ligands, const Numbers& logits, LossValue& value) {
  const std::size_t count = ligands.rows.size();
  value.loss = value.accuracy = 0;
  for (std::size_t l = 0; l < count; ++l) {
    // The softmax for ligand l runs over the pockets.
    double highest = logits[l];
    for (std::size_t i = 1; i < ligands.of_row.size(); ++i) {
      highest = std::max(highest, logits[i * count + l]);
    }
    double wrong = 0;
    for (std::size_t m = 0; m < count; ++m) {
      double sum = 0;
      for (const std::int64_t j : ligands.rows[m]) {
        sum += m == l ? 0 : std::exp(logits[static_cast<std::size_t>(j) * count + l] - highest);
      }
      wrong += sum / static_cast<double>(ligands.rows[m].size());
    }
    double loss = 0, found = 0;
    for (const std::int64_t i : ligands.rows[l]) {
      const double* const row = logits.data() + static_cast<std::size_t>(i) * count;
      loss += std::log(std::exp(row[l] - highest) + wrong) - (row[l] - highest);
      // The softmax for pocket i runs over the ligands.
      const double* const best = std::max_element(row, row + count);
      double total = 0;
      for (std::size_t m = 0; m < count; ++m) {
        total += std::exp(row[m] - *best);
      }
      loss += *best + std::log(total) - row[l];
      found += row[l] == *best ? 1 : 0;
    }
    const auto weight = 1 / static_cast<double>(ligands.rows[l].size() * count);
    value.loss += 0.5 * loss * weight;
    value.accuracy += found * weight;
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
    case PocketLoss::mse:
      value.loss = value.mse;
      add_mse_gradient(predicted, targets, 1, slope);
      break;
    case PocketLoss::cosine:
      value.loss = 1 - value.cosine;
      add_cosine_gradient(predicted, targets, 1, slope);
      break;
    case PocketLoss::cosine_mse:
      value.loss = options.cosine_weight * (1 - value.cosine) + options.mse_weight * value.mse;
      add_cosine_gradient(predicted, targets, options.cosine_weight, slope);
      add_mse_gradient(predicted, targets, options.mse_weight, slope);
      break;
    case PocketLoss::infonce:
      contrast(predicted, targets, options.temperature, value, slope);
      break;
  }
  if (gradient != nullptr) {
    std::transform(slope.begin(), slope.end(), gradient, [](double x) { return static_cast<float>(x); });
  }
  return value;
}

LossValue part_loss(const LossOptions& options, const ops::Floats& predicted_rows,
                    const ops::Floats& target_rows) {
  if (options.kind != PocketLoss::infonce) {
    return row_loss(options, predicted_rows, target_rows, nullptr);
  }
  LossValue value = row_loss({.kind = PocketLoss::cosine}, predicted_rows, target_rows, nullptr);
  const Rows predicted(predicted_rows), targets(target_rows);
  const Ligands ligands = ligands_among(targets);
  if (ligands.rows.size() == 1) {
    value.accuracy = 1;
    return value;
  }
  Numbers logits;
  logits.reserve(static_cast<std::size_t>(predicted.count) * ligands.rows.size());
  for (std::int64_t i = 0; i < predicted.count; ++i) {
    for (const auto& rows : ligands.rows) {
      logits.push_back(cosine_of(predicted, i, targets, rows.front(), kLeastLength) / options.temperature);
    }
  }
  contrast_ligands(ligands, logits, value);
  return value;
}

std::size_t count_ligands(const ops::Floats& targets) { return ligands_among(Rows(targets)).rows.size(); }

double mean_batch_loss(const LossOptions& options, const ops::Floats& predicted, const ops::Floats& targets,
                       std::size_t batch_size) {
  const auto count = predicted.size(0), most = static_cast<std::int64_t>(batch_size);
  double sum = 0;
  std::int64_t batches = 0;
  for (std::int64_t first = 0; first < count; first += most, ++batches) {
    const auto part = [&](const ops::Floats& all) {
      return ops::Floats::view(const_cast<float*>(all.data()) + first * all.width(),
                               {std::min(most, count - first), all.width()});
    };
    sum += row_loss(options, part(predicted), part(targets), nullptr).loss;
  }
  return sum / static_cast<double>(batches);
}

}  // namespace molgauge::pocket
