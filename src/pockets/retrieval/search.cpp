#include "pockets/retrieval/search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/threads/worker_group.h"

namespace molgauge::pocket {

void require_width(const io::KeyedRows& library, std::int64_t width, const std::string& library_file) {
  if (library.width != width) {
    throw InputError(fmt::format("{}: its rows have {} numbers, but the rows of the encoder have {}",
                                 library_file, library.width, width));
  }
}

void distances_to(const float* row, const io::KeyedRows& library, PocketMetric metric,
                  std::vector<double>& distances) {
  constexpr double kLeastProduct = 1e-8;
  const auto width = static_cast<std::size_t>(library.width);
  distances.resize(library.keys.size());
  double own = 0;
  for (std::size_t k = 0; k < width; ++k) {
    own += static_cast<double>(row[k]) * row[k];
  }
  for (std::size_t i = 0; i < distances.size(); ++i) {
    const float* const other = library.row(i);
    double product = 0, squares = 0, apart = 0;
    if (metric == PocketMetric::cosine) {
      for (std::size_t k = 0; k < width; ++k) {
        product += static_cast<double>(row[k]) * other[k];
        squares += static_cast<double>(other[k]) * other[k];
      }
      distances[i] = 1 - product / std::max(std::sqrt(own * squares), kLeastProduct);
    } else {
      for (std::size_t k = 0; k < width; ++k) {
        const double difference = static_cast<double>(row[k]) - other[k];
        apart += difference * difference;
      }
      distances[i] = std::sqrt(apart);
    }
  }
}

std::vector<std::vector<PocketMatch>> nearest_ligands(const ops::Floats& rows, const io::KeyedRows& library,
                                                      PocketMetric metric, std::size_t count,
                                                      std::size_t threads) {
  require_width(library, rows.width(), "the library");
  std::vector<std::vector<PocketMatch>> found(static_cast<std::size_t>(rows.size(0)));
  const std::size_t wanted = std::min(count, library.keys.size());
  parallel_for(found.size(), threads, [&](std::size_t query) {
    std::vector<double> distances;
    distances_to(rows.data() + static_cast<std::int64_t>(query) * rows.width(), library, metric, distances);
    std::vector<std::size_t> order(distances.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto is_nearer = [&](std::size_t a, std::size_t b) {
      return distances[a] != distances[b] ? distances[a] < distances[b] : a < b;
    };
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(wanted), order.end(),
                      is_nearer);
    for (std::size_t rank = 0; rank < wanted; ++rank) {
      found[query].push_back({rank + 1, library.keys[order[rank]], distances[order[rank]]});
    }
  });
  return found;
}

}  // namespace molgauge::pocket
