#include "pockets/training/data.h"

#include <algorithm>
#include <exception>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/core/hash.h"
#include "base/core/threads/worker_group.h"

namespace molgauge::pocket {
namespace {

std::vector<std::size_t> graphs_of(const std::vector<TrainingPocket>& pockets) {
  std::vector<std::size_t> graphs;
  graphs.reserve(pockets.size());
  for (const TrainingPocket& pocket : pockets) {
    graphs.push_back(pocket.graph);
  }
  return graphs;
}

}  // namespace

ops::Floats TrainingData::targets_of(const std::vector<TrainingPocket>& pockets) const {
  ops::Floats rows{static_cast<std::int64_t>(pockets.size()), targets->width};
  for (std::size_t i = 0; i < pockets.size(); ++i) {
    std::copy_n(targets->row(pockets[i].target), targets->width,
                rows.data() + static_cast<std::int64_t>(i) * targets->width);
  }
  return rows;
}

std::string TrainingData::identity() const {
  std::string text;
  for (const auto* part : {&train, &validation}) {
    for (const TrainingPocket& pocket : *part) {
      const GraphEntry& entry = graphs->graphs()[pocket.graph];
      const std::span<const float> row(targets->row(pocket.target), static_cast<std::size_t>(targets->width));
      text += fmt::format("{} {} {:016x}\n", entry.name, entry.checksum, checksum64(std::as_bytes(row)));
    }
    text += '\n';
  }
  for (std::size_t i = 0; i < normalization.mean.size(); ++i) {
    text += fmt::format("{} {}\n", normalization.mean[i], normalization.deviation[i]);
  }
  return fmt::format("{:016x}", checksum64(std::as_bytes(std::span(text))));
}

PocketLoader::~PocketLoader() {
  if (ahead_.valid()) {
    ahead_.wait();
  }
}

LoadedPockets PocketLoader::read(const std::vector<TrainingPocket>& pockets, std::size_t threads) const {
  LoadedPockets loaded(pockets.size());
  parallel_for(pockets.size(), std::max<std::size_t>(1, threads), [&](std::size_t i) {
    const std::size_t graph = pockets[i].graph;
    loaded[i] = std::make_shared<const Batch>(
        arrange(data_.graphs->load(graph, data_.normalization), data_.graphs->graphs()[graph].name));
  });
  return loaded;
}

LoadedPockets PocketLoader::load(const std::vector<TrainingPocket>& pockets) {
  if (ahead_.valid()) {
    const bool is_wanted = ahead_graphs_ == graphs_of(pockets);
    try {
      LoadedPockets ahead = ahead_.get();
      if (is_wanted) {
        return ahead;
      }
    } catch (const std::exception&) {
      // The failure is ignored here, because read() below reads the graphs again. If the failure occurs
      // again, read() reports it or, if memory is short, handles it.
    }
  }
  return read(pockets, 1);
}

void PocketLoader::load_ahead(std::vector<TrainingPocket> pockets) {
  if (threads_ == 0 || ahead_.valid()) {
    return;
  }
  ahead_graphs_ = graphs_of(pockets);
  ahead_ = std::async(std::launch::async,
                      [this, pockets = std::move(pockets)] { return read(pockets, threads_); });
}

}  // namespace molgauge::pocket
